"""Large portions in blocks: a pair of blocks is a unit of work, so that no group of equal rows has to stay whole.

Rows are cut by their ranks in one column that the rule compares, a rank with very many rows by their places. Between
two blocks most comparisons are decided by the blocks' least and greatest ranks, and need not be counted any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lawful.violations.degrees import Degrees, Flags, degrees
from lawful.violations.denial import Comparison, Denial, Denials

Places = NDArray[np.intp]

_LESS, _EQUAL, _GREATER, _DIFFER = 1, 2, 4, 5


@dataclass(frozen=True)
class Block:
    """Of the rows of a portion those with a rank from ``low`` to below ``high`` in one rank row, ``place`` (-1: all),
    and of these slice ``part`` of ``parts``."""

    place: int
    low: int = 0
    high: int = 0
    part: int = 0
    parts: int = 1

    def rows_of(self, ranks: NDArray[np.int32], rows: Places) -> Places:
        """Those of ``rows`` that are in the block, in their order; O(rows)."""
        if self.place >= 0:
            rank = ranks[self.place][rows]
            rows = rows[(rank >= self.low) & (rank < self.high)]
        return rows[len(rows) * self.part // self.parts : len(rows) * (self.part + 1) // self.parts]


def cut(ranks: NDArray[np.int32], rows: Places, denials: Denials, size: int) -> tuple[Block, ...]:
    """Blocks of at most ``size`` rows that are ``rows`` together, each row in one. O(rows + highest rank)."""
    place = _place(denials)
    if place < 0:
        return tuple(_slices(Block(-1), len(rows), size))
    ends = np.cumsum(np.bincount(ranks[place][rows]))
    blocks: list[Block] = []
    low = before = 0
    while before < len(rows):
        high = max(int(np.searchsorted(ends, before + size, side="right")), low + 1)
        blocks += _slices(Block(place, low, high), int(ends[high - 1]) - before, size)
        low, before = high, int(ends[high - 1])
    return tuple(blocks)


def _slices(block: Block, count: int, size: int) -> Iterator[Block]:
    parts = -(-count // size)
    for part in range(parts):
        yield replace(block, part=part, parts=parts)


def _place(denials: Denials) -> int:
    """The rank row to cut by: one whose order counts, else one that has to differ, else none."""
    if denials.lists:
        return next((place for listed in denials.lists for place, _ in listed), -1)
    pairs = [c for c in denials.either[0].pairs if c.bits != _EQUAL]
    pairs.sort(key=lambda c: (c.bits == _DIFFER, c.left != c.right))
    return pairs[0].left if pairs else -1


def between(
    ranks: NDArray[np.int32], denial: Denial, left: Flags, right: Flags, token: str, rough: bool = False
) -> Degrees | None:
    """The degrees by the pairs whose t is in ``left`` and u in ``right``, sets of rows that are equal or disjoint.

    ``None`` where the ranks' extremes show that there is no such pair.
    """
    if left is right:
        return degrees(ranks, denial, token, rough)
    pairs: list[Comparison] = []
    for c in denial.pairs:
        possible = _possible(ranks[c.left][left], ranks[c.right][right], c)
        if possible & c.bits == 0:
            return None
        if possible & ~c.bits:
            pairs.append(c)
    return degrees(ranks, replace(denial, pairs=tuple(pairs)), token, rough, (left, right))


def _possible(t: NDArray[np.int32], u: NDArray[np.int32], c: Comparison) -> int:
    """The outcomes that occur at most, by least and greatest ranks; all where a cell may be unknown."""
    t_low, t_high, u_low, u_high = int(t.min()), int(t.max()), int(u.min()), int(u.max())
    if (c.left_null and t_low == 0) or (c.right_null and u_low == 0):
        return ~0
    overlap = t_low <= u_high and u_low <= t_high
    return _LESS * (t_low < u_high) | _EQUAL * overlap | _GREATER * (t_high > u_low)
