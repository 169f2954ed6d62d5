"""Several small Spark jobs at once: the threads that wait for them, and the tag that cancels them."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock
from time import sleep
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from lawful.engine.failure import found
from lawful.engine.spark.pace import Answer
from lawful.engine.spark.task import CLOSING, PY_FILES, SCHEMA, Tasks, work
from lawful.errors import JobError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ABSENT = "No module named 'lawful"

Collector: TypeAlias = Callable[["SparkSession", Tasks], list[Any]]


class Label:
    """A tag of our own, on whatever the calling thread starts between `put` and `drop`, by which it can be cancelled.

    A classic session's ``interruptTag`` reaches only what the calling thread itself started, so there it is a tag of
    the context, which Connect does not have.
    """

    def __init__(self, session: SparkSession) -> None:
        tag = f"lawful-{uuid.uuid4().hex}"
        context = getattr(session, "sparkContext", None)
        self.put = partial(session.addTag if context is None else context.addJobTag, tag)
        self.drop = partial(session.removeTag if context is None else context.removeJobTag, tag)
        self.cancel = partial(session.interruptTag if context is None else context.cancelJobsWithTag, tag)


class Lanes:
    """At most ``count`` Spark jobs of one stream at a time, each waited for by a thread of its own.

    The threads take over the caller's local properties (scheduler pool, tags), and one tag of their own by which
    `stop` cancels what runs, on classic sessions and through Connect.
    """

    def __init__(self, session: SparkSession, count: int) -> None:
        self._session = session
        self._label = Label(session)
        self._lock = Lock()
        self._active = 0
        self._stopped = False
        self._collectors: SimpleQueue[Collector] = SimpleQueue()
        for _ in range(count):  # one each: on classic sessions a wrapped target owns its thread's properties
            self._collectors.put(self._inheriting(_collect))
        self.pool = ThreadPoolExecutor(count, thread_name_prefix="lawful-spark")

    def run(self, tasks: Tasks) -> list[Answer]:
        """Run one Spark job and give the answer of each of its tasks; its failure told as a `JobError`."""
        self._enter()
        collect = self._collectors.get()
        try:
            return _answers(collect(self._session, tasks), len(tasks.units))
        except Exception as error:
            raise _told(error, tasks) from error
        finally:
            self._collectors.put(collect)
            with self._lock:
                self._active -= 1

    def stop(self) -> None:
        """Start nothing new, cancel what runs, and wait until it has gone."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._stopped = True
        while self._active:  # a job that was being submitted meanwhile has its tag a moment later: hence the loop
            with suppress(Exception):  # a session that has died has nothing left to cancel
                self._label.cancel()
            sleep(0.05)
        self.pool.shutdown(wait=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def _enter(self) -> None:
        with self._lock:
            if self._stopped:
                raise JobError("The stream of parts was left.", hint="")
            self._active += 1

    def _inheriting(self, target: Collector) -> Collector:
        from pyspark import inheritable_thread_target

        self._label.put()
        try:
            wrapped: Collector = inheritable_thread_target(self._session)(target)
        finally:
            self._label.drop()
        return wrapped


def _collect(session: SparkSession, tasks: Tasks) -> list[Any]:
    count = len(tasks.units)

    def body(batches: Iterable[Any]) -> Iterable[Any]:
        return work(tasks, iter(batches))

    rows: list[Any] = session.range(0, count, 1, count).mapInArrow(body, SCHEMA).collect()
    return rows


def _answers(rows: list[Any], count: int) -> list[Answer]:
    closing = {row.task: row for row in rows if row.piece == CLOSING}
    pieces: dict[int, dict[int, list[bytes]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted((r for r in rows if r.piece != CLOSING), key=lambda r: int(r.piece)):
        pieces[row.task][row.unit].append(row.part)
    return [
        Answer(closing[n].unit, closing[n].seconds, {unit: b"".join(p) for unit, p in pieces[n].items()})
        for n in range(count)
    ]


def _told(error: Exception, tasks: Tasks) -> JobError:
    text = str(error)
    told = found(text)
    if told is not None:
        return told
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    units = sum(map(len, tasks.units))
    hint = PY_FILES if ABSENT in text else "See Spark's log; if a worker ran out of memory, use fewer of them."
    message = f"A Spark job over {units} units of a step failed: {type(error).__name__}"
    return JobError(f"{message}{': ' if lines else ''}{lines[0][:400].rstrip('.') if lines else ''}.", hint=hint)
