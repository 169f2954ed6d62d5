"""Rows of one table against rows of another: the pairs between a batch and what was there before."""

from __future__ import annotations

import numpy as np
from numba import njit

from lawful.kernels.fields import compare_rows
from lawful.kernels.masks import LOW, ONE, ZERO
from lawful.kernels.tiles import (
    BITS,
    COUNTERS,
    ROWS,
    RUN,
    grown,
    hashed,
    hashed_run,
    into_bits,
    into_counters,
    into_table,
    place_of,
)

SIEVED = np.uint32(16)
"""The highest bits of a hash, by which most of the codes that are not wanted are told at once."""


@njit(nogil=True, cache=True)
def gather_across(left, right, fields, lanes, runs, sink, table):
    """Counts the pairs (i, j) of all rows i of ``left`` int32[m, d] and the rows j of ``right`` int32[m, n] in some
    ``runs`` int64[k, 2], from and to. Sinks and hash table as in ``tiles.gather_block``; returns the hash table, which
    may have grown."""
    for top in range(0, left.shape[1], ROWS):
        bottom = min(top + ROWS, left.shape[1])
        for run in range(runs.shape[0]):
            for first in range(runs[run, 0], runs[run, 1], RUN):
                last = min(first + RUN, runs[run, 1])
                for i in range(top, bottom):
                    compare_rows(left, right, fields, i, first, last, lanes)
                    if sink.kind == BITS:
                        into_bits(sink.bits, lanes[0], last - first)
                    elif sink.kind == COUNTERS:
                        into_counters(sink.counters, lanes[0], last - first)
                    else:
                        while 2 * (table.used[0] + RUN) > table.counts.shape[0]:
                            table = grown(table)
                        into_table(table, lanes, last - first)
    return table


@njit(nogil=True, cache=True)
def first_pairs(left, right, left_ids, right_ids, alive, once, fields, lanes, wanted, sieve, pairs):
    """For the codes in the hash table ``wanted``, whose count is 1 + their number, a pair of rows that has each:
    ``pairs`` int64[k, 2] takes the ids where it holds -1. Rows of ``right`` that are not ``alive`` bool[n] are passed
    over, and so are those with the id of the row of ``left``. ``sieve`` uint64[1024] has a bit set for each code that
    is wanted (see ``numbered``). ``once``: both are the same rows, and one order of two rows is enough. How many are
    still without a pair.
    """
    missing = 0
    for k in range(pairs.shape[0]):
        missing += pairs[k, 0] < 0
    for i in range(left.shape[1]):
        for first in range(i - i % RUN if once else 0, right.shape[1], RUN):
            if missing == 0:
                return missing
            last = min(first + RUN, right.shape[1])
            compare_rows(left, right, fields, i, first, last, lanes)
            hashes = hashed_run(lanes, last - first)
            for k in range(last - first):
                bit = np.uint64(hashes[k] >> SIEVED)
                if (sieve[bit >> np.uint64(6)] >> (bit & LOW)) & ONE == ZERO:
                    continue
                if not alive[first + k] or right_ids[first + k] == left_ids[i]:
                    continue
                number = wanted.counts[place_of(wanted, lanes, k)] - 1
                if number >= 0 and pairs[number, 0] < 0:
                    pairs[number, 0] = left_ids[i]
                    pairs[number, 1] = right_ids[first + k]
                    missing -= 1
    return missing


@njit(nogil=True, cache=True)
def numbered(wanted, sieve, codes):
    """Puts codes uint32[k, lanes], all different, into an empty hash table of more than k places, numbered from 1, and
    into the sieve."""
    code = np.empty((codes.shape[1], 1), np.uint32)
    for k in range(codes.shape[0]):
        code[:, 0] = codes[k]
        at = place_of(wanted, code, 0)
        wanted.codes[at] = codes[k]
        wanted.counts[at] = k + 1
        bit = np.uint64(hashed(code, 0) >> SIEVED)
        sieve[bit >> np.uint64(6)] |= ONE << (bit & LOW)
    wanted.used[0] = codes.shape[0]
