"""The job that holds rules against a table: a rule is a unit, or several where the table is long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.violations.blocks import Block, between
from lawful.violations.degrees import Degrees, admitted, degrees
from lawful.violations.denial import Denial, Denials
from lawful.violations.finding import Finding, added, broken_by, packed, placed, widened
from lawful.violations.mending import Mended, exact_kind, exactly, greedily
from lawful.violations.portions import keys_of, narrowed, of_lists, of_rows, rows_of_portion
from lawful.violations.showing import shown_pairs


@dataclass(frozen=True)
class Question:
    """A unit of work: what breaks the rule of that number. Of the rows that may break it one portion of several, of
    a large portion the pairs that have a row in each of two blocks (or both in one). ``rows``: about how many."""

    number: int
    kind: str
    denials: Denials
    rows: int
    portion: int = 0
    portions: int = 1
    blocks: tuple[Block, Block] | None = None

    @property
    def whole(self) -> bool:
        """Whether it is all there is to ask about the rule."""
        return self.portions == 1 and self.blocks is None


class ByRule:
    """The merge of jobs whose parts are findings, one a rule; ``most`` pairs are kept of each."""

    most: int

    def zero(self) -> tuple[Finding, ...]:
        return ()

    def merge(self, left: tuple[Finding, ...], right: tuple[Finding, ...]) -> tuple[Finding, ...]:
        found = {finding.number: finding for finding in left}
        for finding in right:
            other = found.get(finding.number)
            found[finding.number] = finding if other is None else added(other, finding, self.most)
        return tuple(found[number] for number in sorted(found))


@dataclass(frozen=True)
class HoldAgainst(ByRule):
    """Counts pairs and rows that break each rule, shows at most ``most`` pairs, and says which rows to remove.

    Of a rule in several units no pairs are shown, and of one in blocks no rows are removed: see
    `lawful.violations.finishing`. What is mended greedily is so where at most ``room`` rows take part. ``token`` names
    the table, so that a process keeps its partitions.
    """

    token: str
    most: int
    room: int

    def weight(self, unit: Question) -> float:
        return sum(2.0 ** min(len(d.pairs), 6) for d in unit.denials.either) * max(unit.rows, 1)

    def run(self, shared: Any, unit: Question) -> tuple[Finding, ...]:
        ranks, denials = shared.ranks, unit.denials
        if unit.blocks is not None:
            return (self._of_blocks(ranks, unit, unit.blocks),)
        if unit.portions > 1:
            rows = rows_of_portion(ranks, keys_of(denials), unit.portion, unit.portions)
            few, either = of_rows(ranks, denials, rows)
            return (widened(self._found(few, either, unit, f"{unit.number}-{unit.portion}"), rows, shared.rows),)
        if denials.lists:
            return (self._found(of_lists(ranks, denials.lists), denials.either, unit, str(unit.number)),)
        return (self._found(ranks, denials.either, unit),)

    def _found(self, ranks: NDArray[np.int32], either: Sequence[Denial], unit: Question, about: str = "") -> Finding:
        token = f"{self.token}-{about}" if about else self.token
        parts = [(denial, degrees(ranks, denial, token, unit.kind == "oc")) for denial in either]
        pairs = sum(counted.pairs for _, counted in parts)
        if pairs == 0:
            return Finding(unit.number)
        if unit.denials.single:
            return self._of_single_rows(unit.number, pairs, ranks, either[0])
        shown = shown_pairs(ranks, parts, unit.denials.symmetric, self.most if unit.whole else 0)
        mended = mended_rows(ranks, unit.denials, parts, self.room, token)
        if mended is None:
            return Finding(unit.number, pairs, broken_by(c for _, c in parts), shown, unmended=True)
        return Finding(unit.number, pairs, broken_by(c for _, c in parts), shown, packed(mended.gone), mended.least)

    def _of_blocks(self, ranks: NDArray[np.int32], unit: Question, blocks: tuple[Block, Block]) -> Finding:
        """Pairs and flags of rows by the pairs between two blocks, both ways round, or within one."""
        portion = rows_of_portion(ranks, keys_of(unit.denials), unit.portion, unit.portions)
        sides = [placed(block.rows_of(ranks, portion), ranks.shape[1]) for block in dict.fromkeys(blocks)]
        rows = np.flatnonzero(np.logical_or.reduce(sides))
        few, either = of_rows(ranks, unit.denials, rows)
        held = [side[rows] for side in sides]
        both = [(held[0], held[0])] if len(held) == 1 else [(held[0], held[1]), (held[1], held[0])]
        token = f"{self.token}-{unit.number}-{unit.portion}-{blocks}"
        parts = []
        for denial in either:
            total = Degrees(np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64))
            for left, right in both:
                found = between(few, denial, left, right, token, unit.kind == "oc")
                if found is not None:
                    total = Degrees(total.as_t + found.as_t, total.as_u + found.as_u)
            parts.append(total)
        return widened(Finding(unit.number, sum(c.pairs for c in parts), broken_by(parts)), rows, ranks.shape[1])

    def _of_single_rows(self, number: int, pairs: int, ranks: NDArray[np.int32], denial: Denial) -> Finding:
        """Of a rule about one row alone: only the rows at fault count, and all of them go (but a last one)."""
        bad = np.logical_and.reduce(admitted(ranks, denial))
        gone = bad.copy()
        gone[0] &= not bad.all()
        at_fault = np.flatnonzero(bad)[: self.most].astype(np.int32)
        shown = np.stack([at_fault, at_fault], axis=1)
        return Finding(number, pairs, ((packed(bad), packed(bad)),), shown, packed(gone), int(gone.sum()))


def mended_rows(
    ranks: NDArray[np.int32], denials: Denials, parts: Sequence[tuple[Denial, Degrees]], room: int, token: str
) -> Mended | None:
    """Which rows to remove, where they are to be looked for: exactly, or greedily where at most ``room`` take part."""
    kind = exact_kind(denials)
    bad = np.logical_or.reduce([counted.rows for _, counted in parts])
    if kind == "oc":  # the choice is among the rows at fault, however the work was parted
        rows = np.flatnonzero(bad)
        few, (denial, *_) = narrowed(ranks, [denial for denial, _ in parts], rows)
        found = exactly(few, kind, denial, f"{token}-bad-{parts[0][0]}")
        return Mended(placed(rows[found.gone], ranks.shape[1]), found.least)
    if kind is not None:
        return exactly(ranks, kind, parts[0][0], token)
    return greedily(ranks, parts) if bad.sum() <= room else None
