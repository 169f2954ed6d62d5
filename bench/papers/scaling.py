"""Rows and columns: FASTOD's experiments 1, 2 and 4, the thesis on DISTOD 10.5 and 10.6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import numpy as np

from bench.order_tables import FLIGHTS, Subject, encoded, is_here
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.running import Fastod, Point, discovered, part

SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
Runs: TypeAlias = Mapping[str, Mapping[int, Point]]
"""By what was asked for, by rows or columns."""

SHORT = (Subject("abalone"),)
LONG = (Subject(FLIGHTS, null="NA", columns=10), Subject("tax", made=1_000_000), Subject("adult"))

NARROW = ((Subject("ncvoter"), (5, 8)),)
WIDE = (
    (Subject("flight"), (5, 10, 15, 20, 25, 30)),
    (Subject("ncvoter"), (5, 10, 15, 19)),
    (Subject("hepatitis", null="?"), (5, 10, 15, 20)),
    (Subject("letter"), (5, 9, 13)),
)
"""Table, numbers of columns."""
FIRST = 40
"""Columns of a wide table that projections choose from."""
SEED = 7
PROJECTIONS = 3


def rows(smoke: bool) -> Iterator[Figure]:
    """Growing tables, od and fd alone."""
    for subject in filter(is_here, SHORT if smoke else LONG):
        table = encoded(subject)
        counts = [int(table.rows * share) for share in SHARES]
        parts = {count: part(table, rows=count) for count in counts}
        ods = {count: discovered(each) for count, each in parts.items()}
        fds = {count: discovered(each, ("fd",)) for count, each in parts.items()}
        yield Figure(
            f"rows-{subject.name}",
            f"Rows: {subject.name}, {len(table.columns)} columns",
            "Shape of FASTOD experiments 1 and 4 and of DISTOD 10.5: the first rows of a table; order dependencies, "
            "and functional dependencies alone (the part of TANE).",
            "rows",
            (_seconds({"od": ods, "fd alone": fds}), _rules({"od": ods, "fd alone": fds})),
            _told({"od": ods, "fd alone": fds}),
        )


def columns(smoke: bool) -> Iterator[Figure]:
    """Growing numbers of columns: mean of some random projections, the same for everyone."""
    for subject, widths in NARROW if smoke else WIDE:
        if not is_here(subject):
            continue
        name, table, draw, peer = subject.name, encoded(subject), np.random.default_rng(SEED), Fastod()
        most = min(len(table.columns), FIRST)
        ods: dict[int, Point] = {}
        fds: dict[int, Point] = {}
        theirs: dict[int, float | None] = {}
        for width in widths:
            some = [sorted(draw.choice(most, width, replace=False)) for _ in range(1 if width == most else PROJECTIONS)]
            parts = [part(table, [int(column) for column in each]) for each in some]
            ods[width] = _mean([discovered(each) for each in parts])
            fds[width] = _mean([discovered(each, ("fd",)) for each in parts])
            asked = [peer(each) for each in parts]
            theirs[width] = None if None in asked else float(np.mean([each for each in asked if each is not None]))
        seconds = _seconds({"od": ods, "fd alone": fds}, log=True)
        fastod = Curve("Desbordante FASTOD", tuple(theirs.items()))
        yield Figure(
            f"columns-{name}",
            f"Columns: {name}, {table.rows:,} rows",
            "Shape of FASTOD experiment 2 and of DISTOD 10.6: random projections, mean of "
            f"{PROJECTIONS}; the peer's rules were found equal, and it is left out after a point of ten seconds.",
            "columns",
            (Panel(seconds.y, (*seconds.curves, fastod), log=True), _rules({"od": ods, "fd alone": fds}, log=True)),
            _told({"od": ods, "fd alone": fds}),
        )


def _mean(points: list[Point]) -> Point:
    reason = next((point.incomplete for point in points if point.incomplete), None)
    means = [float(np.mean([getattr(point, name) for point in points])) for name in ("cpu", "wall", "rules")]
    return Point(means[0], means[1], round(means[2]), reason, None)


def _seconds(runs: Runs, log: bool = False) -> Panel:
    curves = (Curve(name, tuple((x, p.figure) for x, p in points.items())) for name, points in runs.items())
    return Panel("CPU s", tuple(curves), log)


def _rules(runs: Runs, log: bool = False) -> Panel:
    curves = (
        Curve(name, tuple((x, None if p.incomplete else p.rules) for x, p in points.items()))
        for name, points in runs.items()
    )
    return Panel("rules", tuple(curves), log)


def _told(runs: Runs) -> tuple[str, ...]:
    """What did not end."""
    return tuple(
        f"{name}, {x:,.0f}: {point.incomplete}"
        for name, points in runs.items()
        for x, point in points.items()
        if point.incomplete
    )
