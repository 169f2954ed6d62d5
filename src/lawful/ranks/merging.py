"""Distributed encoding, step 3: a section of the keys of all runs is put in one order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lawful.ranks.folder import Folder, unique
from lawful.ranks.keys import Keys, dense
from lawful.ranks.ranges import Range
from lawful.ranks.runs import Run, RunFile, join, write_run
from lawful.ranks.sorting import Concatenated, joined
from lawful.ranks.store import Ranks

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Merged:
    """A merged section: the file ``ranks`` holds, run after run and in each range after range, the rank of every key
    among its range's distinct keys (int32).

    ``distinct[i]`` keys are in range i, ``lengths[i, k]`` of them (with repeats) come from run k, whose ranks start at
    place ``starts[k]``; ``keys`` is the run file of the distinct keys.
    """

    number: int
    ranks: str
    keys: str
    distinct: tuple[int, ...]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]


@dataclass(frozen=True)
class MergeSection(Concatenated):
    """A unit is (number, ranges); every run is looked into."""

    folder: str
    runs: tuple[RunFile, ...]

    def run(self, shared: Any, unit: tuple[int, tuple[Range, ...]]) -> dict[int, Merged]:
        number, ranges = unit
        folder = Folder(self.folder)
        runs = [Run(folder, file) for file in self.runs]
        lengths = np.zeros((len(ranges), len(runs)), np.int64)
        local: list[list[Ranks]] = []
        merged: list[Keys] = []
        for at, part in enumerate(ranges):
            batches = []
            for k, run in enumerate(runs):
                start, stop = run.bounds(part.column, part.low, part.high)
                lengths[at, k] = stop - start
                batches += run.slice(part.column, start, stop)
            keys = join(batches)
            ranks, firsts = dense(keys)
            local.append(np.split(ranks, np.cumsum(lengths[at])[:-1]))
            merged.append(keys.take(firsts))
        ranks_name, keys_name = unique(f"ranks-{number}", ".i32"), unique(f"keys-{number}", ".arrow")
        folder.write(ranks_name, joined([of_range[k] for k in range(len(runs)) for of_range in local]).tobytes())
        write_run(folder, keys_name, merged)
        sizes = lengths.sum(0)
        return {number: Merged(number, ranks_name, keys_name, tuple(map(len, merged)), sizes.cumsum() - sizes, lengths)}
