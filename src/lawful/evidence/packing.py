"""How kernels number the signatures of pairs while they count them: mixed radix instead of bits.

An outcome of less, equal and greater takes a digit of base 3 here, so that fifteen ordered columns make a number
below 2^24 and a plain array can count by it. A signature is the digits of one or more *lanes*, uint32 each. Digits of
columns with many values come lowest: what varies most then falls on neighbours in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.signature import UNKNOWN, Comparison, Layout, Signatures
from lawful.kernels.fields import Fields

LANE = 1 << 32


@dataclass(frozen=True)
class Packing:
    """The digits of a layout's comparisons: ``order`` lists the comparisons from the lowest digit of the first lane
    on, ``lane`` and ``weight`` say where the digit of each one in that order stands."""

    layout: Layout
    order: tuple[int, ...]

    @classmethod
    def of(cls, layout: Layout, distinct: NDArray[np.int64]) -> Packing:
        """The packing for rank rows of so many distinct values."""
        spread = [max(int(distinct[c.left]), int(distinct[c.right])) for c in layout.comparisons]
        return cls(layout, tuple(sorted(range(len(spread)), key=lambda g: (-spread[g], g))))

    @cached_property
    def digits(self) -> tuple[tuple[int, int, int], ...]:
        """Lane, weight and radix of each comparison in ``order``."""
        found, lane, weight = [], 0, 1
        for group in self.order:
            radix = _radix(self.layout.comparisons[group])
            if weight * radix > LANE:
                lane, weight = lane + 1, 1
            found.append((lane, weight, radix))
            weight *= radix
        return tuple(found)

    @cached_property
    def lanes(self) -> int:
        """How many lanes there are; one at least."""
        return self.digits[-1][0] + 1 if self.digits else 1

    @cached_property
    def space(self) -> int:
        """How many numbers one lane can be; only of a packing of one lane."""
        return self.digits[-1][1] * self.digits[-1][2] if self.digits else 1

    @cached_property
    def fields(self) -> Fields:
        """What the kernels need of each comparison, in order."""
        own = [self.layout.comparisons[g] for g in self.order]
        lanes, weights = [d[0] for d in self.digits], [d[1] for d in self.digits]
        first = [i == 0 or lanes[i - 1] != lane for i, lane in enumerate(lanes)]
        return Fields(
            np.array([c.left for c in own], np.int64),
            np.array([c.right for c in own], np.int64),
            np.array(lanes, np.int64),
            np.array(weights, np.uint32),
            np.array(first, np.bool_),
            np.array([c.ordered for c in own], np.bool_),
            np.array([_unknown(c) * w for c, w in zip(own, weights, strict=True)], np.uint32),
            np.array([c.left_null for c in own], np.bool_),
            np.array([c.right_null for c in own], np.bool_),
        )

    @cached_property
    def as_laid_out(self) -> bool:
        """Whether lanes are the halves of signatures: all fields are one bit, in the layout's order."""
        return self.order == tuple(range(len(self.order))) and all(c.bits == 1 for c in self.layout.comparisons)

    def signatures(self, codes: NDArray[Any]) -> Signatures:
        """The layout's signatures of codes, uint32[k, lanes]."""
        if self.as_laid_out:
            halves = np.zeros((len(codes), 2 * self.layout.words), "<u4")
            halves[:, : self.lanes] = codes
            return halves.view("<u8").astype(np.uint64)
        out = np.zeros((len(codes), self.layout.words), np.uint64)
        for group, (lane, weight, radix) in zip(self.order, self.digits, strict=True):
            digit = codes[:, lane].astype(np.uint64) // np.uint64(weight) % np.uint64(radix)
            comparison, place = self.layout.comparisons[group], self.layout.places[group]
            if comparison.nullable and radix == UNKNOWN:
                digit = np.where(digit == 2, np.uint64(UNKNOWN), digit)
            out[:, place >> 6] |= digit << np.uint64(place & 63)
        return out


def _radix(comparison: Comparison) -> int:
    return comparison.outcomes + comparison.nullable


def _unknown(comparison: Comparison) -> int:
    """The digit of the unknown outcome: the one after the known ones."""
    return comparison.outcomes if comparison.nullable else 0
