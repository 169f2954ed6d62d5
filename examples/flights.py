"""Keys and normal forms of flights: what tells the rows of one wide table apart, and the tables that it is made of.

An airport hands over its departures as one flat table. Nobody says what identifies a row, nor which columns only repeat
what others know. The laws of the table say both, and how to part it so that nothing is written twice and nothing is
lost. The flights are made up. Run it: ``python examples/flights.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pyarrow as pa

import lawful as lw
from lawful.rules.normalforms import Relation

FIRST, DAYS = date(2026, 3, 1), 180

AIRLINES = {"LX": "Lynx Air", "NW": "Northwind", "PO": "Polar"}
CITIES = {"OSL": "Oslo", "TRF": "Oslo", "BGO": "Bergen", "VIE": "Vienna", "LIS": "Lisbon"}
COUNTRIES = {"Oslo": "Norway", "Bergen": "Norway", "Vienna": "Austria", "Lisbon": "Portugal"}
SEATS = {"A320": 180, "E190": 100, "A321": 220, "B737": 180}
AIRCRAFT = {"A01": "A320", "A02": "A320", "E01": "E190", "T01": "A321", "B01": "B737"}
TIMETABLE = (
    ("LX10", "VIE", "06:40"),
    ("LX12", "VIE", "17:15"),
    ("LX30", "LIS", "06:40"),
    ("NW7", "BGO", "06:40"),
    ("NW9", "BGO", "11:05"),
    ("NW21", "OSL", "11:05"),
    ("PO5", "OSL", "17:15"),
    ("PO6", "TRF", "08:30"),
)
"""Number of a flight, where it goes, when it leaves: the same every day."""


def flights(days: int = DAYS) -> pa.Table:
    """One row for each flight and day, everything that is known about it side by side."""
    tails, rows = list(AIRCRAFT), []
    for day in range(days):
        for place, (number, airport, leaves) in enumerate(TIMETABLE):
            tail = tails[(day * day + place * (day % 3 + 1)) % len(tails)]
            model = AIRCRAFT[tail]
            seats = SEATS[model]
            rows.append(
                {
                    "flight": number,
                    "day": FIRST + timedelta(days=day),
                    "airline": AIRLINES[number[:2]],
                    "airport": airport,
                    "city": CITIES[airport],
                    "country": COUNTRIES[CITIES[airport]],
                    "leaves": leaves,
                    "tail": tail,
                    "model": model,
                    "seats": seats,
                    "passengers": seats - (day * 37 + place * 11 + day * place * 5) % 61,
                }
            )
    return pa.Table.from_pylist(rows)


def parted(table: pa.Table, parts: tuple[Relation, ...]) -> dict[Relation, pa.Table]:
    """Each part as a table of its own: its columns, every combination once."""
    return {part: table.select(part.columns).group_by(list(part.columns)).aggregate([]) for part in parts}


def joined(parts: dict[Relation, pa.Table]) -> pa.Table:
    """The parts put together again, each to what shares a column with it."""
    waiting = sorted(parts, key=lambda part: -parts[part].num_rows)
    whole = parts[waiting.pop(0)]
    while waiting:
        part = next(one for one in waiting if set(one.key) <= set(whole.column_names))
        waiting.remove(part)
        shared = [name for name in part.columns if name in whole.column_names]
        whole = whole.join(parts[part], shared, join_type="inner")
    return whole


def rows_of(table: pa.Table, names: list[str]) -> list[tuple[object, ...]]:
    """The rows in one order, whatever order they come in."""
    return sorted(tuple(row.values()) for row in table.select(names).to_pylist())


def story(days: int = DAYS) -> Iterator[str]:
    """What there is to tell, a line at a time."""
    table = flights(days)
    rules = lw.discover(table, ["fd", "key"], engine="local")
    yield f"{table.num_rows} rows × {table.num_columns} columns obey {len(rules)} fds and keys"
    advice = rules.advise(min_coverage=0.01)
    yield f"What tells two rows apart? {advice.keys[0]} does, and {len(advice.keys) - 1} larger sets do, some by chance"
    yield "What is told again and again?"
    yield from (f"  {fd}" for fd in advice.derivable)
    yield f"So the table is in {advice.normal_form.form}. In BCNF it is these tables:"
    parts = parted(table, advice.normal_form.bcnf)
    yield from (f"  {part}: {rows.num_rows} rows" for part, rows in parts.items())
    cells = sum(rows.num_rows * rows.num_columns for rows in parts.values())
    yield f"{cells} cells instead of {table.num_rows * table.num_columns}"
    whole = joined(parts)
    if rows_of(whole, table.column_names) != rows_of(table, table.column_names):
        raise AssertionError("the parts do not give the table again")
    yield f"To be checked across tables: {'; '.join(str(fd) for fd in advice.normal_form.lost)}"
    yield "Joined, they give every row again, and no other"
    found = lw.check(table, ["key(day, tail)", "flight -> tail"], engine="local")
    for check in found:
        yield f"Is {check.rule} a law? No: {check.rows} of {check.of_rows} rows take part in breaking it"


if __name__ == "__main__":
    for line in story():
        print(line)
