"""Queries whose table a tool fills in, by a placeholder of its own."""

from __future__ import annotations

import re
from dataclasses import replace

from lawful.export.dialects import query
from lawful.export.exported import Asked, Left
from lawful.rules import Rule

_NAME = "lawful_table_to_fill_in"
_QUOTED = re.compile(rf'["`\[]?{_NAME}["`\]]?')


def failing(rule: Rule, asked: Asked, placeholder: str, braces: str) -> str | Left:
    """A query that gives a row, with the number of violations, when the rule is broken, and none when it holds.

    ``braces`` is a pattern of what the tool would take for its own in a text, so that such a rule is left out.
    """
    counted = _counting(rule, asked, placeholder, braces)
    if isinstance(counted, Left):
        return counted
    return f"SELECT violations FROM ({counted}) AS counted WHERE violations > 0"


def broken(rule: Rule, asked: Asked, placeholder: str, braces: str) -> str | Left:
    """A query that gives one row, whose ``condition`` is true when the rule is broken."""
    counted = _counting(rule, asked, placeholder, braces)
    if isinstance(counted, Left):
        return counted
    return f"SELECT violations > 0 AS condition FROM ({counted}) AS counted"


def _counting(rule: Rule, asked: Asked, placeholder: str, braces: str) -> str | Left:
    text = query(rule, replace(asked, table=_NAME))
    if isinstance(text, Left):
        return text
    if re.search(braces, text):
        return Left(rule, f"a name or value in it reads like a placeholder ({braces})")
    return _QUOTED.sub(lambda _: placeholder, text)
