"""The rules to check, in whatever form they were given: text, objects, rule files, lists of these."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from lawful.errors import OptionError, RuleFileError
from lawful.rules import RuleSet, parse
from lawful.rules.model import Dc, Fd, Key, Lod, Measure, Oc, Pod, Rule

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

_SUFFIX = re.compile(r"\.(jsonl|ndjson|json|txt|rules|ya?ml)$", re.I)
_GIVE = 'Give rules such as "zip -> state", or a rule file as lawful discover -o writes it.'


@dataclass(frozen=True)
class AskedRule:
    """A rule to check; ``max_error`` and ``measure`` as its rule file has them, where it came from one, and
    ``options``, which say how the table was read when the rule was found."""

    rule: Rule
    max_error: Fraction = Fraction(0)
    measure: Measure | None = None
    options: Mapping[str, Any] = field(default_factory=dict, compare=False)


def asked_rules(given: Any) -> tuple[AskedRule, ...]:
    """The rules in the order given, each once. A text is a rule file where it names one, else a rule."""
    found: dict[str, AskedRule] = {}
    for asked in _each(given):
        found.setdefault(asked.rule.id, asked)
    if not found and not isinstance(given, RuleSet):
        raise OptionError("There are no rules to check.", hint=_GIVE)
    return tuple(found.values())


def _each(given: Any) -> Iterator[AskedRule]:
    if isinstance(given, RuleSet):
        yield from _of_set(given)
    elif isinstance(given, Fd | Key | Oc | Lod | Pod | Dc):
        yield AskedRule(given)
    elif isinstance(given, os.PathLike) or (isinstance(given, str) and _is_file(given)):
        yield from _of_set(_loaded(given))
    elif isinstance(given, str):
        yield AskedRule(parse(given))
    elif isinstance(given, Iterable):
        for part in given:
            yield from _each(part)
    else:
        raise OptionError(f"A {type(given).__name__} is no rule.", hint=_GIVE)


def _is_file(text: str) -> bool:
    """Whether a text names a rule file: one that is there, or that looks like one and like no rule."""
    try:
        there = os.path.isfile(text)
    except ValueError:
        return False
    return there or _SUFFIX.search(text) is not None


def _loaded(path: str | os.PathLike[str]) -> RuleSet:
    if not os.path.exists(path):
        raise RuleFileError(f"There is no rule file {os.fspath(path)!r}.", hint=_GIVE)
    return RuleSet.load(path)


def _of_set(rules: RuleSet) -> Iterator[AskedRule]:
    limit, measure = rules.options.get("max_error"), rules.options.get("measure")
    most = Fraction(str(limit)) if isinstance(limit, int | float) and 0 <= limit < 1 else Fraction(0)
    for rule in rules:
        by = rule.figures.measure or measure
        known = by if by == "pairs" or (by == "removal" and rule.kind in ("fd", "key", "oc")) else None
        yield AskedRule(rule, most, cast("Measure | None", known), rules.options)


def read_otherwise(asked: Iterable[AskedRule], table: Encoded) -> tuple[str, ...]:
    """Warnings where rules were found in a table that was read in another way than this one."""
    found: dict[str, None] = {}
    for each in asked:
        nulls, orders = each.options.get("nulls", table.nulls), each.options.get("order", {})
        if nulls != table.nulls:
            found[f"Rules were found with nulls {nulls}, and are checked with nulls {table.nulls}."] = None
        for name in table.names:
            listed = tuple(orders.get(name, ())) if isinstance(orders, Mapping) else ()
            if each.options and listed != table.column(name).listed and name in each.rule.columns:
                found[f"Rules were found with another order of column {name!r} than they are checked with."] = None
    return tuple(found)
