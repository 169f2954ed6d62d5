"""Jobs for testing engines. They stand in a module because workers import them."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.engine import Shared
from lawful.errors import OptionError


@dataclass(frozen=True)
class Sum:
    """The sum of some numbers and of the ranks of one column at each number's row."""

    column: int = 0

    def zero(self) -> int:
        return 0

    def run(self, shared: Shared, unit: int) -> int:
        return unit + int(shared.ranks[self.column, unit % shared.rows])

    def merge(self, left: int, right: int) -> int:
        return left + right


@dataclass(frozen=True)
class Tally:
    """How often each rank occurs in the columns whose place is the unit; a unit weighs its place."""

    def zero(self) -> Counter[tuple[str, int]]:
        return Counter()

    def run(self, shared: Shared, unit: int) -> Counter[tuple[str, int]]:
        name = shared.columns[unit % len(shared.columns)].name
        return Counter((name, int(rank)) for rank in shared.ranks[unit % len(shared.columns)])

    def merge(self, left: Counter[tuple[str, int]], right: Counter[tuple[str, int]]) -> Counter[tuple[str, int]]:
        return left + right

    def weight(self, unit: int) -> float:
        return float(unit)


@dataclass(frozen=True)
class Bits:
    """A set of numbers below 128 as two words of bits; ``ballast`` makes the job large, ``size`` its parts."""

    ballast: bytes = b""
    size: int = 2

    def zero(self) -> NDArray[np.uint64]:
        return np.zeros(self.size, np.uint64)

    def run(self, shared: Shared, unit: tuple[int, ...]) -> NDArray[np.uint64]:
        words = self.zero()
        for bit in unit:
            words[bit // 64] |= np.uint64(1) << np.uint64(bit % 64)
        return words

    def merge(self, left: NDArray[np.uint64], right: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return left | right


@dataclass(frozen=True)
class Best:
    """The larger of two optional numbers: its part may be None."""

    def zero(self) -> int | None:
        return None

    def run(self, shared: Shared, unit: int | None) -> int | None:
        return unit

    def merge(self, left: int | None, right: int | None) -> int | None:
        return max((part for part in (left, right) if part is not None), default=None)


@dataclass(frozen=True)
class Collecting:
    """Base of jobs whose part is the set of their units."""

    def zero(self) -> frozenset[Any]:
        return frozenset()

    def run(self, shared: Shared, unit: Any) -> frozenset[Any]:
        return frozenset([unit])

    def merge(self, left: frozenset[Any], right: frozenset[Any]) -> frozenset[Any]:
        return left | right


@dataclass(frozen=True)
class Waiting(Collecting):
    """The unit ``slow`` ends only once the file is there."""

    file: str
    slow: int

    def run(self, shared: Shared, unit: int) -> frozenset[Any]:
        give_up = time.monotonic() + 60
        while unit == self.slow and not Path(self.file).exists():
            if time.monotonic() > give_up:
                raise TimeoutError("the others never came")
            time.sleep(0.02)
        return frozenset([unit])


@dataclass(frozen=True)
class Failing(Collecting):
    """Fails on one unit."""

    on: int

    def run(self, shared: Shared, unit: int) -> frozenset[Any]:
        if unit == self.on:
            raise ValueError("no such {thing} <here>\nand more")
        return frozenset([unit])


@dataclass(frozen=True)
class Refusing(Collecting):
    """Fails with an error that has a hint."""

    def run(self, shared: Shared, unit: int) -> frozenset[Any]:
        raise OptionError("Too many columns.", hint="Take fewer.")


@dataclass(frozen=True)
class FailingMerge(Collecting):
    """Parts that cannot be merged."""

    def merge(self, left: frozenset[Any], right: frozenset[Any]) -> frozenset[Any]:
        raise RuntimeError("oil and water")


@dataclass(frozen=True)
class Once(Collecting):
    """Each unit fails the first time it is run: by an error, or by the death of the process."""

    folder: str
    deadly: bool = False

    def run(self, shared: Shared, unit: int) -> frozenset[Any]:
        try:
            (Path(self.folder) / f"seen-{unit}").touch(exist_ok=False)
        except FileExistsError:
            return frozenset([unit])
        if self.deadly:
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError("not the first time")


@dataclass(frozen=True)
class Sleeping(Collecting):
    """Takes a minute, unless the file ``enough`` appears; leaves a file with the number of its process."""

    folder: str

    def run(self, shared: Shared, unit: int) -> frozenset[Any]:
        (Path(self.folder) / f"start-{unit}").write_text(str(os.getpid()))
        for _ in range(1200):
            time.sleep(0.05)
            if (Path(self.folder) / "enough").exists():
                break
        return frozenset([unit])


@dataclass(frozen=True)
class Concurrent(Collecting):
    """How many units were running at some moment of this one."""

    folder: str

    def run(self, shared: Shared, unit: int) -> frozenset[Any]:
        mine = Path(self.folder) / f"running-{unit}"
        mine.touch()
        time.sleep(0.05)
        count = len(list(Path(self.folder).iterdir()))
        mine.unlink()
        return frozenset([count])
