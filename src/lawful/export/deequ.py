"""Rules as checks of Deequ, a Python module for PyDeequ: keys, and constraints on single rows."""

from __future__ import annotations

from collections.abc import Iterator

from lawful.export.dialects import translated
from lawful.export.exported import Asked, Exported, Left, left_out, one_line, sorted_out
from lawful.rules import Dc, Key, Rule
from lawful.rules.sqltext import row_condition

_HEAD = '''"""Rules of a table as checks of Deequ; written by lawful.

``VerificationSuite(spark).onData(frame).addCheck(check)`` for each of ``checks(spark)``.
"""

from pydeequ.checks import Check, CheckLevel

# Deequ passes over rows that are null in all columns of a key; to lawful two of them are equal.


def _all(share):
    return share == 1.0


def checks(spark):
    """The checks, by severity."""
    error = Check(spark, CheckLevel.Error, "lawful")
    warn = Check(spark, CheckLevel.Warning, "lawful")
'''


def to_deequ(asked: Asked) -> Exported:
    """A module with a function that makes the checks; all that compares two rows, but for keys, is left out."""
    said, left = sorted_out(asked, lambda rule: _constraint(rule, asked))
    comments = [*(f"# {one_line(line)}" for line in asked.about()), *left_out(left)]
    body = [line for rule, text in said for line in _added(rule, text, asked)]
    text = "\n".join([*comments, _HEAD + "\n".join([*body, "    return [error, warn]"])]) + "\n"
    return Exported("deequ", {f"{asked.table}_deequ.py": text}, tuple(rule for rule, _ in said), tuple(left))


def _added(rule: Rule, text: str, asked: Asked) -> Iterator[str]:
    check = asked.severity(rule)
    yield f"    {check} = {check}.{text}"


def _constraint(rule: Rule, asked: Asked) -> str | Left:
    hint = f"{rule.id} {rule}"
    if isinstance(rule, Key) and rule.columns:
        return f"hasUniqueness({list(rule.columns)!r}, _all, {hint!r})"
    if isinstance(rule, Dc):
        condition = row_condition(rule, asked.wording())
        if condition is not None:
            told = translated(f"SELECT COALESCE(NOT ({condition}), TRUE)", "spark").removeprefix("SELECT ")
            return f"satisfies({told!r}, {rule.id!r}, _all, {hint!r})"
    return Left(rule, "Deequ has no check that compares two rows otherwise; export it to sql")
