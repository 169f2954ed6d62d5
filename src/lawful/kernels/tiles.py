"""All pairs of rows of a block, or of classes of rows, as distinct codes with or without counts.

Rows are taken 64 against 512 at a time, so that the cells of a tile stay in the nearest cache; each row is compared
with a run of others in vector instructions, and the codes are then counted one by one. What counts is a *sink*: a bit
for every code, a counter for every code, or a hash table of the codes met.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import njit

from lawful.kernels.fields import compare

ROWS = 64
RUN = 512
BITS, COUNTERS, TABLE = range(3)

Sink = namedtuple("Sink", "kind bits counters")
"""``kind``: BITS (``bits`` uint32[ceil(space / 32)]), COUNTERS (``counters`` uint32[space]) or TABLE (neither)."""

Table = namedtuple("Table", "codes counts used")
"""A hash table: codes uint32[room, lanes], counts int64[room] (0: free), the number used int64[1]; room is 2^k."""


@njit(nogil=True, cache=True)
def empty_table(room, lanes):
    """A hash table without codes."""
    return Table(np.zeros((room, lanes), np.uint32), np.zeros(room, np.int64), np.zeros(1, np.int64))


_MIX, _LAST = np.uint32(0x9E3779B1), np.uint32(0x85EBCA6B)


@njit(nogil=True, cache=True)
def hashed(lanes, k):
    """The hash of the code in column ``k``."""
    mixed = np.uint32(0)
    for lane in range(lanes.shape[0]):
        mixed = np.uint32((mixed ^ lanes[lane, k]) * _MIX)
        mixed ^= mixed >> np.uint32(15)
    mixed = np.uint32(mixed * _LAST)
    return mixed ^ (mixed >> np.uint32(13))


@njit(nogil=True, cache=True)
def hashed_run(lanes, size):
    """The hashes of the codes of a run, uint32[size], in vector instructions: the same numbers as `hashed` gives."""
    out = np.zeros(size, np.uint32)
    for lane in range(lanes.shape[0]):
        row = lanes[lane]
        for k in range(size):
            mixed = np.uint32((out[k] ^ row[k]) * _MIX)
            out[k] = mixed ^ (mixed >> np.uint32(15))
    for k in range(size):
        mixed = np.uint32(out[k] * _LAST)
        out[k] = mixed ^ (mixed >> np.uint32(13))
    return out


@njit(nogil=True, cache=True)
def place_of(table, lanes, k):
    """Where the code in column ``k`` of ``lanes`` stands in the table, or the free place where it would."""
    mask = table.counts.shape[0] - 1
    at = np.int64(hashed(lanes, k)) & mask
    while table.counts[at] != 0:
        differ = np.uint32(0)
        for lane in range(lanes.shape[0]):
            differ |= table.codes[at, lane] ^ lanes[lane, k]
        if differ == np.uint32(0):
            break
        at = (at + 1) & mask
    return at


@njit(nogil=True, cache=True)
def grown(table):
    """The same codes in a table of twice the room."""
    lanes = table.codes.shape[1]
    larger = empty_table(2 * table.counts.shape[0], lanes)
    code = np.empty((lanes, 1), np.uint32)
    for i in range(table.counts.shape[0]):
        if table.counts[i] != 0:
            for lane in range(lanes):
                code[lane, 0] = table.codes[i, lane]
            at = place_of(larger, code, 0)
            larger.counts[at] = table.counts[i]
            for lane in range(lanes):
                larger.codes[at, lane] = code[lane, 0]
    larger.used[0] = table.used[0]
    return larger


@njit(nogil=True, cache=True)
def into_table(table, lanes, size):
    """Adds the codes of a run. The caller sees to it that the table has room for ``size`` more. A loop of its own and
    no call of `place_of`: handing arrays on, for every code, took three times as long as all the rest."""
    codes, counts, used = table.codes, table.counts, table.used[0]
    mask = counts.shape[0] - 1
    hashes = hashed_run(lanes, size)
    for k in range(size):
        at = np.int64(hashes[k]) & mask
        while counts[at] != 0:
            differ = np.uint32(0)
            for lane in range(lanes.shape[0]):
                differ |= codes[at, lane] ^ lanes[lane, k]
            if differ == np.uint32(0):
                break
            at = (at + 1) & mask
        if counts[at] == 0:
            for lane in range(lanes.shape[0]):
                codes[at, lane] = lanes[lane, k]
            used += 1
        counts[at] += 1
    table.used[0] = used


@njit(nogil=True, cache=True)
def into_bits(bits, lane, size):
    """Sets the bits of the codes of a run; most are set already, so they are read before they are written."""
    for k in range(size):
        code = lane[k]
        word = bits[code >> np.uint32(5)]
        bit = np.uint32(1) << (code & np.uint32(31))
        if word & bit == np.uint32(0):
            bits[code >> np.uint32(5)] = word | bit


@njit(nogil=True, cache=True)
def into_counters(counters, lane, size):
    """Counts the codes of a run."""
    for k in range(size):
        counters[lane[k]] += np.uint32(1)


@njit(nogil=True, cache=True)
def gather_block(ranks, fields, lanes, block, once, sink, table):
    """Counts the pairs (i, j) of rows of a block int64[4]: i from the first two bounds, j from the other two.

    ``once``: only i < j, else all i != j. ``lanes`` uint32[lanes, RUN] is scratch. Returns the hash table, which may
    have grown. At most 2^32 - 1 pairs in a sink of counters, or they overflow.
    """
    for top in range(block[0], block[1], ROWS):
        bottom = min(top + ROWS, block[1])
        for left in range(block[2], block[3], RUN):
            right = min(left + RUN, block[3])
            if once and right <= top + 1:
                continue
            for i in range(top, bottom):
                start = max(left, i + 1) if once else left
                while start < right:
                    stop = right
                    if not once and start <= i < right:  # a row is no partner of itself
                        if start == i:
                            start += 1
                            continue
                        stop = i
                    compare(ranks, fields, i, start, stop, lanes)
                    if sink.kind == BITS:
                        into_bits(sink.bits, lanes[0], stop - start)
                    elif sink.kind == COUNTERS:
                        into_counters(sink.counters, lanes[0], stop - start)
                    else:
                        while 2 * (table.used[0] + RUN) > table.counts.shape[0]:
                            table = grown(table)
                        into_table(table, lanes, stop - start)
                    start = stop
    return table


@njit(nogil=True, cache=True)
def gather_classes(ranks, fields, lanes, offs, once, sink, table):
    """As ``gather_block``, for the pairs within each class of rows: ``ranks[:, offs[c]:offs[c + 1]]``."""
    block = np.empty(4, np.int64)
    for c in range(len(offs) - 1):
        block[0] = block[2] = offs[c]
        block[1] = block[3] = offs[c + 1]
        table = gather_block(ranks, fields, lanes, block, once, sink, table)
    return table


@njit(nogil=True, cache=True)
def set_bits(bits):
    """The places of the bits that are set, uint32[k, 1], ascending."""
    count = 0
    for word in bits:
        while word != np.uint32(0):
            word &= word - np.uint32(1)
            count += 1
    found = np.empty((count, 1), np.uint32)
    at = 0
    for w in range(len(bits)):
        word = bits[w]
        if word != np.uint32(0):
            for b in range(32):
                if (word >> np.uint32(b)) & np.uint32(1) != np.uint32(0):
                    found[at, 0] = np.uint32(32 * w + b)
                    at += 1
    return found
