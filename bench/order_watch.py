"""What a search for order dependencies did: an engine that keeps count, and the rates that follow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.measure import memcpy_rate

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

COUNTED = 6

BYTES_A_ROW = 12
"""What refining a partition moves at least: a row number read, its rank read, a row number written, 4 bytes each."""


@dataclass
class Level:
    """What became of the contexts of one size. ``refuted`` counts fd and oc candidates; ``known`` those of them that
    fell to a remembered pair of rows, without a look at the data."""

    contexts: int = 0
    seconds: float = 0.0
    fds: int = 0
    ocs: int = 0
    refuted: int = 0
    known: int = 0
    rows_refined: int = 0
    partitions: int = 0


@dataclass
class Watched:
    """An engine that keeps count of the search that runs on it."""

    engine: Any
    levels: dict[int, Level] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        """All else is the engine's own."""
        return getattr(self.engine, name)

    def stream(self, job: Any, shared: Any, units: Any) -> Iterator[tuple[Any, Any]]:
        with closing(self.engine.stream(job, shared, units)) as parts:
            for unit, verdicts in parts:
                for verdict in verdicts:
                    self._note(unit.block, verdict)
                yield unit, verdicts

    def _note(self, block: Any, verdict: Any) -> None:
        level = self.levels.setdefault(block.size, Level())
        level.contexts += len(block)
        level.seconds += verdict.seconds
        level.fds += ones(verdict.valid_fd)
        level.ocs += ones(verdict.valid_oc)
        level.refuted += ones(verdict.free) + ones(verdict.viol)
        refined, _, _, fd_known, oc_known, partitions = (int(count) for count in verdict.counters[:COUNTED])
        level.known += fd_known + oc_known
        level.rows_refined += refined
        level.partitions += partitions

    def total(self) -> Level:
        """All levels added up."""
        rows = [asdict(level) for level in self.levels.values()]
        return Level(**{name: sum(row[name] for row in rows) for name in asdict(Level())})


def ones(words: Any) -> int:
    """How many bits are set."""
    return int(np.unpackbits(np.ascontiguousarray(words).view(np.uint8)).sum())


def watched(table: Encoded, kinds: tuple[str, ...] = ("od",), **options: Any) -> tuple[Any, Watched]:
    """The answer of one search in this process on one thread, and what it did."""
    from lawful.engine.local import LocalEngine
    from lawful.families.bod import discover_bod
    from lawful.limits import Budget
    from lawful.options import DiscoverOptions

    engine = Watched(LocalEngine(1))
    wanted = DiscoverOptions(kinds=kinds, **options)
    return discover_bod(table, engine, wanted, budget=Budget.of(None)), engine


def rates(level: Level, cpu: float) -> str:
    """Contexts and rows a CPU second, and how many refutations needed no look at the data."""
    told = [f"{level.contexts / max(cpu, 1e-9):,.0f} contexts/s"]
    if level.rows_refined:
        rate = level.rows_refined / max(cpu, 1e-9)
        told.append(
            f"{level.partitions:,} partitions, {rate / 1e6:,.1f} M rows refined/s (at least "
            f"{rate * BYTES_A_ROW / 1e9:.2f} GB/s; memcpy {_memcpy() / 1e9:.1f})"
        )
    else:
        told.append("no partition needed")
    if level.refuted:
        told.append(f"{level.known / level.refuted:.2%} of {level.refuted:,} refutations without data")
    return "; ".join(told)


@lru_cache(maxsize=1)
def _memcpy() -> float:
    return memcpy_rate()
