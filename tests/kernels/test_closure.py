"""Closures hold what no world allows: judged by trying each outcome, with paths between cells in plain loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random

import numpy as np
import pytest

from lawful.kernels.closure import Compared, Scratch, closures
from lawful.kernels.within import contains_another, grow, renumber
from tests.profiles import examples

Compares = tuple[int, int, bool]
"""Two cells and whether their order is compared; cell 2c is column c in one row, 2c + 1 in the other."""
Literal = tuple[int, int]
"""A comparison and its outcome: less, equal, greater, or unequal, equal."""


def consistent(excluded: Iterable[Literal], compares: Sequence[Compares]) -> bool:
    """Whether cells can have values such that none of these outcomes occurs."""
    at_most, differ = set(), set()
    for group, outcome in excluded:
        left, right, ordered = compares[group]
        if outcome == 1:
            differ.add((left, right))
        else:
            at_most |= {(right, left)} if outcome == 0 else {(left, right)}
            at_most |= set() if ordered else {(left, right)}
    cells = {cell for edge in at_most for cell in edge}
    for middle, low, high in product(cells, repeat=3):
        if (low, middle) in at_most and (middle, high) in at_most:
            at_most.add((low, high))
    return not any(a == b or {(a, b), (b, a)} <= at_most for a, b in differ)


def said(outcome: Literal, compares: Sequence[Compares]) -> set[Literal]:
    """An outcome as what it excludes: the others."""
    group, place = outcome
    return {(group, other) for other in range(3 if compares[group][2] else 2) if other != place}


def impossible(excluded: set[Literal], compares: Sequence[Compares]) -> set[Literal]:
    """Every outcome of a comparison that cannot occur."""
    every = [(g, o) for g, (_, _, ordered) in enumerate(compares) for o in range(3 if ordered else 2)]
    return {o for o in every if not consistent(excluded | said(o, compares), compares)}


def turned(excluded: set[Literal], compares: Sequence[Compares]) -> tuple[set[Literal], list[Compares]]:
    """The same said of the other row, with the comparisons that this takes after those there are."""
    return {(g + len(compares), o) for g, o in excluded}, [*compares, *((a ^ 1, b ^ 1, o) for a, b, o in compares)]


class Closing:
    """The kernel's answer for sets of literals."""

    def __init__(self, compares: Sequence[Compares]) -> None:
        self.literals = [(g, o) for g, (*_, ordered) in enumerate(compares) for o in range(3 if ordered else 2)]
        left, right = (np.array([c[side] for c in compares], np.int32) for side in (0, 1))
        cells = (int(max(left.max(), right.max())) | 1) + 1
        group = np.array([g for g, _ in self.literals], np.int32)
        first = np.array([self.literals.index((g, 0)) for g in range(len(compares))], np.int32)
        starts = np.array([(left < cell).sum() for cell in range(cells + 1)], np.int32)
        listed = np.argsort(left, kind="stable").astype(np.int32)
        ordered = np.array([c[2] for c in compares])
        self.compared = Compared(left, right, ordered, first, group, starts, listed)
        self.cells, self.words = cells, -(-len(self.literals) // 64)

    def masks(self, sets: Sequence[set[Literal]]) -> np.ndarray:
        bits = [sum(1 << self.literals.index(literal) for literal in found) for found in sets]
        return np.array([[b >> 64 * w & (1 << 64) - 1 for w in range(self.words)] for b in bits], np.uint64)

    def sets(self, masks: np.ndarray) -> list[set[Literal]]:
        return [{x for i, x in enumerate(self.literals) if int(m[i >> 6]) >> (i & 63) & 1} for m in masks]

    def __call__(self, sets: Sequence[set[Literal]]) -> list[list[set[Literal]] | None]:
        """For each set its two closures, the lesser mask first; None for what is impossible."""
        words = -(-self.cells // 64)
        reached = [np.full((self.cells, words), 7, np.uint64) for _ in range(2)]
        differ = np.full((len(self.compared.left), 2), 7, np.int32)
        scratch = Scratch(np.full(self.cells, -1, np.int32), *reached, np.full(words, 7, np.uint64), differ)
        closed = np.full((len(sets), 2, self.words), 7, np.uint64)
        possible = np.zeros(len(sets), np.bool_)
        closures(self.masks(sets), self.compared, scratch, closed, possible)
        return [self.sets(pair) if known else None for pair, known in zip(closed, possible, strict=True)]

    def expected(self, excluded: set[Literal], compares: Sequence[Compares]) -> list[set[Literal]] | None:
        if not consistent(excluded, compares):
            return None
        image, more = turned(excluded, compares)
        there = {(g, o) for g, o in impossible(image, more) if g < len(compares)}
        return sorted((impossible(excluded, compares), there), key=self.lesser_first)

    def lesser_first(self, literals: set[Literal]) -> list[int]:
        return [int(word) for word in self.masks([literals])[0]]


def random_compares(draw: Random, columns: int, pairs: int) -> list[Compares]:
    found = {(2 * c, 2 * c + 1) for c in range(columns)}
    for _ in range(pairs):
        a, b = sorted(draw.sample(range(columns), 2))
        found.add((2 * a, 2 * b + (draw.random() < 0.7)))
    return [(a, b, draw.random() < 0.7) for a, b in sorted(found)]


def random_sets(draw: Random, closing: Closing, count: int, longest: int) -> list[set[Literal]]:
    longest = min(longest, len(closing.literals))
    return [set(draw.sample(closing.literals, draw.randint(1, longest))) for _ in range(count)]


def test_the_judge_agrees_with_all_values_of_four_cells() -> None:
    draw = Random(1)
    compares = [(0, 1, True), (2, 3, True), (0, 3, True), (0, 2, False), (1, 3, False)]
    every = Closing(compares).literals

    def outcome(values: Sequence[int], group: int) -> Literal:
        a, b = (values[cell] for cell in compares[group][:2])
        return group, 1 + (a > b) - (a < b) if compares[group][2] else int(a == b)

    worlds = [{outcome(v, g) for g in range(len(compares))} for v in product(range(4), repeat=4)]
    seen = []
    for _ in range(examples(300)):
        excluded = set(draw.sample(every, draw.randint(1, 6)))
        seen.append(consistent(excluded, compares))
        assert seen[-1] == any(not excluded & world for world in worlds)
    assert 50 < sum(seen) < 290


@pytest.mark.parametrize(
    ("columns", "pairs", "longest", "sets"), [(1, 0, 3, 7), (2, 2, 6, 60), (3, 6, 8, 60), (6, 14, 12, 12)]
)
def test_closures_are_what_no_world_allows(columns: int, pairs: int, longest: int, sets: int) -> None:
    draw = Random(columns)
    outcomes = set()
    for _ in range(examples(8)):
        compares = random_compares(draw, columns, pairs if columns > 1 else 0)
        closing = Closing(compares)
        tried = random_sets(draw, closing, sets, longest)
        for excluded, found in zip(tried, closing(tried), strict=True):
            assert found == closing.expected(excluded, compares), (compares, excluded)
            outcomes.add("impossible" if found is None else "own" if excluded in found else "more")
    assert outcomes >= ({"impossible", "own", "more"} if columns > 1 else {"impossible", "own"})


def test_paths_alone_do_not_tell_what_differs() -> None:
    """x <= y, x <= z, y <= w, z <= w and y != z make x < w, though no three cells say so."""
    x, y, z, w = 0, 2, 4, 6
    compares = [(x, y, True), (x, z, True), (y, w, True), (z, w, True), (y, z, False), (x, w, True)]
    greater = {(g, 2) for g in range(4)}
    found = Closing(compares)([greater | {(4, 1)}, greater])
    assert found == [[set(), greater | {(4, 1), (5, 1), (5, 2)}], [set(), greater | {(5, 2)}]]


def test_a_path_through_more_cells_than_a_word_has_bits() -> None:
    """c0 <= c1 <= ... <= c79 in one row; one step that differs makes the ends differ, and back again is impossible."""
    columns = 80
    compares = [(2 * c, 2 * c + 2, True) for c in range(columns - 1)] + [(0, 2 * columns - 2, True)]
    steps, ends = {(c, 2) for c in range(columns - 1)}, columns - 1
    found = Closing(compares)([steps, steps | {(70, 1)}, steps | {(70, 1), (ends, 0)}, steps | {(ends, 0)}])
    assert found[0] == [set(), steps | {(ends, 2)}]
    assert found[1] == [set(), steps | {(70, 1), (ends, 1), (ends, 2)}]
    assert found[2] is None
    assert found[3] == [set(), steps | {(c, 0) for c in range(columns)} | {(ends, 2)}]


def test_sets_within_others_are_found_in_the_tree() -> None:
    draw = Random(5)
    answers = set()
    for literals in [5, 9, 70, 130] * examples(15):
        pool = draw.sample(range(literals), min(literals, 9))
        sets = [*{frozenset(draw.sample(pool, draw.randint(literals > 9, 4))) for _ in range(30)}]
        queries = [(set(draw.sample(pool, draw.randint(0, 5))), set(draw.sample(range(literals), 4))) for _ in sets]
        found = within(literals, draw, sets, queries)
        expected = [any(s <= q for q in both for j, s in enumerate(sets) if j != i) for i, both in enumerate(queries)]
        assert found == expected
        answers |= set(found) if frozenset() not in sets else set()
    assert answers == {True, False}


def within(
    literals: int, draw: Random, sets: Sequence[frozenset[int]], queries: Sequence[tuple[set[int], set[int]]]
) -> list[bool]:
    """By the kernels, with the literals in a random order."""
    words = -(-literals // 64)

    def mask(found: Iterable[int]) -> list[int]:
        bits = sum(1 << literal for literal in found)
        return [bits >> 64 * w & (1 << 64) - 1 for w in range(words)]

    masks = np.array([mask(s) for s in sets], np.uint64)
    asked = np.array([[mask(one), mask(other)] for one, other in queries], np.uint64)
    turn = np.array(draw.sample(range(literals), literals))
    strings = np.zeros(masks.shape, np.uint64)
    renumber(masks, turn, strings)
    order = np.lexsort(strings.T[::-1])
    arrays = [np.full(1 + sum(map(len, sets)), 99, np.int32) for _ in range(3)]
    nodes = grow(masks, order, turn, *arrays)
    found = np.zeros(len(sets), np.bool_)
    contains_another(asked, np.arange(len(sets)), *(a[:nodes] for a in arrays), found)
    return [bool(x) for x in found]
