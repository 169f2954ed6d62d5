"""Pairs that satisfy conjunctions, or proof that there are none: against every pair of rows, in every way there is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.engine import Engine, LocalEngine
from lawful.kernels.conjunction import EQUAL
from lawful.search import violating
from lawful.search.conjunctions import Conjunctions
from lawful.search.violating import find_pairs, satisfies, stream_pairs
from tests.engines.conftest import Named, Small
from tests.engines.pickled import PickledEngine
from tests.profiles import examples

Asked = tuple[int, int, int, bool, bool]
OPERATORS: list[Any] = [np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal]

WAYS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "one by one": {"_worth_comparing": lambda *_: False},
    "all at once": {"_worth_comparing": lambda *_: True},
    "without luck": {"_worth_comparing": lambda *_: False, "_TRIES": 0},
    "by boxes": {"_worth_comparing": lambda *_: False, "_TRIES": 0, "_SWEPT": 0},
}
"""Ways to an answer: the choice between them, and each of them forced."""


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in WAYS[request.param].items():
        monkeypatch.setattr(violating, name, value)
    return str(request.param)


def table_of(ranks: Any) -> Small:
    held = np.ascontiguousarray(np.array(ranks, np.int32))
    held.flags.writeable = False
    return Small(tuple(Named(f"c{i}") for i in range(len(held))), held)


def random_ranks(rng: np.random.Generator, rows: int, columns: int) -> Any:
    """Columns with ties, keys, constants and copies of others, and ranks that need not be dense; equal rows too."""
    made: list[Any] = []
    for _ in range(columns):
        before = made[rng.integers(len(made))] if made else np.zeros(rows, np.int64)
        shapes = [rng.integers(0, 2, rows), rng.integers(0, 4, rows), rng.permutation(rows), np.full(rows, 3)]
        shapes += [before, before.max(initial=0) - before, before // 2, rng.integers(0, 4, rows) * 100_003]
        made.append(shapes[rng.integers(len(shapes))])
    ranks = np.array(made).reshape(columns, rows)
    return ranks[:, rng.integers(0, rows, rows)] if rows and rng.random() < 0.2 else ranks


def random_asked(draw: Random, columns: int, most: int = 5) -> list[Asked]:
    """Predicates of any operator between any two columns, mostly a column with itself; 0 to ``most`` of them."""
    made = []
    for _ in range(draw.randint(0, most)):
        left = draw.randrange(columns)
        right = left if draw.random() < 0.7 else draw.randrange(columns)
        made.append((left, right, draw.randrange(6), draw.random() < 0.15, draw.random() < 0.15))
    return made


def satisfying(ranks: Any, asked: Sequence[Asked]) -> set[tuple[int, int]]:
    """The ordered pairs of different rows that satisfy all predicates, by trying every pair."""
    good = ~np.eye(ranks.shape[1], dtype=np.bool_)
    for left, right, op, left_null, right_null in asked:
        a, b = ranks[left][:, None], ranks[right][None, :]
        good &= OPERATORS[op](a, b) & ~(left_null & (a == 0)) & ~(right_null & (b == 0))
    return set(zip(*map(np.ndarray.tolist, np.nonzero(good)), strict=True))


def judge(ranks: Any, lists: Sequence[Sequence[Asked]], engine: Engine, most: int, about: object) -> tuple[int, int]:
    """Asserts that what is found is right; how many conjunctions have pairs, and how many have none."""
    numbers, pairs = find_pairs(table_of(ranks), engine, Conjunctions.of(lists), most)
    found: dict[int, list[tuple[int, int]]] = {}
    for number, pair in zip(numbers.tolist(), pairs.tolist(), strict=True):
        found.setdefault(number, []).append(tuple(pair))
    assert numbers.tolist() == sorted(numbers.tolist())
    for m, asked in enumerate(lists):
        expected, ours = satisfying(ranks, asked), found.get(m, [])
        assert set(ours) <= expected, (about, asked, ranks.tolist())
        assert bool(ours) == bool(expected), (about, asked, ranks.tolist())
        assert len(ours) == len(set(ours)) <= most, (about, asked)
    return len(found), len(lists) - len(found)


def test_random_conjunctions_over_random_tables(way: str) -> None:
    draw, rng, seen = Random(1), np.random.default_rng(1), np.zeros(2, int)
    for _ in range(examples(800)):
        columns = draw.randint(1, 6)
        ranks = random_ranks(rng, draw.randint(2, 12), columns)
        lists = [random_asked(draw, columns) for _ in range(draw.randint(1, 12))]
        seen += judge(ranks, lists, LocalEngine(1), draw.choice([1, 3, 50]), way)
    assert seen.min() > examples(800), "many have pairs, and many have none"


def test_tables_longer_than_a_leaf_of_boxes(way: str) -> None:
    draw, rng, seen = Random(2), np.random.default_rng(2), np.zeros(2, int)
    for _ in range(examples(40)):
        ranks = random_ranks(rng, draw.randint(66, 150), 5)
        lists = [random_asked(draw, 5, 7) for _ in range(8)]
        seen += judge(ranks, lists, LocalEngine(1), draw.choice([1, 8]), way)
    assert seen.min() > 0


def test_columns_that_run_together_but_for_one_pair(way: str) -> None:
    """What holds nearly everywhere is found at its only exception, wherever that is, and proven without it."""
    rng = np.random.default_rng(3)
    against = [(0, 0, 2, False, False), *((c, c, 4, False, False) for c in (1, 2, 3, 4))]
    for size in (2, 3, 40, 200, 700):
        ranks = np.tile(np.arange(size) * 2, (5, 1))
        ranks[1:] += rng.integers(0, 2, (4, size))
        some = [against[: k + 1] for k in range(1, 5)]
        assert judge(ranks[:, rng.permutation(size)], some, LocalEngine(1), 4, way) == (0, 4)
        ranks[1:, size - 2] = 3 * size
        assert judge(ranks[:, rng.permutation(size)], some, LocalEngine(1), 4, way) == (4, 0)


def test_one_row_is_no_pair(way: str) -> None:
    """With all columns equal, and with no predicate at all, a row still needs another one."""
    everything = [[], [(0, 0, EQUAL, False, False)], [(0, 1, EQUAL, False, False)], [(0, 0, 3, False, False)] * 4]
    for rows in (0, 1):
        assert judge(np.zeros((2, rows), np.int64), everything, LocalEngine(1), 3, way) == (0, 4)
    apart = np.stack([np.arange(5), np.arange(5)])
    assert judge(apart, [everything[1], everything[2]], LocalEngine(1), 3, way) == (0, 2)
    assert judge(np.zeros((2, 2), np.int64), everything, LocalEngine(1), 3, way) == (4, 0)


def test_no_pair_is_asked_for() -> None:
    numbers, pairs = find_pairs(table_of(np.zeros((1, 3))), LocalEngine(1), Conjunctions.of([[]]), 0)
    assert (len(numbers), pairs.shape) == (0, (0, 2))
    assert len(find_pairs(table_of(np.zeros((1, 3))), LocalEngine(1), Conjunctions.of([]), 3)[0]) == 0


@pytest.mark.parametrize("seed", range(3))
def test_engines_and_grains_agree_on_what_there_is(seed: int) -> None:
    """Units are cut differently, so other pairs may be found, but of the same conjunctions."""
    draw, rng = Random(seed), np.random.default_rng(seed)
    for _ in range(examples(15)):
        ranks = random_ranks(rng, draw.randint(2, 30), 4)
        lists = [random_asked(draw, 4) for _ in range(20)]
        for engine in (LocalEngine(2), PickledEngine(seed, lossy=True)):
            with engine:
                engine.grain = draw.choice([1e-7, 1e-6, 0.3])  # type: ignore[misc]
                judge(ranks, lists, engine, 2, engine.name)


def test_a_stream_tells_which_were_tried() -> None:
    draw, rng = Random(5), np.random.default_rng(5)
    ranks = random_ranks(rng, 20, 4)
    lists = [random_asked(draw, 4) for _ in range(30)]
    with PickledEngine(5) as engine:
        engine.grain = 1e-6  # type: ignore[misc]
        told = list(stream_pairs(engine.share(table_of(ranks)), engine, Conjunctions.of(lists), 1, "told"))
    assert len(told) > 1
    assert sorted(np.concatenate([tried for tried, _ in told]).tolist()) == list(range(30))
    for tried, (numbers, _) in told:
        assert set(numbers.tolist()) == {m for m in tried.tolist() if satisfying(ranks, lists[m])}


def test_satisfies_is_the_definition() -> None:
    draw, rng = Random(6), np.random.default_rng(6)
    for _ in range(examples(100)):
        ranks = random_ranks(rng, 7, 3).astype(np.int32)
        asked = random_asked(draw, 3)
        pairs = np.array(list(permutations(range(7), 2)), np.int32)
        good = satisfies(ranks, Conjunctions.of([asked]).at(0), pairs)
        assert {tuple(pair) for pair in pairs[good].tolist()} == satisfying(ranks, asked)
