"""The job that holds rules against a table: a rule is a unit, or several where the table is long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.violations.degrees import Degrees, admitted, degrees
from lawful.violations.denial import Denial, Denials, List
from lawful.violations.mending import Mended, exact_kind, exactly, greedily
from lawful.violations.portions import keys_of, narrowed, rows_of_portion
from lawful.violations.showing import shown_pairs

EXACT = ("fd", "key", "oc")
"""The kinds for which the fewest rows to remove are known."""

PORTION = 1 << 22
"""Rows of a portion, about; of a table with more rows a rule is worked on in several."""


@dataclass(frozen=True)
class Question:
    """A unit of work: what breaks the rule of that number, or one portion of the rows that may break it."""

    number: int
    kind: str
    denials: Denials
    portion: int = 0
    portions: int = 1


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

    What is mended greedily is so where at most ``room`` rows take part. ``token`` names the table, so that
    a process keeps its partitions.
    """

    token: str
    most: int
    room: int

    def zero(self) -> tuple[Finding, ...]:
        return ()

    def merge(self, left: tuple[Finding, ...], right: tuple[Finding, ...]) -> tuple[Finding, ...]:
        found = {finding.number: finding for finding in left}
        for finding in right:
            other = found.get(finding.number)
            found[finding.number] = finding if other is None else _added(other, finding, self.most)
        return tuple(found[number] for number in sorted(found))

    def weight(self, unit: Question) -> float:
        return sum(2.0 ** min(len(d.pairs), 6) for d in unit.denials.either) / unit.portions

    def run(self, shared: Any, unit: Question) -> tuple[Finding, ...]:
        ranks, token = shared.ranks, f"{self.token}-{unit.number}-{unit.portion}"
        if unit.portions > 1:
            rows = rows_of_portion(ranks, keys_of(unit.denials), unit.portion, unit.portions)
            few, either = narrowed(ranks, unit.denials.either, rows)
            return (_widened(self._found(few, replace(unit.denials, either=either), unit, token), rows, shared.rows),)
        if unit.denials.lists:
            return (self._found(of_lists(ranks, unit.denials.lists), unit.denials, unit, token),)
        return (self._found(ranks, unit.denials, unit, self.token),)

    def _found(self, ranks: NDArray[np.int32], denials: Denials, unit: Question, token: str) -> Finding:
        parts = [(denial, degrees(ranks, denial, token, unit.kind == "oc")) for denial in denials.either]
        pairs = sum(counted.pairs for _, counted in parts)
        if pairs == 0:
            return Finding(unit.number, 0, 0, _NO_ROWS, np.zeros((0, 2), np.int32), _NO_ROWS, 0)
        if denials.single:
            return self._of_single_rows(unit.number, pairs, ranks, denials.either[0])
        bad = np.logical_or.reduce([counted.rows for _, counted in parts])
        shown = shown_pairs(ranks, parts, denials.symmetric, self.most)
        mended = self._mended(ranks, denials, parts, int(bad.sum()), token)
        gone, least = (None, 0) if mended is None else (np.packbits(mended.gone), mended.least)
        return Finding(unit.number, pairs, int(bad.sum()), np.packbits(bad), shown, gone, least)

    def _of_single_rows(self, number: int, pairs: int, ranks: NDArray[np.int32], denial: Denial) -> Finding:
        """Of a rule about one row alone: only the rows at fault count, and all of them go (but a last one)."""
        bad = np.logical_and.reduce(admitted(ranks, denial))
        gone = bad.copy()
        gone[0] &= not bad.all()
        at_fault = np.flatnonzero(bad)[: self.most].astype(np.int32)
        shown = np.stack([at_fault, at_fault], axis=1)
        return Finding(number, pairs, int(bad.sum()), np.packbits(bad), shown, np.packbits(gone), int(gone.sum()))

    def _mended(
        self, ranks: NDArray[np.int32], denials: Denials, parts: list[tuple[Denial, Degrees]], rows: int, token: str
    ) -> Mended | None:
        kind = exact_kind(denials)
        if kind is not None:
            return exactly(ranks, kind, parts[0][0], token)
        return greedily(ranks, parts) if rows <= self.room else None


_NO_ROWS = np.zeros(0, np.uint8)


def questions(number: int, kind: str, denials: Denials, rows: int) -> list[Question]:
    """The units of one rule: several where the table is long and the rule says by what to part its rows."""
    portions = -(-rows // PORTION) if rows > PORTION and keys_of(denials) else 1
    return [Question(number, kind, denials, portion, portions) for portion in range(portions)]


def _added(left: Finding, right: Finding, most: int) -> Finding:
    """What two portions of one rule say together."""
    shown = np.concatenate([left.shown, right.shown])
    shown = shown[np.lexsort((shown[:, 0], shown[:, 1]))][:most]
    gone = None if left.gone is None or right.gone is None else _either(left.gone, right.gone)
    return Finding(
        left.number, left.pairs + right.pairs, left.rows + right.rows, _either(left.bad, right.bad), shown, gone,
        left.least + right.least if gone is not None else 0,
    )  # fmt: skip


def _either(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return left | right if len(left) and len(right) else left if len(left) else right


def _widened(found: Finding, rows: NDArray[np.intp], count: int) -> Finding:
    """What is true of some rows of a table, with their places in the table."""

    def placed(packed: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
        if packed is None or len(packed) == 0:
            return packed
        held = np.zeros(count, np.bool_)
        held[rows[flags(packed, len(rows))]] = True
        return np.packbits(held)

    bad = placed(found.bad)
    return replace(
        found, bad=_NO_ROWS if bad is None else bad, shown=rows[found.shown].astype(np.int32), gone=placed(found.gone)
    )


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
