"""The rules that a command is given: a rule file, ``-`` for one on standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter

from lawful.cli.destination import STANDARD

if TYPE_CHECKING:
    from lawful.rules import RuleSet
    from lawful.rules.review import Review

_HELP = "A rule file or a review (.yaml), as discover writes them; - for a rule file on standard input."
RulesFile: TypeAlias = Annotated[str, Parameter(help=_HELP)]


def loaded(path: str) -> RuleSet:
    """The rules of the file."""
    from lawful.rules.rulefile import load, loads

    if path == STANDARD:
        return loads(sys.stdin.buffer.read(), "standard input")
    return load(path)


def reviewed(path: str) -> Review:
    """The review of the file; that of a rule file has only proposed rules."""
    from lawful.rules.review import Review

    return Review(loaded(path)) if path == STANDARD else Review.load(path)
