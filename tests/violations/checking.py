"""Checks of small tables, and what they have to say by the definitions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

import lawful as lw
from lawful.rules.model import Dc, Rule
from lawful.violations.checked import CheckResult, RuleCheck
from lawful.violations.finding import flags
from tests.made import as_arrow
from tests.naive import NUMERIC, Nulls, Table, removal_error, violations

EXACT = ("fd", "key", "oc")


def checked(table: Table, rules: Sequence[Rule], nulls: Nulls = "first", **more: object) -> CheckResult:
    """The rules held against the table, which is read like any other."""
    return lw.check(as_arrow(table), rules, nulls=nulls, **more)  # type: ignore[arg-type]


def comparable(table: Table, rule: Rule) -> bool:
    """Whether the columns that the rule compares with each other have a common order."""
    if not isinstance(rule, Dc):
        return True
    kinds = [{table.type_of(cell.column) for cell in (p.left, p.right)} for p in rule.predicates]
    return all(len(types) == 1 or types <= NUMERIC for types in kinds)


def of_one_row(rule: Rule) -> str | None:
    """The row that a constraint speaks of, where it is only one."""
    rows = {cell.row for p in rule.predicates for cell in (p.left, p.right)} if isinstance(rule, Dc) else set("tu")
    return rows.pop() if len(rows) == 1 else None


def assert_as_defined(check: RuleCheck, table: Table, nulls: Nulls = "first", most: int = 10) -> None:
    """Everything that a check says of a rule, against the definitions."""
    wanted, n = violations(check.rule, table, nulls), len(table)
    assert (check.pairs, check.of_pairs, check.of_rows) == (len(wanted), n * (n - 1), n)
    single = of_one_row(check.rule)
    bad = {row for pair in wanted for row in pair}
    if single:
        bad = {pair["tu".index(single)] for pair in wanted}
    assert set(np.flatnonzero(flags(check.bad, n)).tolist()) == bad
    assert check.rows == len(bad)
    _assert_mended(check, table, nulls, wanted)
    if not single:
        _assert_shown(check, wanted, most)


def _assert_mended(check: RuleCheck, table: Table, nulls: Nulls, wanted: list[tuple[int, int]]) -> None:
    assert check.repair is not None and check.gone is not None
    gone = set(np.flatnonzero(flags(check.gone, len(table))).tolist())
    assert len(gone) == check.repair.rows
    assert all(t in gone or u in gone for t, u in wanted), "what is left still breaks the rule"
    if check.rule.kind in EXACT:
        assert check.repair.exact
        assert Fraction(check.repair.rows, len(table) or 1) == removal_error(check.rule, table, nulls)
    elif len(table) <= 6:
        fewest = _fewest(wanted, len(table))
        assert check.repair.least <= fewest <= check.repair.rows
        assert not check.repair.exact or check.repair.rows == fewest


def _fewest(wanted: list[tuple[int, int]], n: int) -> int:
    """The least number of rows that take part in every pair, by trying all sets of rows."""
    covers = (bits for bits in range(1 << n) if all(bits >> t & 1 or bits >> u & 1 for t, u in wanted))
    return min(bits.bit_count() for bits in covers)


def _assert_shown(check: RuleCheck, wanted: list[tuple[int, int]], most: int) -> None:
    """Different pairs, all of which break the rule, and all that do where they are few."""
    shown = [(int(str(w.rows[0])) - 1, int(str(w.rows[1])) - 1) for w in check.witnesses]
    assert len(set(shown)) == len(shown) and set(shown) <= set(wanted)
    unordered = {frozenset(pair) for pair in wanted}
    mutual = all((u, t) in wanted for t, u in wanted)
    assert len(shown) in ({min(most, len(wanted))} | ({min(most, len(unordered))} if mutual else set()))
