"""How a long table's work is parted, and what is left to do when its parts have been counted.

First the portions of every rule are measured, and those that are too large cut into blocks. After counting, flags of
rows say who takes part; among these rows alone pairs are shown and repairs are found, which gives what one unit for
the whole rule would have given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.violations.blocks import Block, cut
from lawful.violations.counting import ByRule, Question, mended_rows
from lawful.violations.degrees import Degrees, degrees
from lawful.violations.denial import Denial
from lawful.violations.finding import Finding, Packed, flags, packed, placed
from lawful.violations.mending import exact_kind
from lawful.violations.portions import keys_of, of_rows, portion_of_rows
from lawful.violations.showing import shown_pairs

PORTION = 1 << 22
"""Rows of a portion, about, and of a block; of a table with more rows a rule is worked on in several."""

_LARGE = 2
"""How many times as many rows make a portion worth cutting."""

Cuts: TypeAlias = dict[tuple[int, int], tuple[Block, ...]]


def portioned(question: Question) -> Question:
    """The question with how many portions its rows make: one where the rule does not say by what to part them."""
    many = question.rows > PORTION and bool(keys_of(question.denials))
    return replace(question, portions=-(-question.rows // PORTION) if many else 1)


def to_measure(question: Question) -> bool:
    """Whether a portion of it may be too large. A rule about one row alone is one pass over the rows."""
    return question.rows > _LARGE * PORTION and not question.denials.single


@dataclass(frozen=True)
class MeasurePortions:
    """For each rule the blocks of its portions that are too large, by rule and portion."""

    size: int

    def zero(self) -> Cuts:
        return {}

    def merge(self, left: Cuts, right: Cuts) -> Cuts:
        return dict(sorted((left | right).items()))

    def run(self, shared: Any, unit: Question) -> Cuts:
        ranks, portions = shared.ranks, unit.portions
        if portions == 1:
            return {(unit.number, 0): cut(ranks, np.arange(shared.rows), unit.denials, self.size)}
        numbers = portion_of_rows(ranks, keys_of(unit.denials), portions)
        sizes = np.bincount(numbers.astype(np.int64), minlength=portions)
        return {
            (unit.number, portion): cut(ranks, np.flatnonzero(numbers == portion), unit.denials, self.size)
            for portion in np.flatnonzero(sizes > _LARGE * self.size).tolist()
        }


def units(question: Question, cuts: Cuts) -> list[Question]:
    """The units of one rule: its portions, and for those that were cut the pairs of their blocks."""
    found: list[Question] = []
    for portion in range(question.portions):
        one = replace(question, portion=portion, rows=question.rows // question.portions)
        blocks = cuts.get((question.number, portion))
        if blocks is None:
            found.append(one)
        else:
            pairs = combinations_with_replacement(blocks, 2)
            found += (replace(one, blocks=pair, rows=2 * one.rows // len(blocks)) for pair in pairs)
    return found


@dataclass(frozen=True)
class Unfinished:
    """A rule that was counted in several units, with the rows that break each conjunction as t and as u: ``portion``
    says which rows are to be mended, and is ``None`` where pairs are to be shown."""

    question: Question
    broken: tuple[tuple[Packed, Packed], ...]
    portion: int | None = None


def unfinished(question: Question, cuts: Cuts, found: Finding) -> list[Unfinished]:
    """What is left to do about a rule."""
    if found.pairs == 0 or question.denials.single or len(units(question, cuts)) == 1:
        return []
    large = [portion for number, portion in cuts if number == question.number]
    return [Unfinished(question, found.broken, portion) for portion in (None, *large)]


@dataclass(frozen=True)
class FinishRules(ByRule):
    """Shows pairs, or mends a portion, of rules that were counted in several units: O(rows at fault log n)."""

    token: str
    most: int
    room: int

    def run(self, shared: Any, unit: Unfinished) -> tuple[Finding, ...]:
        denials, number = unit.question.denials, unit.question.number
        sides = [tuple(flags(side, shared.rows) for side in both) for both in unit.broken]
        bad = np.logical_or.reduce([side for both in sides for side in both])
        if unit.portion is not None:
            return (self._mended(shared.ranks, bad, unit.question, unit.portion),)
        rows = np.flatnonzero(bad)
        few, either = of_rows(shared.ranks, denials, rows)
        parts = [
            (denial, Degrees(t[rows].astype(np.int64), u[rows].astype(np.int64)))
            for denial, (t, u) in zip(either, sides, strict=True)
        ]
        shown = shown_pairs(few, parts, denials.symmetric, self.most)
        return (Finding(number, shown=rows[shown].astype(np.int32)),)

    def _mended(self, ranks: NDArray[np.int32], bad: Any, question: Question, portion: int) -> Finding:
        if question.portions > 1:
            bad &= portion_of_rows(ranks, keys_of(question.denials), question.portions) == portion
        rows = np.flatnonzero(bad)
        if len(rows) == 0:
            return Finding(question.number)
        few, either = of_rows(ranks, question.denials, rows)
        token = f"{self.token}-{question.number}-{portion}"
        mended = mended_rows(few, question.denials, self._parts(few, question, either, token), self.room, token)
        if mended is None:
            return Finding(question.number, unmended=True)
        gone = placed(rows[mended.gone], ranks.shape[1])
        return Finding(question.number, gone=packed(gone), least=mended.least)

    def _parts(
        self, ranks: NDArray[np.int32], question: Question, either: Sequence[Denial], token: str
    ) -> list[tuple[Denial, Degrees]]:
        """The degrees among rows at fault; only a greedy choice looks at more than that every row has a partner."""
        if exact_kind(question.denials) or ranks.shape[1] > self.room:
            some = np.ones(ranks.shape[1], np.int64)
            return [(denial, Degrees(some, some)) for denial in either]
        return [(denial, degrees(ranks, denial, token)) for denial in either]
