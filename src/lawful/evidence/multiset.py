"""Agree sets that come and go: exact counts under additions and removals, and an index to ask them by columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Counts, Evidence, ascending
from lawful.evidence.signature import Layout, Signatures

_LEAST = 256
_PIECE = 1 << 12


@dataclass(frozen=True, eq=False)
class Turned:
    """What a change made of the distinct sets: those that were not there before, and those that are no more."""

    born: Signatures
    died: Signatures


class Multiset:
    """Counts by set of columns, uint64 words as in evidence; every set has a place, and every column a bit for each
    place (see ``kernels.multiset``). A change of d distinct sets costs O(d * columns), whatever is held."""

    def __init__(self, layout: Layout, evidence: Evidence | None = None) -> None:
        self.layout = layout
        self.used = 0
        self._empty(_LEAST)
        if evidence is not None:
            self.add(evidence)

    def _empty(self, room: int) -> None:
        self._sets = np.zeros((room, self.layout.words), np.uint64)
        self._counts = np.zeros(room, np.int64)
        self._bits = np.zeros((len(self.layout.comparisons), room // 64), np.uint64)
        self._table = np.full(2 * room, -1, np.int32)
        self.used = 0

    def add(self, change: Evidence) -> Turned:
        """Add the counts of a change, negative ones for what goes; no count may fall below zero."""
        rows, changes, after = self.add_signed(change)
        if (after < 0).any():
            raise ValueError("more pairs are taken away than there are")
        return Turned(rows[after == changes], rows[after == 0])

    def add_signed(self, change: Evidence) -> tuple[Signatures, Counts, Counts]:
        """As ``add``, and counts may fall below zero; the sets with their changes and the counts they have now."""
        assert change.counts is not None
        rows, changes = change.signatures[change.counts != 0], change.counts[change.counts != 0]
        self._make_room(len(rows))
        return rows, changes, self._counts[self._absorbed(rows, changes)]

    def _absorbed(self, rows: Signatures, changes: Counts) -> NDArray[np.int64]:
        from lawful.kernels.multiset import absorb

        places = np.zeros(len(rows), np.int64)
        rows, changes = np.ascontiguousarray(rows), np.ascontiguousarray(changes)
        self.used = int(
            absorb(self._sets, self._counts, self._bits, self._table, self.used, rows, changes, places)
        )  # fmt: skip
        return places

    def _make_room(self, more: int) -> None:
        """Room for so many more sets; sets of no pair go when room is made."""
        if self.used + more <= len(self._counts):
            return
        held = self.evidence()
        assert held.counts is not None
        room = len(self._counts)
        while room < 2 * (len(held) + more):
            room *= 2
        self._empty(room)
        self._absorbed(held.signatures, held.counts)

    def evidence(self) -> Evidence:
        """The sets that some pair has, with their counts, in the order of evidence."""
        there = np.flatnonzero(self._counts[: self.used])
        return Evidence.of(self.layout, self._sets[there], self._counts[there], closed=False)

    def masses(self, sets: Signatures, rights: NDArray[np.int64]) -> tuple[Counts, Counts]:
        """For rules X -> A, or X alone where A is -1: how many pairs agree on X, and how many of them not on A."""
        from lawful.kernels.multiset import masses

        within, breaking = (np.zeros(len(sets), np.int64) for _ in range(2))
        masses(
            self._bits, self._counts[: self.used], np.ascontiguousarray(sets), rights.astype(np.int64), within, breaking
        )
        return within, breaking

    def lacking(self, column: int | None) -> Signatures:
        """The distinct sets that some pair has and that lack a column (all of them for ``None``)."""
        there = self._counts[: self.used] > 0
        sets = self._sets[: self.used][there]
        if column is None:
            return sets
        lacks = sets[:, column >> 6] >> np.uint64(column & 63) & np.uint64(1) == 0
        return np.asarray(sets[lacks], np.uint64)


def maximal_sets(sets: Signatures) -> Signatures:
    """Of different sets those that no other one contains, in ascending order. O(k * kept), a piece at a time, so that
    it can be stopped."""
    from lawful.kernels.multiset import maximal

    sizes = np.unpackbits(np.ascontiguousarray(sets).view(np.uint8), axis=1).sum(axis=1, dtype=np.int64)
    ordered = np.ascontiguousarray(sets[np.argsort(-sizes, kind="stable")])
    tops, found = np.empty(len(ordered), np.int64), 0
    for start in range(0, len(ordered), _PIECE):
        found = int(maximal(ordered, tops, found, start, min(start + _PIECE, len(ordered))))
    return ordered_sets(ordered[tops[:found]])


def outside(tops: Signatures, sets: Signatures) -> Signatures:
    """Of some sets those that lie in none of ``tops``; of two of them, one within the other, the smaller may be left
    out. O(sets * tops)."""
    from lawful.kernels.multiset import maximal

    both = np.ascontiguousarray(np.concatenate([tops, sets]))
    places, found = np.arange(len(both), dtype=np.int64), len(tops)
    for start in range(len(tops), len(both), _PIECE):
        found = int(maximal(both, places, found, start, min(start + _PIECE, len(both))))
    return np.asarray(both[places[len(tops) : found]], np.uint64)


def ordered_sets(sets: Signatures) -> Signatures:
    """The sets in the order of evidence."""
    return np.asarray(sets[ascending(sets)], np.uint64)
