"""The tables of the benchmarks: made by rule, of any length, in chunks, the same on every machine.

A table is a function of its name, its seed and the row number, so 1,000,000 rows are made and written with the memory
of one chunk, and a shorter table is the head of a longer one. ``TABLES`` also says which laws each table obeys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from bench import dates, people, trade
from bench.draws import Whole
from lawful.errors import OptionError, did_you_mean
from lawful.rules.model import Rule

CHUNK = 65_536
"""Rows made at a time."""

Maker = Callable[[int, Whole], dict[str, pa.Array]]
"""(seed, row numbers) -> columns."""


@dataclass(frozen=True)
class Recipe:
    """How to make a table, and the laws that hold in it by construction."""

    make: Maker
    laws: tuple[Rule, ...]


TABLES: dict[str, Recipe] = {
    "tax": Recipe(people.tax, people.TAX_LAWS),
    "hospital": Recipe(people.hospital, people.HOSPITAL_LAWS),
    "flight": Recipe(trade.flight, trade.FLIGHT_LAWS),
    "stock": Recipe(trade.stock, trade.STOCK_LAWS),
    "date": Recipe(dates.calendar, dates.LAWS),
}


def recipe(name: str) -> Recipe:
    """The recipe of that name."""
    if name not in TABLES:
        raise OptionError(f"There is no benchmark table {name!r}.", hint=did_you_mean(name, TABLES))
    return TABLES[name]


def schema(name: str) -> pa.Schema:
    """The columns of a table, with their types."""
    return _batch(recipe(name), 0, 0, 1).schema


def batches(name: str, rows: int, seed: int = 0, chunk: int = CHUNK) -> Iterator[pa.RecordBatch]:
    """The table in pieces of at most ``chunk`` rows; the cut does not change a value."""
    if rows < 0 or chunk < 1 or seed < 0:
        message = f"No table has {rows} rows under seed {seed} in chunks of {chunk}."
        raise OptionError(message, hint="Rows and seed are 0 or more, a chunk 1 or more.")
    made = recipe(name)
    for start in range(0, rows, chunk):
        yield _batch(made, seed, start, min(start + chunk, rows))


def table(name: str, rows: int, seed: int = 0) -> pa.Table:
    """The whole table in memory."""
    return pa.Table.from_batches(batches(name, rows, seed), schema=schema(name))


def tax_like(rows: int, seed: int = 0) -> pa.Table:
    """People and their taxes, 15 columns: integers, a rate, a boolean, texts, zips with leading zeros."""
    return table("tax", rows, seed)


def hospital_like(rows: int, seed: int = 0) -> pa.Table:
    """Quality measures of hospitals, 15 columns, mostly text, a few missing scores."""
    return table("hospital", rows, seed)


def flight_like(rows: int, seed: int = 0) -> pa.Table:
    """Departures, 19 columns: clock times, delays, nulls where a flight was cancelled."""
    return table("flight", rows, seed)


def stock_like(rows: int, seed: int = 0) -> pa.Table:
    """Daily prices, 7 columns: decimals, dates, a large range of volumes."""
    return table("stock", rows, seed)


def date_dim(rows: int, seed: int = 0) -> pa.Table:
    """A date dimension, 17 columns; at most 2,958,464 rows; the seed changes nothing."""
    return table("date", rows, seed)


def _batch(made: Recipe, seed: int, start: int, stop: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(made.make(seed, np.arange(start, stop, dtype=np.int64)))
