"""How much work goes into one Spark job: enough that its fixed cost is a small share, no more."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple

from lawful.engine.flow import Supply
from lawful.engine.port import Job, Part, Unit, Weighted

SHARE = 10
"""A task should run this many times as long as a Spark job's fixed cost."""

SHORTEST, LONGEST = 1.0, 10.0
"""Bounds on the seconds a task should run: results are to stream, and balance is to stay."""

GROWTH = 4.0
"""A task may be this many times the largest so far: the first units may be the easy ones."""

MOST_BYTES = 8 << 20
"""Of pickled units in one Spark job; they travel inside its plan."""


@dataclass(frozen=True)
class Group(Generic[Unit]):
    """The units of one task: as they are, pickled, and their estimated work."""

    units: tuple[Unit, ...]
    data: tuple[bytes, ...]
    weight: float


class Answer(NamedTuple):
    """What a task sent back: how many of its units it ran, in how many seconds, and pickled parts by unit."""

    done: int
    seconds: float
    parts: dict[int, bytes]


class Pace:
    """What was learnt from the tasks so far: seconds for a unit of weight, and the fixed cost of a Spark job."""

    def __init__(self) -> None:
        self.overhead = 0.5
        self.rate: float | None = None
        self.largest = 0.0

    @property
    def seconds(self) -> float:
        """How long a task should run."""
        return min(LONGEST, max(SHORTEST, SHARE * self.overhead))

    @property
    def weight(self) -> float:
        """The work for one task: a single unit before the first has come back, then growing by steps."""
        return 0.0 if self.rate is None else min(GROWTH * self.largest, self.seconds / max(self.rate, 1e-9))

    def learn(self, wall: float, tasks: list[tuple[float, float]]) -> None:
        """A Spark job took ``wall`` seconds, its tasks did (weight, seconds).

        The fixed cost follows the cheapest job, rising slowly: most jobs also wait for a free slot, and the first
        one for the JVM to warm up.
        """
        self.overhead = min(1.05 * self.overhead, max(0.05, wall - max(seconds for _, seconds in tasks)))
        self.largest = max(self.largest, *(weight for weight, _ in tasks))
        weight = sum(weight for weight, _ in tasks)
        if weight > 0:
            rate = sum(seconds for _, seconds in tasks) / weight
            self.rate = rate if self.rate is None else (self.rate + rate) / 2


class Grouping(Generic[Unit]):
    """Takes units from a supply in batches of at most ``tasks`` groups, each of about the work that ``pace`` says."""

    def __init__(self, job: Job[Unit, Part], supply: Supply[Unit], pace: Pace, tasks: int, parallelism: int) -> None:
        self._job = job
        self._supply = supply
        self.pace = pace
        self._tasks = tasks
        self._parallelism = parallelism

    def next_batch(self) -> tuple[Group[Unit], ...]:
        """The groups of one Spark job; none when there are no units (for now)."""
        groups: list[Group[Unit]] = []
        room = MOST_BYTES
        while len(groups) < self._tasks and room > 0 and (group := self._group(room)).units:
            groups.append(group)
            room -= sum(map(len, group.data))
        return tuple(groups)

    def learn(self, wall: float, batch: tuple[Group[Unit], ...], answers: Iterable[Answer]) -> None:
        """Tell the pace how long the batch took; a task that left units undone did that share of its weight."""
        done = [
            (group.weight * answer.done / len(group.units), answer.seconds)
            for group, answer in zip(batch, answers, strict=True)
        ]
        self.pace.learn(wall, done)

    def weigh(self, unit: Unit) -> float:
        return max(float(self._job.weight(unit)), 1e-9) if isinstance(self._job, Weighted) else 1.0

    def _group(self, room: int) -> Group[Unit]:
        units: list[Unit] = []
        data: list[bytes] = []
        weight, most = 0.0, self._fair_share()
        while len(units) < most and (not units or (weight < self.pace.weight and room > 0)):
            taken = self._supply.take()
            if not taken:
                break
            units.append(taken[0])
            data.append(pickle.dumps(taken[0], protocol=5))
            weight += self.weigh(taken[0])
            room -= len(data[-1])
        return Group(tuple(units), tuple(data), weight)

    def _fair_share(self) -> float:
        """Towards a known end groups get smaller, so that all slots finish together."""
        left = self._supply.left()
        return math.inf if left is None else max(1, math.ceil(left / (2 * self._parallelism)))
