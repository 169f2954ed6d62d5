"""Indexes over two columns, against looking at every row."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lawful.errors import JobError
from lawful.kernels.chains import AGAINST, ANY, CLUSTERED, MIRRORED, TOGETHER, spans, spans_near
from lawful.kernels.conjunction import AT_LEAST, AT_MOST, EQUAL, LESS, MORE, UNEQUAL
from lawful.maintain.chains import ChainIndex, EqualityIndex
from tests.naive.probing import fewest_chains, follows, found
from tests.profiles import examples

OPS = {"=": EQUAL, "<": LESS, "<=": AT_MOST, ">": MORE, ">=": AT_LEAST, "": ANY}
Index: TypeAlias = ChainIndex | EqualityIndex
Columns: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32]]


def ranks(values: list[int]) -> NDArray[np.int32]:
    return np.array(values, np.int32)


@st.composite
def columns(draw: st.DrawFn, most: int = 24) -> Columns:
    """Two columns of few values, so that there are ties everywhere; now and then constants, keys, no row, one row."""
    rows = draw(st.integers(0, most))
    one = st.integers(0, draw(st.sampled_from([0, 1, 3, 6, 30])))
    other = st.integers(0, draw(st.sampled_from([0, 1, 3, 6, 30])))
    return tuple(ranks(draw(st.lists(kind, min_size=rows, max_size=rows))) for kind in (one, other))  # type: ignore[return-value]


def random_columns(seed: int, count: int, most: int) -> Iterator[Columns]:
    draws = np.random.default_rng(seed)
    for _ in range(count):
        rows = int(draws.integers(0, most))
        one, other = (draws.integers(0, top, rows).astype(np.int32) for top in draws.integers(1, 9, 2))
        yield one, other


def every_index(a: NDArray[np.int32], b: NDArray[np.int32]) -> tuple[Index, ...]:
    return ChainIndex.build(a, b, TOGETHER), ChainIndex.build(a, b, AGAINST), EqualityIndex.build(a, b)


def check_answers(index: Index, a: NDArray[np.int32], b: NDArray[np.int32]) -> None:
    """Every mix of operators for every probe among the values and around them."""
    assert len(index) == len(a) and sorted(index.rows.tolist()) == list(range(len(a)))
    probes = np.array(list(product(around(a), around(b))), np.int32)
    for (name, op), (other_name, other) in product(OPS.items(), OPS.items()):
        if not index.answers(op, other):
            assert index.sign == CLUSTERED and op != EQUAL and other != ANY
            continue
        fetched = index.fetch_many(a, b, probes[:, 0].copy(), probes[:, 1].copy(), op, other)
        for p, (va, vb) in enumerate(probes.tolist()):
            rows = sorted(fetched.rows[fetched.offs[p] : fetched.offs[p + 1]].tolist())
            assert rows == found(a.tolist(), b.tolist(), (va, vb), (name, other_name))


def around(column: NDArray[np.int32]) -> list[int]:
    """Some of the values, and one on either side of all."""
    values = sorted(set(column.tolist()))
    return [-1, *values[:: max(len(values) // 4, 1)], values[-1] + 1] if values else [0]


def check_runs(index: Index, a: NDArray[np.int32], b: NDArray[np.int32]) -> None:
    """Every run is sorted the way its sign says, and so is what belongs together of both levels."""
    sign = index.sign or 1
    together: dict[int, list[tuple[int, int]]] = {}
    for level in index.levels:
        for j, (start, stop) in enumerate(pairwise(level.offs.tolist())):
            values = [(int(a[t]), sign * int(b[t])) for t in level.rows[start:stop]]
            assert values == sorted(values)
            together.setdefault(j, []).extend(values)
    if index.sign != CLUSTERED:
        for values in together.values():
            assert all(follows(t, u, True) for t, u in pairwise(sorted(values)))


@settings(max_examples=examples(60))
@given(columns())
def test_every_mix_of_operators(drawn: Columns) -> None:
    for index in every_index(*drawn):
        check_runs(index, *drawn)
        check_answers(index, *drawn)


@settings(max_examples=examples(200))
@given(columns(14))
def test_no_cover_has_fewer_chains(drawn: Columns) -> None:
    a, b = drawn
    for sign in (TOGETHER, AGAINST):
        index = ChainIndex.build(a, b, sign)
        assert index.rank == index.least == fewest_chains(a.tolist(), b.tolist(), sign == TOGETHER)
    assert ChainIndex.build(a, b).rank == min(ChainIndex.build(a, b, sign).rank for sign in (TOGETHER, AGAINST))


def test_no_cover_has_fewer_chains_in_bulk() -> None:
    for a, b in random_columns(seed=4, count=600, most=30):
        assert ChainIndex.build(a, b, TOGETHER).rank == fewest_chains(a.tolist(), b.tolist(), True)
        assert ChainIndex.build(b, a, AGAINST).rank == fewest_chains(a.tolist(), b.tolist(), False)


@settings(max_examples=examples(60))
@given(columns(30), st.lists(st.integers(1, 5), min_size=30, max_size=30), st.integers(0, 10))
def test_rows_added_in_batches(drawn: Columns, batches: list[int], first: int) -> None:
    """Answers after every batch; of few rows at first, so that both ways to take rows in are taken."""
    a, b = drawn
    for index in every_index(a[:first], b[:first]):
        for size in batches:
            known = len(index)
            index = index.extended(a[: known + size], b[: known + size], known)
            check_runs(index, a[: len(index)], b[: len(index)])
        check_answers(index, a, b)


@pytest.mark.parametrize("sign", [TOGETHER, AGAINST, CLUSTERED])
@pytest.mark.parametrize("top", [3, 40, 3000])
def test_rows_added_to_long_runs(sign: int, top: int) -> None:
    """Batches that are small beside what is there, so that rows go into chains, and levels are merged on the way."""
    draws = np.random.default_rng(top)
    a, b = draws.integers(0, top, 6000).astype(np.int32), draws.integers(0, 4, 6000).astype(np.int32)
    b += sign * a + (top if sign == AGAINST else 0)
    index = EqualityIndex.build(a[:3000], b[:3000]) if sign == CLUSTERED else ChainIndex.build(a[:3000], b[:3000], sign)
    levels = set()
    for stop in range(3100, 6001, 100):
        index = index.extended(a[:stop], b[:stop], stop - 100)
        levels.add(len(index.levels))
    assert levels == {1, 2} and index.nbytes <= 4 * 6000 + 16 * (index.rank + 1)
    check_runs(index, a, b)
    assert index.rank >= index.rebuilt(a, b).rank == index.rebuilt(a, b).least
    for op, other in product(OPS.values(), OPS.values()):
        if index.answers(op, other):
            fetched = index.fetch_many(a, b, a[5900:], b[5900:], op, other)
            again = index.rebuilt(a, b).fetch_many(a, b, a[5900:], b[5900:], op, other)
            assert np.array_equal(fetched.offs, again.offs)
            for start, stop in pairwise(fetched.offs):
                assert set(fetched.rows[start:stop].tolist()) == set(again.rows[start:stop].tolist())


def test_a_row_goes_into_a_chain_that_can_take_it() -> None:
    a = b = np.arange(0, 4000, 2, dtype=np.int32)
    index = ChainIndex.build(a, b)
    more = ranks([1, 1, 3000, 4001])
    index = index.extended(np.append(a, more), np.append(b, more), 2000)
    assert index.rank == 1 and len(index.levels) == 2
    more = np.append(more, ranks([5])).astype(np.int32)
    index = index.extended(np.append(a, more), np.append(b, ranks([1, 1, 3000, 4001, 7])), 2004)
    assert index.rank == 2


@settings(max_examples=examples(50))
@given(columns(20), st.randoms())
def test_the_order_of_insertion_does_not_matter(drawn: Columns, random: object) -> None:
    a, b = drawn
    order = list(range(len(a)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for index in (ChainIndex.build(a[:0], b[:0], TOGETHER), ChainIndex.build(a[:0], b[:0], AGAINST)):
        for t in order:
            index = index.added(a, b, ranks([t]))
        check_answers(index, a, b)


@given(columns(20))
def test_ranks_may_be_remapped(drawn: Columns) -> None:
    """New values between old ones move ranks; order and equality stay, and so does the index."""
    a, b = drawn
    for index in every_index(a, b):
        check_answers(index, (3 * a + 2).astype(np.int32), (5 * b + 7).astype(np.int32))


def test_many_probes_are_taken_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    for a, b in random_columns(seed=5, count=40, most=25):
        index = ChainIndex.build(a, b)
        whole = index.fetch_many(a, b, a, b, LESS, AT_LEAST)
        with monkeypatch.context() as small:
            small.setattr("lawful.maintain.chains._ROOM", 7)
            parts = index.fetch_many(a, b, a, b, LESS, AT_LEAST)
        assert np.array_equal(whole.offs, parts.offs) and np.array_equal(whole.rows, parts.rows)
        assert np.array_equal(index.count_many(a, b, a, b, LESS, AT_LEAST), np.diff(whole.offs))


def test_some_rows_only() -> None:
    a, b = ranks([3, 1, 2, 1]), ranks([1, 1, 0, 2])
    for index in (ChainIndex.build(a, b, rows=ranks([1, 3])), EqualityIndex.build(a, b, rows=ranks([3, 1]))):
        assert index.fetch(a, b, 1, 9, EQUAL, LESS).tolist() == [1, 3]
        assert index.fetch(a, b, 9, 9, LESS, ANY).tolist() == [1, 3]


def test_one_column() -> None:
    a = ranks([2, 0, 2, 1])
    index = EqualityIndex.build(a, a)
    assert index.fetch(a, a, 2, 0, EQUAL, ANY).tolist() == [0, 2]
    assert index.fetch(a, a, 2, 0, LESS, ANY).tolist() == [1, 3]


def test_mirrored_operators_give_the_pairs_the_other_way_round() -> None:
    a, b = ranks([0, 1, 1, 2]), ranks([5, 5, 4, 6])
    index = ChainIndex.build(a, b)
    for (name, op), (other_name, other) in product(OPS.items(), OPS.items()):
        turned = [t for t in range(4) if 1 in found(a.tolist(), b.tolist(), (int(a[t]), int(b[t])), (name, other_name))]
        assert index.fetch(a, b, int(a[1]), int(b[1]), MIRRORED[op], MIRRORED[other]).tolist() == turned


def test_spans_of_one_probe() -> None:
    a, b = ranks([0, 1, 2, 3]), ranks([3, 1, 2, 0])
    (level,) = ChainIndex.build(a, b, TOGETHER).levels
    starts, stops = np.zeros(3, np.int64), np.zeros(3, np.int64)
    assert spans(level, a, b, 1, 2, AT_LEAST, AT_MOST, starts, stops) == 3
    rows = [level.rows[start:stop].tolist() for start, stop in zip(starts, stops, strict=True)]
    assert sorted(map(sorted, rows)) == [[], [1, 2], [3]]


@settings(max_examples=examples(60))
@given(columns(), st.booleans())
def test_spans_of_probes_in_order(drawn: Columns, falling: bool) -> None:
    """Where the one before was left is only a hint: any place, and any order of the probes, gives the same."""
    a, b = drawn
    order = np.argsort(-a if falling else a, kind="stable").tolist()
    for index in every_index(a, b)[:2]:
        (level,) = index.levels
        near = np.full(index.rank, -1)
        first, second = np.zeros((2, index.rank), np.int64), np.zeros((2, index.rank), np.int64)
        for p, (op, other) in product(order, product(OPS.values(), OPS.values())):
            count = spans(level, a, b, a[p], b[p], op, other, *first)
            assert spans_near(level, a, b, a[p], b[p], op, other, near, *second) == count
            held = first[1] > first[0]
            assert np.array_equal(held, second[1] > second[0]) and np.array_equal(first[:, held], second[:, held])


@pytest.mark.parametrize("op, other", [(UNEQUAL, LESS), (LESS, UNEQUAL)])
def test_what_cannot_be_asked(op: int, other: int) -> None:
    a = ranks([1, 2])
    for index in every_index(a, a):
        with pytest.raises(JobError, match="does not answer"):
            index.fetch(a, a, 1, 1, op, other)
    with pytest.raises(JobError, match="does not answer"):
        EqualityIndex.build(a, a).fetch(a, a, 1, 1, LESS, EQUAL)


def test_memory_is_linear_in_rows() -> None:
    draws = np.random.default_rng(7)
    for rows in (1000, 100_000):
        a = draws.integers(0, rows, rows).astype(np.int32)
        index = ChainIndex.build(a, draws.integers(0, rows, rows).astype(np.int32))
        assert index.rank < 4 * rows**0.5
        assert index.nbytes <= 4 * rows + 8 * (index.rank + 2)
