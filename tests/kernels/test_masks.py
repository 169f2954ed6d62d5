"""Sets of columns as words of bits are sets of columns, on both sides of every word's edge."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.kernels.masks import drop, has, members, pair_bit, put, two_bits

EDGES = [0, 1, 31, 32, 62, 63, 64, 65, 126, 127, 128, 190, 191]


def mask_of(columns: set[int], words: int = 3) -> np.ndarray:
    mask = np.zeros(words, np.uint64)
    for column in columns:
        put(mask, column)
    return mask


@given(st.sets(st.integers(0, 191)), st.sets(st.integers(0, 191)))
def test_a_mask_is_a_set(columns: set[int], gone: set[int]) -> None:
    mask = mask_of(columns)
    assert sum(int(word) << 64 * i for i, word in enumerate(mask)) == sum(1 << column for column in columns)
    for column in gone:
        drop(mask, column)
    assert {column for column in range(192) if has(mask, column)} == columns - gone
    out = np.full(192, -7, np.int64)
    count = members(mask, out)
    assert out[:count].tolist() == sorted(columns - gone)
    assert (out[count:] == -7).all()


@pytest.mark.parametrize("column", EDGES)
def test_the_edges_of_words(column: int) -> None:
    mask = mask_of({column})
    assert mask[column // 64] == np.uint64(1 << column % 64)
    assert np.count_nonzero(mask) == 1
    full = np.full(3, ~np.uint64(0), np.uint64)
    drop(full, column)
    assert not has(full, column)
    assert sum(int(word).bit_count() for word in full) == 191


def test_all_192_columns() -> None:
    out = np.empty(192, np.int64)
    assert members(np.full(3, ~np.uint64(0), np.uint64), out) == 192
    assert out.tolist() == list(range(192))


@pytest.mark.parametrize("width", [2, 3, 9, 65, 130, 224])
def test_pairs_have_bits_in_the_order_of_combinations(width: int) -> None:
    """Two bits a pair, none across the edge of a word."""
    places = [pair_bit(left, right, width) for left, right in combinations(range(width), 2)]
    assert places == list(range(0, width * (width - 1), 2))


def test_two_bits_of_a_place() -> None:
    bits = np.array([0b1101, 0b10 << 62], np.uint64)
    assert [int(two_bits(bits, place)) for place in (0, 2, 4, 62, 64, 126)] == [1, 3, 0, 0, 0, 2]
