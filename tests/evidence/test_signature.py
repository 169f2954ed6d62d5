"""Outcomes survive being packed into words, and mirror images are those of the pair taken the other way round."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from lawful.evidence.signature import HALF, UNKNOWN, Comparison, Layout
from tests.evidence.outcomes import outcomes, packed, random_layout, random_outcomes, random_ranks
from tests.profiles import examples

SIZES = (0, 1, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 223)


@pytest.mark.parametrize("size", SIZES)
def test_every_outcome_is_read_back(size: int) -> None:
    draw = Random(size)
    for crossed in (False, True) * examples(3):
        layout = random_layout(draw, 7, size, crossed=crossed)
        rows = [random_outcomes(draw, layout) for _ in range(20)]
        signatures = packed(layout, rows)
        read = [layout.outcome(signatures, group).tolist() for group in range(size)]
        assert list(zip(*read, strict=True)) == (rows if size else [])


@pytest.mark.parametrize("size", SIZES)
def test_fields_are_apart_and_within_half_a_word(size: int) -> None:
    layout = random_layout(Random(size), 7, size, crossed=True)
    taken: set[int] = set()
    for place, comparison in zip(layout.places, layout.comparisons, strict=True):
        field = set(range(place, place + comparison.bits))
        assert not field & taken
        assert len({bit // HALF for bit in field}) == 1
        taken |= field
    assert layout.bits == max(taken, default=-1) + 1
    assert layout.words == max(-(-layout.bits // 64), 1)


@pytest.mark.parametrize("size", SIZES)
def test_the_mirror_image_is_the_signature_of_the_other_order(size: int) -> None:
    draw = Random(size)
    layout = random_layout(draw, 7, size)
    rows = [random_outcomes(draw, layout) for _ in range(20)]
    turned = [
        tuple(2 - o if c.ordered and o != UNKNOWN else o for o, c in zip(row, layout.comparisons, strict=True))
        for row in rows
    ]
    assert np.array_equal(layout.mirror(packed(layout, rows)), packed(layout, turned))
    assert np.array_equal(layout.mirror(packed(layout, turned)), packed(layout, rows))


def test_mirror_images_on_rows() -> None:
    draw = Random(1)
    for _ in range(examples(30)):
        ranks, layout = random_ranks(draw, 4, 3), random_layout(draw, 4, 6)
        there, back = (list(outcomes(layout, ranks, [pair])) for pair in ((0, 2), (2, 0)))
        assert np.array_equal(layout.mirror(packed(layout, there)), packed(layout, back))


@pytest.mark.parametrize(
    "comparison", [Comparison(0, 1, True), Comparison(0, 1, False), Comparison(0, 0, True, True, False)], ids=str
)
def test_what_compares_two_columns_has_no_mirror_image(comparison: Comparison) -> None:
    layout = Layout((Comparison(0, 0, True), comparison))
    assert not layout.mirrored
    with pytest.raises(ValueError, match="no mirror image"):
        layout.mirror(np.zeros((1, 1), np.uint64))


def test_literals_are_numbered_group_by_group() -> None:
    layout = Layout((Comparison(0, 0, True), Comparison(1, 1, False, True, True), Comparison(2, 2, True)))
    assert layout.first_literal == (0, 3, 5)
    assert layout.literals == 8
    assert layout.group.tolist() == [0, 0, 0, 1, 1, 2, 2, 2]
