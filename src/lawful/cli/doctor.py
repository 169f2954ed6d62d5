"""``lawful doctor``: what this machine offers, and what to do about what it lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cyclopts import Parameter
from rich.table import Table
from rich.text import Text

from lawful.cli import logs
from lawful.cli.ending import FINE, USAGE
from lawful.cli.layers import Asked
from lawful.cli.progress import Progress
from lawful.cli.screen import Screen, shown
from lawful.cli.shared_options import OutputOptions, with_options

if TYPE_CHECKING:
    from lawful.engine.doctor import Finding

_MARKS = {True: ("ok", "green"), False: ("bad", "bold red"), None: ("-", "dim")}


def doctor(asked: Asked) -> int:
    """Check Python, memory, scratch space, Java and Spark, and say how to mend what is wrong."""
    output = asked.of(OutputOptions)
    logs.begin(output.verbose)
    screen = asked.screen
    from lawful.engine.doctor import examine

    with Progress(screen):
        findings = examine(start_spark=asked["spark"] is not False)
    well = all(finding.ok is not False for finding in findings)
    if output.json:
        screen.data(_plain(findings, well))
    else:
        _print(findings, well, screen)
    return FINE if well else USAGE


command = with_options(
    doctor,
    spark=(bool, Parameter(name="--spark", negative="--no-spark", help="Start Spark and run a small job on it.")),
)


def _plain(findings: Sequence[Finding], well: bool) -> dict[str, Any]:
    import lawful

    return {"version": lawful.__version__, "ok": well, "findings": [asdict(finding) for finding in findings]}


def _print(findings: Sequence[Finding], well: bool, screen: Screen) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    for _ in range(3):
        table.add_column(overflow="fold")
    for finding in findings:
        mark, style = _MARKS[finding.ok]
        table.add_row(Text(mark, style), Text(shown(finding.name), no_wrap=True), Text(shown(finding.detail)))
        if finding.fix:
            table.add_row("", "", Text(shown(finding.fix), "yellow"))
    screen.show(table)
    screen.say()
    if well:
        screen.say("All that is needed works.")
    else:
        bad = [finding.name for finding in findings if finding.ok is False]
        screen.say(f"To mend: {', '.join(bad)}.")
