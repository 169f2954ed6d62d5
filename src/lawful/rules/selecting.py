"""The tests that ``RuleSet.filter`` is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.rules.model import KINDS, Rule

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

Test: TypeAlias = Callable[[Rule], bool]


def wanted_kinds(kind: str | Iterable[str] | None) -> frozenset[str]:
    """The kinds asked for, ``od`` spelt out; all where none is named."""
    if kind is None:
        return frozenset(KINDS)
    asked = [kind] if isinstance(kind, str) else list(kind)
    for name in asked:
        if name not in (*KINDS, "od"):
            raise OptionError(f"There is no kind of rule {name!r}.", hint=did_you_mean(name, [*KINDS, "od"]))
    return frozenset(asked) - {"od"} | (frozenset({"fd", "oc"}) if "od" in asked else frozenset())


def tests(
    rules: RuleSet,
    columns: str | Iterable[str] | None,
    within: str | Iterable[str] | None,
    max_error: float | None,
    predicate: Test | None,
) -> list[Test]:
    """What a rule must pass, one test for every argument that is given."""
    wanted: list[Test] = [predicate] if predicate is not None else []
    if columns is not None:
        any_of = _names(rules, columns)
        wanted.append(lambda rule: not any_of.isdisjoint(rule.columns))
    if within is not None:
        only = _names(rules, within)
        wanted.append(lambda rule: only.issuperset(rule.columns))
    if max_error is not None:
        wanted.append(_error_test(max_error))
    return wanted


def _names(rules: RuleSet, columns: str | Iterable[str]) -> frozenset[str]:
    names = frozenset([columns] if isinstance(columns, str) else columns)
    for name in sorted(names):
        if name not in rules.names:
            raise ColumnError(f"The table has no column {name!r}.", hint=did_you_mean(name, rules.names))
    return names


def _error_test(most: float) -> Test:
    if not 0 <= most <= 1:
        raise OptionError(f"max_error is a fraction of rows or pairs, not {most}.", hint="Give a number from 0 to 1.")
    return lambda rule: rule.figures.error is not None and rule.figures.error <= most
