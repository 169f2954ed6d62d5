"""What runs inside a Spark task: some units of a step, their parts sent back as rows of bytes.

Only this module and what a job needs are imported on a worker. A worker keeps the last few steps it has loaded, so
that a step and its table are opened once per process and not once per task.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from lawful.engine.failure import failed, marked
from lawful.engine.fold import merge_all
from lawful.engine.local import run_unit
from lawful.engine.port import Job, Part, Shared, Unit
from lawful.errors import JobError
from lawful.ranks.folder import Folder
from lawful.ranks.store import Ranks, Store

if TYPE_CHECKING:
    import pyarrow as pa

    from lawful.ranks.encoded import Column

SCHEMA = "task int, unit int, piece int, part binary, seconds double"
"""The rows that come back. A part larger than a piece takes several; ``piece`` -1 closes a task: ``unit`` of its units
were run, in ``seconds``."""

PIECE = 16 << 20
"""Bytes in one row: far below what Arrow, the JVM and Connect's messages allow."""

MERGED = -1
"""The ``unit`` of a part that merges all units of its task."""

CLOSING = -1

PY_FILES = (
    "Every worker must be able to import lawful in the same version: install it there, or pass it with --py-files."
)


class TaskFailed(Exception):
    """Raised in a task; its text is found again by the driver."""


class Row(NamedTuple):
    """One row of `SCHEMA`."""

    task: int
    unit: int
    piece: int
    part: bytes
    seconds: float


@dataclass(frozen=True)
class Stored:
    """A table that each host copies once to local scratch and maps; see `lawful.engine.port.Shared`."""

    columns: tuple[Column, ...]
    store: Store

    @property
    def rows(self) -> int:
        return self.store.rows

    @cached_property
    def ranks(self) -> Ranks:
        return self.store.open()

    def __getstate__(self) -> dict[str, Any]:
        return {"columns": self.columns, "store": self.store}


@dataclass(frozen=True)
class Step:
    """A pickled job with its shared table: in ``data``, or, where that is large, in a file of the work folder."""

    key: str
    data: bytes
    file: str = ""
    folder: Folder = Folder("")

    def load(self) -> tuple[Job[Any, Any], Shared]:
        return _load(self.key, self)

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=4)
def _load(key: str, step: Step) -> tuple[Job[Any, Any], Shared]:
    data = step.folder.read(step.file) if step.file else step.data
    job, shared = pickle.loads(data)
    return job, shared


@dataclass(frozen=True)
class Tasks:
    """What one Spark job does: its tasks' units (pickled one by one), and for how long a task may go on.

    A task that has run for ``seconds`` leaves its remaining units to the driver, so that a wrong estimate of their
    work holds up only a few.
    """

    step: Step
    units: tuple[tuple[bytes, ...], ...]
    seconds: float
    merge: bool


class Turn(Generic[Unit, Part]):
    """The units of one task being run; ``done`` of them so far, in ``spent`` seconds."""

    def __init__(self, tasks: Tasks, number: int) -> None:
        self._units = tasks.units[number]
        self._seconds = tasks.seconds
        self._began = perf_counter()
        self.done = 0

    @property
    def spent(self) -> float:
        return perf_counter() - self._began

    def parts(self, job: Job[Unit, Part], shared: Shared) -> Iterator[tuple[Unit, Part]]:
        for data in self._units:
            if self.done and self.spent > self._seconds:
                return
            unit: Unit = pickle.loads(data)
            part = run_unit(job, shared, unit)
            self.done += 1
            yield unit, part


def work(tasks: Tasks, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The body of ``mapInArrow``: each input row is the number of a task, the output has `SCHEMA`."""
    for batch in batches:
        for number in batch.column(0).to_pylist():
            try:
                yield from _batches(_rows(tasks, number))
            except JobError as error:
                raise TaskFailed(marked(error)) from error


def _rows(tasks: Tasks, number: int) -> Iterator[Row]:
    turn: Turn[Any, Any] = Turn(tasks, number)
    try:
        job, shared = tasks.step.load()
    except Exception as error:
        raise JobError(
            f"A step could not be loaded on a Spark worker: {type(error).__name__}: {error}.", hint=PY_FILES
        ) from error
    if tasks.merge:
        yield from _pieces(job, number, MERGED, None, merge_all(job, (part for _, part in turn.parts(job, shared))))
    else:
        for at, (unit, part) in enumerate(turn.parts(job, shared)):
            yield from _pieces(job, number, at, unit, part)
    yield Row(number, turn.done, CLOSING, b"", turn.spent)


def _pieces(job: object, number: int, at: int, unit: object, part: object) -> Iterator[Row]:
    try:
        data = pickle.dumps(part, protocol=5)
    except Exception as error:
        raise failed(job, unit, error) from error
    for piece, start in enumerate(range(0, len(data), PIECE)):
        yield Row(number, at, piece, data[start : start + PIECE], 0.0)


def _batches(rows: Iterator[Row]) -> Iterator[pa.RecordBatch]:
    """Rows in batches of about a piece: one batch a row costs too much when parts are small."""
    held: list[Row] = []
    size = 0
    for row in rows:
        held.append(row)
        size += len(row.part)
        if size >= PIECE:
            yield _batch(held)
            held, size = [], 0
    if held:
        yield _batch(held)


def _batch(rows: list[Row]) -> pa.RecordBatch:
    import pyarrow as pa

    types = [pa.int32(), pa.int32(), pa.int32(), pa.binary(), pa.float64()]
    values = [pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), types, strict=True)]
    return pa.RecordBatch.from_arrays(values, names=list(Row._fields))
