"""The lattice of contexts: which to try next, and which never need to be tried.

A context Y is tried when all its subsets of one column less are done and none of them determines the column it lacks
(else nothing minimal is left at Y or above it). What is still open at Y is the AND of what its subsets left open.
Contexts come out as soon as they are ready: small ones first, neighbours together, no level waits for its last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.lattice import Pending, absorb, in_order, open_entries, rehash

Words = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Block:
    """Contexts of one size to try together: their sets uint64[K, w], open right-hand sides uint64[K, w] and open
    direction bits uint64[K, P]."""

    number: int
    size: int
    sets: Words
    cand_fd: Words
    cand_oc: Words

    def __len__(self) -> int:
        return len(self.sets)


@dataclass(frozen=True, eq=False)
class Tried:
    """What a block became: columns not determined, columns to grow by, direction bits violated."""

    block: Block
    free: Words
    grow: Words
    viol: Words


@dataclass
class _Level:
    """Contexts of one size: those that wait for subsets, those that are ready, how many are being tried."""

    pending: Pending
    ready: list[NDArray[np.int64]] = field(default_factory=list)
    waiting: int = 0
    flying: int = 0
    tried: int = 0

    @property
    def bytes(self) -> int:
        parts: list[NDArray[Any]] = [*self.pending, *self.ready]
        return sum(part.nbytes for part in parts)


class Lattice:
    """The state of a search over ``width`` columns, contexts of at most ``deepest`` of them.

    ``cand_fd`` uint64[w] and ``cand_oc`` uint64[P] are what is open at the empty context; direction bits are followed
    in contexts of up to ``deepest_oc`` columns. ``allow`` is asked before the state grows by some bytes, and may raise.
    """

    def __init__(
        self,
        width: int,
        cand_fd: Words,
        cand_oc: Words,
        deepest: int,
        deepest_oc: int,
        allow: Callable[[int], None] | None = None,
    ) -> None:
        self.width = width
        self._allow = allow
        self.deepest = min(deepest, width)
        self._deepest_oc = deepest_oc
        self._words = len(cand_fd)
        self._pair_words = len(cand_oc)
        self._levels: dict[int, _Level] = {}
        self._number = 0
        self.tried = 0
        self._finished = -1
        root = self._level(0)
        root.pending.sets[0] = 0
        root.pending.cand_fd[0] = cand_fd
        root.pending.cand_oc[0] = cand_oc[: root.pending.cand_oc.shape[1]]
        root.pending.used[0] = 1
        root.ready.append(np.zeros(1, np.int64))
        root.waiting = 1

    @property
    def bytes(self) -> int:
        """What the state holds."""
        return sum(level.bytes for level in self._levels.values())

    @property
    def waiting(self) -> int:
        """Contexts that are ready."""
        return sum(level.waiting for level in self._levels.values())

    @property
    def next_waiting(self) -> int:
        """Contexts that are ready, of the size that is taken next."""
        return next((level.waiting for _, level in sorted(self._levels.items()) if level.waiting), 0)

    @property
    def flying(self) -> int:
        return sum(level.flying for level in self._levels.values())

    @property
    def finished(self) -> int:
        """All contexts of up to this many columns are done (-1: not even the empty one)."""
        while self._finished < self.deepest:
            level = self._levels.get(self._finished + 1)
            if level is not None and (level.waiting or level.flying):
                break
            self._finished += 1
            self._levels.pop(self._finished, None)
            if not self._levels:
                self._finished = self.deepest
        return self._finished

    def sizes(self) -> dict[int, tuple[int, int]]:
        """Per size: contexts ready or being tried, contexts tried."""
        return {size: (level.waiting + level.flying, level.tried) for size, level in sorted(self._levels.items())}

    def take(self, most: int) -> Block | None:
        """The next block, at most ``most`` contexts of the smallest size that has any; ``None`` when none is ready."""
        for size in sorted(self._levels):
            level = self._levels[size]
            if level.waiting:
                return self._cut(size, level, most)
        return None

    def _cut(self, size: int, level: _Level, most: int) -> Block:
        if len(level.ready) > 1 or level.tried + level.flying == 0:
            entries = np.concatenate(level.ready)
            entries = entries[np.argsort(in_order(level.pending.sets[entries], self.width), kind="stable")]
        else:
            entries = level.ready[0]
        now, later = entries[:most], entries[most:]
        level.flying += len(now)  # first, so that an interrupt between two lines never makes a level look finished
        level.ready = [later] if len(later) else []
        level.waiting = len(later)
        self._number += 1
        pending = level.pending
        return Block(self._number, size, pending.sets[now], pending.cand_fd[now], pending.cand_oc[now])

    def absorb(self, tried: Tried, known: bool = True) -> None:
        """Take in what a block became; its successors may become ready. ``known``: the block was taken from here."""
        block = tried.block
        level = self._level(block.size)
        if block.size < self.deepest:
            self._grow(tried, block.size + 1)
        level.tried += len(block)
        self.tried += len(block)
        if known:  # last: while successors may be missing, after an interrupt or a limit, the size is not finished
            level.flying -= len(block)

    def skip(self, sets: Words, size: int) -> None:
        """Contexts of a size that were tried before: they are not ready any more."""
        level = self._level(size)
        if not level.waiting:
            return
        entries = np.concatenate(level.ready)
        both = np.concatenate([level.pending.sets[entries], sets])
        _, same = np.unique(both, axis=0, return_inverse=True)
        same = same.reshape(-1)
        kept = entries[~np.isin(same[: len(entries)], same[len(entries) :])]
        level.ready = [kept] if len(kept) else []
        level.waiting = len(kept)

    def _grow(self, tried: Tried, size: int) -> None:
        level = self._level(size)
        viol = tried.viol[:, : level.pending.cand_oc.shape[1]]
        start = 0
        while start < len(tried.block):
            ready = np.empty(max(4096, 64 * self.width), np.int64)
            start, count = absorb(level.pending, tried.block.sets, tried.grow, tried.free, viol, size, start, ready)
            if count:
                pending = level.pending
                kept = open_entries(pending.cand_fd, pending.cand_oc, ready[:count], ready)
                if kept:
                    level.ready.append(ready[:kept].copy())
                    level.waiting += kept
            if start < len(tried.block):
                self._make_room(level)

    def _level(self, size: int) -> _Level:
        if size not in self._levels:
            pair_words = self._pair_words if size <= self._deepest_oc else 0
            self._levels[size] = _Level(_pending(1024, self._words, pair_words))
        return self._levels[size]

    def _make_room(self, level: _Level) -> None:
        old = level.pending
        if old.used[0] + 2 * self.width < len(old.counts):
            return  # only the list of ready ones was full
        if self._allow is not None:
            self._allow(2 * level.bytes)
        new = _pending(2 * len(old.counts), old.sets.shape[1], old.cand_oc.shape[1])
        used = int(old.used[0])
        for name in ("sets", "counts", "cand_fd", "cand_oc"):
            getattr(new, name)[:used] = getattr(old, name)[:used]
        new.used[0] = used
        rehash(new.slots, new.sets, used)
        level.pending = new


def _pending(room: int, words: int, pair_words: int) -> Any:
    room = max(room, 1024)
    return Pending(
        slots=np.zeros(2 * room, np.int64),
        sets=np.zeros((room, words), np.uint64),
        counts=np.zeros(room, np.int32),
        cand_fd=np.zeros((room, words), np.uint64),
        cand_oc=np.zeros((room, pair_words), np.uint64),
        used=np.zeros(1, np.int64),
    )
