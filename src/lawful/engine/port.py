"""The contract between an algorithm and where it runs: jobs over units of work, engines that run them.

An algorithm is written as a `Job`: a pure step from one unit of work to a part, and a way to merge two parts. It
knows arrays and rules, never the engine. An `Engine` runs a job over many units, in this process or on Spark, and
every engine gives equal parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

from lawful.ranks.store import Ranks, Store

if TYPE_CHECKING:
    from lawful.ranks.encoded import Column

Unit = TypeVar("Unit")
Part = TypeVar("Part")
UnitIn = TypeVar("UnitIn", contravariant=True)


class Pause(Enum):
    """What a generator of units says instead of a unit; `PAUSE` is its only value."""

    PAUSE = "pause"


PAUSE: Final = Pause.PAUSE
"""Yielded by a generator of units that has none to offer until another part has come back.

It is asked again after the next part of the stream was consumed. With nothing under way there is no next part, and
to pause is an error.
"""

Units: TypeAlias = Iterable[Unit | Pause]


class Table(Protocol):
    """What an engine needs of an encoded table."""

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def ranks(self) -> Ranks: ...
    @property
    def store(self) -> Store | None: ...


class Shared(Protocol):
    """A table as jobs see it, wherever they run: ``ranks`` has shape (columns, rows), int32, and is read-only."""

    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> tuple[Column, ...]: ...
    @property
    def ranks(self) -> Ranks: ...


class Job(Protocol[UnitIn, Part]):
    """A step of an algorithm: frozen data, picklable, defined at the top level of an importable module.

    ``run`` depends on nothing but its arguments, and changes none of them. ``merge`` is associative and commutative,
    ``zero()`` is its identity, and it leaves both arguments as they were: engines merge parts in any order and
    grouping. Units and parts are any picklable values. What is large belongs in the shared table, not in the job.
    """

    def zero(self) -> Part: ...
    def run(self, shared: Shared, unit: UnitIn) -> Part: ...
    def merge(self, left: Part, right: Part) -> Part: ...


@runtime_checkable
class Weighted(Protocol):
    """A job that estimates the work of a unit, in any unit of measure; without it all units weigh the same."""

    def weight(self, unit: Any) -> float: ...


class Engine(Protocol):
    """Where jobs run. A context manager; ``close`` may be called twice."""

    @property
    def name(self) -> str: ...

    @property
    def parallelism(self) -> int:
        """How many units run at once, at most."""

    @property
    def grain(self) -> float:
        """Seconds of work that make a unit worth handing over here."""

    def share(self, table: Table) -> Shared:
        """Make ``table`` readable by jobs: by reference in process, else by files that each host copies once."""

    def stream(self, job: Job[Unit, Part], shared: Shared, units: Units[Unit]) -> Iterator[tuple[Unit, Part]]:
        """Each unit with its part, as they finish and in no particular order.

        ``units`` is pulled lazily, in the caller's thread and only between two parts, with a bounded look-ahead, so
        that a generator may choose the next unit by the parts seen so far (see `PAUSE`). A unit that fails ends the
        stream with a `JobError`; whatever way the stream ends, nothing new starts and running Spark jobs are
        cancelled.
        """

    def reduce(self, job: Job[Unit, Part], shared: Shared, units: Iterable[Unit]) -> Part:
        """The merge of all parts; ``job.zero()`` when there are no units."""

    def close(self) -> None:
        """Wait for what still runs and release threads and files; the caller's Spark session stays as it is."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
