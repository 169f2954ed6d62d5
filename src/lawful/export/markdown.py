"""Rules as a page of Markdown, for a wiki or a repository: what each says in words, and its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lawful.export.exported import Asked, Exported, one_line
from lawful.rules import Rule
from lawful.rules.model import KINDS
from lawful.rules.words import meaning

_TITLES = {
    "fd": "Functional dependencies",
    "key": "Keys",
    "oc": "Columns that run along each other",
    "lod": "Sorts that follow from sorts",
    "pod": "Pointwise order dependencies",
    "dc": "What does not occur",
}


def to_markdown(asked: Asked) -> Exported:
    """A section for each kind, the most interesting rules first."""
    rules = asked.rules.by_interest()
    lines = ["# Rules", "", *(f"{_plain(line)}  " for line in asked.about())]
    for kind in KINDS:
        lines += _section(kind, [rule for rule in rules if rule.kind == kind])
    return Exported("markdown", {f"{asked.table}.md": "\n".join(lines) + "\n"}, tuple(rules))


def _section(kind: str, rules: list[Rule]) -> Iterator[str]:
    if rules:
        yield from ("", f"## {_TITLES[kind]}", "")
        yield from ("| rule | says | coverage | error | id |", "| --- | --- | --- | --- | --- |")
        yield from map(_row, rules)


def _row(rule: Rule) -> str:
    figures = ("" if value is None else f"{value:.4g}" for value in (rule.figures.coverage, rule.figures.error))
    return f"| {_code(str(rule))} | {_plain(meaning(rule))} | {' | '.join(figures)} | `{rule.id}` |"


def _code(text: str) -> str:
    """A span of code in a table: fenced by more backticks than it has in a row, its bars escaped."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{one_line(text)}{pad}{fence}".replace("|", "\\|")


def _plain(text: str) -> str:
    """Text without any markup of its own."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&])", r"\\\1", one_line(text))
