"""Denials: what a rule of two rows excludes, as sets of literals; their mirror images, figures and predicates.

Denial constraints and pointwise dependencies are both kept so: of each comparison the outcomes of which one at least
must occur in any pair of rows. Literals here are outcomes of the layout's comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import Layout
from lawful.rules.model import Figures, Operator
from lawful.search.literals import EQUAL, GREATER, LESS
from lawful.search.problem import Words

ORDERED: Final[dict[int, Operator]] = {
    GREATER: "<=",
    LESS: ">=",
    EQUAL: "!=",
    EQUAL | GREATER: "<",
    LESS | EQUAL: ">",
    LESS | GREATER: "=",
}
"""The operator of a predicate by the outcomes it excludes, where there is an order."""

UNORDERED: Final[dict[int, Operator]] = {1: "=", 2: "!="}
"""The same without an order: the outcomes are unequal and equal."""


@dataclass(frozen=True, eq=False)
class Denials:
    """Excluded literals of some rules, uint64[k, w]."""

    layout: Layout
    sets: Words

    def __len__(self) -> int:
        return len(self.sets)

    @cached_property
    def bits(self) -> NDArray[np.bool_]:
        """The sets as flags, bool[k, literals]."""
        return flags(self.sets, self.layout.literals)

    def excluded(self, group: int) -> NDArray[np.int64]:
        """What each rule excludes of one comparison, as outcome bits; 0 where it does not speak of it."""
        first = self.layout.first_literal[group]
        weights = 1 << np.arange(self.layout.comparisons[group].outcomes)
        return self.bits[:, first : first + len(weights)] @ weights

    def canonical(self) -> Denials:
        """Of each rule and its mirror image the one whose first predicate that has a direction points down; each once.

        Predicates are in table order and ``<`` comes before ``>``, so this is the image that the rule file keeps.
        """
        return Denials(self.layout, np.unique(self.images().sets, axis=0))

    def images(self) -> Denials:
        """As ``canonical``, rule by rule."""
        swapped = np.arange(self.layout.literals)
        open_ = np.ones(len(self), np.bool_)
        turned = np.zeros(len(self), np.bool_)
        for group, comparison in enumerate(self.layout.comparisons):
            if comparison.ordered:
                first = self.layout.first_literal[group]
                swapped[[first, first + 2]] = first + 2, first
                less, greater = self.bits[:, first], self.bits[:, first + 2]
                turned |= open_ & less & ~greater
                open_ &= less == greater
        bits = np.where(turned[:, None], self.bits[:, swapped], self.bits)
        return Denials(self.layout, as_words(bits))

    def members(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The literals of all rules one after the other, and where each rule begins (and the last one ends)."""
        rows, literals = np.nonzero(self.bits)
        return literals, np.searchsorted(rows, np.arange(len(self) + 1))

    def operators(self) -> Iterator[list[tuple[int, Operator]]]:
        """Per rule the comparisons it makes with their operators, in the layout's order."""
        columns = [self.excluded(group) for group in range(len(self.layout.comparisons))]
        tables = [ORDERED if c.ordered else UNORDERED for c in self.layout.comparisons]
        found = np.array(columns).T if len(self) else np.zeros((0, len(columns)), np.int64)
        for row in found:
            yield [(int(g), tables[g][int(row[g])]) for g in np.flatnonzero(row)]


def flags(sets: Words, literals: int) -> NDArray[np.bool_]:
    """Sets of literals as flags."""
    bits = np.unpackbits(np.ascontiguousarray(sets).astype("<u8").view(np.uint8), axis=1, bitorder="little")
    return bits[:, :literals].astype(np.bool_)


def as_words(bits: NDArray[np.bool_]) -> Words:
    """Flags as sets of literals."""
    words = max(-(-bits.shape[1] // 64), 1)
    padded = np.zeros((len(bits), 64 * words), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64).reshape(len(bits), words)


@dataclass(frozen=True, eq=False)
class Counted:
    """How many ordered pairs break each rule, int64[k], and how many satisfy all of its predicates but one."""

    broken: NDArray[np.int64]
    near: NDArray[np.int64]


def count(denials: Denials, evidence: Evidence) -> Counted:
    """The counts of some rules. O(rules * predicates * signatures / 64)."""
    from lawful.kernels.near import nearness

    assert evidence.counts is not None
    edges = evidence.edges
    literals, starts = denials.members()
    valid = np.zeros(edges.shape[1], np.uint64)
    packed = np.packbits(np.ones(len(evidence), np.uint8), bitorder="little")
    valid.view(np.uint8)[: len(packed)] = packed
    none, one = np.zeros(len(denials), np.int64), np.zeros(len(denials), np.int64)
    nearness(edges, valid, evidence.counts, literals, starts, denials.layout.group, none, one)
    return Counted(none, one)


def figures(denials: Denials, evidence: Evidence, columns: NDArray[np.int64], pairs: int) -> list[Figures]:
    """Error, coverage, interest and surprise of rules over so many ``columns`` each, in a table of so many ``pairs``.
    Without counts only the error of rules that hold is known, and only these are asked about.

    Coverage: pairs that satisfy all predicates but the one left out, averaged over that one. Surprise: log10 of one
    plus the pairs that would break the rule if comparisons were independent of each other.
    """
    if evidence.counts is None or not pairs or not len(denials):
        return [Figures(0.0, "pairs")] * len(denials)
    counted, whole = count(denials, evidence), max(evidence.pairs or 0, 1)
    shares, expected = evidence.shares, np.full(len(denials), float(pairs))
    predicates = np.zeros(len(denials), np.int64)
    for group, comparison in enumerate(denials.layout.comparisons):
        first = denials.layout.first_literal[group]
        own = slice(first, first + comparison.outcomes)
        bits = denials.bits[:, own]
        named = bits.any(axis=1)
        predicates += named
        expected *= np.where(named, (~bits) @ shares[own], 1.0)
    near = (counted.near + predicates * counted.broken) / (np.maximum(predicates, 1) * whole)
    brief = np.minimum(1.0, 2 / np.maximum(columns, 1))
    surprise = np.log10(1 + expected)
    rows = zip(
        (counted.broken / whole).tolist(), near.tolist(), (near * brief).tolist(), surprise.tolist(), strict=True
    )
    return [Figures(error, "pairs", coverage, interest, strange) for error, coverage, interest, strange in rows]
