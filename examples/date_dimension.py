"""Order rules of a date dimension, and a query that they speed up on DuckDB.

A warehouse keeps one row a day in ``date_dim`` and numbers the days; a fact such as a sale refers to the number. Nobody
told the database that the numbers follow the calendar. The laws of ``date_dim`` say so, and then a query by year needs
no join, and a sort by four columns is a sort by one. Run it: ``python examples/date_dimension.py`` (needs duckdb).
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

import duckdb
import pyarrow as pa

import lawful as lw

FIRST, DAYS, SALES = date(2015, 1, 1), 3653, 1_000_000

BY_CALENDAR = """
SELECT max(so_far), sum(so_far) FROM (
  SELECT sum(s.amount) OVER (ORDER BY d.year, d.quarter, d.month, d.day) AS so_far
  FROM sales s JOIN date_dim d ON s.date_sk = d.date_sk
  WHERE d.year BETWEEN 2019 AND 2022)
"""
"""Sales so far, sale by sale, in the order of the calendar."""

BY_NUMBER = """
SELECT max(so_far), sum(so_far) FROM (
  SELECT sum(s.amount) OVER (ORDER BY s.date_sk) AS so_far
  FROM sales s
  WHERE s.date_sk BETWEEN (SELECT min(date_sk) FROM date_dim WHERE year = 2019)
                      AND (SELECT max(date_sk) FROM date_dim WHERE year = 2022))
"""
"""The same without the join: the range of years is a range of numbers, and the four columns sort as the number does."""


@dataclass(frozen=True)
class Measured:
    """A query's answer, and the median seconds of some runs."""

    answer: object
    seconds: float


def date_dim(days: int = DAYS) -> pa.Table:
    """One row a day; every column is a function of the date."""
    dates = [FIRST + timedelta(days=n) for n in range(days)]
    return pa.table(
        {
            "date_sk": [2_457_024 + n for n in range(days)],
            "date": dates,
            "year": [d.year for d in dates],
            "quarter": [(d.month + 2) // 3 for d in dates],
            "month": [d.month for d in dates],
            "month_name": [d.strftime("%B") for d in dates],
            "day": [d.day for d in dates],
            "month_seq": [(d.year - 1900) * 12 + d.month - 1 for d in dates],
            "weekday": [d.isoweekday() for d in dates],
        }
    )


def warehouse(days: int = DAYS, sales: int = SALES) -> duckdb.DuckDBPyConnection:
    """``date_dim`` and as many sales, kept in the order of their dates."""
    database = duckdb.connect()
    database.execute("SET threads TO 1")
    database.register("calendar", date_dim(days))
    database.execute("CREATE TABLE date_dim AS SELECT * FROM calendar")
    database.execute(
        "CREATE TABLE sales AS SELECT 2457024 + (n * ? // ?)::INT AS date_sk, (n * 7919 % 10007)::INT AS amount "
        "FROM range(?) AS made(n) ORDER BY date_sk",
        [days, sales, sales],
    )
    return database


def measured(database: duckdb.DuckDBPyConnection, query: str, runs: int = 5) -> Measured:
    """The query run some times."""
    seconds = []
    for _ in range(runs):
        started = time.perf_counter()
        answer = database.execute(query).fetchall()
        seconds.append(time.perf_counter() - started)
    return Measured(answer, statistics.median(seconds))


def story(days: int = DAYS, sales: int = SALES) -> Iterator[str]:
    """What there is to tell, a line at a time."""
    rules = lw.discover(date_dim(days), ["od", "key"], engine="local")
    yield f"{len(rules)} laws of date_dim, {rules.rows} rows"
    asked = rules.holds("[date_sk] -> [year]")
    yield f"Does a range of years mean a range of date_sk? {asked}"
    yield "ORDER BY year, quarter, month, day is:"
    yield from (f"  {line}" for line in rules.simplify(order_by="year, quarter, month, day").lines())
    advice = rules.advise()
    yield "Joins that a range makes needless: " + "; ".join(str(one.rule) for one in advice.joins)
    yield f"Files: {advice.layouts[0]}"
    database = warehouse(days, sales)
    before, after = measured(database, BY_CALENDAR), measured(database, BY_NUMBER)
    if before.answer != after.answer:
        raise AssertionError(f"{before.answer} is not {after.answer}")
    yield f"Running total of 2019 to 2022 with a join and a sort by four columns: {before.seconds * 1000:.0f} ms"
    yield f"By date_sk alone: {after.seconds * 1000:.0f} ms, {before.seconds / after.seconds:.1f} times as fast"
    yield f"Both say {after.answer}"


if __name__ == "__main__":
    for line in story():
        print(line)
