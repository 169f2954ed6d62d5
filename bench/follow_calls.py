"""States of pods that grow: what a batch of inserts costs, against a discovery over all rows that finds the same."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from bench.files import public
from bench.measure import Spent, spend
from bench.rolls import TURN, coded_flights, voters
from lawful.errors import JobError

_MADE: dict[str, Callable[[int, Any], dict[str, pa.Array]]] = {"flights": coded_flights, "voters": voters}


@dataclass(frozen=True)
class Grown:
    """A table that grows by a batch. ``name``: of a made table (``flights``, ``voters``) or of a public file;
    ``then``: of another file that the batch is read from. ``settled``: of a made table only rows of one kind."""

    name: str
    base: int
    new: int
    columns: int | None = None
    then: str | None = None
    settled: bool = False
    seconds: float | None = None
    times: float | None = None
    smoke: bool = False

    @property
    def label(self) -> str:
        return f"{self.name}, {self.base:,} + {self.new:,} rows"

    @property
    def files(self) -> tuple[Path, ...]:
        """The public files it is read from; a SourceError where one is not on this machine."""
        return () if self.name in _MADE else tuple(public(name) for name in (self.name, self.then) if name)

    def parts(self) -> tuple[pa.Table, pa.Table]:
        """The table and the batch, typed."""
        if self.name in _MADE:
            start = TURN if self.settled else max(TURN - self.base, 0)
            whole = pa.table(_MADE[self.name](0, np.arange(start, start + self.base + self.new)))
        else:
            whole = self._read()
        whole = whole.select(whole.column_names[: self.columns])
        return whole.slice(0, self.base), whole.slice(self.base, self.new)

    def _read(self) -> pa.Table:
        """All cells as text, which is then read as a state reads files; here they become ranks of one encoding."""
        import pyarrow.csv as csv

        options = csv.ReadOptions(encoding="latin-1")
        tables = [csv.read_csv(path, read_options=options) for path in self.files]
        names = [name.partition("(")[0] for name in tables[0].column_names]
        return pa.concat_tables([table.rename_columns(names) for table in tables], promote_options="permissive")


class Growing:
    """A state of the first rows in a temporary folder; each call applies the batch to a copy of it."""

    def __init__(self, grown: Grown) -> None:
        self.base, self.batch = grown.parts()
        self._home = Path(tempfile.mkdtemp(prefix="lawful-bench-"))
        self._calls = 0

    def __enter__(self) -> Growing:
        import lawful as lw

        self._warm()
        where, running = self._home / "state", _one()
        self.beginning, state = spend(lambda: lw.maintain.create(where, self.base, ["pod"], running=running))
        self.before = len(state.rules())
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._home)

    def _warm(self) -> None:
        """Compiles all that a batch runs, on a few rows."""
        import lawful as lw

        rows = self.base.slice(0, 300)
        state = lw.maintain.create(self._home / "warm", rows, ["pod"], max_size=2)
        state.apply(self.batch.slice(0, 1))
        state.apply(self.batch.slice(1, 100))

    def __call__(self, batches: int = 1) -> Spent:
        """What the batch costs a process that opens the state, read, tried, refined and committed; the least of the
        ``batches`` it is cut into."""
        import lawful as lw

        self._calls += 1
        where = self._home / f"copy{self._calls}"
        shutil.copytree(self._home / "state", where)
        self.state, spent = lw.maintain.open(where), []
        size = -(-self.batch.num_rows // batches)
        for start in range(0, self.batch.num_rows, size):
            part = self.batch.slice(start, size)
            spent.append(spend(lambda part=part: self.state.apply(part, running=_one()))[0])  # type: ignore[misc]
        return min(spent, key=lambda each: each.cpu)

    def insist_right(self) -> Spent:
        """Raise unless the rules are those of a discovery over all rows; what that costs, encoding included."""
        import lawful as lw

        whole = pa.concat_tables([self.base, self.batch])
        spent, fresh = spend(lambda: lw.discover(whole, ["pod"], engine="local", workers=1))
        if [str(rule) for rule in self.state.rules()] != [str(rule) for rule in fresh]:
            raise JobError("The state's rules are not those of its rows.", hint="Run: lawful state check --deep.")
        return spent


def _one() -> Any:
    from lawful.options import EngineOptions

    return EngineOptions(workers=1)
