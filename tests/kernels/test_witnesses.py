"""Remembered pairs of rows: what their bitmaps say, what fits, what is counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.kernels.witnesses import Known, everything, learn, population, remember, remember_all
from tests.kernels.stripped import frozen


def empty(columns: int, words: int) -> Known:
    return Known(np.zeros((columns, words), np.uint64), np.zeros((columns, words), np.uint64), np.zeros(1, np.int64))


def bits(words: Any) -> list[int]:
    return [i for i in range(64 * len(words)) if int(words[i // 64]) >> i % 64 & 1]


def test_a_pair_says_equal_less_or_greater_of_every_column() -> None:
    rng = np.random.default_rng(1)
    ranks, places = frozen(rng.integers(0, 3, (5, 20))), np.array([3, 0, 4, 1, 2])
    pairs = rng.integers(0, 20, (150, 2)).astype(np.int32)
    known = empty(5, 3)
    remember_all(ranks, places, known.agree, known.less, known.count, pairs)
    assert known.count[0] == 150
    left, right = (ranks[:, pairs[:, side]] for side in (0, 1))
    for column, place in enumerate(places):
        assert bits(known.agree[column]) == np.flatnonzero(left[place] == right[place]).tolist()
        assert bits(known.less[column]) == np.flatnonzero(left[place] < right[place]).tolist()


def test_a_full_store_takes_no_more_and_stays_as_it_is() -> None:
    ranks, places = frozen([[0, 1, 1]]), np.array([0])
    known = empty(1, 2)
    remember_all(ranks, places, known.agree, known.less, known.count, np.full((200, 2), 1, np.int32))
    assert known.count[0] == 128
    assert bits(known.agree[0]) == list(range(128))
    assert not remember(ranks, places, *known, 0, 1)
    assert known.count[0] == 128
    assert not known.less.any()


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 127, 128, 192])
def test_everything_is_the_first_bits(count: int) -> None:
    out = np.full(3, 5, np.uint64)
    everything(count, out)
    assert bits(out) == list(range(count))
    assert population(out, 3) == count


@given(st.lists(st.integers(0, 2**64 - 1), max_size=5), st.integers(0, 5))
def test_population_counts_bits(words: list[int], first: int) -> None:
    counted = words[:first]
    assert population(np.array(words, np.uint64), len(counted)) == sum(word.bit_count() for word in counted)


def test_learning_marks_the_pair_on_every_prefix() -> None:
    ranks, places = frozen([[0, 0, 1]]), np.array([0])
    known = empty(1, 2)
    remember_all(ranks, places, *known, np.zeros((64, 2), np.int32))
    applying, live = np.zeros((4, 2), np.uint64), np.array([0, -7])
    new = np.full((2, 2), -7, np.int32)
    fresh, lives = learn(ranks, places, known, 0, 2, applying, 2, live, 1, new, 0)
    assert (fresh, lives, known.count[0], live.tolist()) == (1, 2, 65, [0, 1])
    assert [bits(row) for row in applying] == [[64], [64], [64], []]
    fresh, lives = learn(ranks, places, known, 1, 2, applying, 1, live, lives, new, fresh)
    assert (fresh, lives, new.tolist()) == (2, 2, [[0, 2], [1, 2]])
    assert [bits(row) for row in applying] == [[64, 65], [64, 65], [64], []]
    assert learn(ranks, places, known, 0, 1, applying, 1, live, lives, new, fresh) == (2, 2), "no room to report it"
    assert known.count[0] == 66
