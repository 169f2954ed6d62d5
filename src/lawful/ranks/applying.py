"""Distributed encoding, step 4: ranks take the place of a chunk's codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.ranks.folder import Folder
from lawful.ranks.sorting import Concatenated, joined
from lawful.ranks.staged import Cells, Staged
from lawful.ranks.store import Chunk, Ranks, write_chunk


@dataclass(frozen=True)
class Block:
    """What one section says of one chunk: from place ``start`` of ``file`` on, ``lengths[i]`` ranks for keys of column
    ``columns[i]``, to be raised by ``offsets[i]``."""

    file: str
    start: int
    columns: tuple[int, ...]
    lengths: tuple[int, ...]
    offsets: tuple[int, ...]


@dataclass(frozen=True)
class Assignment:
    """A chunk, the file with the places of its codes in its run, and the blocks that rank the keys of that run."""

    number: int
    chunk: Staged
    places: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class ApplyChunk(Concatenated):
    """A unit is an assignment. ``distinct`` and ``null`` (whether nulls are anywhere) are of the whole table."""

    folder: str
    names: tuple[str, ...]
    distinct: tuple[int, ...]
    null: tuple[bool, ...]
    nulls_last: bool

    def weight(self, unit: Assignment) -> float:
        return float(unit.chunk.rows)

    def run(self, shared: Any, unit: Assignment) -> dict[int, Chunk]:
        folder = Folder(self.folder)
        chunk = unit.chunk
        codes = Cells(chunk, folder).codes
        places = np.frombuffer(folder.read(unit.places), np.int32)
        rank_of_key = self._ranks(folder, unit.blocks)
        ranks = np.empty((len(self.names), chunk.rows), np.int32)
        start = 0
        for at, name in enumerate(self.names):
            if name not in chunk.names:
                ranks[at] = self.distinct[at] if self.nulls_last else 0
                continue
            column = chunk.names.index(name)
            stop = start + chunk.distinct[column]
            self._place(at, rank_of_key[at][places[start:stop]], codes[column], ranks[at])
            start = stop
        return {unit.number: write_chunk(self.folder, unit.number, ranks)}

    def _ranks(self, folder: Folder, blocks: Sequence[Block]) -> list[Ranks]:
        """For each column the rank of every key of the run; one read a block."""
        found: list[list[Ranks]] = [[] for _ in self.names]
        for block in blocks:
            data = np.frombuffer(folder.read_range(block.file, block.start * 4, sum(block.lengths) * 4), np.int32)
            start = 0
            for column, length, offset in zip(block.columns, block.lengths, block.offsets, strict=True):
                found[column].append(data[start : start + length] + np.int32(offset))
                start += length
        return [joined(parts) for parts in found]

    def _place(self, at: int, rank_of_code: Ranks, codes: Ranks, out: Ranks) -> None:
        null_first = self.null[at] and not self.nulls_last
        table = np.empty(len(rank_of_code) + 1, np.int32)
        table[:-1] = rank_of_code + 1 if null_first else rank_of_code
        table[-1] = self.distinct[at] if self.nulls_last else 0  # the code of null is -1
        np.take(table, codes, out=out, mode="wrap")
