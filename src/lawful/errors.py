"""Everything that can go wrong, in one tree.

    LawfulError                  base; ``code`` is the exit code of the command line
    ├── InputError          2    the person's input: a file, a cell, a column, an option, a rule
    │   ├── SourceError          a file or table that cannot be read as it stands
    │   ├── ColumnError          a column that is not there, twice there, or of the wrong type
    │   ├── RuleSyntaxError      a rule in text that cannot be read (position and caret)
    │   ├── RuleFileError        a rule file of another shape or schema
    │   └── OptionError          an option out of range, or options that exclude each other
    ├── MissingError        2    something this machine lacks: Java, PySpark, an extra
    ├── StateError          2    a state folder that is damaged, of another format, or in use
    ├── JobError            2    a step failed on an engine: names the job, the unit and the cause
    └── LimitError          3    a memory or time limit struck by itself

A message is one paragraph: what is wrong, where (file, line, column, value), and, as ``hint``, what to do next.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LawfulError(Exception):
    """Base of all; ``hint`` says what to do next and is printed after the message."""

    code = 2

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.message, self.hint))


def _rebuild(kind: type[LawfulError], message: str, hint: str | None) -> LawfulError:
    return kind(message, hint=hint)


class InputError(LawfulError):
    """The person's input is at fault."""


class SourceError(InputError):
    """A file or table that cannot be read as it stands."""


class ColumnError(InputError):
    """A column that is not there, twice there, or of the wrong type."""


class RuleSyntaxError(InputError):
    """A rule in text that cannot be read."""


class RuleFileError(InputError):
    """A rule file of another shape or schema."""


class OptionError(InputError):
    """An option out of range, or options that exclude each other."""


class MissingError(LawfulError):
    """Something this machine lacks."""


class StateError(LawfulError):
    """A state folder that is damaged, of another format, or in use."""


class JobError(LawfulError):
    """A step failed on an engine."""


class LimitError(LawfulError):
    """A memory or time limit struck by itself."""

    code = 3


def did_you_mean(name: str, known: Iterable[str], *, most: int = 3) -> str:
    """``"Did you mean 'salary'?"`` or, where nothing is near, the first known names."""
    names = list(known)
    folded = {n.casefold(): n for n in names}
    near = [folded[n] for n in difflib.get_close_matches(name.casefold(), folded, n=most, cutoff=0.6)]
    if near:
        return "Did you mean " + " or ".join(repr(n) for n in near) + "?"
    if not names:
        return ""
    shown = ", ".join(names[:10]) + (", …" if len(names) > 10 else "")
    return f"Known: {shown}."
