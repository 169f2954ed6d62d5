"""The pairs that a search begins with: all of a short table, near neighbours of a long one, the same each time."""

from __future__ import annotations

import numpy as np
import pytest

from lawful.search import witnesses
from lawful.search.duplicates import extra_rows
from lawful.search.witnesses import ALL, first_pairs
from tests.made import random_tables
from tests.naive import ranks


@pytest.mark.parametrize("rows", [2, 3, 9, 256])
def test_a_short_table_gives_every_pair_once(rows: int) -> None:
    assert rows * (rows - 1) // 2 <= ALL
    start = first_pairs(np.zeros((2, rows), np.int32), (0, 1), 10)
    assert start.exhaustive
    assert {frozenset(pair) for pair in start.pairs.tolist()} == {
        frozenset((a, b)) for a in range(rows) for b in range(a)
    }
    assert len(start.pairs) == rows * (rows - 1) // 2
    assert start.pairs.dtype == np.int32


def test_the_first_long_table() -> None:
    assert ALL < 257 * 256 // 2
    assert not first_pairs(np.zeros((1, 257), np.int32), (0,), 100).exhaustive


@pytest.mark.parametrize("rows", [300, 25_000])
def test_a_long_table_gives_neighbours(rows: int) -> None:
    table = np.random.default_rng(1).integers(0, 6, (5, rows)).astype(np.int32)
    start, again = (first_pairs(table, (3, 1, 4, 0, 2), 500) for _ in range(2))
    assert np.array_equal(start.pairs, again.pairs)
    assert len(start.pairs) == 500
    left, right = start.pairs.T
    assert (left != right).all()
    assert start.pairs.min() >= 0 and start.pairs.max() < rows
    agreeing = (table[:, left] == table[:, right]).sum(axis=0).mean()
    assert agreeing > 2.5, "pairs at random agree on less than one of five columns"


def test_no_column_and_many_columns() -> None:
    assert len(first_pairs(np.zeros((0, 999), np.int32), (), 100).pairs) == 0
    wide = np.zeros((90, 300), np.int32)
    assert len(first_pairs(wide, tuple(range(90)), 100).pairs) == 90 * 16


def test_two_rows_without_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(witnesses, "ALL", 0)
    assert first_pairs(np.array([[0, 1]], np.int32), (0,), 4).pairs.tolist() in ([[0, 1]], [[1, 0]])


def test_extra_rows_are_those_beyond_the_distinct() -> None:
    for table in random_tables(3, 300):
        held = np.array(ranks(table), np.int32).reshape(len(table.names), len(table))
        assert extra_rows(held) == len(table) - len(set(map(tuple, held.T.tolist())))
    assert extra_rows(np.zeros((0, 5), np.int32)) == 4
    assert extra_rows(np.zeros((2, 0), np.int32)) == 0
