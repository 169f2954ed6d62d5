"""The removal error twice: by trying every set of rows to keep, and by the formula of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from lawful.rules.model import Fd, Key, Oc, Rule
from tests.naive.pairs import violations
from tests.naive.table import Nulls, Table, place, ranks


def removal_error(rule: Rule, table: Table, nulls: Nulls = "first") -> Fraction:
    """Least share of rows to remove so that the rule holds, by brute force over the rows kept: 2^n, for small n."""
    _offered(rule)
    bad, n = {frozenset(pair) for pair in violations(rule, table, nulls)}, len(table)
    for removed in range(n + 1):
        for kept in combinations(range(n), n - removed):
            if not any(frozenset(pair) in bad for pair in combinations(kept, 2)):
                return Fraction(removed, n) if n else Fraction(0)
    raise AssertionError("an empty table obeys every rule")


def removal_formula(rule: Rule, table: Table, nulls: Nulls = "first") -> Fraction:
    """The same figure from the sizes of groups and the longest monotone subsequence."""
    _offered(rule)
    match rule:
        case Fd():
            kept = sum(_largest(table, group, rule.rhs, nulls) for group in _groups(table, rule.lhs, nulls))
        case Key():
            kept = len(_groups(table, rule.columns, nulls))
        case Oc():
            kept = sum(_longest(table, group, rule, nulls) for group in _groups(table, rule.context, nulls))
        case _:
            raise AssertionError(rule)
    return Fraction(len(table) - kept, len(table)) if len(table) else Fraction(0)


def _offered(rule: Rule) -> None:
    if not isinstance(rule, Fd | Key | Oc):
        raise ValueError(f"no removal error is offered for {rule.kind}")


def _place(table: Table, row: int, name: str) -> Any:
    value = table.value(row, name)
    return "null" if value is None else place(value, table.orders.get(name))


def _groups(table: Table, context: Sequence[str], nulls: Nulls) -> list[list[int]]:
    """Rows equal on the context; where nulls are unknown a row with one is equal to no other."""
    groups: dict[Any, list[int]] = {}
    for row in range(len(table)):
        places = tuple(_place(table, row, name) for name in context)
        alone = nulls == "unknown" and "null" in places
        groups.setdefault((places, row if alone else None), []).append(row)
    return list(groups.values())


def _largest(table: Table, group: list[int], name: str, nulls: Nulls) -> int:
    """Rows of the group that can stay: the commonest value, and where nulls are unknown every null besides."""
    counts = Counter(_place(table, row, name) for row in group)
    free = counts.pop("null", 0) if nulls == "unknown" else 0
    return max(counts.values(), default=0) + free


def _longest(table: Table, group: list[int], rule: Oc, nulls: Nulls) -> int:
    """Length of the longest non-decreasing run of right values (of their negatives, for the opposite direction)."""
    order = ranks(table, nulls)
    left, right = (order[table.names.index(name)] for name in (rule.left, rule.right))
    sign = 1 if rule.direction == "same" else -1
    rights = [b for _, b in sorted((left[row], sign * right[row]) for row in group)]
    ends: list[int] = []
    for i, b in enumerate(rights):
        ends.append(1 + max((ends[j] for j in range(i) if rights[j] <= b), default=0))
    return max(ends, default=0)
