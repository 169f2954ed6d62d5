"""The job that holds rules against a table: one rule a unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.violations.degrees import Degrees, admitted, degrees
from lawful.violations.denial import Denial, Denials, List
from lawful.violations.mending import Mended, exactly, greedily
from lawful.violations.showing import shown_pairs

EXACT = ("fd", "key", "oc")
"""The kinds for which the fewest rows to remove are known."""


@dataclass(frozen=True)
class Question:
    """A unit of work: what breaks the rule of that number."""

    number: int
    kind: str
    denials: Denials


@dataclass(frozen=True, eq=False)
class Finding:
    """What is true of one rule. ``bad`` and ``gone`` are flags of rows, eight to a byte: those that take part in a
    violating pair, and those to remove (empty where no row is, and ``None`` where that was not looked for).

    ``least`` is how many have to go at least. ``shown`` int32[k, 2] are pairs (t, u) that break the rule; where it is
    about one row alone, that row twice.
    """

    number: int
    pairs: int
    rows: int
    bad: NDArray[np.uint8]
    shown: NDArray[np.int32]
    gone: NDArray[np.uint8] | None
    least: int


@dataclass(frozen=True)
class HoldAgainst:
    """Counts pairs and rows that break each rule, shows at most ``most`` pairs, and says which rows to remove.

    What mends a pod, dc or lod is looked for where at most ``room`` rows take part. ``token`` names the table, so that
    a process keeps its partitions.
    """

    token: str
    most: int
    room: int

    def zero(self) -> tuple[Finding, ...]:
        return ()

    def merge(self, left: tuple[Finding, ...], right: tuple[Finding, ...]) -> tuple[Finding, ...]:
        return tuple(sorted((*left, *right), key=lambda finding: finding.number))

    def weight(self, unit: Question) -> float:
        return float(sum(2 ** min(len(d.pairs), 6) for d in unit.denials.either))

    def run(self, shared: Any, unit: Question) -> tuple[Finding, ...]:
        ranks, token = shared.ranks, self.token
        if unit.denials.lists:
            ranks, token = of_lists(ranks, unit.denials.lists), f"{token}-{unit.number}"
        parts = [(denial, degrees(ranks, denial, token, unit.kind == "oc")) for denial in unit.denials.either]
        pairs = sum(counted.pairs for _, counted in parts)
        if pairs == 0:
            return (Finding(unit.number, 0, 0, _NO_ROWS, np.zeros((0, 2), np.int32), _NO_ROWS, 0),)
        if unit.denials.single:
            return (self._of_single_rows(unit.number, pairs, ranks, unit.denials.either[0]),)
        bad = np.logical_or.reduce([counted.rows for _, counted in parts])
        shown = shown_pairs(ranks, parts, unit.denials.symmetric, self.most)
        mended = self._mended(ranks, unit.kind, parts, int(bad.sum()), token)
        gone, least = (None, 0) if mended is None else (np.packbits(mended.gone), mended.least)
        return (Finding(unit.number, pairs, int(bad.sum()), np.packbits(bad), shown, gone, least),)

    def _of_single_rows(self, number: int, pairs: int, ranks: NDArray[np.int32], denial: Denial) -> Finding:
        """Of a rule about one row alone: only the rows at fault count, and all of them go (but a last one)."""
        bad = np.logical_and.reduce(admitted(ranks, denial))
        gone = bad.copy()
        gone[0] &= not bad.all()
        at_fault = np.flatnonzero(bad)[: self.most].astype(np.int32)
        shown = np.stack([at_fault, at_fault], axis=1)
        return Finding(number, pairs, int(bad.sum()), np.packbits(bad), shown, np.packbits(gone), int(gone.sum()))

    def _mended(
        self, ranks: NDArray[np.int32], kind: str, parts: list[tuple[Denial, Degrees]], rows: int, token: str
    ) -> Mended | None:
        if kind in EXACT:
            return exactly(ranks, kind, parts[0][0], token)
        return greedily(ranks, parts) if rows <= self.room else None


_NO_ROWS = np.zeros(0, np.uint8)


def of_lists(ranks: NDArray[np.int32], lists: tuple[List, ...]) -> NDArray[np.int32]:
    """The ranks of rows sorted by each list, int32[lists, rows]; O(rows log rows) a column."""
    return np.stack([_of_list(ranks, listed) for listed in lists])


def _of_list(ranks: NDArray[np.int32], listed: List) -> NDArray[np.int32]:
    found = np.zeros(ranks.shape[1], np.int64)
    for place, descends in listed:
        rank = ranks[place].astype(np.int64)
        most = int(rank.max(initial=0))
        found = found * (most + 1) + (most - rank if descends else rank)
        found = np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return found.astype(np.int32)


def flags(packed: NDArray[np.uint8], rows: int) -> NDArray[np.bool_]:
    """Flags of rows from eight a byte; none is set where there are no bytes."""
    if len(packed) == 0:
        return np.zeros(rows, np.bool_)
    return np.unpackbits(packed, count=rows).astype(np.bool_)
