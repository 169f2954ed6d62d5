"""``lawful demo``: a tour over a small table that lawful brings along."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from rich.text import Text

from lawful.cli import logs
from lawful.cli.layers import Asked
from lawful.cli.profile import print_profile
from lawful.cli.progress import Progress
from lawful.cli.screen import Screen
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.errors import MissingError
from lawful.options import EngineOptions, SourceOptions

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

TABLE = "orders.csv"
READING = SourceOptions(order={"parcel": ("S", "M", "L", "XL")})


@dataclass(frozen=True)
class Tour:
    """What the steps share: where to speak, how to run, and the table, encoded when it is first asked for."""

    screen: Screen
    running: EngineOptions

    @cached_property
    def table(self) -> Encoded:
        with as_file(files("lawful") / "data" / TABLE) as path, Progress(self.screen) as progress:
            try:
                found = _encoded(str(path), self.running, progress)
            except MissingError as error:
                if self.running.engine == "spark" or self.running.master:
                    raise
                self.screen.note(f"note: {error.message} The tour goes on in this process.")
                found = _encoded(str(path), replace(self.running, engine="local"), progress)
        self.screen.warn(found.warnings)
        return found


def _encoded(path: str, running: EngineOptions, progress: Progress) -> Encoded:
    from lawful.api import encode_with

    return encode_with(path, READING, running, progress)


def _introduce(tour: Tour) -> None:
    tour.screen.say("240 orders of a mail-order house, invented for this tour. Two cells in it are wrong.")
    tour.screen.say("Its values become ranks, in this process or on Spark; that is the step before any search.")


def _profile(tour: Tour) -> None:
    from lawful.ranks.profiling import profile_of

    print_profile(replace(profile_of(tour.table), source=TABLE), tour.screen)


def _read_it(tour: Tour) -> None:
    columns, rows = tour.table.columns, tour.table.rows
    unique = ", ".join(column.name for column in columns if column.ranks == rows)
    constant = ", ".join(column.name for column in columns if column.ranks == 1)
    tour.screen.say(f"unique    {unique}: no two of the {rows} rows are equal there, so it tells them apart.")
    tour.screen.say(f"constant  {constant}: every row says the same.")
    tour.screen.say("string    zip: 01067 starts with a zero, so it is a name and not the number 1067.")
    tour.screen.say("order     parcel: S, M, L, XL by meaning, as --order parcel=S,M,L,XL says, not by alphabet.")


def _what_next(tour: Tour) -> None:
    for line in (
        "lawful profile YOUR.csv                          the same of your table",
        "lawful profile YOUR.csv --order size=S,M,L       with an order by meaning",
        "lawful profile YOUR.csv --null-value NA --json   more nulls, and JSON for a program",
        "lawful doctor                                    what this machine offers to lawful",
    ):
        tour.screen.say(line)


STEPS: tuple[tuple[str, Callable[[Tour], None]], ...] = (
    ("A table", _introduce),
    ("What it is like", _profile),
    ("How to read that", _read_it),
    ("What to try next", _what_next),
)
"""The tour, step by step, each with its heading."""


def demo(asked: Asked) -> int:
    """Show lawful at work on a small table that it brings along."""
    logs.begin(asked.of(OutputOptions).verbose)
    tour = Tour(asked.screen, asked.of(EngineOptions))
    for number, (heading, step) in enumerate(STEPS, 1):
        tour.screen.show(Text(f"{number}  {heading}", "bold"))
        step(tour)
        tour.screen.say()
    return 0


command = with_options(demo, EngineOptions)
