"""The columns of a list of rules as a graph: an edge where a rule ties two columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any

from lawful.rules.model import Fd, Lod, Oc, Pod, Rule

NODES = 36
EDGES = 240
_WIDEST = 6


def graph(rules: Iterable[Rule], at: dict[str, int]) -> dict[str, Any]:
    """The columns in most rules as ``nodes``, in the table's order; the ties of most rules among them as ``edges``, of
    each the two columns, the number of rules, and 1 where it leads from the first to the second. ``left`` are the ties
    not drawn. Linear in the rules."""
    used: Counter[str] = Counter()
    tied: Counter[tuple[str, str, int]] = Counter()
    for rule in rules:
        used.update(set(rule.columns))
        tied.update(set(_ties(rule)))
    nodes = sorted(at[name] for name, _ in used.most_common(NODES))
    drawn = set(nodes)
    there = [tie for tie in tied.most_common() if at[tie[0][0]] in drawn and at[tie[0][1]] in drawn]
    edges = [[at[a], at[b], count, way] for (a, b, way), count in there[:EDGES]]
    return {"nodes": nodes, "edges": edges, "left": len(tied) - len(edges), "columns": len(used)}


def _ties(rule: Rule) -> Iterator[tuple[str, str, int]]:
    """What decides leads to what is decided; other columns are tied both ways, those of a long rule not at all."""
    match rule:
        case Fd():
            yield from ((name, rule.rhs, 1) for name in rule.lhs if name != rule.rhs)
        case Lod() if rule.lhs and rule.rhs:
            pairs = product((name for name, _ in rule.lhs), (name for name, _ in rule.rhs))
            yield from ((a, b, 1) for a, b in pairs if a != b)
        case Pod():
            yield from ((name, rule.rhs[0], 1) for name, _ in rule.lhs if name != rule.rhs[0])
        case Oc():
            yield (*sorted((rule.left, rule.right)), 0)  # type: ignore[misc]
        case _ if len(set(rule.columns)) <= _WIDEST:
            yield from ((a, b, 0) for a, b in combinations(sorted(set(rule.columns)), 2))
