"""Holds rules against an encoded table, on an engine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from lawful.engine import Engine
from lawful.errors import OptionError
from lawful.limits import Budget
from lawful.options import CheckOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Lod, Measure, Rule
from lawful.rules.parts import parts
from lawful.violations.asked import AskedRule, read_otherwise
from lawful.violations.checked import CheckResult, Repair, RuleCheck, Witness
from lawful.violations.counting import Question
from lawful.violations.cross import CrossRanks
from lawful.violations.denial import denials
from lawful.violations.finding import EXACT, Finding, counted_flags
from lawful.violations.rounds import Rounds
from lawful.violations.rows import has_places

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GREEDY_ROWS = 1 << 16
"""Rows that take part in violations up to which a greedy repair is looked for unasked."""


def check_all(
    table: Encoded,
    engine: Engine,
    asked: Sequence[AskedRule],
    options: CheckOptions,
    listener: Listener = silent,
    budget: Budget | None = None,
) -> CheckResult:
    """Counts, witnesses and repairs of every rule. Nothing of the table's size comes back but flags of rows."""
    started = time.perf_counter()
    measures = [_measure(each, options) for each in asked]
    rules = [each.rule for each in asked]
    stood = [parts(rule) if isinstance(rule, Lod) else () for rule in rules]
    everything: list[Rule] = [*rules, *(part for found in stood for part in found)]
    findings = iter(_found(table, engine, everything, options, listener, budget))
    limit = None if options.max_error is None else Fraction(str(options.max_error))
    made = [
        replace(
            _check(table, rule, next(findings), measure, each.max_error if limit is None else limit),
            severity=each.severity,
        )
        for rule, measure, each in zip(rules, measures, asked, strict=True)
    ]
    checks = [
        _with_parts(check, [_check(table, part, next(findings), "removal", check.max_error) for part in found])
        for check, found in zip(made, stood, strict=True)
    ]
    seconds = time.perf_counter() - started
    warnings = (*table.warnings, *read_otherwise(asked, table))
    return CheckResult(table.name, table.rows, tuple(checks), engine.name, seconds, warnings, table)


def _measure(asked: AskedRule, options: CheckOptions) -> Measure:
    exact = asked.rule.kind in EXACT
    if options.measure == "removal" and not exact:
        hint = "Use measure pairs, or leave it out."
        raise OptionError(f"A rule of kind {asked.rule.kind} has no error by removal: {asked.rule}.", hint=hint)
    return options.measure or asked.measure or ("removal" if exact else "pairs")


def _found(
    table: Encoded,
    engine: Engine,
    rules: Sequence[Rule],
    options: CheckOptions,
    listener: Listener,
    budget: Budget | None,
) -> list[Finding]:
    """What is true of each rule, in their order."""
    cross = CrossRanks(table, rules)
    room = table.rows if options.repair else 0 if options.repair is False else _GREEDY_ROWS
    asked = [Question(i, rule.kind, denials(rule, table, cross.places), table.rows) for i, rule in enumerate(rules)]
    shared = engine.share(cross.table())
    return Rounds(engine, shared, options.max_witnesses, room, listener, budget).findings(asked)


def _check(table: Encoded, rule: Rule, found: Finding, measure: Measure, limit: Fraction) -> RuleCheck:
    repair = None
    if not found.unmended:
        gone = counted_flags(found.gone)
        repair = Repair(gone, rule.kind in EXACT or gone == found.least, found.least)
    return RuleCheck(
        rule, found.pairs, table.rows * (table.rows - 1), counted_flags(found.bad), table.rows, measure, limit, repair,
        tuple(_witnesses(table, rule, found.shown)), bad=found.bad, gone=None if found.unmended else found.gone,
    )  # fmt: skip


def _key(table: Encoded) -> tuple[str, ...]:
    """The first column whose values are all different, by which a row without a place is found."""
    return tuple(column.name for column in table.columns if column.ranks == table.rows)[:1]


def _with_parts(check: RuleCheck, found: Sequence[RuleCheck]) -> RuleCheck:
    return replace(check, parts=tuple(replace(part, severity=check.severity) for part in found)) if found else check


def _witnesses(table: Encoded, rule: Rule, shown: NDArray[np.int32]) -> Iterator[Witness]:
    """The pairs with their values in the rule's columns, in the table's order."""
    if len(shown) == 0:
        return
    columns = tuple(name for name in table.names if name in rule.columns)
    if not has_places(table):
        columns += tuple(name for name in _key(table) if name not in columns)
    sides = [shown[:, side].tolist() for side in (0, 1)]
    values = [[table.cells(name, side) for name in columns] for side in sides]
    for i, pair in enumerate(zip(*sides, strict=True)):
        t, u = (tuple(cells[i] for cells in side) for side in values)
        names = [table.row_name(row) if has_places(table) else None for row in pair]
        single = pair[0] == pair[1]
        yield Witness((names[0], None if single else names[1]), columns, t, () if single else u)
