"""Evidence of some pairs of rows: drawn at random, and where new signatures are most likely (Hydra, section 4).

Random pairs are the pairs within small groups of rows drawn together, counted, so that they tell selectivities too.
Focused pairs join a row with one of the same cluster of a column, of the cluster before or after it, or of any other:
four ways a column. Ways that brought many new signatures for their pairs are gone again, until none is worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.engine.port import Engine
from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import emptied, scratch, sinks
from lawful.evidence.packing import Packing

RANDOM = -1
"""The column of a draw that is not focused."""

WAYS = 4
_ROWS = 1 << 14
_FOCUS = 1 << 16
_WAVES = 100
_MOST = 1 << 20
"""Rows drawn together, rows that get a partner at once, most goes of the best ways, signatures that are enough."""


@dataclass(frozen=True)
class Draw:
    """A unit of sampling: so many rows, with partners in a ``way`` of a ``column``; all follows from the seed."""

    column: int
    way: int
    seed: int
    rows: int


@dataclass(frozen=True)
class SamplePairs:
    """Evidence of drawn pairs. ``partners``: pairs for each row of a random draw."""

    packing: Packing
    once: bool
    partners: int

    def zero(self) -> Evidence:
        return Evidence.none(self.packing.layout, True, closed=not self.once)

    def merge(self, left: Evidence, right: Evidence) -> Evidence:
        return left.merge(right)

    def weight(self, unit: Draw) -> float:
        return unit.rows * (self.partners if unit.column == RANDOM else 40.0)

    def run(self, shared: Any, unit: Draw) -> Evidence:
        if shared.rows < 2:
            return self.zero()
        return self._random(shared, unit) if unit.column == RANDOM else self._focused(shared, unit)

    def _random(self, shared: Any, unit: Draw) -> Evidence:
        from lawful.kernels.tiles import gather_classes

        draw = np.random.default_rng(unit.seed)
        rows = draw.choice(shared.rows, min(unit.rows, shared.rows), replace=False, shuffle=True)
        ranks = np.ascontiguousarray(shared.ranks[:, rows])
        ranks.flags.writeable = False
        step = 2 * self.partners + 1
        offs = np.append(np.arange(0, len(rows) - 1, step), len(rows)).astype(np.int64)
        sink, table = sinks(self.packing, True, float(len(rows) * step))
        lanes = scratch(self.packing)
        table = gather_classes(ranks, self.packing.fields, lanes, offs, self.once, sink, table)
        return emptied(self.packing, True, self.once, sink, table)

    def _focused(self, shared: Any, unit: Draw) -> Evidence:
        from lawful.kernels.partners import partners
        from lawful.kernels.sides import ascending

        rank = shared.ranks[unit.column]
        order = ascending(rank, int(rank.max(initial=0)))
        draw = np.random.default_rng(unit.seed)
        places = draw.integers(0, shared.rows, unit.rows) if unit.rows < shared.rows else np.arange(shared.rows)
        firsts, seconds = np.empty(len(places), np.int64), np.empty(len(places), np.int64)
        made = partners(order, rank, places, unit.way, unit.seed, firsts, seconds)
        return evidence_of(shared.ranks, self.packing, self.once, firsts[:made], seconds[:made])


def evidence_of(
    ranks: NDArray[np.int32], packing: Packing, once: bool, firsts: NDArray[np.int64], seconds: NDArray[np.int64]
) -> Evidence:
    """Evidence of the pairs (firsts[k], seconds[k]) of different rows; unless ``once``, of both orders of each."""
    from lawful.kernels.partners import gather_pairs

    if not once:
        firsts, seconds = np.concatenate([firsts, seconds]), np.concatenate([seconds, firsts])
    sink, table = sinks(packing, True, 0.0)
    table = gather_pairs(ranks, packing.fields, scratch(packing), firsts, seconds, sink, table)
    return emptied(packing, True, once, sink, table)


def draw_random(
    job: SamplePairs, engine: Engine, shared: Any, seed: int, told: Callable[[Evidence, float], None]
) -> Evidence:
    """Counted evidence of about ``job.partners`` random pairs for each row of the table."""
    count = -(-shared.rows // _ROWS)
    units = [Draw(RANDOM, 0, seed + i, min(_ROWS, shared.rows)) for i in range(count)]
    found, done = job.zero(), 0
    with closing(engine.stream(job, shared, units)) as parts:  # type: ignore[type-var]
        for _, part in parts:
            found, done = job.merge(found, part), done + 1
            told(found, done / count)
    return found


def draw_focused(
    job: SamplePairs,
    engine: Engine,
    shared: Any,
    columns: int,
    efficiency: float,
    found: Evidence,
    told: Callable[[Evidence, float], None],
) -> Evidence:
    """What is known, with the evidence of focused draws: those ways again that brought new signatures for at least
    ``efficiency`` of their pairs, the best first."""
    size = min(_FOCUS, shared.rows)
    wave = [(1.0, column, way) for column in range(columns) for way in range(WAYS)]
    for number in range(_WAVES):
        units = [Draw(column, way, number * 7919 + column * WAYS + way, size) for _, column, way in sorted(wave)[::-1]]
        known, wave = found, []
        with closing(engine.stream(job, shared, units)) as parts:  # type: ignore[type-var]
            for unit, part in parts:
                fresh = len(known.merge(part)) - len(known)
                found = found.merge(part)
                if fresh / size >= max(efficiency, 1e-9):
                    wave.append((fresh / size, unit.column, unit.way))
                told(found, 0.0)
        if not wave or len(found) > _MOST:
            break
    return found
