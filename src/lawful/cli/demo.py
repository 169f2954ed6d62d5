"""``lawful demo``: a tour over a small table that lawful brings along."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

from rich.text import Text

from lawful.cli import logs
from lawful.cli.discover import search
from lawful.cli.layers import Asked
from lawful.cli.profile import print_profile
from lawful.cli.progress import Progress
from lawful.cli.ranking import print_rules, summary
from lawful.cli.screen import Screen
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.cli.signals import Interrupted
from lawful.errors import LimitError, MissingError
from lawful.options import DiscoverOptions, EngineOptions, SourceOptions

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.rules import RuleSet
    from lawful.search.ending import Ending

TABLE = "orders.csv"
READING = SourceOptions(order={"parcel": ("S", "M", "L", "XL")})
WANTED = DiscoverOptions(kinds=("od", "key"))
SHOWN = 15
PAGE = "lawful-demo.html"
DOUBTED = ("zip -> city", "not(t.grams < u.grams and t.fee > u.fee)")
"""Laws that one wrong cell breaks, each."""

READ = {
    "fee -> parcel": "of two orders with the same fee, both travel in the same size of parcel.",
    "{}: grams ~ parcel": "a heavier order never travels in a smaller parcel; {} says: in the whole table.",
    "{quantity}: unit_price ~ goods": "of two orders of the same quantity, the dearer product never costs less in all.",
}
"""Laws of the table in words; each of them is among those shown."""


@dataclass
class Tour:
    """What the steps share: where to speak, how to run, and the table, encoded when it is first asked for."""

    screen: Screen
    running: EngineOptions
    seconds: float = 0.0

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

    @cached_property
    def rules(self) -> RuleSet:
        """The laws of the table, searched for when they are first asked for."""
        table, started = self.table, time.perf_counter()
        rules, ending = search(table, self.running, WANTED, self.screen)
        _complete(ending)
        self.seconds = time.perf_counter() - started
        return rules


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


def _discover(tour: Tour) -> None:
    print_rules(tour.rules, tour.screen, most=SHOWN)
    tour.screen.say(summary(tour.rules, f"searched in {tour.seconds:.2f} s"))


def _complete(ending: Ending) -> None:
    """The tour ends where its search did not come to its end."""
    if ending.code > 128:
        raise Interrupted(ending.code - 128)
    if ending.reason is not None:
        raise LimitError(f"The search ended early: {ending.reason}.", hint=ending.hint)


def _read_laws(tour: Tour) -> None:
    width = max(map(len, READ))
    for law, words in READ.items():
        tour.screen.say(f"{law:{width}}  {words}")
    tour.screen.say("coverage is the share of pairs of rows that a law speaks of; interest is less for longer laws.")
    tour.screen.say(
        "zip -> city is missing, since one of the two wrong cells breaks it; --max-error 0.01 finds it too."
    )


def _check(tour: Tour) -> None:
    from lawful.checks import check_with
    from lawful.cli.findings import printed
    from lawful.options import CheckOptions
    from lawful.violations.asked import asked_rules

    with Progress(tour.screen) as progress:
        wanted = CheckOptions(max_witnesses=1)
        found = check_with(tour.table, asked_rules(DOUBTED), SourceOptions(), tour.running, wanted, progress)
    printed(found, "text", tour.screen)


def _report(tour: Tour) -> None:
    from lawful.cli.destination import check_writable
    from lawful.ranks.profiling import profile_of
    from lawful.report import report

    check_writable(PAGE)
    report(tour.rules, PAGE, replace(profile_of(tour.table), source=TABLE))
    tour.screen.say(f"{len(tour.rules):,} laws are in {PAGE}: open it in a browser; it needs no network.")


def _what_next(tour: Tour) -> None:
    for line in (
        "lawful profile YOUR.csv --order size=S,M,L            your columns, one with an order by meaning",
        "lawful discover YOUR.csv --kinds od,key               the laws of your table",
        "lawful discover YOUR.csv --max-error 0.01 -o FILE     also those that one row in a hundred breaks, in a file",
        "lawful discover YOUR.csv --kinds dc,pod --top 30      what no two rows may be like",
        "lawful discover YOUR.csv --max-size 3 --time-limit 5m of a wide table: short laws, in some minutes",
        "lawful discover YOUR.csv --kinds dc --top 20          two rows that cannot both be, the most telling first",
        "lawful check YOUR.csv 'zip -> city'                   the rows that break a law",
        "lawful doctor                                         what this machine offers to lawful",
    ):
        tour.screen.say(line)


STEPS: tuple[tuple[str, Callable[[Tour], None]], ...] = (
    ("A table", _introduce),
    ("What it is like", _profile),
    ("How to read that", _read_it),
    ("The laws it obeys", _discover),
    ("How to read a law", _read_laws),
    ("The rows that break a law", _check),
    ("All of it as one page", _report),
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
