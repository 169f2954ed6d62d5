"""What a table says of rules, as data of the page: the check of each, rows that break it, groups of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lawful.report.examples import Examples, Start, examples
from lawful.rules.model import Rule

if TYPE_CHECKING:
    from lawful.violations.checked import CheckResult, RuleCheck, Witness

_LONGEST = 60
_WIDEST = 16
"""Columns shown of a pair, and columns up to which a rule has groups."""

Told = Callable[[Rule], dict[str, Any]]


def evidence(found: CheckResult | None) -> Told:
    """The fields to add to a rule's: ``b`` its figures, ``w`` the pairs that break it, ``x`` its groups; nothing for a
    rule that was not checked. Values are cut."""
    if found is None or found.table is None:
        return lambda rule: {}
    checks = {check.id: check for check in found}
    start = Start(found.table)

    def told(rule: Rule) -> dict[str, Any]:
        check = checks.get(rule.id)
        if check is None:
            return {}
        wide = len(set(rule.columns)) > _WIDEST
        return _checked(check) | ({} if wide else {"x": _shown(examples(start, check.rule))})

    return told


def _checked(check: RuleCheck) -> dict[str, Any]:
    figures: dict[str, Any] = {"s": check.status, "p": check.pairs, "r": check.rows}
    if check.repair is not None:
        figures |= {"m": check.repair.rows, "g": not check.repair.exact}
    if not check.witnesses:
        return {"b": figures}
    sides = [_side(side, row, cells) for witness in check.witnesses for side, row, cells in _rows(witness)]
    columns = check.witnesses[0].columns
    heads = [*columns[:_WIDEST], *(["…"] if len(columns) > _WIDEST else [])]
    return {"b": figures, "w": {"c": heads, "r": sides}}


def _rows(witness: Witness) -> list[tuple[str, str | None, tuple[object, ...]]]:
    return [(side, row, cells) for side, (row, cells) in witness.sides.items()]


def _side(side: str, row: str | None, cells: tuple[object, ...]) -> list[Any]:
    return [side, None if row is None else _cut(row), *map(_cell, cells[:_WIDEST])]


def _shown(found: Examples) -> dict[str, Any]:
    groups = [
        {"n": group.rows, "k": group.combinations, "l": [[count, *map(_cell, cells)] for count, cells in group.lines]}
        for group in found.groups
    ]
    return {"c": list(found.columns), "e": found.equal, "g": groups}


def _cell(value: object) -> str | None:
    return None if value is None else _cut(str(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
