"""Codes that kernels count by are signatures in another form: one for each, over any number of lanes."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from lawful.evidence.packing import LANE, Packing
from lawful.evidence.signature import UNKNOWN, Comparison, Layout
from lawful.kernels.fields import compare
from tests.evidence.outcomes import outcomes, packed, packing, random_layout, random_outcomes, random_ranks
from tests.profiles import examples


def codes_of(packing: Packing, rows: list[tuple[int, ...]]) -> np.ndarray:
    """Outcomes as codes, in plain numbers: the unknown outcome is the digit after the known ones."""
    lanes = np.zeros((len(rows), packing.lanes), np.uint32)
    for i, row in enumerate(rows):
        for group, (lane, weight, radix) in zip(packing.order, packing.digits, strict=True):
            digit = row[group] if row[group] != UNKNOWN else radix - 1
            lanes[i, lane] += np.uint32(digit * weight)
    return lanes


@pytest.mark.parametrize("size", [0, 1, 5, 20, 21, 32, 33, 41, 64, 90, 223])
def test_codes_become_the_signatures_of_their_outcomes(size: int) -> None:
    draw = Random(size)
    for crossed in (False, True) * examples(3):
        layout = random_layout(draw, 9, size, crossed=crossed)
        made = packing(layout, random_ranks(draw, 9, 5))
        rows = [random_outcomes(draw, layout) for _ in range(20)]
        assert np.array_equal(made.signatures(codes_of(made, rows)), packed(layout, rows))


@pytest.mark.parametrize("size", [1, 6, 41, 90])
def test_the_kernel_writes_the_codes_of_a_row_against_a_run(size: int) -> None:
    draw = Random(size)
    for _ in range(examples(20)):
        ranks, layout = random_ranks(draw, 5, 9), random_layout(draw, 5, size, crossed=draw.random() < 0.5)
        made = packing(layout, ranks)
        row, start = draw.randrange(9), draw.randrange(8)
        stop = draw.randint(start + 1, 9)
        lanes = np.full((made.lanes, 16), 77, np.uint32)
        compare(ranks, made.fields, row, start, stop, lanes)
        expected = [next(iter(outcomes(layout, ranks, [(row, u)]))) for u in range(start, stop)]
        assert np.array_equal(lanes[:, : stop - start].T, codes_of(made, expected))
        assert (lanes[:, stop - start :] == 77).all(), "nothing is written beyond the run"


def test_different_outcomes_have_different_codes_below_the_space() -> None:
    about = [(True, False), (False, False), (False, True), (True, True)]
    layout = Layout(tuple(Comparison(c, c, ordered, null) for c, (ordered, null) in enumerate(about)))
    made = Packing.of(layout, np.array([5, 1, 9, 5]))
    rows = list(product((0, 1, 2), (0, 1), (0, 1, UNKNOWN), (0, 1, 2, UNKNOWN)))
    codes = codes_of(made, rows)
    assert sorted(codes[:, 0].tolist()) == list(range(made.space)) == list(range(3 * 2 * 3 * 4))
    assert len(np.unique(made.signatures(codes), axis=0)) == len(rows)


@pytest.mark.parametrize(("ordered", "fits"), [(True, 20), (False, 32)])
def test_a_lane_is_filled_before_the_next_begins(ordered: bool, fits: int) -> None:
    """Thirty-two comparisons without order take all numbers of a lane: the last is 2^32 - 1."""
    for size in (fits, fits + 1, 2 * fits, 2 * fits + 1):
        layout = Layout(tuple(Comparison(c, c, ordered) for c in range(size)))
        made = Packing.of(layout, np.ones(size, np.int64))
        assert made.lanes == -(-size // fits)
        assert all(weight * radix <= LANE for _, weight, radix in made.digits)
        ranks = np.repeat(np.array([[1, 1, 0]], np.int32), size, axis=0)
        lanes = np.zeros((made.lanes, 8), np.uint32)
        compare(ranks, made.fields, 0, 1, 3, lanes)
        equal, greater = (1,) * size, (2 if ordered else 0,) * size
        assert np.array_equal(made.signatures(lanes[:, :2].T.copy()), packed(layout, [equal, greater]))


def test_digits_of_many_values_come_lowest() -> None:
    layout = Layout(tuple(Comparison(c, c, True) for c in range(4)))
    assert Packing.of(layout, np.array([3, 50, 3, 7])).order == (1, 3, 0, 2)
