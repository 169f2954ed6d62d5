"""Evidence of a table from its pairs of rows: all of them, block against block, or those within classes of rows.

Each unit of work is self-contained and gives the distinct signatures of its pairs, with counts where they are asked
for; parts add up by signature, whatever their order, so that a unit run twice on a cluster changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Counts, Evidence
from lawful.evidence.packing import Packing
from lawful.evidence.signature import Layout

Block: TypeAlias = tuple[int, int, int, int]
"""Rows against rows: from and to of the first of a pair, from and to of the second."""

MOST_BITS = 1 << 28
MOST_COUNTERS = 1 << 25
"""Codes for which an array is made: 32 MiB of bits, 128 MiB of counters; above that, a hash table."""

ROOM = 1 << 14


@dataclass(frozen=True)
class GatherPairs:
    """Evidence of blocks of pairs. ``once``: of two orders of a pair the one with the lower row first."""

    packing: Packing
    counted: bool
    once: bool

    def zero(self) -> Evidence:
        return Evidence.none(self.packing.layout, self.counted, closed=not self.once)

    def run(self, shared: Any, unit: Block) -> Evidence:
        from lawful.kernels.tiles import gather_block

        sink, table = sinks(self.packing, self.counted, pairs_of(unit, self.once))
        lanes = scratch(self.packing)
        block = np.array(unit, np.int64)
        table = gather_block(shared.ranks, self.packing.fields, lanes, block, self.once, sink, table)
        return emptied(self.packing, self.counted, self.once, sink, table)

    def merge(self, left: Evidence, right: Evidence) -> Evidence:
        return left.merge(right)

    def weight(self, unit: Block) -> float:
        return pairs_of(unit, self.once) + 1000.0


def scratch(packing: Packing) -> NDArray[np.uint32]:
    """Room for the codes of a run."""
    from lawful.kernels.tiles import RUN

    return np.zeros((packing.lanes, RUN), np.uint32)


def sinks(packing: Packing, counted: bool, pairs: float) -> tuple[Any, Any]:
    """What counts the codes of so many pairs, and a hash table, which is tiny where it is not needed."""
    from lawful.kernels.tiles import BITS, COUNTERS, TABLE, Sink, empty_table

    most = MOST_COUNTERS if counted else MOST_BITS
    direct = packing.lanes == 1 and packing.space <= min(most, max(32 * pairs, 1 << 12)) and pairs < 1 << 32
    kind = (COUNTERS if counted else BITS) if direct else TABLE
    bits = np.zeros(-(-packing.space // 32) if kind == BITS else 1, np.uint32)
    counters = np.zeros(packing.space if kind == COUNTERS else 1, np.uint32)
    return Sink(kind, bits, counters), empty_table(ROOM if kind == TABLE else 2, packing.lanes)


def emptied(packing: Packing, counted: bool, once: bool, sink: Any, table: Any) -> Evidence:
    """What was counted, as evidence."""
    from lawful.kernels.tiles import BITS, COUNTERS, set_bits

    counts: Counts | None = None
    if sink.kind == BITS:
        codes = set_bits(sink.bits)
    elif sink.kind == COUNTERS:
        found = np.flatnonzero(sink.counters)
        codes, counts = found.astype(np.uint32)[:, None], sink.counters[found].astype(np.int64)
    else:
        used = np.flatnonzero(table.counts)
        codes, counts = table.codes[used], table.counts[used]
    return Evidence.of(packing.layout, packing.signatures(codes), counts if counted else None, closed=not once)


def pairs_of(block: Block, once: bool) -> float:
    """About how many pairs a block has: all of them, or for a block on the diagonal half."""
    rows, others = block[1] - block[0], block[3] - block[2]
    return rows * others / 2.0 if once and block[0] == block[2] else float(rows * others)


def blocks(rows: int, once: bool, side: int) -> Iterator[Block]:
    """All pairs of a table as blocks of ``side`` by ``side`` rows; with ``once`` those on and above the diagonal."""
    starts = range(0, rows, side)
    for first in starts:
        for second in starts:
            if second >= first or not once:
                yield first, min(first + side, rows), second, min(second + side, rows)


def by_low_cardinality(ranks: NDArray[np.int32]) -> NDArray[np.int64]:
    """An order of rows in which columns of few values change seldom: neighbours then have like signatures."""
    few = sorted(range(len(ranks)), key=lambda c: int(ranks[c].max(initial=0)))
    return np.lexsort([ranks[c] for c in reversed(few[:8])]) if few else np.arange(0)


def once_of(layout: Layout) -> bool:
    """Whether one order of each pair is enough, as the other follows from it."""
    return layout.mirrored
