"""The columns of a list of rules as a graph: an edge where a rule ties two columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Any, TypeAlias

from lawful.rules.model import Fd, Lod, Oc, Pod, Rule

NODES = 36
EDGES = 96
_WIDEST = 6

Tie: TypeAlias = tuple[str, str, int]
"""Two columns, and 1 where the first decides the second."""


def graph(rules: Iterable[Rule], at: dict[str, int]) -> dict[str, Any]:
    """The strongest ties as ``edges``, of each the two columns, the number of rules, 1 where it leads from the first to
    the second, and its width; their columns as ``nodes``, in the table's order. A tie is as strong as the interest of
    its rules together. ``left`` are the ties not drawn, ``columns`` all that rules name. Linear in the rules."""
    named: set[str] = set()
    tied: Counter[Tie] = Counter()
    strength: Counter[Tie] = Counter()
    for rule in rules:
        named.update(rule.columns)
        for tie in set(_ties(rule)):
            tied[tie] += 1
            strength[tie] += rule.figures.interest or 0.0  # type: ignore[assignment]
    ranked = sorted(tied, key=lambda tie: (-strength[tie], -tied[tie], at[tie[0]], at[tie[1]], tie[2]))
    drawn = _drawn(ranked)
    weight = strength if any(strength.values()) else tied
    most = max((weight[tie] for tie in drawn), default=1)
    edges = [[at[a], at[b], tied[a, b, way], way, _width(weight[a, b, way] / most)] for a, b, way in drawn]
    nodes = sorted({place for edge in edges for place in edge[:2]})
    return {"nodes": nodes, "edges": edges, "left": len(tied) - len(edges), "columns": len(named)}


def _drawn(ranked: Iterable[Tie]) -> list[Tie]:
    """The first ties, as many as the bounds on ties and columns let in."""
    nodes: set[str] = set()
    found: list[Tie] = []
    for tie in ranked:
        if len(found) < EDGES and len(nodes | {*tie[:2]}) <= NODES:
            nodes.update(tie[:2])
            found.append(tie)
    return found


def _width(share: float) -> float:
    return round(1 + 4 * math.sqrt(share), 2)


def _ties(rule: Rule) -> Iterator[Tie]:
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
