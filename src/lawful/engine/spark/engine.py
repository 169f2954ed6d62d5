"""The engine on a Spark session, classic or Connect, through the DataFrame API alone.

A stream of units becomes a stream of small Spark jobs, several at once. Workers must be able to import lawful: on a
local master they do; on a cluster install it there, or ship it with ``--py-files``. The session's configuration is
never touched, and the session never stopped.
"""

from __future__ import annotations

import math
import pickle
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property, partial
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakSet

from lawful.engine.flow import Supply, flow
from lawful.engine.fold import merge_all
from lawful.engine.local import checked_workers
from lawful.engine.port import Job, Part, Shared, Table, Unit, Units
from lawful.engine.spark.lanes import Lanes
from lawful.engine.spark.pace import Group, Grouping, Pace
from lawful.engine.spark.task import MERGED, Step, Stored, Tasks
from lawful.ranks.folder import Folder, unique
from lawful.ranks.store import Store, write_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MOST_LANES = 8
"""Spark jobs at a time; with more slots than this, a job has several tasks."""

MOST_IN_PLAN = 1 << 20
"""Bytes of a pickled step that travel with every Spark job; a larger one goes through the work folder."""


PATIENCE = 2.0
"""A task gives back the units it has not begun after this many times the seconds it was meant to run."""


class SparkEngine:
    """Runs units in the tasks of ``session``, at most ``workers`` at a time (default: as many as there are slots).

    ``work_dir``, a path or URL that every host reaches under the same name, takes tables and large steps; without it
    a temporary folder of this machine does, which suits a local master only. `close` removes what the engine wrote.
    """

    name = "spark"
    grain = 1.5

    def __init__(self, session: SparkSession, workers: int | None = None, work_dir: str | None = None) -> None:
        self._session = session
        self._workers = None if workers is None else checked_workers(workers)
        self._work_dir = work_dir
        self._written: list[tuple[Table, Store]] = []
        self._open: WeakSet[Lanes] = WeakSet()
        self._paces: dict[type, Pace] = {}

    @cached_property
    def parallelism(self) -> int:
        """``workers``, else the number of slots, which costs one tiny Spark job, once."""
        if self._workers is not None:
            return self._workers
        parts = self._session.range(0, 1 << 16).selectExpr("spark_partition_id() AS part")
        return int(parts.agg({"part": "max"}).collect()[0][0]) + 1

    def share(self, table: Table) -> Shared:
        """A handle on the table's rank columns, written to the work folder unless they are on disk already."""
        if table.store is not None:
            return Stored(table.columns, table.store)
        for known, store in self._written:
            if known is table:
                return Stored(table.columns, store)
        store = write_store(self._folder, table.ranks)
        self._written.append((table, store))
        return Stored(table.columns, store)

    def stream(
        self, job: Job[Unit, Part], shared: Shared, units: Units[Unit]
    ) -> Generator[tuple[Unit, Part], None, None]:
        with closing(self._run(job, shared, units, merge=False)) as groups:
            for group, parts in groups:
                for at, part in parts.items():
                    yield group.units[at], part

    def reduce(self, job: Job[Unit, Part], shared: Shared, units: Iterable[Unit]) -> Part:
        """Parts are merged inside each task, so one part per task comes back."""
        with closing(self._run(job, shared, units, merge=True)) as groups:
            merged: Iterator[Part] = (parts[MERGED] for _, parts in groups)
            return merge_all(job, merged)

    def close(self) -> None:
        for lanes in list(self._open):  # of streams that were left in the middle and are still referred to
            lanes.stop()
        for _, store in self._written:
            store.discard()
        self._written.clear()
        if self._work_dir is None and "_folder" in self.__dict__:
            shutil.rmtree(self._folder, ignore_errors=True)
            del self.__dict__["_folder"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @cached_property
    def _folder(self) -> str:
        return self._work_dir or tempfile.mkdtemp(prefix="lawful-work-")

    def _run(
        self, job: Job[Unit, Part], shared: Shared, units: Units[Unit], *, merge: bool
    ) -> Generator[tuple[Group[Unit], dict[int, Any]], None, None]:
        """Groups of units with the parts of those that were run; the others go back into the supply."""
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        supply = Supply(units)
        count, tasks = self._shape()
        pace = self._paces.setdefault(type(job), Pace())
        grouping = Grouping(job, supply, pace, tasks, self.parallelism)
        with self._step(job, shared) as step, Lanes(self._session, count) as lanes:
            self._open.add(lanes)
            run = partial(_run_batch, lanes, grouping, partial(Tasks, step, merge=merge))
            for group, done, parts in flow(lanes.pool, count, supply, grouping.next_batch, run):
                supply.give_back(group.units[done:])
                yield group, parts

    def _shape(self) -> tuple[int, int]:
        """Spark jobs at a time, and tasks in each; one job more where nobody set a bound, so that slots never wait."""
        slots = self.parallelism
        lanes = min(slots, MOST_LANES)
        return (lanes + 1, math.ceil(slots / lanes)) if self._workers is None else (lanes, slots // lanes)

    @contextmanager
    def _step(self, job: Job[Unit, Part], shared: Shared) -> Iterator[Step]:
        data = pickle.dumps((job, shared), protocol=5)
        step = Step(uuid.uuid4().hex, data)
        if len(data) > MOST_IN_PLAN:
            step = Step(step.key, b"", unique("step", ".pickle"), Folder(self._folder))
            step.folder.write(step.file, data)
        try:
            yield step
        finally:
            if step.file:
                step.folder.remove(step.file)


def _run_batch(
    lanes: Lanes, grouping: Grouping[Unit], tasks: Callable[..., Tasks], batch: tuple[Group[Unit], ...]
) -> list[tuple[Group[Unit], int, dict[int, Any]]]:
    """One Spark job: its groups, how many units of each were run, and the parts by place in the group."""
    began = perf_counter()
    answers = lanes.run(tasks(units=tuple(group.data for group in batch), seconds=PATIENCE * grouping.pace.seconds))
    grouping.learn(perf_counter() - began, batch, answers)
    return [
        (group, answer.done, {at: pickle.loads(data) for at, data in answer.parts.items()})
        for group, answer in zip(batch, answers, strict=True)
    ]
