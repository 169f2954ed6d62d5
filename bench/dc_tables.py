"""The tables of the suites ``evidence``, ``dc`` and ``pod``, with what each should cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from bench.order_tables import Subject

STOCK = Subject("stock_sp500")
HOSPITAL = Subject("hospital_10k_nadeef", rows=10_000, filled=True)
AIRPORT = Subject("airport_original", typed=True, encoding="latin-1")
TAX = Subject("tax_50k")
ADULT = Subject("adult")


def first(subject: Subject, rows: int, **more: Any) -> Subject:
    """The first rows of a table."""
    return replace(subject, rows=rows, **more)


EVIDENCE_SUBJECTS = (
    first(TAX, 2_000, smoke=True),
    TAX,
    ADULT,
    Subject("hospital", made=50_000),
)
"""Fifteen columns each."""
SET_GOAL, MULTISET_GOAL = 350.0, 150.0
"""Millions of unordered pairs a CPU second."""

DC_SUBJECTS = (
    first(STOCK, 1_000, smoke=True),
    first(AIRPORT, 1_000, smoke=True),
    first(STOCK, 10_000, times=15),
    first(STOCK, 20_000, times=15),
    first(HOSPITAL, 10_000, times=15),
    first(AIRPORT, 10_000, times=15),
    first(AIRPORT, 20_000, times=15),
    first(TAX, 2_000, peer="once"),
    first(TAX, 5_000, peer="once"),
    first(TAX, 10_000, peer="once", times=40),
)
"""Against FastADC."""
PEER_LIMIT = 900.0
"""Wall seconds after which a peer in a process of its own is given up."""


@dataclass(frozen=True)
class Alone:
    """A table searched without a peer, in a process of its own."""

    subject: Subject
    seconds: float | None = None
    mebibytes: float | None = None
    """Goal: most resident memory of the whole process."""
    growth: float | None = None
    """Goal: so many times the CPU seconds a row of the first table of the series."""
    repeats: int = 0

    @property
    def label(self) -> str:
        return self.subject.label + (" (made)" if self.subject.made else "")


FULL = (
    Alone(Subject("abalone", smoke=True), repeats=1),
    Alone(ADULT, seconds=10.0, repeats=2),
    Alone(STOCK, repeats=1),
    Alone(TAX, repeats=1),
)
"""Whole public tables."""

GROWING_SMOKE = (Alone(Subject("tax", made=2_000)), Alone(Subject("tax", made=4_000)))
LINEAR = 1.3
"""Most times the seconds a row of 100,000 rows: sorting alone is 1.2 times as dear a row at ten times the rows."""
GROWING = (
    Alone(Subject("tax", made=100_000), mebibytes=2_048, repeats=1),
    Alone(Subject("tax", made=300_000), mebibytes=2_048, growth=LINEAR),
    Alone(Subject("tax", made=1_000_000), seconds=120.0, mebibytes=2_048, growth=LINEAR),
)
"""The tax table, made longer and longer."""

POD_SUBJECTS = (
    Subject("iris", smoke=True),
    first(STOCK, 20_000),
    first(AIRPORT, 20_000),
    Subject("chess"),
    Subject("abalone", rows=100),
    Subject("abalone"),
)
POD_GOAL = 20_000.0
"""Rules a CPU second of enumeration."""

SPARK_SMOKE = (first(TAX, 1_000),)
SPARK_SUBJECTS = (TAX, Subject("tax", made=100_000))
