"""A small table of Python values, and how two of its values compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, TypeAlias

Value: TypeAlias = int | float | Decimal | bool | date | datetime | str | None
Nulls: TypeAlias = Literal["first", "last", "unknown"]
Outcome: TypeAlias = Literal["<", "=", ">", "?"]

TYPES: tuple[str, ...] = ("integer", "decimal", "float", "boolean", "date", "timestamp", "string")
NUMERIC = frozenset({"integer", "decimal", "float"})


@dataclass(frozen=True)
class Table:
    """Rows of values; ``None`` is null.

    ``types`` has one of `TYPES` a column. A column named in ``unordered`` takes part in equality only; ``orders``
    gives a column an order by meaning, as the list of its values from least to greatest.
    """

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    unordered: frozenset[str] = frozenset()
    orders: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.names) != len(self.types) or len(set(self.names)) != len(self.names):
            raise ValueError("one type a column, and every name once")
        if not set(self.types) <= set(TYPES) or any(len(row) != len(self.names) for row in self.rows):
            raise ValueError("an unknown type, or a row of another length")

    def __len__(self) -> int:
        return len(self.rows)

    def value(self, row: int, name: str) -> Value:
        return self.rows[row][self.names.index(name)]

    def column(self, name: str) -> list[Value]:
        place = self.names.index(name)
        return [row[place] for row in self.rows]

    def type_of(self, name: str) -> str:
        return self.types[self.names.index(name)]

    def ordered(self, name: str) -> bool:
        return name not in self.unordered

    def with_rows(self, rows: Sequence[tuple[Value, ...]]) -> Table:
        """The same columns with other rows."""
        return Table(self.names, self.types, tuple(rows), self.unordered, self.orders)


def table(names: str | Sequence[str], types: str | Sequence[str], *rows: Sequence[Value], **more: Any) -> Table:
    """A table written in one go: names and types as lists or blank-separated, a single type meaning all columns."""
    names = tuple(names.split() if isinstance(names, str) else names)
    types = tuple(types.split() if isinstance(types, str) else types)
    return Table(names, types * len(names) if len(types) == 1 else types, tuple(map(tuple, rows)), **more)


def place(value: Value, order: Sequence[Value] | None = None) -> Any:
    """What to compare instead of a non-null value, so that Python's order is the order of its type."""
    if order is not None:
        return order.index(value)
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, int | float | Decimal):
        return (1, 0) if value != value else (0, value)
    return value


def cmp(a: Value, b: Value, nulls: Nulls = "first", order: Sequence[Value] | None = None) -> Outcome:
    """``<``, ``=`` or ``>``; with ``nulls="unknown"`` a null on either side is ``?``, which satisfies no operator."""
    if nulls == "unknown" and (a is None or b is None):
        return "?"
    if a is None and b is None:
        return "="
    if a is None or b is None:
        return "<" if (a is None) == (nulls == "first") else ">"
    x, y = place(a, order), place(b, order)
    return "=" if x == y else "<" if x < y else ">"


def ranks(table: Table, nulls: Nulls = "first") -> list[list[int]]:
    """Per column, the dense rank of every row's value from 0; null has a rank of its own, the first or the last.

    In a column without order the ranks number the values as they appear.
    """
    if nulls == "unknown":
        raise ValueError("ranks need null to have a place")
    return [_ranks(table, name, nulls) for name in table.names]


def _ranks(table: Table, name: str, nulls: Nulls) -> list[int]:
    values, order = table.column(name), table.orders.get(name)
    distinct: list[Value] = []
    for value in values:
        if all(cmp(value, other, nulls, order) != "=" for other in distinct):
            distinct.append(value)
    if table.ordered(name):
        return [sum(cmp(other, value, nulls, order) == "<" for other in distinct) for value in values]
    return [next(i for i, other in enumerate(distinct) if cmp(other, value) == "=") for value in values]
