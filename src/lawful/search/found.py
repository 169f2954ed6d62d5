"""Rules found so far, as arrays: a column each for context, right-hand side or pair, and shared pairs of rows."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lawful.search.lattice import Block, Words
from lawful.search.validators import Verdict


@dataclass(frozen=True, eq=False)
class Group:
    """Rules of one block: context uint64[k, w], place of the column or direction bit, shared pairs, error count."""

    sets: Words
    places: NDArray[np.int64]
    shared: NDArray[np.int64]
    errors: NDArray[np.int64]

    @property
    def bytes(self) -> int:
        return self.sets.nbytes + self.places.nbytes + self.shared.nbytes + self.errors.nbytes


@dataclass
class Findings:
    """Minimal rules, group by group: right-hand columns by context, and direction bits by context."""

    fds: list[Group] = field(default_factory=list)
    ocs: list[Group] = field(default_factory=list)
    count: int = 0
    bytes: int = 0

    def add(self, block: Block, verdict: Verdict) -> None:
        for kept, bits, errors in (
            (self.fds, verdict.valid_fd, verdict.fd_errors),
            (self.ocs, verdict.valid_oc, verdict.oc_errors),
        ):
            rows, places = _set_bits(bits)
            if len(rows):
                errors = errors if len(errors) else np.zeros(len(rows), np.int64)
                group = Group(block.sets[rows], places, verdict.shared[rows], errors)
                kept.append(group)
                self.count += len(rows)
                self.bytes += group.bytes


def _set_bits(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row and bit place of every bit that is set. Rows without bits cost nothing."""
    some = np.flatnonzero(words.any(axis=1)) if words.shape[1] else np.zeros(0, np.int64)
    bits = np.unpackbits(np.ascontiguousarray(words[some]).astype("<u8").view(np.uint8), axis=1, bitorder="little")
    rows, places = np.nonzero(bits)
    return some[rows], places.astype(np.int64)
