"""The memory budget of the Python processes: polled, not enforced by the system.

A budget is asked between steps (a column, a batch, a block of work). What Arrow, Numba and NumPy hold counts; the
JVM of a local Spark session does not.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from lawful.errors import LimitError

_SHARE = 0.6


@dataclass(frozen=True)
class Budget:
    """Most bytes of resident memory that this process may hold."""

    bytes: int

    @classmethod
    def of(cls, asked: int | None, sharers: int = 1) -> Budget:
        """What was asked for, or 60 % of the machine, split between the processes that share it."""
        import psutil

        total = asked if asked is not None else int(psutil.virtual_memory().total * _SHARE)
        return cls(total // max(sharers, 1))

    def check(self, doing: str, more: int = 0) -> None:
        """End in order when the process holds more than the budget, or would with ``more`` bytes. About 10 µs."""
        held = resident() + more
        if held > self.bytes:
            raise LimitError(
                f"Memory: {_shown(held)} are held while {doing}, over the budget of {_shown(self.bytes)}.",
                hint="Raise --memory, choose fewer --columns, or run on Spark with a --work-dir.",
            )


def resident() -> int:
    """Bytes of resident memory of this process."""
    try:
        with open("/proc/self/statm", "rb") as status:
            return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import psutil

        return int(psutil.Process().memory_info().rss)


def _shown(size: int) -> str:
    return f"{size / (1 << 20):,.0f} MiB"
