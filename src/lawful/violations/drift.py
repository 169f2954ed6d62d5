"""Rules that held once, to be held against the table of today."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from lawful.violations.asked import AskedRule, asked_rules, loaded


def held_before(path: str | os.PathLike[str]) -> tuple[AskedRule, ...]:
    """The rules of a rule file that held without exception when they were found, with no error allowed them; of a
    review those to check that its last discovery found.

    A rule whose error was not measured counts as one that held, unless its list allowed errors.
    """
    review = loaded(path)
    held = (each for each in asked_rules(review) if _held(each) and review.of(each.rule).found)
    return tuple(replace(each, max_error=Fraction(0)) for each in held)


def _held(asked: AskedRule) -> bool:
    error = asked.rule.figures.error
    return error == 0 or (error is None and asked.max_error == 0)


def of_columns(held: Sequence[AskedRule], names: Iterable[str]) -> tuple[tuple[AskedRule, ...], tuple[str, ...]]:
    """The rules that name nothing but these columns, and what is to be said of the others."""
    known = frozenset(names)
    there = tuple(each for each in held if known.issuperset(each.rule.columns))
    return there, tuple(_lacking([each for each in held if not known.issuperset(each.rule.columns)], known))


def _lacking(away: Sequence[AskedRule], known: frozenset[str]) -> Iterator[str]:
    names = [name for name in dict.fromkeys(name for each in away for name in each.rule.columns) if name not in known]
    if names:
        told = ", ".join(map(repr, names[:5])) + (", …" if len(names) > 5 else "")
        rules = "1 rule that held is" if len(away) == 1 else f"{len(away):,} rules that held are"
        yield f"{rules} not checked: the table lacks {'column' if len(names) == 1 else 'columns'} {told}."
