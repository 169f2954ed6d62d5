"""``lawful report``: the rules of a file as one page, with what the table's columns are like where it is given."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Group, Parameter

from lawful.cli.destination import STANDARD, check_apart, check_writable
from lawful.cli.encoding import encoded
from lawful.cli.layers import Asked
from lawful.cli.rulebook import RulesFile, reviewed
from lawful.cli.shared_options import GROUPS, OutputOptions, with_options
from lawful.errors import OptionError
from lawful.options import EngineOptions, SourceOptions


def report(
    rules: RulesFile,
    source: Annotated[str | None, Parameter(help="The table, to tell what its columns are like.")],
    /,
    asked: Asked,
) -> int:
    """Write the rules of a file or a review as one HTML page that needs nothing else; -o FILE names it."""
    from lawful.ranks.profiling import profile_of
    from lawful.report import report as written

    output = asked["output"]
    if output in (None, STANDARD):
        raise OptionError("The page's name is missing.", hint="Say -o report.html.")
    check_writable(output)
    review = reviewed(rules)
    files = [] if rules == STANDARD else [rules]
    profile = None
    if source is not None:
        table = encoded(source, asked)
        files += [origin.path for origin in table.origins]
        profile = profile_of(table)
    check_apart(output, files)
    written(review, output, profile)
    asked.screen.note(f"{len(review.rules):,} rules are in {output}")
    return 0


_OUTPUT = Parameter(
    name=["--output", "-o"],
    group=Group(GROUPS[OutputOptions], sort_key=list(GROUPS).index(OutputOptions) + 1),
    help="The page, such as report.html.",
)
command = with_options(report, SourceOptions, EngineOptions, output=(str, _OUTPUT))
