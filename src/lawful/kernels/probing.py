"""Rows of an index that satisfy a conjunction with a probe: what its two columns leave is looked at one by one."""

from __future__ import annotations

from numba import njit

from lawful.kernels.chains import span_near
from lawful.kernels.conjunction import compare

_QUOTA = 2


@njit(nogil=True, cache=True)
def probe_rows(runs, ranks, a, b, op_a, op_b, columns, ops, probes, turned, most, pairs, found):
    """Pairs (row, probe), or ``turned`` (probe, row), of different rows with ``row op probe`` in every column asked.

    ``op_a`` on column a and ``op_b`` on column b are answered by the index (see `kernels.chains`); ``columns`` int64[k]
    and ``ops`` int64[k] are the rest. ``probes`` int32[m] are rows in the order of column a. Writes to ``pairs``
    int32[most, 2] from ``found`` on, at most two of a probe and run; returns how many there are then, and how many rows
    were looked at. O(m * runs * log n + rows looked at * k).
    """
    looked = 0
    first, second = ranks[a], ranks[b]
    for j in range(len(runs.offs) - 1):
        near = -1
        for p in probes:
            start, stop, near = span_near(runs, j, first, second, first[p], second[p], op_a, op_b, near)
            looked += stop - start
            quota = _QUOTA
            for i in range(start, stop):
                row = runs.rows[i]
                if row == p:
                    continue
                good = True
                for k in range(len(columns)):
                    if not compare(ranks[columns[k], row], ranks[columns[k], p], ops[k]):
                        good = False
                        break
                if good:
                    pairs[found, 0], pairs[found, 1] = (p, row) if turned else (row, p)
                    found += 1
                    quota -= 1
                    if found == most:
                        return found, looked
                    if quota == 0:
                        break
    return found, looked
