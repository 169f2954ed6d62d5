"""The driver's loop that every engine runs: hand out work, wait, give out what is ready; no barrier."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from typing import Generic, TypeVar

from lawful.engine.port import PAUSE, Unit, Units
from lawful.errors import JobError

Batch = TypeVar("Batch")
Result = TypeVar("Result")


class Supply(Generic[Unit]):
    """Units pulled one at a time from an iterable that may pause or end, and units handed back to be run later."""

    def __init__(self, units: Units[Unit]) -> None:
        self._units = iter(units)
        self._returned: deque[Unit] = deque()
        self.paused = False

    def take(self) -> tuple[Unit, ...]:
        """One unit, or none: for now (``paused``) or for good."""
        if self._returned:
            return (self._returned.popleft(),)
        if self.paused:
            return ()
        for unit in self._units:
            if unit is PAUSE:
                self.paused = True
                return ()
            return (unit,)
        return ()

    def left(self) -> int | None:
        """How many units are still to come, where that is known."""
        ahead = operator.length_hint(self._units, -1)
        return None if ahead < 0 else ahead + len(self._returned)

    def give_back(self, units: Iterable[Unit]) -> None:
        self._returned.extend(units)

    def insist(self) -> None:
        """Nothing is under way: a generator that pauses now would wait forever."""
        if self.paused:
            raise JobError(
                "A generator of units paused while none of its units was under way.",
                hint="This is a fault in lawful: please report it with the full trace (-v).",
            )


def flow(
    pool: Executor,
    width: int,
    supply: Supply[Unit],
    next_batch: Callable[[], Batch],
    run: Callable[[Batch], Iterable[Result]],
) -> Generator[Result, None, None]:
    """Results of ``run(batch)`` in ``pool`` as batches finish, with at most ``width`` batches handed out at once.

    ``next_batch`` takes from ``supply``; it returns something empty when there is nothing (for now). Batches count as
    handed out until their results are consumed, so a slow consumer holds the pool back. When the loop is left early,
    batches that have not started are dropped; those that run are the caller's to stop.
    """
    running: set[Future[Iterable[Result]]] = set()
    ready: deque[Result] = deque()
    try:
        while True:
            while len(running) < width and (batch := next_batch()):
                running.add(pool.submit(run, batch))
            if not ready and running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    ready.extend(future.result())
            elif ready:
                supply.paused = False
                yield ready.popleft()
            else:
                supply.insist()
                return
    finally:
        for future in running:
            future.cancel()
