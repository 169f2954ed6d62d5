"""Rows that are equal to another one on every column."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.partition import refine, whole


def extra_rows(ranks: NDArray[np.int32]) -> int:
    """How many rows could go so that no two are equal. O(rows) per column until all rows are apart."""
    width, rows = ranks.shape
    here, offs, classes = whole(rows)
    there, more = np.empty_like(here), np.empty_like(offs)
    most = int(ranks.max()) + 1 if ranks.size else 1
    tally, touched = np.zeros(most, np.int32), np.empty(most, np.int32)
    for column in range(width):
        classes = refine(here, offs, classes, ranks[column], tally, touched, there, more)
        here, offs, there, more = there, more, here, offs
        if classes == 0:
            return 0
    extra: int = int(offs[classes]) - classes
    return extra
