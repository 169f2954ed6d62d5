"""An engine that does in memory what a cluster may do to a job: milliseconds, and no JVM."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from lawful.engine import Job, LocalEngine, Shared, Table
from lawful.engine.flow import Supply
from lawful.engine.local import InMemory, run_unit
from lawful.engine.port import Part, Unit, Units


def travelled(value: Any) -> Any:
    """``value`` as it arrives on another machine."""
    return pickle.loads(pickle.dumps(value, protocol=5))


class PickledEngine(LocalEngine):
    """Pickles job, table, units and parts, shuffles and regroups, merges in a random tree.

    With ``lossy`` it also loses the part of an attempt and runs the unit again, or runs one twice and keeps either.
    """

    name = "pickled"
    grain = 0.3

    def __init__(self, seed: int, *, lossy: bool = False) -> None:
        super().__init__(1)
        self._random = Random(seed)
        self._lossy = lossy

    def share(self, table: Table) -> Shared:
        return InMemory(table.columns, super().share(table).ranks)

    def stream(self, job: Job[Unit, Part], shared: Shared, units: Units[Unit]) -> Iterator[tuple[Unit, Part]]:  # type: ignore[override]
        supply = Supply(units)
        held: list[Unit] = []
        there, table = travelled(job), travelled(shared)
        while True:
            self._hold(held, supply)
            if not held:
                supply.insist()
                return
            unit = held.pop()
            part = self._attempts(there, table, unit)
            supply.paused = False
            yield unit, part

    def reduce(self, job: Job[Unit, Part], shared: Shared, units: Iterable[Unit]) -> Part:
        parts = [job.zero() for _ in range(self._random.randrange(3))]
        parts += [part for _, part in self.stream(job, shared, units)]
        self._random.shuffle(parts)
        while len(parts) > 1:
            left = parts.pop(self._random.randrange(len(parts)))
            right = parts.pop(self._random.randrange(len(parts)))
            parts.append(travelled(travelled(job).merge(travelled(left), travelled(right))))
        return parts[0] if parts else job.zero()

    def _hold(self, held: list[Unit], supply: Supply[Unit]) -> None:
        """Look ahead by a random number of units, and shuffle them."""
        for _ in range(self._random.randrange(1, 6)):
            held.extend(supply.take())
        self._random.shuffle(held)

    def _attempts(self, job: Job[Unit, Part], shared: Shared, unit: Unit) -> Part:
        part: Part = travelled(run_unit(job, shared, travelled(unit)))
        while self._lossy and self._random.random() < 0.4:
            again: Part = travelled(run_unit(job, shared, travelled(unit)))
            part = self._random.choice([part, again])
        return part
