"""Pairs of rows to remember before anything is tried: all of them when there are few, else near neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pairs = NDArray[np.int32]

ALL = 1 << 15
"""Up to this many pairs of rows, every one is remembered and no data is looked at again."""

_ROWS = 20_000
_SEED = 20_111


@dataclass(frozen=True)
class Start:
    """The pairs to begin with, int32[pairs, 2], and whether they are all there are."""

    pairs: Pairs
    exhaustive: bool


def first_pairs(ranks: NDArray[np.int32], places: Sequence[int], most: int) -> Start:
    """All pairs of a short table; of a long one, neighbours in ``m`` sorted orders, each led by another column.

    Neighbours agree on long prefixes of an order, so their agree sets are large: those refute in deep contexts.
    O(m * s * log s) for s = 20,000 sampled rows. The choice is fixed by the table alone.
    """
    width, rows = len(places), ranks.shape[1]
    if rows * (rows - 1) // 2 <= ALL:
        left, right = np.triu_indices(rows, 1)
        return Start(np.column_stack([left, right]).astype(np.int32), True)
    draw = np.random.default_rng(_SEED)
    some = np.sort(draw.choice(rows, _ROWS, replace=False)) if rows > _ROWS else np.arange(rows)
    each = max(most // max(width, 1), 16)
    found = [np.zeros((0, 2), np.int32)]
    for lead in range(width):
        order = [places[(lead + step) % width] for step in range(width)]
        by = some[np.lexsort([ranks[c, some] for c in reversed(order[: _depth(rows)])])]
        at = draw.choice(len(by) - 1, min(each, len(by) - 1), replace=False)
        found.append(np.column_stack([by[at], by[at + 1]]))
    return Start(np.concatenate(found).astype(np.int32), False)


def _depth(rows: int) -> int:
    """Columns that an order needs before ties are rare."""
    return max(4, math.ceil(math.log2(rows)))
