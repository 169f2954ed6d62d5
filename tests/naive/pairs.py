"""What each kind of rule means, pair by pair: the definitions themselves, and nothing clever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, permutations

from lawful.rules.model import OUTCOMES, Dc, Fd, Key, Lod, Oc, Operand, Operator, Pod, Rule, Sort
from tests.naive.table import Nulls, Outcome, Table, cmp

SORT: dict[Sort, dict[Outcome, Outcome]] = {
    "asc": {"<": "<", "=": "=", ">": ">"},
    "desc": {"<": ">", "=": "=", ">": "<"},
}


def outcome(table: Table, t: int, u: int, left: Operand, right: Operand, nulls: Nulls) -> Outcome:
    """How the cell ``left`` compares with the cell ``right`` when the two rows are ``t`` and ``u``."""
    a, b = (table.value({"t": t, "u": u}[cell.row], cell.column) for cell in (left, right))
    order = table.orders.get(left.column) if left.column == right.column else None
    return cmp(a, b, nulls, order)


def signature(table: Table, t: int, u: int, nulls: Nulls) -> dict[str, Outcome]:
    """How row ``t`` compares with row ``u``, column by column."""
    return {name: outcome(table, t, u, Operand("t", name), Operand("u", name), nulls) for name in table.names}


def violations(rule: Rule, table: Table, nulls: Nulls = "first") -> list[tuple[int, int]]:
    """Every ordered pair of distinct rows that breaks the rule."""
    if nulls == "unknown" and rule.kind not in ("fd", "key", "dc"):
        raise ValueError(f"unknown nulls mean nothing for {rule.kind}")
    return [pair for pair in permutations(range(len(table)), 2) if violates(rule, table, *pair, nulls)]


def holds(rule: Rule, table: Table, nulls: Nulls = "first") -> bool:
    return not violations(rule, table, nulls)


def pairs_error(rule: Rule, table: Table, nulls: Nulls = "first") -> Fraction:
    """Violating ordered pairs over n(n-1); 0 where there are no pairs."""
    n = len(table)
    return Fraction(len(violations(rule, table, nulls)), n * (n - 1)) if n > 1 else Fraction(0)


def violates(rule: Rule, table: Table, t: int, u: int, nulls: Nulls) -> bool:
    """Whether the ordered pair (t, u) breaks the rule."""
    if isinstance(rule, Dc):
        return all(outcome(table, t, u, p.left, p.right, nulls) in OUTCOMES[p.op] for p in rule.predicates)
    found = signature(table, t, u, nulls)
    match rule:
        case Fd():
            return _marked(found, ((name, "=") for name in rule.lhs)) and _marked(found, [(rule.rhs, "!=")])
        case Key():
            return _marked(found, ((name, "=") for name in rule.columns))
        case Oc():
            against: Operator = ">" if rule.direction == "same" else "<"
            together = _marked(found, ((name, "=") for name in rule.context))
            return together and _marked(found, [(rule.left, "<"), (rule.right, against)])
        case Pod():
            return _marked(found, rule.lhs) and not _marked(found, [rule.rhs])
        case Lod():
            return any(_sorted(found, x) and not _sorted(found, y) for x, y in _statements(rule))


def _marked(found: dict[str, Outcome], marks: Iterable[tuple[str, Operator]]) -> bool:
    return all(found[name] in OUTCOMES[op] for name, op in marks)


def _statements(rule: Lod) -> list[tuple[tuple[tuple[str, Sort], ...], tuple[tuple[str, Sort], ...]]]:
    """The pairs of lists (X, Y) for which the rule says: sorted by X is sorted by Y."""
    x, y = rule.lhs, rule.rhs
    if rule.form == "~":
        x, y = x + y, y + x
    return [(x, y)] if rule.form == "->" else [(x, y), (y, x)]


def _sorted(found: dict[str, Outcome], by: Iterable[tuple[str, Sort]]) -> bool:
    """Whether t may stand before u in a table sorted by the list."""
    for name, sort in by:
        if found[name] != "=":
            return SORT[sort][found[name]] == "<"
    return True


def agree_sets(table: Table, nulls: Nulls = "first") -> Counter[frozenset[str]]:
    """For every unordered pair of rows the set of columns on which they are equal, counted."""
    return Counter(
        frozenset(name for name, found in signature(table, t, u, nulls).items() if found == "=")
        for t, u in combinations(range(len(table)), 2)
    )
