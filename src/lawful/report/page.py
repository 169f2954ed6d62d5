"""The page: a template, a style sheet and a script of ours, and the rules as data.

Data never becomes markup: the template escapes, the script sets text and nothing else, and the rules travel as JSON in
which ``<`` is written as an escape, so that no value can end the element it stands in. The page forbids itself the
network.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lawful.rules.lines import figure
from lawful.rules.model import KINDS, Rule
from lawful.rules.review import Review
from lawful.rules.words import meaning

if TYPE_CHECKING:
    from lawful.ranks.profiling import Profile
    from lawful.rules import RuleSet

_PIECE = 4096
_KIND_WORDS = {
    "fd": "functional dependencies",
    "key": "keys",
    "oc": "order compatibilities",
    "lod": "list order dependencies",
    "pod": "pointwise order dependencies",
    "dc": "denial constraints",
}
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
_ESCAPED = str.maketrans(_ESCAPES)
_PLACE = "\0data\0"


def page(rules: RuleSet | Review, profile: Profile | None = None) -> Iterator[bytes]:
    """The page in pieces; the rules most interesting first."""
    review = rules if isinstance(rules, Review) else Review(rules)
    head, _, tail = _frame(review.rules, profile).partition(_PLACE)
    yield head.encode()
    yield from (piece.encode() for piece in _data(review, profile))
    yield tail.encode()


def _frame(rules: RuleSet, profile: Profile | None) -> str:
    """All but the data."""
    from jinja2 import Environment
    from markupsafe import Markup

    counts = Counter(rule.kind for rule in rules)
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    rendered = environment.from_string(_resource("page.html")).render(
        source=rules.source or "a table",
        rows=rules.rows if rules.rows is not None else (profile.rows if profile else None),
        columns=len(rules.columns),
        total=len(rules),
        kinds=[(kind, _KIND_WORDS[kind], counts[kind]) for kind in KINDS if counts[kind]],
        incomplete=rules.incomplete,
        complete_to=rules.complete_to,
        notes=[*([rules.note] if rules.note else []), *rules.warnings[:20], *_gaps(rules, profile)],
        nulls=rules.options.get("nulls") or "first",
        profiled=profile is not None,
        style=Markup(_resource("page.css")),
        script=Markup(_resource("page.js")),
        data=Markup(_PLACE),
    )
    return str(rendered)


@cache
def _resource(name: str) -> str:
    return (files("lawful.report") / name).read_text(encoding="utf-8")


def _gaps(rules: RuleSet, profile: Profile | None) -> Iterator[str]:
    """Columns of the rules that the table given for the profile lacks."""
    if profile is not None:
        known = {column.name for column in profile.columns}
        lacking = [name for name in rules.names if name not in known]
        if lacking:
            more = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
            yield f"the table given as source lacks column {lacking[0]!r}{more}"


def _data(review: Review, profile: Profile | None) -> Iterator[str]:
    """One JSON object: ``columns`` and ``rules``, a rule in a few short fields."""
    rules = review.rules
    at = {name: place for place, name in enumerate(rules.names)}
    yield f'{{"kinds": {_json(KINDS)}, "columns": {_json(_columns(rules, profile))}, "rules": ['
    ranked = rules.by_interest().rules
    for start in range(0, len(ranked), _PIECE):
        told = (_json(_told(rule, review, at)) for rule in ranked[start : start + _PIECE])
        yield ("," if start else "") + ",\n".join(told)
    yield "]}"


def _told(rule: Rule, review: Review, at: dict[str, int]) -> dict[str, Any]:
    figures, verdict = rule.figures, review.of(rule)
    told: dict[str, Any] = {
        "k": KINDS.index(rule.kind),
        "t": str(rule),
        "s": meaning(rule),
        "c": sorted({at[name] for name in rule.columns}),
        "d": rule.id,
        "i": figure(figures.interest),
        "v": figure(figures.coverage),
        "e": figure(figures.error),
        "m": figures.measure,
        "u": figure(figures.surprise),
    }
    if verdict.reviewed or not verdict.found:
        told |= {"status": verdict.status, "severity": verdict.severity, "note": verdict.note, "found": verdict.found}
    return {key: value for key, value in told.items() if value is not None}


def _columns(rules: RuleSet, profile: Profile | None) -> list[dict[str, Any]]:
    known = {} if profile is None else {column.name: column for column in profile.columns}
    told = []
    for column in rules.columns:
        fields: dict[str, Any] = {"name": column.name, "type": column.type}
        found = known.get(column.name)
        if found is not None and profile is not None:
            fields |= {"type": found.type, "why": found.why, "distinct": found.distinct, "nulls": found.nulls}
            fields |= {"least": found.least, "greatest": found.greatest, "rows": profile.rows}
        told.append(fields)
    return told


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_ESCAPED)
