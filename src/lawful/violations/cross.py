"""Two columns in one order, as rank rows behind those of the table, for rules that compare a column with another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lawful.errors import ColumnError
from lawful.evidence.joint import NUMERIC, distinct_values, joint_places
from lawful.ranks.encoded import Column, Encoded
from lawful.rules.model import Dc, Rule


class CrossRanks:
    """The pairs of columns that rules compare with each other, and where their common ranks stand.

    Two rank rows a pair of columns: O(rows + distinct values log distinct values) each.
    """

    def __init__(self, table: Encoded, rules: Iterable[Rule]) -> None:
        self._table = table
        self._rows: list[NDArray[np.int32]] = []
        self._places: dict[tuple[str, str], tuple[int, int]] = {}
        for rule in rules:
            for left, right in _crossing(rule):
                if (left, right) not in self._places and {left, right} <= set(table.names):
                    self._add(left, right, rule)

    def places(self, left: str, right: str) -> tuple[int, int]:
        """The rank rows of the two columns in their common order."""
        return self._places[left, right]

    def table(self) -> Encoded:
        """The table with the common ranks as more rank rows."""
        if not self._rows:
            return self._table
        ranks = np.vstack([self._table.ranks, *self._rows])
        ranks.flags.writeable = False
        kind = self._table.columns[0]
        extra = (replace(kind, name=f"\0{i}", listed=()) for i in range(len(self._rows)))
        return replace(self._table, columns=(*self._table.columns, *extra), held=ranks, store=None)

    def _add(self, left: str, right: str, rule: Rule) -> None:
        places = [self._table.place(name) for name in (left, right)]
        columns = [self._table.columns[place] for place in places]
        values = [distinct_values(self._table, place) for place in places if _comparable(*columns)]
        if len(values) < 2 or not (_numbers(columns) or values[0].type == values[1].type):
            kinds = " and ".join(f"{c.name!r} ({c.type.name})" for c in columns)
            message = f"The rule {rule} compares columns {kinds}, whose values have no common order."
            raise ColumnError(message, hint="Compare columns of one type, or two numeric ones; --types may help.")
        found = joint_places(values)
        top = max((int(place.max(initial=-1)) for place in found), default=-1)
        at = len(self._table.columns) + len(self._rows)
        for place, column, joint in zip(places, columns, found, strict=True):
            self._rows.append(_cells(self._table, place, column, joint, top))
        self._places[left, right], self._places[right, left] = (at, at + 1), (at + 1, at)


def _crossing(rule: Rule) -> Iterable[tuple[str, str]]:
    if isinstance(rule, Dc):
        for p in rule.predicates:
            if p.left.column != p.right.column:
                yield p.left.column, p.right.column


def _numbers(columns: Iterable[Column]) -> bool:
    return all(column.type.name in NUMERIC for column in columns)


def _comparable(left: Column, right: Column) -> bool:
    if _numbers((left, right)):
        return True
    return left.type.name == right.type.name != "nested" and left.type.zoned == right.type.zoned


def _cells(table: Encoded, place: int, column: Column, joint: NDArray[np.int32], top: int) -> NDArray[np.int32]:
    """Every row's place in the common order, from 1; null is 0, or the highest where nulls come last."""
    null = top + 2 if table.nulls == "last" else 0
    known = (joint + 1).astype(np.int32)
    if column.null_rank is not None:
        known = np.insert(known, 0 if column.null_rank == 0 else len(known), null).astype(np.int32)
    ranks = table.ranks[place]
    return known[ranks] if len(ranks) else np.zeros(0, np.int32)
