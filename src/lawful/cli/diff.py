"""``lawful diff``: what changed between two rule files."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from lawful.cli.destination import STANDARD
from lawful.cli.ending import VIOLATIONS
from lawful.cli.layers import Asked
from lawful.cli.rulebook import loaded
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.errors import OptionError


def diff(
    old: Annotated[str, Parameter(help="The earlier rule file; - for standard input.")],
    new: Annotated[str, Parameter(help="The later one.")],
    /,
    asked: Asked,
) -> int:
    """Say which rules came, which went, whether these still follow from the others, and which figures changed."""
    if old == new == STANDARD:
        raise OptionError("Standard input holds one rule file, not two.", hint="Give the path of one of them.")
    found = loaded(old).diff(loaded(new))
    if asked.of(OutputOptions).json:
        asked.screen.data(found.to_dict())
    else:
        for line in found.lines():
            asked.screen.say(line)
    return VIOLATIONS if asked["exit_code"] and found else 0


_EXIT_CODE = Parameter(name="--exit-code", negative="", help="End with 1 where anything differs.")
command = with_options(diff, exit_code=(bool, _EXIT_CODE))
