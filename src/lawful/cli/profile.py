"""``lawful profile``: what a table is like, before any law is looked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich import box
from rich.table import Table
from rich.text import Text

from lawful.cli.encoding import encoded
from lawful.cli.layers import Asked
from lawful.cli.screen import Screen, is_terminal, shown
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.options import EngineOptions, SourceOptions

if TYPE_CHECKING:
    from lawful.ranks.profiling import ColumnProfile, Profile

_HEADINGS = ("column", "type", "why", "distinct", "nulls", "", "least … greatest")
GAP = 2
_FLOORS = {2: 4, 6: 11, 0: 8}
"""Columns that may be cut on a narrow terminal, the first to be cut first, and the least width of each."""


def profile(source: Annotated[str, Parameter(help="The table; - for standard input.")], /, asked: Asked) -> int:
    """Say what a table is like: its rows, and each column's type, values and nulls."""
    import lawful
    from lawful.ranks.profiling import profile_of

    found = profile_of(encoded(source, asked))
    if asked.of(OutputOptions).json:
        asked.screen.data({"version": lawful.__version__, **found.to_dict()})
    else:
        print_profile(found, asked.screen)
    return 0


command = with_options(profile, SourceOptions, EngineOptions)


def print_profile(found: Profile, screen: Screen) -> None:
    """The table of columns, a line of summary, and the hints."""
    screen.say(f"{found.source}: {_counted(found.rows, 'row')}, {_counted(len(found.columns), 'column')}")
    if found.columns:
        rows = [_cells(column, found.rows) for column in found.columns]
        limit = screen.out.width if is_terminal(screen.out.file) else None
        screen.show(_table(rows, fitted(rows, limit)))
    size = f"{_size(found.bytes)} of ranks, encoded in {found.seconds:.2f} s ({found.engine})"
    screen.say(f"{found.rows:,} × {len(found.columns):,}: {size}")
    for hint in found.hints:
        screen.say(f"hint: {hint}")


def fitted(rows: list[tuple[str, ...]], limit: int | None) -> list[int]:
    """The width of each column in cells: as wide as its longest text, or cut so that a row fits into ``limit``."""
    widths = [max(Text(cell).cell_len for cell in cells) for cells in zip(_HEADINGS, *rows, strict=True)]
    excess = 0 if limit is None else sum(widths) + GAP * len(widths) - limit
    for place, floor in _FLOORS.items():
        cut = min(max(excess, 0), max(widths[place] - floor, 0))
        widths[place] -= cut
        excess -= cut
    return widths


def _table(rows: list[tuple[str, ...]], widths: list[int]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for place, (heading, width) in enumerate(zip(_HEADINGS, widths, strict=True)):
        right = place in (3, 4)
        table.add_column(
            heading, width=width, no_wrap=True, overflow="ellipsis", justify="right" if right else "left",
            style="dim" if place == 2 else None,
        )  # fmt: skip
    for cells in rows:
        table.add_row(*map(Text, cells))
    return table


def _cells(column: ColumnProfile, rows: int) -> tuple[str, ...]:
    nulls = f"{column.nulls:,} ({100 * column.nulls / rows:.1f} %)" if column.nulls else "0"
    marks = " ".join(
        mark
        for mark, holds in (
            ("unique", column.unique), ("constant", column.constant), ("no order", not column.ordered),
        )
        if holds
    )  # fmt: skip
    cells = (column.name, column.type, column.why, f"{column.distinct:,}", nulls, marks, _range(column))
    return tuple(shown(cell) for cell in cells)


def _range(column: ColumnProfile) -> str:
    if column.least is None or column.least == column.greatest:
        return column.least or ""
    return f"{column.least} … {column.greatest}"


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}" + ("" if count == 1 else "s")


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{size:,.0f} {unit}" if unit == "B" else f"{size:,.1f} {unit}"
