"""Batches of rows: the calls that are measured, and checks of what they give."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.measure import Spent, spend
from lawful.errors import JobError

if TYPE_CHECKING:
    from lawful.evidence.evidence import Evidence
    from lawful.ranks.encoded import Encoded


class Counting:
    """The last rows of a table as a batch: its pairs counted, and added to the agree sets of the others; or taken off.

    A call tells what it spent on both, and then undoes it.
    """

    def __init__(self, table: Encoded, rows: int, what: str) -> None:
        from lawful.evidence.multiset import Multiset
        from lawful.maintain.counting import packing_of
        from lawful.maintain.rows import Part, Rows

        ranks, split = np.ascontiguousarray(table.ranks), table.rows - rows
        none = np.zeros(0, np.int64)
        ids, stay = np.arange(table.rows), split if what == "insert" else table.rows
        self.rows = Rows(len(ranks), (Part(ids[:stay], np.ascontiguousarray(ranks[:, :stay])),), none)
        self.last = np.ascontiguousarray(ranks[:, split:])
        nothing = self.last[:, :0]
        self.gone = Part(none, nothing) if what == "insert" else Part(ids[split:], self.last)
        self.new = self.last if what == "insert" else nothing
        self.packing = packing_of(self.rows, self.last)
        self.sets = Multiset(self.packing.layout, self._all(ranks[:, :stay]))
        self.after = self._all(ranks if what == "insert" else ranks[:, :split])
        self.changed = 0

    def _all(self, ranks: Any) -> Evidence:
        from lawful.evidence.batch import within

        return within(self.packing, np.ascontiguousarray(ranks))

    def __call__(self) -> Spent:
        spent, change = spend(self._apply)
        self.changed = len(change)
        self.sets.add(_undone(change))
        return spent

    def _apply(self) -> Evidence:
        from lawful.engine.local import LocalEngine
        from lawful.maintain.counting import change_of

        with LocalEngine(1) as engine:
            change = change_of(self.rows, self.gone, self.new, engine)
        self.sets.add(change)
        return change

    def insist_right(self) -> None:
        """Raise unless the sets after the batch are those of all pairs counted anew."""
        change = self._apply()
        if self.sets.evidence() != self.after:
            raise JobError("The agree sets after the batch are not those of its rows.", hint="Count them by hand.")
        self.sets.add(_undone(change))


def _undone(change: Evidence) -> Evidence:
    from lawful.evidence.evidence import Evidence

    assert change.counts is not None
    return Evidence(change.layout, change.signatures, -change.counts, closed=False)


class Commits:
    """A state of the first rows of a table, in a temporary folder, and batches of the rows after them."""

    BATCHES = 5

    def __init__(self, table: Encoded, first: int, rows: int) -> None:
        import pyarrow as pa

        columns = {about.name: np.asarray(table.ranks[c]) for c, about in enumerate(table.columns)}
        self._table, self._first, self._rows = pa.table(columns), first, rows
        self.rules = 0

    def __enter__(self) -> Commits:
        self._folder = Path(tempfile.mkdtemp(prefix="lawful-bench-"))
        self._state = self._made("state")
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _made(self, name: str, rows: int | None = None) -> Any:
        import lawful as lw
        from lawful.options import EngineOptions

        head = self._table.slice(0, self._first if rows is None else rows)
        return lw.maintain.create(self._folder / name, head, running=EngineOptions(workers=1))

    def _batch(self, number: int) -> Any:
        return self._table.slice(self._first + number * self._rows, self._rows)

    def warm(self) -> None:
        """One batch in and out, so that everything is compiled."""
        self._state.apply(inserts=self._batch(0))
        self._state.apply(deletes=self._state.row_ids()[-self._rows :])

    def five(self, what: str) -> float:
        """CPU seconds of five batches, one after the other."""
        total = 0.0
        for number in range(self.BATCHES):
            ids = None if what == "insert" else self._state.row_ids()[-self._rows :]
            rows = self._batch(number) if what == "insert" else None
            total += spend(lambda rows=rows, ids=ids: self._state.apply(rows, ids))[0].cpu  # type: ignore[misc]
        return total

    def anew(self) -> float:
        """CPU seconds of a state made of the rows that are there now; its rules and counts must be the same."""
        rows = len(self._state)
        spent, fresh = spend(lambda: self._made(f"anew{rows}", rows))
        if fresh.rules() != self._state.rules() or fresh.agree_sets() != self._state.agree_sets():
            raise JobError("A state made anew is another one.", hint="Run `lawful state check DIR --deep`.")
        self.rules = len(fresh.rules())
        return spent.cpu
