"""The rows of a Spark DataFrame, staged by the tasks that hold them."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
import pyarrow as pa

from lawful.errors import LawfulError
from lawful.limits import Budget
from lawful.options import SourceOptions
from lawful.progress import Listener, Step, silent
from lawful.ranks.distributed import Run, Runner, finish
from lawful.ranks.encoded import Encoded
from lawful.ranks.folder import Folder
from lawful.ranks.staged import Fault, Staged
from lawful.ranks.staging import chunks_of, stage
from lawful.source.spark import SparkSource

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class StageRows:
    """What each task does with its partition; a callable, so that Spark can ship it."""

    folder: str
    options: SourceOptions
    names: tuple[str, ...]
    memory: int | None = None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        part = context.partitionId() if context is not None else 0
        budget = Budget.of(self.memory)
        try:
            named = (batch.rename_columns(list(self.names)) for batch in batches)
            for number, table in enumerate(chunks_of(named, None)):
                staged = stage(table, (0, part, number), "", Folder(self.folder), self.options, text=False)
                yield _row("staged", msgspec.msgpack.encode(staged))
                budget.check("reading a partition on a worker")
        except LawfulError as problem:
            yield _row("fault", msgspec.msgpack.encode(Fault.of(problem)))


def _row(kind: str, data: bytes) -> pa.RecordBatch:
    return pa.record_batch({"kind": [kind], "data": pa.array([data], pa.binary())})


def stage_frame(frame: DataFrame, folder: str, options: SourceOptions, memory: int | None = None) -> tuple[Staged, ...]:
    """Stage every partition, in the order of partitions; one Spark job that evaluates the frame once.

    ``memory`` is what a worker's process may hold, in bytes.
    """
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
    names = tuple(frame.columns)
    placed = frame.toDF(*(f"column_{place}" for place in range(len(names))))  # PySpark asks for columns by name
    found = placed.mapInArrow(StageRows(folder, options, names, memory), "kind string, data binary").toArrow()
    chunks = []
    for kind, data in zip(found.column("kind").to_pylist(), found.column("data").to_pylist(), strict=True):
        if kind == "fault":
            raise msgspec.msgpack.decode(data, type=Fault).error()
        chunks.append(msgspec.msgpack.decode(data, type=Staged))
    return tuple(sorted(chunks, key=lambda c: c.place))


def encode_rows(
    engine: Runner,
    source: SparkSource,
    options: SourceOptions,
    folder: str,
    *,
    memory: int | None = None,
    listener: Listener = silent,
) -> Encoded:
    """Encode a DataFrame on its session's engine; workers reach ``folder``, and each may hold ``memory`` bytes."""
    started = time.perf_counter()
    listener(Step("reading"))
    chunks = stage_frame(source.frame, folder, options, memory)
    return finish(Run(engine, source, options, folder, listener), chunks, (), started)
