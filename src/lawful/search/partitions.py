"""Partitions kept between tasks of one process: the least recently used go when the budget is spent.

A partition is looked up by the columns it splits by, in the order of the search; the longest prefix that is there is
refined, column by column, else the table is split by the first column directly.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.partition import refine, whole


class Partition(NamedTuple):
    """A stripped partition: see ``kernels.partition``."""

    rows: NDArray[np.int32]
    offs: NDArray[np.int32]
    classes: int

    @property
    def bytes(self) -> int:
        return self.rows.nbytes + self.offs.nbytes


class PartitionCache:
    """At most ``budget`` bytes of partitions; 0 keeps none."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.held = 0
        self.hits = 0
        self.misses = 0
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, tuple[int, ...]], Partition] = OrderedDict()

    def get(self, token: str, ranks: NDArray[np.int32], columns: Sequence[int]) -> Partition:
        """The partition of a table's rows by some of its columns. ``token`` names the table."""
        wanted = tuple(columns)
        part, depth = self._longest(token, wanted)
        if part is None:
            part = Partition(*whole(ranks.shape[1]))
        for end in range(depth + 1, len(wanted) + 1):
            part = _split(part, ranks[wanted[end - 1]])
            self._keep((token, wanted[:end]), part)
        return part

    def _longest(self, token: str, wanted: tuple[int, ...]) -> tuple[Partition | None, int]:
        with self._lock:
            for depth in range(len(wanted), 0, -1):
                part = self._kept.get((token, wanted[:depth]))
                if part is not None:
                    self._kept.move_to_end((token, wanted[:depth]))
                    self.hits += 1
                    return part, depth
            self.misses += bool(wanted)
            return None, 0

    def _keep(self, key: tuple[str, tuple[int, ...]], part: Partition) -> None:
        with self._lock:
            if part.bytes > self.budget or key in self._kept:
                return
            self._kept[key] = part
            self.held += part.bytes
            self._shrink(self.budget)

    def _shrink(self, budget: int) -> None:
        while self.held > budget:
            self.held -= self._kept.popitem(last=False)[1].bytes

    def release(self) -> None:
        """Let everything go: memory is short, and each partition can be made again."""
        with self._lock:
            self._shrink(0)


def _split(part: Partition, rank: NDArray[np.int32]) -> Partition:
    filled = int(part.offs[part.classes])
    most = int(rank.max()) + 1 if len(rank) else 1
    rows, offs = np.empty(filled, np.int32), np.empty(filled // 2 + 1, np.int32)
    tally, touched = np.zeros(most, np.int32), np.empty(most, np.int32)
    classes: Any = refine(part.rows, part.offs, part.classes, rank, tally, touched, rows, offs)
    return Partition(rows[: int(offs[classes])].copy(), offs[: classes + 1].copy(), int(classes))
