"""Clocks and scales: CPU seconds, wall seconds, peak memory, and the machine's own bandwidth.

CPU seconds are the measure, because machines are shared; wall seconds are reported beside them. The first call, which
compiles and fills caches, is kept apart from the later ones, of which the least counts.
"""

from __future__ import annotations

import gc
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any, Literal, TypeAlias

import numpy as np
import psutil

from lawful.errors import JobError, MissingError

Scope: TypeAlias = Literal["self", "tree"]
"""This process only, or with the processes it started."""

MIB = 2**20


def cpu_seconds(scope: Scope = "self") -> float:
    """User and system seconds so far; ``tree`` adds the processes started here, running or ended.

    A running process is read to 1/100 s, so ``tree`` is for work that takes seconds.
    """
    if scope == "self":
        return time.process_time()
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            spent = process.cpu_times()
        except psutil.NoSuchProcess:  # ended meanwhile: its parent's children_* hold it now
            continue
        total += spent.user + spent.system
        total += getattr(spent, "children_user", 0.0) + getattr(spent, "children_system", 0.0)
    return total


@dataclass(frozen=True)
class Spent:
    """Seconds of one call."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Timing:
    """The first call, and the later ones in order."""

    first: Spent
    later: tuple[Spent, ...] = field(default=())

    @property
    def steady(self) -> Spent:
        """Least CPU and least wall of the later calls; of the first one where there was no other."""
        calls = self.later or (self.first,)
        return Spent(min(c.cpu for c in calls), min(c.wall for c in calls))

    def figures(self) -> dict[str, float]:
        """The four figures a record keeps."""
        steady = self.steady
        named = (("first_cpu", self.first.cpu), ("first_wall", self.first.wall))
        return {name: round(value, 6) for name, value in (*named, ("cpu", steady.cpu), ("wall", steady.wall))}


def spend(call: Callable[[], Any], scope: Scope = "self") -> tuple[Spent, Any]:
    """Run once; collect garbage beforehand, so that nobody pays for another's."""
    gc.collect()
    cpu, wall = cpu_seconds(scope), time.perf_counter()
    answer = call()
    return Spent(cpu_seconds(scope) - cpu, time.perf_counter() - wall), answer


def timed(call: Callable[[], Any], repeats: int = 3, scope: Scope = "self") -> Timing:
    """One first call and ``repeats`` later ones."""
    first, answer = spend(call, scope)
    del answer
    return Timing(first, tuple(spend(call, scope)[0] for _ in range(repeats)))


def interleaved(
    calls: Mapping[str, Callable[[], Any]], repeats: int, same: Callable[[Mapping[str, Any]], None]
) -> dict[str, Timing]:
    """Time several ways to one answer in turn; ``same`` sees the first answers, and raises unless they agree."""
    firsts = {name: spend(call) for name, call in calls.items()}
    same({name: answer for name, (_, answer) in firsts.items()})
    first = {name: spent for name, (spent, _) in firsts.items()}
    firsts.clear()
    rounds = [{name: spend(call)[0] for name, call in calls.items()} for _ in range(repeats)]
    return {name: Timing(first[name], tuple(each[name] for each in rounds)) for name in calls}


def least_wall(command: Sequence[str], times: int, cwd: Path) -> Timing:
    """Wall seconds of a command from start to end; it must succeed. CPU is that of the command's own process."""

    def once() -> Spent:
        before, start = getrusage(RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
        wall, after = time.perf_counter() - start, getrusage(RUSAGE_CHILDREN)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            shown = " ".join([Path(command[0]).name, *command[1:]])
            raise JobError(f"`{shown}` ended with {done.returncode}: {last}", hint="Run it by hand to see why.")
        return Spent(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)

    return Timing(once(), tuple(once() for _ in range(times)))


def resident() -> int:
    """Resident bytes of this process now."""
    return int(psutil.Process().memory_info().rss)


class Peak:
    """``with Peak() as peak``: the highest resident bytes since entry, by the kernel's own high-water mark."""

    def __enter__(self) -> Peak:
        gc.collect()
        try:
            Path("/proc/self/clear_refs").write_text("5")  # the mark starts again from here
        except OSError as error:
            message = "This machine does not tell the highest resident memory of a process."
            raise MissingError(message, hint="Measure memory on Linux.") from error
        self.before = resident()
        self.highest = self.before
        return self

    def __exit__(self, *_: object) -> None:
        lines = Path("/proc/self/status").read_text().splitlines()
        mark = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))
        self.highest = max(self.before, mark)

    @property
    def above(self) -> int:
        """Bytes above what was resident at entry."""
        return self.highest - self.before


def memcpy_rate(mebibytes: int = 256, times: int = 5) -> float:
    """Bytes a second that one core copies, best of ``times``: the ceiling other rates are held against."""
    source = np.ones(mebibytes * MIB // 8, dtype=np.float64)
    target = np.zeros_like(source)
    return source.nbytes / timed(lambda: np.copyto(target, source), times).steady.cpu
