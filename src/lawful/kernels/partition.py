"""Stripped partitions: the rows that agree on some columns, class by class, classes of one row left out.

A partition is three things: ``rows`` int32, the row numbers class after class; ``offs`` int32, where each class
starts and, last, where the final one ends; ``classes``, how many there are. Both arrays may be longer than what they
hold. A table has fewer than 2**31 rows.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from numba import njit

Ints: TypeAlias = npt.NDArray[np.int32]
Longs: TypeAlias = npt.NDArray[np.int64]


@njit(nogil=True, cache=True)
def whole(n: int) -> tuple[Ints, Ints, int]:
    """All ``n`` rows in one class, or in none below two rows; the arrays have the room any partition needs."""
    offs = np.zeros(n // 2 + 1, np.int32)
    if n > 1:
        offs[1] = n
    return np.arange(n).astype(np.int32), offs, 1 if n > 1 else 0


@njit(nogil=True, cache=True)
def refine(
    rows: Ints, offs: Ints, classes: int, rank: Ints, cnt: Ints, touched: Ints, out_rows: Ints, out_offs: Ints
) -> int:
    """Splits every class by the ranks of one more column; returns the number of classes written to the out arrays.

    ``rank``: int32[n]. ``cnt``: int32[highest rank + 1], zero before and after. ``touched``: int32, with room for the
    ranks that meet in one class. ``out_rows`` and ``out_offs``: other arrays than ``rows`` and ``offs``, with room for
    the rows held there and half as many offsets and one. Rows of a class keep their order; classes come in no order to
    rely on. Counting sort: at most two reads of ``rank`` a row, whatever the number of ranks.
    """
    made = filled = 0
    out_offs[0] = 0
    for c in range(classes):
        start, stop = offs[c], offs[c + 1]
        if stop - start == 2:
            if rank[rows[start]] == rank[rows[start + 1]]:
                out_rows[filled], out_rows[filled + 1] = rows[start], rows[start + 1]
                filled += 2
                made += 1
                out_offs[made] = filled
            continue
        distinct = tally(rows, start, stop, rank, cnt, touched)
        if distinct < stop - start:
            for j in range(distinct):  # a count of two or more becomes the place to write to, from 1; one becomes 0
                size = cnt[touched[j]]
                cnt[touched[j]] = 0
                if size > 1:
                    cnt[touched[j]] = filled + 1
                    filled += size
                    made += 1
                    out_offs[made] = filled
            for i in range(start, stop):
                r = rank[rows[i]]
                place = cnt[r]
                if place > 0:
                    out_rows[place - 1] = rows[i]
                    cnt[r] = place + 1
        wipe(cnt, touched, distinct)
    return made


@njit(nogil=True, cache=True)
def square_sum(offs: Ints, classes: int, n: int) -> int:
    """Sum of the squared sizes of all classes of ``n`` rows, those of one row included: int64, O(classes)."""
    total: int = n - offs[classes]
    for c in range(classes):
        size = offs[c + 1] - offs[c]
        total += size * size
    return total


@njit(nogil=True, cache=True)
def tally(rows: Ints, start: int, stop: int, rank: Ints, cnt: Ints, touched: Ints) -> int:
    """Counts the ranks of ``rows[start:stop]`` in ``cnt`` and lists them in ``touched``; returns how many differ."""
    distinct = 0
    for i in range(start, stop):
        r = rank[rows[i]]
        if cnt[r] == 0:
            touched[distinct] = r
            distinct += 1
        cnt[r] += 1
    return distinct


@njit(nogil=True, cache=True)
def wipe(cnt: Ints, touched: Ints, distinct: int) -> None:
    """Sets the counts of the first ``distinct`` ranks in ``touched`` back to zero."""
    for j in range(distinct):
        cnt[touched[j]] = 0
