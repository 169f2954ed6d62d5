"""What a rule means, over rows given as dictionaries: enough to judge that two forms of a rule mean the same."""

from __future__ import annotations

import operator
from itertools import permutations

from lawful.rules import Dc, Fd, Key, Lod, Oc, Pod, Rule

Row = dict[str, int]

COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def holds(rule: Rule, rows: list[Row]) -> bool:
    return not any(violates(rule, t, u) for t, u in permutations(rows, 2))


def violates(rule: Rule, t: Row, u: Row) -> bool:
    match rule:
        case Fd():
            return equal(rule.lhs, t, u) and t[rule.rhs] != u[rule.rhs]
        case Key():
            return equal(rule.columns, t, u)
        case Oc():
            right = t[rule.right] > u[rule.right] if rule.direction == "same" else t[rule.right] < u[rule.right]
            return equal(rule.context, t, u) and t[rule.left] < u[rule.left] and right
        case Lod():
            left, right = listed(rule.lhs, t, u), listed(rule.rhs, t, u)
            forward = left <= 0 < right
            return {"->": forward, "<->": forward or right <= 0 < left, "~": left < 0 < right}[rule.form]
        case Pod():
            marks = all(COMPARE[op](t[name], u[name]) for name, op in rule.lhs)
            return marks and not COMPARE[rule.rhs[1]](t[rule.rhs[0]], u[rule.rhs[0]])
        case Dc():
            row = {"t": t, "u": u}
            return all(
                COMPARE[p.op](row[p.left.row][p.left.column], row[p.right.row][p.right.column]) for p in rule.predicates
            )


def equal(names: tuple[str, ...], t: Row, u: Row) -> bool:
    return all(t[name] == u[name] for name in names)


def listed(orders: tuple[tuple[str, str], ...], t: Row, u: Row) -> int:
    for name, direction in orders:
        if t[name] != u[name]:
            return (1 if t[name] > u[name] else -1) * (1 if direction == "asc" else -1)
    return 0
