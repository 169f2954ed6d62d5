"""Probes against an index of two columns and against DuckDB's inequality join: the columns, the calls, the answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bench.draws import Draws
from lawful.kernels.conjunction import LESS, MORE
from lawful.maintain.chains import ChainIndex

Ranks: TypeAlias = NDArray[np.int32]
Answer: TypeAlias = tuple[int, int]
"""How many pairs, and the sum of the numbers of the old rows in them."""

FEW = 1000
_AT_ONCE = 4096


@dataclass(frozen=True)
class Probing:
    """The first ``old`` of ``old + new`` rows, indexed; the others are probes for rows less in ``a`` and more in ``b``.

    ``many`` distinct values: as many as there are rows, and few rows out of step; else `FEW`, and 40 times as many.
    """

    old: int
    new: int
    many: bool

    @cached_property
    def columns(self) -> tuple[Ranks, Ranks]:
        """Two correlated columns of ranks."""
        at, draws = np.arange(self.old + self.new), Draws()
        values = len(at) if self.many else FEW
        a = draws.whole("index a", at, values)
        b = a + draws.whole("index b", at, max(values // (2000 if self.many else 50), 10))
        return a.astype(np.int32), b.astype(np.int32)

    @cached_property
    def index(self) -> ChainIndex:
        """Of the old rows."""
        return self.built()

    def built(self) -> ChainIndex:
        """The index of the old rows, made anew."""
        a, b = self.columns
        return ChainIndex.build(a[: self.old], b[: self.old])

    def extended(self) -> ChainIndex:
        """The index with the new rows taken in."""
        return self.index.extended(*self.columns, self.old)

    def fetch(self) -> Answer:
        """All probes, thousands at once, their rows written out."""
        a, b = self.columns
        pairs = total = 0
        for start in range(self.old, self.old + self.new, _AT_ONCE):
            stop = min(start + _AT_ONCE, self.old + self.new)
            rows = self.index.fetch_many(a, b, a[start:stop], b[start:stop], LESS, MORE).rows
            pairs, total = pairs + len(rows), total + int(rows.sum(dtype=np.int64))
        return pairs, total


class Join:
    """The same by DuckDB on one thread, from tables that it holds already."""

    def __init__(self, duckdb: Any, probing: Probing) -> None:
        a, b = probing.columns
        self._connection = duckdb.connect(config={"threads": 1})
        for name, rows in (("old", slice(None, probing.old)), ("new", slice(probing.old, None))):
            columns = {"id": np.arange(len(a), dtype=np.int64)[rows], "a": a[rows], "b": b[rows]}
            self._connection.register("given", _arrow(columns))
            self._connection.execute(f"create table {name}_rows as select * from given")
            self._connection.unregister("given")

    def __call__(self) -> Answer:
        """Pairs, and the sum of the old rows' numbers."""
        query = "select count(*), sum(t.id) from old_rows t, new_rows u where t.a < u.a and t.b > u.b"
        pairs, total = self._connection.execute(query).fetchone()
        return int(pairs), int(total or 0)

    def plan(self) -> str:
        """How DuckDB does it."""
        query = "explain select count(*) from old_rows t, new_rows u where t.a < u.a and t.b > u.b"
        shown = str(self._connection.execute(query).fetchall()).lower().replace("_", " ")
        joins = ("ie join", "piecewise merge join", "nested loop join", "blockwise nl join")
        return next((name for name in joins if name in shown), "another join")


def _arrow(columns: dict[str, Any]) -> Any:
    import pyarrow as pa

    return pa.table(columns)
