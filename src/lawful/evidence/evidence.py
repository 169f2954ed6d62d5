"""Evidence: the distinct signatures of the pairs of rows of a table, and how many pairs have each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.signature import UNKNOWN, Layout, Signatures

Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Evidence:
    """Distinct signatures, uint64[k, words], in ascending order of their words, the first word before the second.

    ``counts``, int64[k], is the number of pairs that have each, or ``None`` where only the set is known. ``closed``:
    both orders of every pair are in; otherwise each pair of rows was taken once.
    """

    layout: Layout
    signatures: Signatures
    counts: Counts | None = None
    closed: bool = True

    @classmethod
    def of(cls, layout: Layout, signatures: Signatures, counts: Counts | None = None, closed: bool = True) -> Evidence:
        """Evidence from signatures in any order, equal ones among them. O(k log k)."""
        return cls(layout, *distinct(signatures, counts), closed)

    @classmethod
    def none(cls, layout: Layout, counted: bool = False, closed: bool = True) -> Evidence:
        """What a table of less than two rows shows."""
        counts = np.zeros(0, np.int64) if counted else None
        return cls(layout, np.zeros((0, layout.words), np.uint64), counts, closed)

    def __len__(self) -> int:
        return len(self.signatures)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Evidence):
            return NotImplemented
        alike = (self.layout, self.closed, self.counts is None) == (other.layout, other.closed, other.counts is None)
        return alike and np.array_equal(self.signatures, other.signatures) and _same(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    @property
    def pairs(self) -> int | None:
        """How many pairs were counted."""
        return None if self.counts is None else int(self.counts.sum())

    @property
    def bytes(self) -> int:
        return int(self.signatures.nbytes) + (0 if self.counts is None else int(self.counts.nbytes))

    def merge(self, other: Evidence) -> Evidence:
        """Both together; counts add up where both have them and are dropped otherwise."""
        if self.layout != other.layout or self.closed != other.closed:
            raise ValueError("evidence of two kinds cannot be merged")
        counts = None
        if self.counts is not None and other.counts is not None:
            counts = np.concatenate([self.counts, other.counts])
        return Evidence.of(self.layout, np.concatenate([self.signatures, other.signatures]), counts, self.closed)

    def close(self) -> Evidence:
        """Of pairs taken once, the evidence of both orders: each signature and its mirror image."""
        if self.closed:
            return self
        both = np.concatenate([self.signatures, self.layout.mirror(self.signatures)])
        return Evidence.of(self.layout, both, None if self.counts is None else np.tile(self.counts, 2))

    def __reduce__(self) -> tuple[object, ...]:
        return Evidence, (self.layout, self.signatures, self.counts, self.closed)  # edges are made again

    @cached_property
    def edges(self) -> NDArray[np.uint64]:
        """Bit e of row l: signature e holds literal l; uint64[literals, ceil(k / 64)].

        A known outcome holds its own literal; an unknown one holds all of its group, since whatever is asked of that
        comparison, the pair does not satisfy it.
        """
        edges = np.zeros((self.layout.literals, -(-len(self) // 64)), np.uint64)
        for group, first in enumerate(self.layout.first_literal):
            found = self.layout.outcome(self.signatures, group)
            unknown = found == UNKNOWN
            for outcome in range(self.layout.comparisons[group].outcomes):
                _set_bits(edges[first + outcome], (found == outcome) | unknown)
        return edges

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """The share of the counted pairs that have the outcome of each literal, float64[literals]."""
        if self.counts is None:
            raise ValueError("a set of signatures has no shares")
        shares = np.zeros(self.layout.literals)
        for group, first in enumerate(self.layout.first_literal):
            found = self.layout.outcome(self.signatures, group)
            sums = np.bincount(found, weights=self.counts, minlength=UNKNOWN + 1)
            outcomes = self.layout.comparisons[group].outcomes
            shares[first : first + outcomes] = sums[:outcomes]
        return shares / max(int(self.counts.sum()), 1)


def distinct(signatures: Signatures, counts: Counts | None) -> tuple[Signatures, Counts | None]:
    """Signatures in ascending order, each once, with the sums of their counts."""
    if len(signatures) == 0:
        return signatures, counts
    order = ascending(signatures)
    ordered = signatures[order]
    first = np.ones(len(ordered), np.bool_)
    np.any(ordered[1:] != ordered[:-1], axis=1, out=first[1:])
    starts = np.flatnonzero(first)
    return ordered[starts], None if counts is None else np.add.reduceat(counts[order], starts)


def ascending(signatures: Signatures) -> NDArray[np.int64]:
    """The order in which signatures ascend, the first word before the second. O(k log k) for each word."""
    if signatures.shape[1] == 1:
        return np.argsort(signatures[:, 0])
    return np.lexsort(signatures.T[::-1])


def _same(left: Counts | None, right: Counts | None) -> bool:
    return left is right or (left is not None and right is not None and np.array_equal(left, right))


def _set_bits(words: NDArray[np.uint64], bits: NDArray[np.bool_]) -> None:
    packed = np.packbits(bits, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
