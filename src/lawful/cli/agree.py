"""``lawful agree``: how many pairs of rows agree on exactly which columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich import box
from rich.table import Table
from rich.text import Text

from lawful.cli.encoding import encoded
from lawful.cli.layers import Asked
from lawful.cli.progress import Progress
from lawful.cli.screen import Screen, shown
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.options import EngineOptions, SourceOptions
from lawful.rules.text import quoted

if TYPE_CHECKING:
    from lawful.evidence.agree import AgreeSets

SHOWN = 30


def agree(source: Annotated[str, Parameter(help="The table; - for standard input.")], /, asked: Asked) -> int:
    """Count how many pairs of rows agree on exactly which columns; the work grows with the square of the rows."""
    from lawful.api import agree_sets_with

    table = encoded(source, asked)
    with Progress(asked.screen) as progress:
        found = agree_sets_with(table, asked.of(EngineOptions), progress)
    print_agree_sets(found, asked.screen, plain=asked.of(OutputOptions).json)
    return 0


command = with_options(agree, SourceOptions, EngineOptions)


def print_agree_sets(found: AgreeSets, screen: Screen, *, plain: bool) -> None:
    """The commonest sets as a table, or all of them as one JSON object."""
    if plain:
        sets = [{"columns": list(columns), "pairs": pairs} for columns, pairs in found]
        screen.data({"rows": found.rows, "pairs": found.pairs, "columns": list(found.names), "agree_sets": sets})
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("pairs", justify="right", no_wrap=True)
    table.add_column("agree on exactly", overflow="fold")
    for (columns, pairs), _ in zip(found, range(SHOWN), strict=False):
        table.add_row(f"{pairs:,}", Text(shown(", ".join(map(quoted, columns)) or "no column")))
    if len(found):
        screen.show(table)
    if len(found) > SHOWN:
        screen.say(f"and {len(found) - SHOWN:,} more sets: --json prints all")
    screen.say(f"{found.rows:,} rows, {found.pairs:,} pairs: {len(found):,} distinct agree sets")
