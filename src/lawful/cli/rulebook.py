"""The rules that a command is given: a rule file, ``-`` for one on standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, TypeAlias

from cyclopts import Parameter

from lawful.cli.destination import STANDARD

if TYPE_CHECKING:
    from lawful.rules import RuleSet

RulesFile: TypeAlias = Annotated[str, Parameter(help="A rule file, as discover -o writes it; - for standard input.")]


def loaded(path: str) -> RuleSet:
    """The rules of the file."""
    from lawful.rules.rulefile import load, loads

    if path == STANDARD:
        return loads(sys.stdin.buffer.read(), "standard input")
    return load(path)
