"""The driver's part between the steps: which keys each section merges, and which ranks each chunk then gets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from lawful.ranks.applying import Assignment, Block
from lawful.ranks.conversion import listed_values
from lawful.ranks.encoded import Column
from lawful.ranks.folder import Folder
from lawful.ranks.merging import Merged
from lawful.ranks.ranges import Range, plan
from lawful.ranks.sorting import Sorted
from lawful.ranks.staged import Staged
from lawful.ranks.stored import Part, StoredValues

KEYS_PER_SECTION = 1 << 22
"""Keys that a task merges, where that makes more sections than there is work for at once."""

Sections = Sequence[Sequence[Range]]


def sections_of(width: int, runs: Sequence[Sorted], parallelism: int) -> tuple[tuple[Range, ...], ...]:
    """The ranges that each task merges."""
    counts = [sum(r.counts[c] for r in runs) for c in range(width)]
    drawn = [[key for r in runs for key in r.drawn[c]] for c in range(width)]
    return plan(counts, drawn, max(2 * parallelism, sum(counts) // KEYS_PER_SECTION))


def distinct_of(width: int, sections: Sections, merged: Sequence[Merged]) -> tuple[int, ...]:
    """Distinct values of each column."""
    found = [0] * width
    for ranges, part in zip(sections, merged, strict=True):
        for piece, count in zip(ranges, part.distinct, strict=True):
            found[piece.column] += count
    return tuple(found)


def assignments(
    chunks: Sequence[Staged], runs: Sequence[Sorted], sections: Sections, merged: Sequence[Merged], width: int
) -> list[Assignment]:
    """For each chunk the blocks of ranks that its keys got; O(chunks · (sections + columns)) small objects."""
    blocks: list[list[Block]] = [[] for _ in chunks]
    offsets = np.zeros(width, np.int64)
    for ranges, part in zip(sections, merged, strict=True):
        columns = tuple(piece.column for piece in ranges)
        raised = []
        for column, count in zip(columns, part.distinct, strict=True):
            raised.append(int(offsets[column]))
            offsets[column] += count
        for k in range(len(chunks)):
            lengths = tuple(part.lengths[:, k].tolist())
            if any(lengths):
                blocks[k].append(Block(part.ranks, int(part.starts[k]), columns, lengths, tuple(raised)))
    return [Assignment(k, chunk.bare(), runs[k].places, tuple(blocks[k])) for k, chunk in enumerate(chunks)]


def values_of_columns(
    folder: str, columns: Sequence[Column], runs: Sequence[Sorted], sections: Sections, merged: Sequence[Merged]
) -> StoredValues:
    """The way back from ranks to values, by the keys that the sections wrote."""
    parts: list[list[Part]] = [[] for _ in columns]
    for ranges, part in zip(sections, merged, strict=True):
        for at, piece in enumerate(ranges):
            parts[piece.column].append(Part(part.keys, part.distinct, at))
    types = [_arrow_type(at, runs) for at in range(len(columns))]
    listed = (listed_values(c.listed, c.type, t) if c.listed else None for c, t in zip(columns, types, strict=True))
    return StoredValues(Folder(folder), tuple(map(tuple, parts)), tuple(types), tuple(listed))


def _arrow_type(at: int, runs: Sequence[Sorted]) -> pa.DataType:
    """The type of a column's values, in the first chunk that has any."""
    for run in runs:
        type = pa.ipc.read_schema(pa.py_buffer(run.schema)).field(at).type
        if run.counts[at]:
            return type
    return pa.string()
