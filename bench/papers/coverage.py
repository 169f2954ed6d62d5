"""Fewer rules on purpose: FASTOD's experiment 8 and chapter 9 of the thesis on DISTOD."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bench.order_tables import FLIGHTS, Subject, encoded, is_here
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.running import Point, discovered, part

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

COVERAGES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
SIZES = (2, 3, 4, 5, 6, 8)


def coverage(smoke: bool) -> Iterator[Figure]:
    """``min_coverage`` and ``max_size`` during the search, against the search for all rules."""
    for name, table in _tables(smoke):
        everything = discovered(table)
        whole = f"All rules: {_shown(everything)}."
        shared = {least: discovered(table, min_coverage=least) for least in COVERAGES}
        yield _figure(
            f"coverage-{name}", f"Coverage: {name}", "FASTOD experiment 8 and of DISTOD 9.1", "coverage", shared, whole
        )
        small = {size: discovered(table, max_size=size) for size in SIZES}
        yield _figure(f"size-{name}", f"Size: {name}", "DISTOD 9.2", "most columns in a rule", small, whole)


def _tables(smoke: bool) -> Iterator[tuple[str, Encoded]]:
    if smoke:
        if is_here(Subject("abalone")):
            yield "abalone", encoded(Subject("abalone"))
        return
    if is_here(Subject(FLIGHTS)):
        yield FLIGHTS, part(encoded(Subject(FLIGHTS, null="NA")), rows=100_000)
    if is_here(Subject("flight")):
        yield "flight", part(encoded(Subject("flight")), range(30))


def _figure(name: str, title: str, of: str, x: str, runs: Mapping[Any, Point], whole: str) -> Figure:
    return Figure(
        name,
        title,
        f"Shape of {of}: bounds that cut contexts off during the search; the answer says that it is not all.",
        x,
        (
            Panel("CPU s", (Curve("od", tuple((at, point.cpu) for at, point in runs.items())),)),
            Panel("rules", (Curve("od", tuple((at, point.rules) for at, point in runs.items())),), log=True),
        ),
        (whole,),
        log_x=x == "coverage",
    )


def _shown(point: Point) -> str:
    if point.incomplete:
        return f"not found, {point.incomplete}"
    return f"{point.rules:,} in {point.cpu:.2f} s CPU"
