"""The review of a list of rules as a YAML file, such as ``rules.yaml``.

The header is that of the rule file. Each rule has its text, the query that counts the pairs that break it, its figures,
and what people decide: status, severity, note. ``SCHEMA`` describes the file to editors.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec

from lawful.errors import LawfulError, RuleFileError
from lawful.rules import yamltext
from lawful.rules.grammar import parse
from lawful.rules.lines import figure
from lawful.rules.model import Dc, Figures, Measure, Pod, Rule
from lawful.rules.review import PROPOSED, Review, Severity, Status, Verdict, refuse_unknown
from lawful.rules.ruleset import Column, RuleSet
from lawful.rules.schema import HeaderShape, Share
from lawful.rules.sqltext import violations, worded

_ABOUT = """\
# Rules of {source}, to be reviewed. Yours to change: status (proposed, accepted, rejected, muted), severity (error,
# warn) and note. The rest is lawful's: `lawful discover … --update {name}` writes it anew and keeps what is yours.
"""
_HINT = "Correct the line; status, severity and note are yours to change."


class RuleEntry(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A rule under review. Written by hand, it needs its text only."""

    rule: Annotated[str, msgspec.Meta(min_length=1, description="The rule's text, such as: zip -> state")]
    id: Annotated[str | None, msgspec.Meta(description="Names the rule; leave it out where the text is yours.")] = None
    status: Annotated[Status, msgspec.Meta(description="check runs the accepted rules.")] = "proposed"
    severity: Annotated[Severity, msgspec.Meta(description="What a violation is.")] = "error"
    note: Annotated[str, msgspec.Meta(description="Why it is so; for those who come later.")] = ""
    found: Annotated[bool, msgspec.Meta(description="false: the last discovery did not find it.")] = True
    sql: Annotated[str | None, msgspec.Meta(description="Counts the pairs of rows that break it.")] = None
    error: Share | None = None
    measure: Measure | None = None
    coverage: Share | None = None
    interest: Share | None = None
    surprise: float | None = None


class ReviewShape(HeaderShape, forbid_unknown_fields=True, kw_only=True):
    """A list of rules to be reviewed, written by lawful."""

    rules: tuple[RuleEntry, ...] = ()


def is_review(path: str | os.PathLike[str]) -> bool:
    """Whether a path is that of a review, by its ending."""
    return Path(path).suffix.lower() in (".yaml", ".yml")


def json_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the file."""
    found = msgspec.json.schema(ReviewShape)
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Rules of a table under review"}
    return named | found


def pieces(review: Review, name: str = "rules.yaml") -> Iterator[bytes]:
    """The file, a rule at a time."""
    rules = review.rules
    shown = " ".join(str(rules.source or "a table").split())
    yield _ABOUT.format(source=shown if shown.isprintable() else "a table", name=name).encode()
    head = rules.header()
    columns = head.pop("columns")
    yield from (f"{key}: {yamltext.scalar(value)}\n".encode() for key, value in head.items())
    yield b"columns:\n" if columns else b"columns: []\n"
    yield from (f"  - {yamltext.scalar(column)}\n".encode() for column in columns)
    yield b"rules:\n" if rules or review.gone else b"rules: []\n"
    wording = worded(rules.columns, rules.options, table_of(rules.source))
    for rule in rules:
        yield _entry(_fields(rule, review.of(rule), _query(rule, wording)))
    for text, verdict in review.gone:
        yield _entry({"rule": text} | _decided(verdict))


def table_of(source: str | None) -> str:
    """What the table is called in queries: the file's name without its ending where it is a plain word."""
    stem = re.split(r"[/\\]", source or "")[-1].split(".")[0]
    return stem if re.fullmatch(r"[A-Za-z_]\w*", stem) else "data"


def _query(rule: Rule, wording: Any) -> str | None:
    try:
        return violations(rule, wording)
    except LawfulError:  # a kind that unknown nulls give no meaning to
        return None


def _fields(rule: Rule, verdict: Verdict, query: str | None) -> dict[str, Any]:
    figures = rule.figures
    told: dict[str, Any] = {"rule": str(rule), "id": rule.id} | _decided(verdict)
    measured = {name: figure(getattr(figures, name)) for name in ("error", "coverage", "interest")}
    told |= {"sql": query, "error": measured["error"], "measure": figures.measure}
    told |= {"coverage": measured["coverage"], "interest": measured["interest"]}
    if isinstance(rule, Pod | Dc):
        told["surprise"] = figure(figures.surprise)
    return told


def _decided(verdict: Verdict) -> dict[str, Any]:
    said = {"status": verdict.status, "severity": verdict.severity, "note": verdict.note}
    return said if verdict.found else said | {"found": False}


def _entry(fields: dict[str, Any]) -> bytes:
    bare = {key: value for key, value in fields.items() if value is not None}
    lines = "\n".join(yamltext.mapping(bare, "    "))
    return f"  - {lines[4:]}\n".encode()


def load(path: str | os.PathLike[str]) -> Review:
    """The review of a file."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        hint = "Give the path of a review, as written by lawful discover --update."
        raise RuleFileError(f"{path} cannot be read: {error.strerror or error}.", hint=hint) from error
    return loads(content, str(path))


def loads(content: bytes, name: str = "<bytes>") -> Review:
    """The review of a file's content; ``name`` stands for the file in errors."""
    data = yamltext.read(content, name)
    try:
        shape = msgspec.convert(data, ReviewShape)
    except msgspec.ValidationError as error:
        raise _misshapen(str(error), content, name) from error
    header = {field: getattr(shape, field) for field in ("source", "rows", "kinds", "complete_to", "note", "engine")}
    columns = tuple(Column(column.name, column.type) for column in shape.columns)
    why = shape.incomplete or (None if shape.complete else "the file does not say why")
    empty = RuleSet(columns=columns, incomplete=why, warnings=shape.warnings, options=shape.options, **header)
    return _filled(empty, shape.rules, content, name)


def _filled(empty: RuleSet, entries: tuple[RuleEntry, ...], content: bytes, name: str) -> Review:
    rules: list[Rule] = []
    seen: set[str] = set()
    verdicts: dict[str, Verdict] = {}
    gone: list[tuple[str, Verdict]] = []
    for place, entry in enumerate(entries):
        verdict = Verdict(entry.status, entry.severity, entry.note, entry.found)
        try:
            rule = _rule(entry)
            if not entry.found and not set(rule.columns) <= set(empty.names):
                gone.append((entry.rule, verdict))
                continue
            refuse_unknown(rule, empty, repr(entry.rule))
        except LawfulError as error:
            line = yamltext.line_of(content, f"$.rules[{place}].rule")
            raise RuleFileError(f"{name}, line {line}: {error.message}", hint=error.hint) from error
        if rule.id in seen:
            line = yamltext.line_of(content, f"$.rules[{place}].rule")
            raise RuleFileError(f"{name}, line {line}: {entry.rule!r} stands twice.", hint="Keep one of the two.")
        rules.append(rule)
        seen.add(rule.id)
        if verdict != PROPOSED:
            verdicts[rule.id] = verdict
    return Review(empty.with_rules(rules), verdicts, tuple(gone))


def _rule(entry: RuleEntry) -> Rule:
    rule = parse(entry.rule)
    if entry.id is not None and entry.id != rule.id:
        message = f"the id {entry.id!r} is not that of {entry.rule!r}, which is {rule.id!r}."
        raise RuleFileError(message, hint="If the text was changed, remove id, sql and figures.")
    figures = Figures(entry.error, entry.measure, entry.coverage, entry.interest, entry.surprise)
    return replace(rule, figures=figures)


def _misshapen(said: str, content: bytes, name: str) -> RuleFileError:
    path = re.search(r"`(\$[^`]*)`", said)
    line = yamltext.line_of(content, path[1] if path else "$")
    at = name if line is None else f"{name}, line {line}"
    return RuleFileError(f"{at}: {said}.", hint=_HINT)
