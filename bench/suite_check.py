"""Suite ``check``: rules held against a million rows, counts, witnesses and repairs included."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from bench.measure import timed
from bench.results import Row, Scale, Suite, judged
from bench.tables import recipe, tax_like
from lawful.errors import JobError
from lawful.rules import Dc, Fd, Key, Oc, Rule, parse

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.violations.checked import CheckResult

RULES = 100
MOST_SECONDS = 10.0
CONSTRAINT = "not(t.state = u.state and t.salary < u.salary and t.rate > u.rate)"
CONSTRAINT_SECONDS = 1.0
CHECKED = 500
"""Rows whose pairs are compared one by one, with NumPy alone."""


def some_rules(names: tuple[str, ...], count: int = RULES) -> list[Rule]:
    """The laws of the table that are fds, keys or ocs, then fds, keys and ocs in turn over its columns."""
    laws = [law for law in recipe("tax").laws if isinstance(law, Fd | Key | Oc)]
    made = (
        rule
        for a, b, c in combinations(names, 3)
        for rule in (Fd((a, b), c), Key((a, b, c)), Oc((a,), b, c), Oc((), b, c, "opposite"))
    )
    drawn = list(made)
    step = max(len(drawn) // count, 1)
    return list(dict.fromkeys([*laws, *drawn[:: step + 1 - step % 2]]))[:count]


def insist_right(table: Encoded, rules: list[Rule]) -> None:
    """Raise unless the counts of the first rows are what comparing their cells pair by pair gives."""
    import lawful
    from bench.papers.running import part

    head = part(table, rows=CHECKED)
    for check in lawful.check(head, rules, engine="local", max_witnesses=0):
        broken = _broken(head, check.rule)
        if check.pairs != broken.sum() or check.rows != (broken.any(0) | broken.any(1)).sum():
            raise JobError(f"{check.rule} is counted wrongly in the first rows.", hint="Find the pair.")


def _broken(table: Encoded, rule: Rule) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Which pairs of rows break a rule, by whole matrices."""
    own = {name: (r[:, None], r[None, :]) for name, r in zip(table.names, table.ranks, strict=True)}
    broken = ~np.eye(table.rows, dtype=np.bool_)
    compare = {"=": np.equal, "!=": np.not_equal, "<": np.less, ">": np.greater, "<=": np.less_equal}
    for name, op in _marks(rule):
        broken &= compare[op](*own[name])
    return broken


def _marks(rule: Rule) -> list[tuple[str, str]]:
    match rule:
        case Fd():
            return [*((name, "=") for name in rule.lhs), (rule.rhs, "!=")]
        case Key():
            return [(name, "=") for name in rule.columns]
        case Oc():
            return [*((n, "=") for n in rule.context), (rule.left, "<"), (rule.right, _against(rule))]
        case Dc():
            return [(p.left.column, p.op) for p in rule.predicates]
    raise AssertionError(rule)


def _against(rule: Oc) -> str:
    return ">" if rule.direction == "same" else "<"


def checking(name: str, rules: list[Rule], table: Encoded, most: float, scale: Scale) -> Row:
    """One list of rules on one table, in process with every core."""
    import lawful

    insist_right(table, rules)

    def call() -> CheckResult:
        return lawful.check(table, rules, engine="local")

    found = call()
    timing = timed(call, scale.repeats)
    held = sum(check.holds for check in found)
    return Row(
        f"{name}, {table.rows:,} × {len(table.columns)}",
        ours=timing.steady.wall,
        unit="s wall",
        goal=f"≤ {most:g} s",
        met=judged(timing.steady.wall, most, scale),
        limit=f"{len(rules) * table.rows / max(timing.steady.wall, 1e-9) / 1e6:.1f} M rows × rules a second",
        note=f"{len(rules)} rules, {held} hold; counts, 10 witnesses each and rows to remove; the table is encoded",
        figures={"timing": timing.figures(), "rules": len(rules), "held": held},
    )


def cases(scale: Scale) -> Iterator[Row]:
    """Many rules that are fds, keys or ocs; one constraint."""
    import lawful

    table = lawful.encode(tax_like(scale.rows), engine="local")
    yield checking("check fd, key, oc", some_rules(table.names), table, MOST_SECONDS, scale)
    yield checking("check a dc of one = and two orders", [parse(CONSTRAINT)], table, CONSTRAINT_SECONDS, scale)


suite = Suite(
    about="Check: counts of violating pairs and rows, witnesses and repairs of rules on a million rows.",
    cases={"check": cases},
)
