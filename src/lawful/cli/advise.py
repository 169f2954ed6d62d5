"""``lawful advise``: what a designer, or whoever writes queries, can do with the rules of a file."""

from __future__ import annotations

from cyclopts import Parameter

from lawful.cli.layers import Asked
from lawful.cli.rulebook import RulesFile, loaded
from lawful.cli.shared_options import OutputOptions, with_options


def advise(rules: RulesFile, /, asked: Asked) -> int:
    """Say what follows for design and queries: keys, normal form, derivable columns, needless sorts, joins, layouts."""
    least = asked["least_coverage"]
    found = loaded(rules).advise(min_coverage=0.0 if least is None else least)
    if asked.of(OutputOptions).json:
        asked.screen.data(found.to_dict())
    else:
        for line in found.lines():
            asked.screen.say(line)
    return 0


_COVERAGE = Parameter(name="--min-coverage", help="For design: pass over fds of less coverage, which hold by chance.")
command = with_options(advise, least_coverage=(float, _COVERAGE))
