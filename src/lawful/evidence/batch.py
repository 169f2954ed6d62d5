"""Evidence of a batch of rows: its pairs with the rows of a table, and pairs of rows that show a signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import ROOM, GatherPairs, emptied, scratch, sinks
from lawful.evidence.packing import Packing
from lawful.evidence.signature import Signatures
from lawful.ranks.store import Ranks

Rows: TypeAlias = tuple[int, int]
"""Some rows of a table: from and to."""

STEP = 1 << 20


@dataclass(frozen=True, eq=False)
class CompareBatch:
    """Counted evidence of the pairs of every row of ``batch`` int32[columns, d] with some rows of the shared table,
    each pair once. O(d * rows * columns) in vector instructions."""

    packing: Packing
    batch: Ranks

    def zero(self) -> Evidence:
        return Evidence.none(self.packing.layout, True, closed=False)

    def run(self, shared: Any, unit: Rows) -> Evidence:
        from lawful.kernels.across import gather_across

        pairs = float(self.batch.shape[1]) * (unit[1] - unit[0])
        sink, table = sinks(self.packing, True, pairs)
        lanes = scratch(self.packing)
        batch, ranks = still(self.batch), still(shared.ranks)
        table = gather_across(batch, ranks, self.packing.fields, lanes, np.array([unit], np.int64), sink, table)
        return emptied(self.packing, True, True, sink, table)

    def merge(self, left: Evidence, right: Evidence) -> Evidence:
        return left.merge(right)

    def weight(self, unit: Rows) -> float:
        return float(self.batch.shape[1]) * (unit[1] - unit[0]) + 1000.0


@dataclass(frozen=True)
class Held:
    """Rank columns of this process as jobs see them."""

    ranks: Ranks


def stretches(rows: int, batch: int, parallelism: int = 1) -> Iterator[Rows]:
    """The rows of a table as units: some for every worker, each of about 2^24 pairs or more with a batch of so many
    rows, and of at most 2^31."""
    most = max(1, min(STEP, (1 << 31) // max(batch, 1)))
    worth = max(1, (1 << 24) // max(batch, 1))
    step = min(most, max(worth, -(-rows // (4 * parallelism))))
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def within(packing: Packing, ranks: Ranks) -> Evidence:
    """Counted evidence of the pairs among some rows, each once."""
    rows = ranks.shape[1]
    job, found = GatherPairs(packing, True, True), Evidence.none(packing.layout, True, closed=False)
    for start in range(0, rows, 1 << 15):
        for other in range(start, rows, 1 << 15):
            block = (start, min(start + (1 << 15), rows), other, min(other + (1 << 15), rows))
            found = found.merge(job.run(Held(still(ranks)), block))
    return found


def codes_of(packing: Packing, signatures: Signatures) -> NDArray[np.uint32]:
    """The kernels' codes of signatures, uint32[k, lanes]: what ``Packing.signatures`` takes back."""
    codes = np.zeros((len(signatures), packing.lanes), np.uint32)
    for group, (lane, weight, _) in zip(packing.order, packing.digits, strict=True):
        codes[:, lane] += packing.layout.outcome(signatures, group).astype(np.uint32) * np.uint32(weight)
    return codes


def paired_here(packing: Packing, batch: Ranks, parts: Sequence[tuple[Ranks, NDArray[np.int64]]]) -> Evidence:
    """Counted evidence of the pairs among the rows of a batch and of these with runs of rows of other tables (see
    ``runs_of``), in this thread and by one count of all; the signatures stand in no order."""
    from lawful.kernels.across import gather_across
    from lawful.kernels.tiles import COUNTERS, RUN, TABLE, empty_table, gather_block

    rows = batch.shape[1]
    pairs = rows * (rows // 2 + sum(ranks.shape[1] for ranks, _ in parts))
    sink, table = sinks(packing, True, float(pairs))
    if sink.kind == TABLE:  # with room from the start, as most of the sets of a wide table are different ones
        table = empty_table(max(ROOM, 1 << (2 * min(pairs, 1 << 16) + 2 * RUN).bit_length()), packing.lanes)
    lanes, own = scratch(packing), still(batch)
    table = gather_block(own, packing.fields, lanes, np.array([0, rows, 0, rows]), True, sink, table)
    for ranks, runs in parts:
        table = gather_across(own, still(ranks), packing.fields, lanes, runs, sink, table)
    if sink.kind == COUNTERS:
        found = np.flatnonzero(sink.counters)
        codes, counts = found.astype(np.uint32)[:, None], sink.counters[found].astype(np.int64)
    else:
        found = np.flatnonzero(table.counts)
        codes, counts = table.codes[found], table.counts[found]
    return Evidence(packing.layout, packing.signatures(codes), counts, closed=False)


def runs_of(flags: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Where flags are set, as stretches, int64[k, 2]: from and to."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return edges.reshape(-1, 2).astype(np.int64)


class Showing:
    """A search for pairs of rows that have the signatures wanted, table after table; only of layouts whose outcomes
    are all known. ``pairs[k]`` is the pair of signature k as numbers that ``look`` was told, -1 where there is none."""

    def __init__(self, packing: Packing, signatures: Signatures) -> None:
        from lawful.kernels.across import numbered
        from lawful.kernels.tiles import empty_table

        self.pairs = np.full((len(signatures), 2), -1, np.int64)
        self._packing = packing
        room = 1 << max(4, (4 * len(signatures)).bit_length())
        self._wanted = empty_table(room, packing.lanes)
        self._sieve = np.zeros(1 << 10, np.uint64)
        numbered(self._wanted, self._sieve, codes_of(packing, signatures))

    @property
    def missing(self) -> int:
        """How many signatures have no pair yet."""
        return int((self.pairs[:, 0] < 0).sum())

    def look(
        self, left: Ranks, left_ids: NDArray[np.int64], right: Ranks, right_ids: NDArray[np.int64], alive: Any
    ) -> None:
        """Try the pairs of rows of ``left`` with the ``alive`` ones of ``right``; pairs are told by the ids given. Rows
        with one id are one row, and no pair. Rows with each other are tried in one order alone, if all are alive."""
        from lawful.kernels.across import first_pairs

        if self.missing and left.shape[1] and right.shape[1]:
            once = bool(np.array_equal(left_ids, right_ids) and alive.all())
            first_pairs(
                still(left), still(right), still(left_ids), still(right_ids), alive, once, self._packing.fields,
                scratch(self._packing), self._wanted, self._sieve, self.pairs,
            )  # fmt: skip


def still(ranks: Any) -> Any:
    """A view that cannot be written, as a mapped table is, so that kernels are compiled for one kind of array."""
    view = np.ascontiguousarray(ranks).view()
    view.flags.writeable = False
    return view
