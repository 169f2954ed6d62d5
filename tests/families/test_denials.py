"""Denials as flags and words: images, operators, and how near pairs of rows come to breaking them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import UNKNOWN, Comparison, Layout
from lawful.families.denials import Denials, as_words, count, figures, flags
from lawful.rules.model import MIRROR, OUTCOMES
from tests.evidence.outcomes import packed, random_layout, random_outcomes
from tests.profiles import examples


def random_denials(draw: Random, layout: Layout, rules: int) -> Denials:
    """Some comparisons of each rule exclude one or two outcomes, or one of two."""
    bits = np.zeros((rules, layout.literals), np.bool_)
    for r in range(rules):
        for g in draw.sample(range(len(layout.comparisons)), draw.randint(1, min(4, len(layout.comparisons)))):
            outcomes = layout.comparisons[g].outcomes
            for place in draw.sample(range(outcomes), draw.randint(1, outcomes - 1)):
                bits[r, layout.first_literal[g] + place] = True
    return Denials(layout, as_words(bits))


@pytest.mark.parametrize("literals", [0, 1, 63, 64, 65, 130])
def test_flags_and_words_are_the_same_sets(literals: int) -> None:
    bits = np.random.default_rng(literals).random((5, literals)) < 0.5
    words = as_words(bits)
    assert words.shape == (5, max(-(-literals // 64), 1))
    assert np.array_equal(flags(words, literals), bits)
    assert all(int(words[r, p >> 6]) >> (p & 63) & 1 == bits[r, p] for r in range(5) for p in range(literals))


@pytest.mark.parametrize("size", [3, 30])
def test_operators_admit_what_is_not_excluded(size: int) -> None:
    draw = Random(size)
    layout = random_layout(draw, 5, size)
    found = random_denials(draw, layout, examples(40))
    for bits, operators in zip(found.bits, found.operators(), strict=True):
        assert [g for g, _ in operators] == sorted(set(layout.group[bits].tolist()))
        for group, op in operators:
            first, ordered = layout.first_literal[group], layout.comparisons[group].ordered
            admitted = {o for i, o in enumerate("<=>" if ordered else "<=") if not bits[first + i]}
            assert admitted == (OUTCOMES[op] if ordered else OUTCOMES[op] - {">"})


@pytest.mark.parametrize("size", [3, 30])
def test_of_two_images_one_stays(size: int) -> None:
    """The image of a rule, put in canonical form, is the rule; directions point down in the first place they do."""
    draw = Random(size)
    layout = random_layout(draw, 5, size)
    found = random_denials(draw, layout, examples(40))
    swapped = np.arange(layout.literals)
    for first, comparison in zip(layout.first_literal, layout.comparisons, strict=True):
        if comparison.ordered:
            swapped[[first, first + 2]] = first + 2, first
    image = Denials(layout, as_words(found.bits[:, swapped]))
    assert np.array_equal(found.canonical().sets, image.canonical().sets)
    both = Denials(layout, np.concatenate([found.sets, image.sets]))
    assert np.array_equal(both.canonical().sets, found.canonical().sets)
    listed = {tuple(rule) for rule in found.operators()}
    for rule in found.canonical().operators():
        turned = tuple((g, MIRROR[op]) for g, op in rule)
        assert tuple(rule) in listed or turned in listed
        assert next((op for _, op in rule if op not in ("=", "!=")), "<") in ("<", "<=")


def plain_counts(layout: Layout, bits: Any, rows: list[tuple[int, ...]], weights: list[int]) -> tuple[int, int]:
    """Pairs that break a rule, and pairs that satisfy all of its predicates but one."""
    named = sorted(set(layout.group[bits].tolist()))
    broken = near = 0
    for row, weight in zip(rows, weights, strict=True):
        stopped = sum(row[g] == UNKNOWN or bool(bits[layout.first_literal[g] + row[g]]) for g in named)
        broken += weight * (stopped == 0)
        near += weight * (stopped == 1)
    return broken, near


def test_counts_and_figures_are_those_of_plain_loops() -> None:
    draw = Random(5)
    for _ in range(examples(25)):
        layout = random_layout(draw, 5, draw.choice([3, 24]))
        rows = list(dict.fromkeys(random_outcomes(draw, layout) for _ in range(70)))
        weights = [draw.randint(1, 5) for _ in rows]
        pairs = sum(weights)
        evidence = Evidence.of(layout, packed(layout, rows), np.array(weights))
        denials = random_denials(draw, layout, 12)
        found = count(denials, evidence)
        expected = [plain_counts(layout, bits, rows, weights) for bits in denials.bits]
        assert list(zip(found.broken.tolist(), found.near.tolist(), strict=True)) == expected
        told = figures(denials, evidence, np.full(12, 3), pairs)
        for figured, (broken, near), rule in zip(told, expected, denials.operators(), strict=True):
            assert figured.error == broken / pairs
            assert figured.coverage == (near + len(rule) * broken) / (len(rule) * pairs)
            assert figured.interest == figured.coverage * (2 / 3)


def test_figures_are_not_guessed() -> None:
    layout = Layout((Comparison(0, 0, True),))
    denials = Denials(layout, np.array([[1]], np.uint64))
    uncounted = figures(denials, Evidence(layout, np.zeros((1, 1), np.uint64)), np.array([1]), 2)[0]
    assert (uncounted.error, uncounted.coverage, uncounted.interest, uncounted.surprise) == (0.0, None, None, None)
    no_pairs = figures(denials, Evidence.none(layout, counted=True), np.array([1]), 0)[0]
    assert (no_pairs.error, no_pairs.coverage, no_pairs.interest, no_pairs.surprise) == (0.0, None, None, None)
