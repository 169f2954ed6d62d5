"""The predicate space: which two cells are compared, with an order or without, and how jobs find their ranks.

A comparison between columns gets rank rows of its own at the end of the shared table, in an order common to both
columns; one within a row becomes a row of flags held against a row of ones. So jobs see one form of comparison only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa

from lawful.errors import ColumnError
from lawful.evidence.joint import NUMERIC, distinct_values, joint_places, mean
from lawful.evidence.signature import Comparison, Layout
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Column, Encoded
from lawful.rules.model import Operand


@dataclass(frozen=True)
class Space:
    """The comparisons of one kind of rule as pairs of operands, their layout, and the table that jobs see.

    ``columns[g]`` are the places, in the person's table, of the one or two columns that comparison g speaks of.
    """

    operands: tuple[tuple[Operand, Operand], ...]
    columns: tuple[tuple[int, ...], ...]
    layout: Layout
    table: Encoded

    @property
    def predicates(self) -> int:
        """How many predicates the space has: six for a comparison with an order, else two."""
        return sum(6 if c.ordered else 2 for c in self.layout.comparisons)


def own_space(table: Encoded, ordered: Sequence[bool]) -> Space:
    """Every column of t compared with the same column of u."""
    unknown = [table.nulls == "unknown" and column.null_rank is not None for column in table.columns]
    comparisons = tuple(Comparison(c, c, o, n, n) for c, (o, n) in enumerate(zip(ordered, unknown, strict=True)))
    operands = tuple((Operand("t", name), Operand("u", name)) for name in table.names)
    return Space(operands, tuple((c,) for c in range(len(table.columns))), Layout(comparisons), table)


def pod_space(table: Encoded) -> Space:
    """What pointwise order dependencies compare: every column, strings by their bytes."""
    return own_space(table, [column.ordered for column in table.columns])


def dc_space(table: Encoded, options: DiscoverOptions) -> Space:
    """What denial constraints compare; strings have an order only by meaning, or when told so."""
    if not table.columns:
        raise ColumnError("There is no column to compare.", hint="Choose some with --columns.")
    own = own_space(table, [_ordered(column, options) for column in table.columns])
    return _with_cross(own, options) if options.cross_columns else own


def _ordered(column: Column, options: DiscoverOptions) -> bool:
    by_bytes = column.type.name == "string" and not column.listed and not options.order_strings
    return column.ordered and not by_bytes


def _with_cross(own: Space, options: DiscoverOptions) -> Space:
    """The space with comparisons of two columns after those of one; extra rank rows at the end of the table."""
    table, extra = own.table, _Extra(own.table)
    values = {c: distinct_values(table, c) for c in range(len(table.columns)) if table.columns[c].type.name != "nested"}
    joint = _Joint(table, values, Fraction(str(options.share)), options.means)
    operands, columns, comparisons = list(own.operands), list(own.columns), list(own.layout.comparisons)
    for left, right in combinations(sorted(values), 2):
        if joint.comparable(left, right):
            cells = [joint.cells(left, right), joint.cells(right, left)]
            places = [extra.row(found) for found in cells]
            nulls = [joint.unknown(c) for c in (left, right)]
            names = [table.names[c] for c in (left, right)]
            comparisons.append(Comparison(places[0], places[1], joint.near(left, right), *nulls))
            comparisons.append(extra.same(cells, nulls))
            operands += [(Operand("t", names[0]), Operand(row, names[1])) for row in ("u", "t")]
            columns += [(left, right)] * 2
    return Space(tuple(operands), tuple(columns), Layout(tuple(comparisons)), extra.table())


class _Joint:
    """Which columns are compared with which, and their cells in a common order."""

    def __init__(self, table: Encoded, values: dict[int, pa.Array], share: Fraction, means: float) -> None:
        self._table, self._values, self._share = table, values, share
        self._means = Fraction(str(means))
        self._places: dict[int, Any] = {}
        self._mean: dict[int, Any] = {}
        for group in self._groups():
            for column, places in zip(group, joint_places([values[c] for c in group]), strict=True):
                self._places[column] = places

    def _groups(self) -> Iterator[list[int]]:
        """Columns whose values have a common order: of one type, or all numbers."""
        found: dict[Any, list[int]] = {}
        for column in self._values:
            type = self._table.columns[column].type
            key = "number" if type.name in NUMERIC else (type.name, type.zoned, str(self._values[column].type))
            found.setdefault(key, []).append(column)
        yield from found.values()

    def comparable(self, left: int, right: int) -> bool:
        """Of one type, or both numbers, and sharing enough of the smaller one's distinct values."""
        types = [self._table.columns[c].type for c in (left, right)]
        kin = {t.name for t in types} <= set(NUMERIC) or (
            types[0].name == types[1].name and self._values[left].type == self._values[right].type
        )
        smaller = min(len(self._values[c]) for c in (left, right))
        if not kin or smaller == 0:
            return False
        return len(np.intersect1d(self._places[left], self._places[right])) >= self._share * smaller

    def near(self, left: int, right: int) -> bool:
        """Both numeric and in their own order, with means of one sign of which none is far below the other."""
        about = [self._table.columns[c] for c in (left, right)]
        if not all(c.type.name in NUMERIC and c.ordered for c in about):
            return False
        a, b = (self._mean_of(c) for c in (left, right))
        if a is None or b is None or a * b < 0:
            return False
        return bool(min(abs(a), abs(b)) >= self._means * max(abs(a), abs(b)))

    def _mean_of(self, column: int) -> Any:
        if column not in self._mean:
            self._mean[column] = mean(self._table, column, self._values[column])
        return self._mean[column]

    def unknown(self, column: int) -> bool:
        return self._table.nulls == "unknown" and self._table.columns[column].null_rank is not None

    def cells(self, column: int, other: int) -> Any:
        """Every row's place in the common order; null stands first, or last where the table says so."""
        ranks, about = self._table.ranks[column], self._table.columns[column]
        places = self._places[column]
        top = max((int(p.max(initial=-1)) for p in (places, self._places[other])), default=-1)
        if about.null_rank is None:
            return (places[ranks] + 1).astype(np.int32)
        is_null = ranks == about.null_rank
        known = np.where(is_null, 0, ranks - (1 if about.null_rank == 0 else 0))
        null = top + 2 if self._table.nulls == "last" else 0
        found = places[known] + 1 if len(places) else np.zeros(len(ranks), np.int32)
        return np.where(is_null, null, found).astype(np.int32)


class _Extra:
    """Rank rows that are added to a table."""

    def __init__(self, table: Encoded) -> None:
        self._table = table
        self._rows: list[Any] = []
        self._ones: int | None = None

    def row(self, ranks: Any) -> int:
        """The place of a new rank row."""
        self._rows.append(ranks)
        return len(self._table.columns) + len(self._rows) - 1

    def same(self, cells: Sequence[Any], nulls: Sequence[bool]) -> Comparison:
        """Whether two cells of one row are equal, as flags 1 (no) and 2 (yes) against a row of twos; 0 is unknown."""
        flags = (cells[0] == cells[1]).astype(np.int32) + 1
        unknown = np.zeros(len(flags), np.bool_)
        for found, null in zip(cells, nulls, strict=True):
            unknown |= (found == 0) & null
        flags[unknown] = 0
        if self._ones is None:
            self._ones = self.row(np.full(len(flags), 2, np.int32))
        return Comparison(self.row(flags), self._ones, False, any(nulls), False)

    def table(self) -> Encoded:
        """The table with its new rows."""
        if not self._rows:
            return self._table
        ranks = np.vstack([self._table.ranks, *self._rows])
        ranks.flags.writeable = False
        kind = self._table.columns[0]
        columns = (*self._table.columns, *(replace(kind, name=f"\0{i}", listed=()) for i in range(len(self._rows))))
        return replace(self._table, columns=columns, held=ranks, store=None)
