"""How a family comes to know enough signatures: all pairs of rows compared, where that is affordable.

The choice is made from the table alone, before anything is found: from its number of rows and from how the number of
distinct signatures grows with a sample.
"""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lawful.engine.port import Engine
from lawful.errors import LimitError
from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import GatherPairs, blocks, by_low_cardinality, once_of, pairs_of
from lawful.evidence.packing import Packing
from lawful.evidence.space import Space
from lawful.limits import Budget
from lawful.progress import Listener, Step
from lawful.ranks.encoded import Encoded
from lawful.search.ending import Deadline
from lawful.search.kept import Kept

COMPARING = "comparing rows"

FEW_PAIRS = 5e6
MANY_PAIRS = 2e9
MOST_PAIRS = 2e10
"""Below the first number of pairs all are compared at once; above the second only where counts are asked for; above the
third never: two minutes a core."""

_SAMPLE = 2000
_GROWTH = 1.7
_SHARE = 0.05
_SIDE = 1 << 14
_SEED = 20_111
_COMPARED = 5e-10
"""Seconds for one comparison of a pair, where there are many distinct signatures."""


@dataclass(frozen=True)
class Choice:
    """Whether all pairs are compared, and why."""

    full: bool
    why: str


def choose(space: Space, rows: int, counts: bool) -> Choice:
    """Compare all pairs, or sample and complete; decided from the table alone. About 10 M pairs are compared for it.

    Where ``counts`` are needed all pairs are compared if that can be done at all.
    """
    pairs = rows * (rows - 1) / 2
    if pairs <= FEW_PAIRS:
        return Choice(True, f"{pairs:,.0f} pairs of rows are few")
    if pairs > (MOST_PAIRS if counts else MANY_PAIRS):
        return Choice(False, f"{pairs:,.0f} pairs of rows are many")
    counted = [len(_sampled(space, rows, size)) for size in (_SAMPLE, 2 * _SAMPLE)]
    growth, share = counted[1] / max(counted[0], 1), counted[1] / (_SAMPLE * (2 * _SAMPLE - 1))
    said = f"{counted[0]:,} distinct signatures in {_SAMPLE:,} rows, {counted[1]:,} in twice as many"
    if not counts and (share > _SHARE or (growth > _GROWTH and counted[1] > 1 << 16)):
        return Choice(False, said)
    return Choice(True, said)


def better_compared(space: Space, checking: float) -> bool:
    """Whether comparing all pairs of a long table takes less than that many seconds of ``checking`` rules."""
    rows = space.table.rows
    pairs = rows * (rows - 1) / 2
    return MANY_PAIRS < pairs <= MOST_PAIRS and pairs * len(space.layout.comparisons) * _COMPARED < checking


def most_rows() -> int:
    """Rows of a table up to which all pairs are compared where counts are needed."""
    return int((2 * MOST_PAIRS) ** 0.5)


def _sampled(space: Space, rows: int, size: int) -> Evidence:
    draw = np.random.default_rng(_SEED)
    some = np.sort(draw.choice(rows, min(size, rows), replace=False))
    ranks = np.ascontiguousarray(space.table.ranks[:, some])
    ranks.flags.writeable = False
    job = GatherPairs(packing_of(space), False, once_of(space.layout))
    return job.run(_Held(ranks), (0, len(some), 0, len(some)))


@dataclass(frozen=True)
class _Held:
    ranks: Any


def packing_of(space: Space) -> Packing:
    """How the signatures of a space are numbered while they are counted."""
    ranks = space.table.ranks
    return Packing.of(space.layout, ranks.max(axis=1, initial=0) if ranks.size else np.zeros(len(ranks), np.int64))


def compare_all(
    space: Space,
    engine: Engine,
    *,
    counted: bool,
    budget: Budget,
    deadline: Deadline,
    listener: Listener,
    kept: Kept | None = None,
) -> Evidence:
    """The evidence of all ordered pairs of rows; ends by `LimitError` when a limit strikes.

    ``kept`` remembers parts across runs; what it holds already is not compared again.
    """
    table = settled(space.table)
    once = once_of(space.layout)
    job = GatherPairs(packing_of(space), counted, once)
    there, found = (set(), job.zero()) if kept is None else kept.blocks(job.zero())
    side = max((b - a for a, b, _, _ in there), default=_side(table.rows, engine.parallelism))
    units = list(blocks(table.rows, once, side))
    total = sum(pairs_of(unit, once) for unit in units)
    units = [unit for unit in units if unit not in there]
    done = total - sum(pairs_of(unit, once) for unit in units)
    started, before = time.perf_counter(), done
    with closing(engine.stream(job, engine.share(table), units)) as parts:  # type: ignore[type-var]
        for unit, part in parts:
            found = job.merge(found, part)
            done += pairs_of(unit, once)
            if kept is not None:
                kept.note_block(unit, part)
            rate = (done - before) / max(time.perf_counter() - started, 1e-9)
            listener(_step(done, total, rate, found))
            budget.check("comparing pairs of rows", 3 * found.bytes)
            if done < total:
                deadline.check()
    return found.close()


def _step(done: float, total: float, rate: float, found: Evidence) -> Step:
    figures = {"signatures": f"{len(found):,}", "pairs/s": f"{rate:,.0f}", "memory": f"{found.bytes >> 20:,} MiB"}
    return Step(COMPARING, int(done), int(total), figures)


def _side(rows: int, parallelism: int) -> int:
    """Rows on a side of a block: enough blocks that all workers have some to the end, and each worth its overhead."""
    return min(_SIDE, max(1024, -(-rows // (4 * parallelism))))


def settled(table: Encoded) -> Encoded:
    """The table with its rows in an order in which neighbours look alike."""
    ranks = np.ascontiguousarray(table.ranks[:, by_low_cardinality(table.ranks)])
    ranks.flags.writeable = False
    return replace(table, held=ranks, store=None)


def refuse_large(space: Space, budget: Budget) -> None:
    """End before the search when the rank columns alone do not fit."""
    size = space.table.ranks.nbytes
    if size > budget.bytes:
        raise LimitError(
            f"{space.predicates:,} predicates over {len(space.table.ranks):,} rank columns need {size >> 20:,} MiB.",
            hint="Raise --memory, choose fewer --columns, or leave --cross-columns out.",
        )
