"""Tables made from a seed: columns of small integer *levels* first, then values.

The levels are heavy in ties, with constants, keys, copies, reversals and sums of columns among them so that rules
come about; then every level becomes a value of the column's type, in order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

from tests.naive import TYPES, Table, Value

if TYPE_CHECKING:
    import pyarrow as pa

Levels: TypeAlias = list[int | None]

_MIDNIGHT = datetime(2024, 3, 31)
VALUES: dict[str, list[Value]] = {
    "integer": [-(2**63), -7, -1, 0, 1, 2, 3, 9, 10, 11, 100, 2**53, 2**53 + 1, 2**63 - 1],
    "decimal": [Decimal(t) for t in "-10.5 -1 -0.01 0 0.1 0.25 1 1.5 2 9.99 10 100 12345678901234567.89".split()],
    "float": [float(t) for t in "-inf -1e300 -1.5 -5e-324 0 5e-324 0.1 0.25 1 2 2.5 1e300 inf nan".split()],
    "boolean": [False, True],
    "date": [date(1, 1, 1), date(1969, 12, 31), *(date(2024, 2, day) for day in range(25, 30)), date(9999, 12, 31)],
    "timestamp": [
        datetime(1969, 12, 31, 23, 59, 59, 999_999),
        *(_MIDNIGHT + n * timedelta(minutes=59) for n in range(8)),
    ],
    "string": ["", " ", "10", "9", "A", "B", "Z", "a", "a ", "ab", "b", "z", "ß", "é", "\uffff", "\U0001f600"],
}
"""Values of each type in ascending order."""

SPELLINGS: dict[str, dict[Value, Value]] = {
    "float": {0.0: -0.0},
    "decimal": {Decimal("1.5"): Decimal("1.50"), Decimal(10): Decimal("10.0"), Decimal(100): Decimal("1E+2")},
}
"""Another way to write an equal value."""


def random_tables(
    seed: int,
    count: int,
    *,
    min_rows: int = 0,
    max_rows: int = 8,
    min_cols: int = 1,
    max_cols: int = 5,
    types: Sequence[str] = TYPES,
    nulls: bool = True,
    duplicates: bool = True,
) -> Iterator[Table]:
    """The same tables for the same arguments, for bulk runs of thousands."""
    rng = random.Random(seed)
    for _ in range(count):
        rows, columns = rng.randint(min_rows, max_rows), rng.randint(min_cols, max_cols)
        yield make_table(rng, rows, rng.choices(types, k=columns), nulls=nulls, duplicates=duplicates)


def make_table(
    rng: random.Random,
    rows: int,
    types: Sequence[str],
    *,
    nulls: bool = True,
    duplicates: bool = True,
    without: set[str] | None = None,
) -> Table:
    """One table of the given size; ``without`` names the shapes of columns to leave out (see ``SHAPES``)."""
    columns: list[Levels] = []
    for _ in types:
        columns.append(_levels(rng, rows, columns, nulls, without or set()))
    values = [_values(rng, levels, kind) for levels, kind in zip(columns, types, strict=True)]
    lines = list(zip(*values, strict=True))
    if duplicates and rows > 1 and rng.random() < 0.3:
        lines = [rng.choice(lines) if rng.random() < 0.3 else line for line in lines]
    rng.shuffle(lines)
    return Table(tuple(f"c{i}" for i in range(len(types))), tuple(types), tuple(lines))


SHAPES: dict[str, int] = {
    "ties": 6,
    "skewed": 3,
    "constant": 1,
    "key": 1,
    "copy": 1,
    "reverse": 1,
    "coarse": 2,
    "sum": 1,
}
"""How often a column takes each shape; the last four are made from columns before it."""


def _levels(rng: random.Random, rows: int, before: Sequence[Levels], nulls: bool, without: set[str]) -> Levels:
    shapes = [shape for shape in SHAPES if shape not in without]
    shape = rng.choices(shapes, [SHAPES[shape] for shape in shapes])[0]
    first, second = (_known(rng, rows, before) for _ in range(2))
    width = rng.randint(2, 5)
    make: dict[str, Callable[[int], int]] = {
        "ties": lambda row: rng.randrange(width),
        "skewed": lambda row: rng.randrange(6) * rng.randrange(6) // 6,
        "constant": lambda row: 0,
        "key": lambda row: row * 5 % 7 + 7 * (row // 7),
        "copy": lambda row: first[row],
        "reverse": lambda row: -first[row],
        "coarse": lambda row: first[row] // 2,
        "sum": lambda row: first[row] + 2 * second[row],
    }
    levels: Levels = [make[shape](row) for row in range(rows)]
    missing = rng.choice((0.1, 0.4, 1.0)) if nulls and rng.random() < 0.35 else 0.0
    return [None if missing and rng.random() < missing else level for level in levels]


def _known(rng: random.Random, rows: int, before: Sequence[Levels]) -> list[int]:
    """The dense ranks of some column before, null the lowest."""
    levels = [-(10**9) if level is None else level for level in rng.choice(before)] if before else list(range(rows))
    return [sorted(set(levels)).index(level) for level in levels]


def _values(rng: random.Random, levels: Levels, kind: str) -> list[Value]:
    """Values in the order of the levels, equal for equal; where a type has too few, the highest levels tie.

    Numbers are now and then the levels themselves, so that columns share values.
    """
    present = sorted({level for level in levels if level is not None})
    pool = VALUES[kind]
    start = rng.randint(0, max(0, len(pool) - len(present)))
    value = {level: pool[min(start + i, len(pool) - 1)] for i, level in enumerate(present)}
    number: dict[str, Callable[[int], Value]] = {"integer": int, "decimal": Decimal, "float": float}
    if kind in number and rng.random() < 0.5:
        value = {level: number[kind](level) for level in present}
    return [None if level is None else _respelt(rng, value[level], kind) for level in levels]


def _respelt(rng: random.Random, value: Value, kind: str) -> Value:
    other = SPELLINGS.get(kind, {}).get(value)
    return value if other is None or rng.random() < 0.5 else other


def as_arrow(table: Table) -> pa.Table:
    """The table with the types it declares: 64-bit numbers, decimals of 38 digits, microseconds without a zone."""
    import pyarrow as pa

    fields = {
        "integer": pa.int64(),
        "decimal": pa.decimal128(38, 10),
        "float": pa.float64(),
        "boolean": pa.bool_(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us"),
        "string": pa.string(),
    }
    schema = pa.schema([(name, fields[kind]) for name, kind in zip(table.names, table.types, strict=True)])
    return pa.Table.from_arrays([pa.array(table.column(f.name), type=f.type) for f in schema], schema=schema)
