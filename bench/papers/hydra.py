"""Denial constraints: the experiments on Hydra, as far as they need nothing but the answer and what it tells."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from bench.dc_calls import warm
from bench.measure import spend
from bench.order_tables import Subject, is_here, path_of
from bench.papers.figures import Curve, Figure, Panel
from bench.phases import Pairwise
from lawful.errors import JobError

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

TIME_LIMIT = "20m"
SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
HEAD = 20_000
"""Rows on which the number of columns grows."""
ORDERS = 3
"""Random orders in which columns are added."""
SEED = 7
BRIEF = 2.0
"""CPU seconds below which a point is measured again, twice: the least counts."""


@dataclass(frozen=True)
class Table:
    """A table of the paper, or one of its kind; ``cross``: columns are compared with each other too."""

    subject: Subject
    cross: bool
    rows: int
    name: str


STOCK = Table(Subject("stock_sp500"), True, 122_496, "stock")
HOSPITAL = Table(Subject("hospital", made=114_919), True, 114_919, "hospital")
TAX = Table(Subject("tax", made=1_000_000), False, 1_000_000, "tax")
TABLES = (STOCK, HOSPITAL, TAX)
SHORT = (Table(Subject("tax", made=2_000), False, 2_000, "tax"),)


@dataclass(frozen=True)
class Point:
    """What one discovery cost and found; the stages' seconds and what each step told are those of the first call."""

    cpu: float
    rules: int
    predicates: int
    incomplete: str | None
    digest: str
    stages: Mapping[str, float]
    told: Sequence[tuple[float, str, Mapping[str, str]]]

    @property
    def figure(self) -> float | None:
        """The CPU seconds, if all was found."""
        return None if self.incomplete else self.cpu


Points: TypeAlias = Mapping[Any, Point]
"""By rows, columns or the value of a parameter."""


def tables(smoke: bool) -> Iterator[Table]:
    """Those that are here; code is loaded beforehand."""
    warm()
    return (each for each in (SHORT if smoke else TABLES) if is_here(each.subject))


def read(table: Table, rows: int | None = None, columns: Sequence[str] | None = None) -> Encoded:
    """The first rows and some columns, read anew: comparing columns needs the values of these rows alone."""
    import lawful

    path = str(path_of(table.subject))
    return lawful.encode(path, columns=columns, limit_rows=min(rows or table.rows, table.rows), engine="local")


def searched(table: Table, encoded: Encoded, **options: Any) -> Point:
    """One discovery; the least of three where that takes little."""
    from lawful.evidence.space import dc_space
    from lawful.options import DiscoverOptions

    wanted = {"cross_columns": table.cross, "time_limit": TIME_LIMIT, **options}
    call = Pairwise(encoded, ("dc",), wanted)
    spent, rules = spend(call)
    first, runs = call.last, [spent.cpu]
    while len(runs) < 3 and spent.cpu < BRIEF:
        runs.append(spend(call)[0].cpu)
    space = dc_space(encoded, DiscoverOptions(kinds=("dc",), cross_columns=table.cross))
    texts = hashlib.sha256("\n".join(map(str, rules)).encode()).hexdigest()
    return Point(min(runs), len(rules), space.predicates, rules.incomplete, texts, dict(first.seconds), first.told)


def rows(smoke: bool) -> Iterator[Figure]:
    """Growing tables; the seconds of every stage."""
    for table in tables(smoke):
        points = {n: searched(table, read(table, n)) for n in (int(table.rows * share) for share in SHARES)}
        yield Figure(
            f"hydra-rows-{table.name}",
            f"Rows: {table.name}, {_predicates(points.values())}",
            "Shape of Hydra's figures 5 and 7: the first rows of a table, and which stages the seconds go to.",
            "rows",
            (_seconds(points), _stages(points), _rules(points)),
            _told(points),
        )


def predicates(smoke: bool) -> Iterator[Figure]:
    """Columns added one after another in random orders, the same for everyone."""
    for table in tables(smoke):
        names, draw = list(read(table, 10).names), random.Random(SEED)
        orders = [draw.sample(names, len(names)) for _ in range(1 if smoke else ORDERS)]
        widths = (2, 4) if smoke else range(1, len(names) + 1)
        points = {width: _mean(_projected(table, order[:width]) for order in orders) for width in widths}
        yield Figure(
            f"hydra-predicates-{table.name}",
            f"Predicates: {table.name}, {min(HEAD, table.rows):,} rows",
            "Shape of Hydra's figures 6 and 10: columns are added in random orders, mean of "
            f"{len(orders)}; the stages tell what finding rules from evidence takes.",
            "columns",
            (
                _seconds(points, log=True),
                _stages(points, log=True),
                _rules(points, log=True),
                Panel("predicates", (Curve("space", tuple((x, p.predicates) for x, p in points.items())),)),
            ),
            _told(points),
        )


def parameters(smoke: bool) -> Iterator[Figure]:
    """Pairs sampled for each row, and the efficiency at which focused sampling ends; the rules must be the same."""
    samples = (5, 20) if smoke else (1, 5, 20, 80)
    efficiencies = (0.05, 0.005) if smoke else (0.05, 0.02, 0.005, 0.001)
    for each in tables(smoke):
        table = replace(each, rows=min(each.rows, 200_000), cross=False)
        encoded = read(table)
        for option, values in (("sample", samples), ("efficiency", efficiencies)):
            points = {value: searched(table, encoded, **{option: value}) for value in values}
            if len({point.digest for point in points.values() if not point.incomplete}) > 1:
                message = f"{table.name}: rules depend on {option}."
                raise JobError(message, hint="They must not: compare the answers rule by rule.")
            yield Figure(
                f"hydra-{option}-{table.name}",
                f"{option.capitalize()}: {table.name}, {encoded.rows:,} rows",
                "Shape of Hydra's figure 9: a parameter of sampling; the rules were found equal. Columns are "
                "compared with themselves only: with others, all pairs are compared, where nothing is sampled.",
                "pairs a row" if option == "sample" else "efficiency",
                (_seconds(points), _stages(points)),
                _told(points),
                log_x=True,
            )


def _projected(table: Table, columns: Sequence[str]) -> Point:
    return searched(table, read(table, HEAD, columns))


def _mean(points: Iterable[Point]) -> Point:
    found = list(points)
    stages = {name for point in found for name in point.stages}
    return replace(
        found[0],
        cpu=sum(point.cpu for point in found) / len(found),
        rules=round(sum(point.rules for point in found) / len(found)),
        predicates=round(sum(point.predicates for point in found) / len(found)),
        incomplete=next((point.incomplete for point in found if point.incomplete), None),
        stages={name: sum(point.stages.get(name, 0.0) for point in found) / len(found) for name in stages},
    )


def _predicates(points: Iterable[Point]) -> str:
    counts = sorted({point.predicates for point in points})
    return f"{counts[0]} predicates" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} predicates"


def _seconds(points: Points, log: bool = False) -> Panel:
    return Panel("CPU s", (Curve("dc", tuple((x, p.figure) for x, p in points.items())),), log)


def _stages(points: Points, log: bool = False) -> Panel:
    names = sorted({name for point in points.values() for name in point.stages})
    curves = (Curve(name, tuple((x, p.stages.get(name)) for x, p in points.items())) for name in names)
    return Panel("CPU s of a stage", tuple(curves), log)


def _rules(points: Points, log: bool = False) -> Panel:
    return Panel("rules", (Curve("dc", tuple((x, None if p.incomplete else p.rules) for x, p in points.items())),), log)


def _told(points: Points) -> tuple[str, ...]:
    """What did not end."""
    return tuple(f"{x:g}: {point.incomplete}" for x, point in points.items() if point.incomplete)
