"""What a search for rules of two rows has settled so far, on disk: a run that was killed goes on from there.

Beside the manifest that every journal has (``search/journal.py``) there is either a numbered file for every few blocks
of rows that were compared, or one with the signatures known and the sets proven, which is replaced as a whole.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import numpy as np

from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import Block
from lawful.search.journal import EVERY, Journal
from lawful.search.problem import Words


class Kept(Journal):
    """The journal of one search for rules of two rows."""

    def __init__(self, folder: Path, *, resumed: bool) -> None:
        super().__init__(folder, resumed=resumed)
        self._blocks: list[tuple[Block, Evidence]] = []

    def note_block(self, block: Block, part: Evidence) -> None:
        """Remember the evidence of a block; it is on disk within a few seconds."""
        self._blocks.append((block, part))
        if time.monotonic() - self._written > EVERY:
            self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        if self._blocks:
            merged = reduce(Evidence.merge, (part for _, part in self._blocks))
            counts = {} if merged.counts is None else {"counts": merged.counts}
            blocks = np.array([block for block, _ in self._blocks], np.int64)
            self.write(blocks=blocks, signatures=merged.signatures, **counts)
            self._blocks = []

    def blocks(self, empty: Evidence) -> tuple[set[Block], Evidence]:
        """The blocks that were compared, and their evidence."""
        done: set[Block] = set()
        for path in sorted(self.folder.glob("0*.npz")):
            with np.load(path, allow_pickle=False) as held:
                done |= {tuple(int(bound) for bound in block) for block in held["blocks"]}  # type: ignore[misc]
                counts = held["counts"] if "counts" in held.files else None
                empty = empty.merge(Evidence(empty.layout, held["signatures"], counts, empty.closed))
        return done, empty

    def note_known(self, seen: Words, proven: Sequence[set[bytes]], *, now: bool = False) -> None:
        """Remember signatures and proven sets, every few seconds or at once."""
        sets = ((f"proven{i}", np.frombuffer(b"".join(sorted(each)), np.uint64)) for i, each in enumerate(proven))
        self.keep(lambda: {"seen": seen, **dict(sets)}, now=now)

    def known(self, words: Sequence[int]) -> tuple[Words, list[set[bytes]]] | None:
        """The signatures and sets remembered, for questions of so many ``words`` a set."""
        held = self.kept()
        if held is None:
            return None
        sets = [held[f"proven{i}"].reshape(-1, size) for i, size in enumerate(words)]
        return held["seen"], [{row.tobytes() for row in each} for each in sets]
