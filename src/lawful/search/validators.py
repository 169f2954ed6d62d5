"""The jobs that try candidates on the rows of a table."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.contexts import Base, Found, validate
from lawful.kernels.glance import Turned, turn
from lawful.kernels.witnesses import Known, remember_all
from lawful.limits import Budget
from lawful.search.lattice import Block, Words
from lawful.search.partitions import PartitionCache
from lawful.search.witnesses import Pairs

COUNTERS = 6


@dataclass(frozen=True, eq=False)
class Task:
    """A block with the witnesses known when it was cut, int32[pairs, 2], in the order in which they were found."""

    block: Block
    pairs: Pairs


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is true of a block's contexts: see ``kernels.contexts.Found``; with new witnesses and counts of work.

    ``grow`` are the columns by which a context may grow. ``fd_errors`` and ``oc_errors`` are counts, one for each bit
    set in ``valid_fd`` and ``valid_oc``; empty when all are 0.
    """

    number: int
    free: Words
    grow: Words
    viol: Words
    valid_fd: Words
    valid_oc: Words
    shared: NDArray[np.int64]
    pairs: Pairs
    counters: NDArray[np.int64]
    fd_errors: NDArray[np.int64]
    oc_errors: NDArray[np.int64]
    seconds: float = 0.0


_NONE = np.zeros(0, np.int64)


class _Trying:
    """What both ways of validating share: verdicts by number, blocks by size."""

    def zero(self) -> tuple[Verdict, ...]:
        return ()

    def merge(self, left: tuple[Verdict, ...], right: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        return tuple(sorted((*left, *right), key=lambda verdict: verdict.number))

    def weight(self, task: Task) -> float:
        return float(len(task.block) + 1)


@dataclass(frozen=True)
class TryContexts(_Trying):
    """Exact validation. ``token`` names the search, so that a process keeps its witnesses between tasks; ``places``
    are the table's columns in the order of the search; ``room`` is the most pairs remembered."""

    token: str
    places: tuple[int, ...]
    ordered: tuple[bool, ...]
    exhaustive: bool
    follow: bool
    least: int
    room: int

    def run(self, shared: Any, task: Task) -> tuple[Verdict, ...]:
        from time import thread_time

        started = thread_time()
        block = task.block
        known, turned = _KNOWN.of(self, shared.ranks, task.pairs)
        count, words = block.sets.shape
        found = Found(
            free=np.zeros((count, words), np.uint64),
            viol=np.zeros((count, block.cand_oc.shape[1]), np.uint64),
            valid_fd=np.zeros((count, words), np.uint64),
            valid_oc=np.zeros((count, block.cand_oc.shape[1]), np.uint64),
            shared=np.zeros(count, np.int64),
        )
        new = np.empty((max(self.room - len(task.pairs), 0), 2), np.int32)
        counters = np.zeros(COUNTERS, np.int64)
        fresh = validate(
            shared.ranks,
            np.array(self.places, np.int64),
            np.array(self.ordered, np.bool_),
            block.sets,
            block.cand_fd,
            block.cand_oc,
            known,
            turned,
            self.exhaustive,
            self.follow,
            self.least,
            self._base(shared.ranks, block),
            found,
            new,
            counters,
        )
        grow = _without(found.free, len(self.places))
        free, viol, valid_fd, valid_oc, agreed = found
        seconds = thread_time() - started
        pairs = new[:fresh].copy()
        return (
            Verdict(block.number, free, grow, viol, valid_fd, valid_oc, agreed, pairs, counters, _NONE, _NONE, seconds),
        )

    def _base(self, ranks: NDArray[np.int32], block: Block) -> Base:
        """The partition by the columns that all contexts of the block start with (neighbours share prefixes).

        Contexts may come in any order: a column is in the prefix when all have it and none has another one before it.
        """
        first = _members(np.bitwise_or.reduce(block.sets))
        shared = set(_members(np.bitwise_and.reduce(block.sets)))
        count, most = 0, 0 if self.exhaustive else min(len(first), _PREFIX)
        while count < most and first[count] in shared:
            count += 1
        places = [self.places[c] for c in first[:count]]
        rows, offs, classes = cache().get(self.token, ranks, places)
        return Base(np.array(first[:count], np.int64), rows, offs, classes)


def _members(words: Words) -> list[int]:
    mask = int.from_bytes(words.tobytes(), "little")
    return [c for c in range(64 * len(words)) if mask >> c & 1]


def _without(words: Words, place: int) -> Words:
    """The sets without one column: the row itself, which no context grows by."""
    grown = words.copy()
    grown[:, place >> 6] &= ~np.uint64(1 << (place & 63))
    return grown


@dataclass(frozen=True)
class Near:
    """The budget of an approximate search: rows to remove, or violating ordered pairs."""

    by_pairs: bool
    most: int


@dataclass(frozen=True)
class TryNear(_Trying):
    """Approximate validation, on the data alone; fields as in ``TryContexts``."""

    places: tuple[int, ...]
    ordered: tuple[bool, ...]
    near: Near
    least: int

    def run(self, shared: Any, task: Task) -> tuple[Verdict, ...]:
        from time import thread_time

        from lawful.kernels.approximate import Near as Filled
        from lawful.kernels.approximate import validate_near

        started = thread_time()
        block = task.block
        count, words = block.sets.shape
        sets = [np.zeros((count, words), np.uint64) for _ in range(3)]
        bits = [np.zeros((count, block.cand_oc.shape[1]), np.uint64) for _ in range(2)]
        found = Filled(sets[0], sets[1], bits[0], sets[2], bits[1], np.zeros(count, np.int64))
        counters = np.zeros(COUNTERS, np.int64)
        fd_errors, oc_errors = validate_near(
            shared.ranks,
            np.array(self.places, np.int64),
            np.array(self.ordered, np.bool_),
            block.sets,
            block.cand_fd,
            block.cand_oc,
            self.near.by_pairs,
            self.near.most,
            self.least,
            found,
            counters,
        )
        seconds = thread_time() - started
        return (Verdict(block.number, *found, np.zeros((0, 2), np.int32), counters, fd_errors, oc_errors, seconds),)


_CACHE_SHARE = 0.05
_PREFIX = 3


def cache() -> PartitionCache:
    """The partitions that this process keeps: at most a twentieth of the machine's memory."""
    if _CACHE.made is None:
        _CACHE.made = PartitionCache(int(Budget.of(None).bytes * _CACHE_SHARE))
    return _CACHE.made


class _Cache:
    made: PartitionCache | None = None


_CACHE = _Cache()


class _Remembered:
    """Bitmaps of witnesses, kept per search and process; a task takes a copy, to which it adds its own."""

    _MOST = 4

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[Known, Turned]] = OrderedDict()

    def of(self, job: TryContexts, ranks: NDArray[np.int32], pairs: Pairs) -> tuple[Known, Turned]:
        with self._lock:
            kept = self._kept.pop(job.token, None)
            if kept is None or kept[0].count[0] > len(pairs):
                kept = _empty(len(job.places), job.room)
            known, turned = kept
            places, before = np.array(job.places, np.int64), int(known.count[0])
            if before < len(pairs):
                remember_all(ranks, places, known.agree, known.less, known.count, pairs[before:])
                turn(ranks, places, pairs[before : int(known.count[0])], turned, before)
            self._kept[job.token] = kept
            while len(self._kept) > self._MOST:
                self._kept.popitem(last=False)
            count = int(known.count[0])  # rows of turned pairs are written once, so that they can be shared
            seen = Turned(turned.agree[:count], turned.less[:count])
            return Known(known.agree.copy(), known.less.copy(), known.count.copy()), seen


def _empty(columns: int, room: int) -> tuple[Known, Turned]:
    words = max((room + 63) // 64, 1)
    agree, less = (np.zeros((columns, words), np.uint64) for _ in range(2))
    pairs = (np.empty((64 * words, (columns + 64) // 64), np.uint64) for _ in range(2))
    return Known(agree, less, np.zeros(1, np.int64)), Turned(*pairs)


_KNOWN = _Remembered()
