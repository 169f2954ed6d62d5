"""``lawful check``: rules held against a table, told in text or in a form that other tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from lawful.cli.destination import check_apart, check_writable
from lawful.cli.encoding import encoded
from lawful.cli.ending import FINE, VIOLATIONS
from lawful.cli.findings import FORMATS, printed
from lawful.cli.layers import Asked
from lawful.cli.progress import Progress
from lawful.cli.screen import Screen
from lawful.cli.shared_options import GROUPS, OutputOptions, with_options
from lawful.errors import OptionError
from lawful.options import CheckOptions, EngineOptions, SourceOptions
from lawful.progress import Step

if TYPE_CHECKING:
    from lawful.violations.checked import CheckResult


def check(
    source: Annotated[str, Parameter(help="The table; - for standard input.")],
    rules: Annotated[tuple[str, ...], Parameter(help='Rule files, or rules such as "zip -> state".')],
    /,
    asked: Asked,
) -> int:
    """Hold rules against a table: exact counts of what breaks them, with the rows that show it."""
    from lawful.violations.asked import asked_rules

    wanted, form, bad_rows = asked.of(CheckOptions), _format(asked), asked["write_bad_rows"]
    given = asked_rules(rules)
    if bad_rows is not None:
        from lawful.violations.badrows import check_suffix

        check_suffix(bad_rows)
        check_writable(bad_rows)
    table = encoded(source, asked)
    if bad_rows is not None:
        check_apart(bad_rows, (origin.path for origin in table.origins))
    from lawful.checks import check_with
    from lawful.violations.locating import located

    with Progress(asked.screen) as progress:
        found = check_with(table, given, SourceOptions(), asked.of(EngineOptions), wanted, progress)
    found = located(found, source, asked.of(SourceOptions))
    asked.screen.warn(warning for warning in found.warnings if warning not in table.warnings)
    if bad_rows is not None:
        _set_aside(found, bad_rows, asked.screen)
    printed(found, form, asked.screen)
    return _code(found, wanted.fail_on)


def _format(asked: Asked) -> str:
    form = asked["report_format"] or ("json" if asked.of(OutputOptions).json else "text")
    if form not in FORMATS:
        hint = f"Choose one of: {', '.join(FORMATS)}. The format of the table's files is --source-format."
        raise OptionError(f"format is {form!r}.", hint=hint)
    return str(form)


def _set_aside(found: CheckResult, path: str, screen: Screen) -> None:
    from lawful.violations.badrows import write_bad_rows

    with Progress(screen) as progress:
        progress(Step("writing"))
        count = write_bad_rows(found, path)
    screen.note(f"{count:,} row{'' if count == 1 else 's'} that break rules written to {path}")


def _code(found: CheckResult, fail_on: str) -> int:
    """1 for what a person wants to hear of: rules beyond their error, or any violation at all."""
    failed = {"error": not found.ok, "warn": bool(found.violated), "never": False}[fail_on]
    return VIOLATIONS if failed else FINE


_OUTPUT = Group(GROUPS[OutputOptions], sort_key=list(GROUPS).index(OutputOptions) + 1)
_FORMAT = Parameter(name=["--format"], group=_OUTPUT, help=f"{', '.join(FORMATS)}. [default: text]")
_BAD_ROWS = Parameter(
    name=["--write-bad-rows"],
    group=_OUTPUT,
    help="Write rows that break rules, with these rules' ids, to this .csv, .parquet or .jsonl file.",
)
command = with_options(
    check, SourceOptions, CheckOptions, EngineOptions,
    renamed={"format": "source-format"}, report_format=(str, _FORMAT), write_bad_rows=(str, _BAD_ROWS),
)  # fmt: skip
