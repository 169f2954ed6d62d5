"""What is known of a table that follows inserted rows: its grounds, and what a batch brought, with rows to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import Signatures
from lawful.evidence.space import Space
from lawful.families.completing import Known, as_values
from lawful.search.problem import Words


@dataclass(frozen=True, eq=False)
class Grounds:
    """Signatures that are enough to tell the rules, of each and its mirror image one, and for each question the sets
    that answer it."""

    seen: Evidence
    answers: Sequence[Words]


@dataclass(frozen=True, eq=False)
class Found:
    """Signatures, and of each a pair of rows that has it, int32[k, 2]. Where pairs are not known, each signature is of
    rows of which one stands after the first ``old``, if that is told."""

    signatures: Signatures
    pairs: NDArray[np.int32] | None
    old: int | None = None


@dataclass
class Noting(Known):
    """What is known, beside each signature that was taken in a pair of rows that has it, and new rows that were
    compared with all."""

    parts: list[tuple[Signatures, NDArray[np.int32]]] = field(default_factory=list)
    compared: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, np.int32))

    def add(self, pairs: NDArray[np.int32]) -> Evidence:
        layout = self.space.layout
        signatures, first = np.unique(_signatures(self.space, pairs), axis=0, return_index=True)
        fresh = ~np.isin(as_values(signatures), as_values(self.seen.signatures))
        self.parts.append((signatures[fresh], pairs[first[fresh]]))
        part = Evidence.of(layout, signatures[fresh], None, closed=False)
        self.seen = self.seen.merge(part)
        return part.close()

    @property
    def noted(self) -> Found:
        """All that was taken in."""
        parts = [(np.zeros((0, self.space.layout.words), np.uint64), np.zeros((0, 2), np.int32)), *self.parts]
        signatures, pairs = (np.concatenate(each) for each in zip(*parts, strict=True))
        return Found(signatures, pairs)


def _signatures(space: Space, pairs: NDArray[np.int32]) -> Signatures:
    """The signature of each ordered pair of rows. O(pairs * columns)."""
    out = np.zeros((len(pairs), space.layout.words), np.uint64)
    for place, comparison in zip(space.layout.places, space.layout.comparisons, strict=True):
        here, there = space.table.ranks[comparison.left][pairs[:, 0]], space.table.ranks[comparison.right][pairs[:, 1]]
        outcome = (here == there).astype(np.uint64)
        if comparison.ordered:
            outcome += (here > there).astype(np.uint64) << np.uint64(1)
        out[:, place >> 6] |= outcome << np.uint64(place & 63)
    return out
