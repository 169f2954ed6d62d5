"""Queries in the dialects of databases, through SQLGlot where it is not that of DuckDB."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import Any

from lawful.errors import MissingError, OptionError, did_you_mean
from lawful.export.exported import Asked, Left
from lawful.rules import Rule
from lawful.rules.sqltext import violations

PLAIN = "duckdb"
_COLLATIONS = {"postgres": '"C"'}
"""Where texts do not compare by their bytes unless it is said."""

_NO_SQL = ("dax", "prql")
"""Languages that SQLGlot reads and cannot write."""


def query(rule: Rule, asked: Asked) -> str | Left:
    """The query that counts the violations, in the dialect asked for; or why there is none."""
    try:
        text = violations(rule, asked.wording(_COLLATIONS.get(asked.dialect or PLAIN, "")))
        return translated(text, asked.dialect)
    except OptionError as error:
        return Left(rule, error.message)


def check_dialect(dialect: str | None) -> None:
    """An error where there is no such dialect, or nothing to translate into it."""
    if dialect not in (None, PLAIN):
        _glot(str(dialect))


def translated(sql: str, dialect: str | None) -> str:
    """A statement of DuckDB in another dialect."""
    if dialect in (None, PLAIN):
        return sql
    glot = _glot(str(dialect))
    try:
        (text,) = glot.transpile(sql, read=PLAIN, write=dialect, unsupported_level=glot.ErrorLevel.RAISE)
    except glot.errors.SqlglotError as problem:
        raise OptionError(f"{dialect} cannot say it: {problem}.", hint="Choose another dialect.") from problem
    return str(text)


@lru_cache
def _glot(dialect: str) -> Any:
    try:
        import sqlglot
    except ImportError as problem:
        hint = 'Install it: pip install "lawful[export]"; or leave the dialect out for DuckDB\'s.'
        raise MissingError(f"Queries in the dialect {dialect!r} need SQLGlot.", hint=hint) from problem
    known = [name for name in sqlglot.Dialects._value2member_map_ if name and name not in _NO_SQL]
    if dialect not in known:
        raise OptionError(f"There is no dialect {dialect!r}.", hint=did_you_mean(dialect, known))
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    return sqlglot
