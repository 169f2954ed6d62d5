"""How a search ends: in full, by a limit, or because somebody stops it; and the deadline that makes it so."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lawful.errors import LimitError

OUT_OF_TIME = "Raise --time-limit or set --max-size."


@dataclass(frozen=True)
class Ending:
    """How a walk ended: in full when ``reason`` is ``None``; ``code`` is the exit code that goes with it."""

    reason: str | None = None
    code: int = 0
    hint: str | None = None


class Ended:
    """Holds the ending of a stretch of work; in full until something else happens."""

    def __init__(self) -> None:
        self.ending = Ending()


def interrupted(stop: KeyboardInterrupt) -> Ending:
    """How work ended that a person, or whoever runs it, stopped."""
    terminated = getattr(stop, "number", 2) == 15
    return Ending("terminated" if terminated else "interrupted", 143 if terminated else 130)


@contextmanager
def ended_in_order() -> Iterator[Ended]:
    """Limits and interrupts within end the work, and are told by the ending; what was found stands."""
    ended = Ended()
    try:
        yield ended
    except LimitError as limit:
        ended.ending = Ending(limit.message.rstrip("."), 3, limit.hint)
    except MemoryError:
        ended.ending = Ending("this machine is out of memory", 3, "Set --memory lower, or --max-size.")
    except KeyboardInterrupt as stop:
        ended.ending = interrupted(stop)


class Deadline:
    """So many seconds from now, or never."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self.started = time.perf_counter()

    @property
    def spent(self) -> float:
        return time.perf_counter() - self.started

    def check(self) -> None:
        """End in order when the time is over."""
        if self._seconds is not None and self.spent > self._seconds:
            raise LimitError(f"the time limit of {self._seconds:g} s struck.", hint=OUT_OF_TIME)
