"""The engine of this process: threads, because kernels release the GIL and tables are shared by reference."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property, partial
from types import TracebackType
from typing import TYPE_CHECKING, Self

from lawful.engine.failure import failed
from lawful.engine.flow import Supply, flow
from lawful.engine.fold import merge_all
from lawful.engine.port import Job, Part, Shared, Table, Unit, Units
from lawful.errors import OptionError
from lawful.ranks.store import Ranks

if TYPE_CHECKING:
    from lawful.ranks.encoded import Column


@dataclass(frozen=True)
class InMemory:
    """A table shared by reference; see `lawful.engine.port.Shared`."""

    columns: tuple[Column, ...]
    ranks: Ranks

    @property
    def rows(self) -> int:
        return int(self.ranks.shape[1])


class LocalEngine:
    """Runs units on ``workers`` threads (as many as this process may use cores), or inline if that is one.

    A thread cannot be stopped from outside: after a failure or an interrupt nothing new starts at once, and units
    that are running end by themselves, their parts dropped. ``close`` waits for them.
    """

    name = "local"
    grain = 0.3

    def __init__(self, workers: int | None = None) -> None:
        self.parallelism = usable_cores() if workers is None else checked_workers(workers)

    def share(self, table: Table) -> Shared:
        ranks = table.ranks.view()
        ranks.flags.writeable = False  # as a mapped table is, so that kernels are compiled for one kind of array
        return InMemory(table.columns, ranks)

    def stream(
        self, job: Job[Unit, Part], shared: Shared, units: Units[Unit]
    ) -> Generator[tuple[Unit, Part], None, None]:
        supply = Supply(units)
        if self.parallelism == 1:
            return _inline(job, shared, supply)
        return flow(self._pool, 2 * self.parallelism, supply, supply.take, partial(_run_one, job, shared))

    def reduce(self, job: Job[Unit, Part], shared: Shared, units: Iterable[Unit]) -> Part:
        with closing(self.stream(job, shared, units)) as parts:
            return merge_all(job, (part for _, part in parts))

    def close(self) -> None:
        if "_pool" in self.__dict__:
            self._pool.shutdown(wait=True, cancel_futures=True)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.parallelism, thread_name_prefix="lawful")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def usable_cores() -> int:
    """The cores that this process may use, at least one."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def checked_workers(workers: int) -> int:
    """``workers``, refused below one."""
    if workers < 1:
        raise OptionError(f"workers is {workers}.", hint="Give at least 1, or leave it out to use every core.")
    return workers


def run_unit(job: Job[Unit, Part], shared: Shared, unit: Unit) -> Part:
    """``job.run``, its failure told as a `JobError`."""
    try:
        return job.run(shared, unit)
    except Exception as error:
        raise failed(job, unit, error) from error


def _run_one(job: Job[Unit, Part], shared: Shared, batch: tuple[Unit, ...]) -> Iterable[tuple[Unit, Part]]:
    return [(unit, run_unit(job, shared, unit)) for unit in batch]


def _inline(job: Job[Unit, Part], shared: Shared, supply: Supply[Unit]) -> Generator[tuple[Unit, Part], None, None]:
    consumed = False  # since the supply paused: then it is asked again, as it would be with threads
    while True:
        for unit in supply.take():
            yield unit, run_unit(job, shared, unit)
            consumed = True
            break
        else:
            if not (supply.paused and consumed):
                break
            supply.paused = consumed = False
    supply.insist()
