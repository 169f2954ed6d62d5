"""What is compared of two rows, and how the outcomes are packed into words: the signature of a pair.

A signature is ``uint64[words]``. Each comparison has a field of one bit (unordered and never unknown: 1 is equal) or of
two, the low one "equal" and the high one "greater". The value of a field is its *outcome*: 0 is less (or unequal, of
an unordered comparison), 1 equal, 2 greater, 3 unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Signatures: TypeAlias = NDArray[np.uint64]
"""Signatures row by row: uint64[k, words]."""

UNKNOWN = 3
HALF = 32
"""A field never straddles two halves of a word, so that kernels may fill halves by themselves."""


@dataclass(frozen=True)
class Comparison:
    """How ``ranks[left, t]`` compares with ``ranks[right, u]``, for the ordered pair of rows (t, u).

    ``left_null`` and ``right_null``: rank 0 of that column is a null of which nothing is known, so the outcome is
    unknown.
    """

    left: int
    right: int
    ordered: bool
    left_null: bool = False
    right_null: bool = False

    @property
    def nullable(self) -> bool:
        """Whether the outcome can be unknown."""
        return self.left_null or self.right_null

    @property
    def outcomes(self) -> int:
        """How many known outcomes there are: less, equal, greater; or unequal, equal."""
        return 3 if self.ordered else 2

    @property
    def bits(self) -> int:
        """The width of the field."""
        return 2 if self.ordered or self.nullable else 1

    @property
    def mirrored(self) -> bool:
        """Whether the outcome of (u, t) follows from that of (t, u)."""
        return self.left == self.right and self.left_null == self.right_null


@dataclass(frozen=True)
class Layout:
    """Comparisons and where their fields stand: packed in order, from the low bit of the first word on.

    A *literal* is an outcome of a comparison, which here is also called its group. Literals are numbered group by
    group, in the order of the outcomes; ``unknown`` is none of them.
    """

    comparisons: tuple[Comparison, ...]

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The lowest bit of each field; ``place >> 6`` is its word and ``place & 63`` where it stands in it."""
        places, free = [], 0
        for comparison in self.comparisons:
            if free % HALF + comparison.bits > HALF:
                free += HALF - free % HALF
            places.append(free)
            free += comparison.bits
        return tuple(places)

    @cached_property
    def bits(self) -> int:
        """Bits from the first field to the last, those left free between them included."""
        return self.places[-1] + self.comparisons[-1].bits if self.comparisons else 0

    @cached_property
    def words(self) -> int:
        """Words in a signature; one at least."""
        return max(-(-self.bits // 64), 1)

    @cached_property
    def mirrored(self) -> bool:
        """Whether the signature of (u, t) follows from that of (t, u)."""
        return all(comparison.mirrored for comparison in self.comparisons)

    @cached_property
    def first_literal(self) -> tuple[int, ...]:
        """The first literal of each group."""
        firsts, free = [], 0
        for comparison in self.comparisons:
            firsts.append(free)
            free += comparison.outcomes
        return tuple(firsts)

    @cached_property
    def literals(self) -> int:
        """How many literals there are in all."""
        return sum(comparison.outcomes for comparison in self.comparisons)

    @cached_property
    def group(self) -> NDArray[np.int32]:
        """The group of each literal, int32[literals]."""
        sizes = [comparison.outcomes for comparison in self.comparisons]
        return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    def mirror(self, signatures: Signatures) -> Signatures:
        """The signatures of the same pairs taken the other way round; only of a mirrored layout."""
        if not self.mirrored:
            raise ValueError("a comparison of two columns has no mirror image of its own")
        turning = np.zeros(self.words, np.uint64)
        for place, comparison in zip(self.places, self.comparisons, strict=True):
            if comparison.ordered:
                turning[place >> 6] |= np.uint64(1 << (place & 63))
        return signatures ^ ((~signatures & turning) << np.uint64(1))

    def outcome(self, signatures: Signatures, group: int) -> NDArray[np.uint8]:
        """What one comparison says in each signature, uint8[k]."""
        place, mask = self.places[group], (1 << self.comparisons[group].bits) - 1
        return (signatures[:, place >> 6] >> np.uint64(place & 63) & np.uint64(mask)).astype(np.uint8)
