"""New rows tried by probing indexes: at a cost of the new rows and the logarithm of the old ones.

Where few rows come, each conjunction asks the index that leaves it the fewest rows, for every new row in both orders of
a pair, and looks at these alone. Where many come, one pass over the table costs less than so many probes, unless there
are many comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from lawful.engine import Engine, Table
from lawful.kernels.chains import ANY, CLUSTERED, MIRRORED
from lawful.kernels.conjunction import EQUAL, LESS, MORE, UNEQUAL
from lawful.maintain.choosing import Marks, Planned, Policy
from lawful.maintain.indexes import Index, Indexes
from lawful.search.conjunctions import Conjunctions
from lawful.search.newcomers import Newcomers, Tried
from lawful.search.violating import Flags, Pairs

POLICY = Policy(by="shares")
FEW = 1 / 200
"""New rows for each row there is, up to which indexes are probed."""
SWEPT = 3
"""Comparisons that are no equalities, up to which one pass over the table is quick to try a conjunction."""


class Probing(Newcomers):
    """As `Newcomers`; ``indexes`` of earlier rows, maybe none, are built, extended and renewed as they are needed."""

    def __init__(self, table: Table, old: int, engine: Engine, indexes: Indexes | None) -> None:
        super().__init__(table, old, engine)
        self.indexes = indexes
        self._new = np.arange(old, table.rows, dtype=np.int32)
        self._ready = False

    def _wide(self, asked: Conjunctions, numbers: NDArray[np.int64], most: int, open_: Flags) -> Iterator[Tried]:
        marks = self._marks(asked.take(numbers))
        if len(self._new) > FEW * self._ranks.shape[1]:
            hard = ((marks != ANY) & (marks != EQUAL)).sum(axis=1) > SWEPT
            if not hard.all():
                yield from super()._wide(asked, numbers[~hard], most, open_)
            numbers, marks = numbers[hard], marks[hard]
        if not len(numbers):
            return
        indexes = self._prepared(marks)
        which = indexes.assigned(marks)
        for i, (plan, index) in enumerate(zip(indexes.planned, indexes.built, strict=True)):
            probes = self._new[np.argsort(self._ranks[plan.a, self._new], kind="stable")]
            for k in np.flatnonzero(which == i).tolist():
                if open_[numbers[k]]:
                    pairs = self._probed(plan, index, marks[k], probes, most)
                    at = numbers[k : k + 1].astype(np.int32)
                    yield at, (np.repeat(at, len(pairs)), pairs)
        if (which < 0).any():
            yield from super()._wide(asked, numbers[which < 0], most, open_)

    def _marks(self, asked: Conjunctions) -> Marks:
        marks = np.full((len(asked), len(self._ranks)), ANY, np.int8)
        marks[asked.owners, asked.predicates.left] = asked.predicates.op
        return marks

    def _prepared(self, marks: Marks) -> Indexes:
        """The indexes with all rows, for these rules and those that they may be refined to."""
        if not self._ready or self.indexes is None or not self.indexes.serving(marks).all():
            known = self.indexes
            if known is None or not len(known):
                known = Indexes.of(marks, self._ranks, POLICY)
            else:
                known = known.extended(self._ranks, len(known.built[0])).renewed(marks, self._ranks)
                known = known if self._ready else known.trimmed(marks)
            self.indexes, self._ready = known, True
        return self.indexes

    def _probed(self, plan: Planned, index: Index, marks: NDArray[np.int8], probes: Pairs, most: int) -> Pairs:
        """Pairs of a new row and any row, in both orders, that satisfy one conjunction."""
        from lawful.kernels.probing import probe_rows

        pairs, found = np.empty((most, 2), np.int32), 0
        for turned in (False, True):
            asked = np.array(MIRRORED, np.int64)[marks] if turned else marks.astype(np.int64)
            for op_a, op_b, rest in _split(plan, asked):
                columns = np.flatnonzero(rest != ANY)
                for level in index.levels:
                    if found < most:
                        found, _ = probe_rows(
                            level, self._ranks, plan.a, plan.b, op_a, op_b, columns, rest[columns], probes, turned,
                            most, pairs, found,
                        )  # fmt: skip
        return np.unique(pairs[:found], axis=0)


def _split(plan: Planned, marks: NDArray[np.int64]) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
    """What to ask of the index, each side of a ``!=`` by itself, and what is left to look at."""
    first, second = (int(each[0]) for each in plan.asked(marks[None, :].astype(np.int8)))
    rest = marks.copy()
    rest[plan.a] = ANY
    if second != ANY or plan.sign != CLUSTERED:
        rest[plan.b] = ANY
    for op_a in (LESS, MORE) if first == UNEQUAL else (first,):
        for op_b in (LESS, MORE) if second == UNEQUAL else (second,):
            yield op_a, op_b, rest
