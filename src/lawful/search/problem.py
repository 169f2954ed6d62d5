"""A question to evidence, as edges for the kernel: which smallest sets of literals hit all signatures that matter?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Evidence, distinct
from lawful.evidence.signature import UNKNOWN, Signatures
from lawful.search.literals import OPEN, Literals

Words = NDArray[np.uint64]


class Passing(NamedTuple):
    """Signatures that need not be hit: those with one of some ``outcomes`` (as bits) of comparison ``group``."""

    group: int
    outcomes: int


@dataclass(frozen=True)
class Question:
    """Literals, and the bounds on what counts as an answer.

    ``budget``: weight that may stay unhit. ``most_columns``: of a set, ``fixed`` columns that are named anyway
    included. ``least_interest`` and ``pairs``: see ``kernels.covering.Bounds``.
    """

    literals: Literals
    passing: Passing | None = None
    budget: int = 0
    most_columns: int | None = None
    fixed: tuple[int, ...] = ()
    pairs: int = 1

    def edges(self, evidence: Evidence) -> Any:
        """What has to be hit, as the kernel's edges; signatures that look alike to the literals are one."""
        signatures, counts = evidence.signatures, evidence.counts
        weights = np.ones(len(signatures), np.int64) if counts is None else counts
        if self.passing is not None:
            outcome = evidence.layout.outcome(signatures, self.passing.group)
            matter = (outcome == UNKNOWN) | (1 << outcome.astype(np.int64) & self.passing.outcomes == 0)
            signatures, weights = signatures[matter], weights[matter]
        alike, total = distinct(_seen_by(self.literals, signatures), weights)
        assert total is not None
        return _edges(self.literals, alike, total)

    def groups(self) -> Any:
        """The kernel's groups."""
        from lawful.kernels.covering import Groups

        literals = self.literals
        sizes = np.diff(literals.first)
        return Groups(
            np.repeat(np.arange(len(sizes)), sizes).astype(np.int64),
            np.concatenate([np.arange(size) for size in sizes] or [np.zeros(0, np.int64)]).astype(np.int64),
            np.array(literals.first[:-1], np.int64),
            np.array(literals.first[1:], np.int64),
            OPEN,
            np.array(literals.kinds, np.int64),
            _sets(literals.columns, literals.width),
        )

    def bounds(self, least_interest: float) -> Any:
        """The kernel's bounds."""
        from lawful.kernels.covering import Bounds

        most = self.literals.width if self.most_columns is None else self.most_columns
        return Bounds(
            np.int64(self.budget),
            np.int64(most),
            float(least_interest),
            _sets([self.fixed], self.literals.width)[0],
            np.int64(max(self.pairs, 1)),
        )


def _seen_by(literals: Literals, signatures: Signatures) -> Signatures:
    """The signatures without the comparisons that no literal speaks of."""
    layout = literals.layout
    if len(literals.groups) == len(layout.comparisons):
        return signatures
    mask = np.zeros(layout.words, np.uint64)
    for group in literals.groups:
        place = layout.places[group]
        mask[place >> 6] |= np.uint64((1 << layout.comparisons[group].bits) - 1) << np.uint64(place & 63)
    return signatures & mask


def _edges(literals: Literals, signatures: Signatures, weights: NDArray[np.int64]) -> Any:
    """Heavy edges first: what weighs most is settled in the first words."""
    from lawful.kernels.covering import Edges

    order = np.argsort(-weights, kind="stable")
    signatures = signatures[order]
    count, words = len(signatures), max(-(-len(signatures) // 64), 1)
    cover, own = (np.zeros((len(literals), words), np.uint64) for _ in range(2))
    held = np.zeros((count, literals.words), np.uint64)
    for i, group in enumerate(literals.groups):
        outcomes = literals.layout.outcome(signatures, group)
        bits = np.where(outcomes == UNKNOWN, 7, 1 << outcomes.astype(np.int64))
        for literal in range(literals.first[i], literals.first[i + 1]):
            covered = bits & literals.covers[literal] != 0
            _pack(cover[literal], covered)
            _pack(own[literal], bits & literals.owns[literal] != 0)
            held[:, literal >> 6] |= covered.astype(np.uint64) << np.uint64(literal & 63)
    valid = np.zeros(words, np.uint64)
    _pack(valid, np.ones(count, np.bool_))
    return Edges(cover, own, held, weights[order], valid)


def _pack(words: Words, bits: NDArray[np.bool_]) -> None:
    packed = np.packbits(bits, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed


def _sets(sets: Iterable[Iterable[int]], width: int) -> Words:
    """Sets of columns as words."""
    rows = []
    for members in sets:
        number = sum(1 << c for c in set(members))
        rows.append([number >> 64 * w & (1 << 64) - 1 for w in range(max(-(-width // 64), 1))])
    return np.array(rows, np.uint64).reshape(len(rows), max(-(-width // 64), 1))
