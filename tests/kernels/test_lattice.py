"""Contexts that wait for their subsets: the same ones become ready in whatever order subsets finish."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.kernels.lattice import Pending, absorb, in_order, open_entries, rehash

Finished = list[tuple[frozenset[int], int, int, int]]
"""Contexts with the columns to grow by, the columns not determined and the bits violated, as integers."""


def pending(room: int, slots: int, words: int, pair_words: int) -> Pending:
    return Pending(
        np.zeros(slots, np.int64),
        np.zeros((room, words), np.uint64),
        np.zeros(room, np.int32),
        np.zeros((room, words), np.uint64),
        np.zeros((room, pair_words), np.uint64),
        np.zeros(1, np.int64),
    )


def words_of(values: list[int], words: int) -> Any:
    return np.array([[v >> 64 * i & (1 << 64) - 1 for i in range(words)] for v in values], np.uint64).reshape(-1, words)


def number(words: Any) -> int:
    return sum(int(word) << 64 * i for i, word in enumerate(words))


def mask(columns: frozenset[int]) -> int:
    return sum(1 << column for column in columns)


def make_finished(rng: random.Random, width: int, size: int) -> Finished:
    """Some contexts of ``size`` columns, each with random outcomes."""
    every = [frozenset(c) for c in combinations(range(width), size)]
    found = []
    for context in rng.sample(every, rng.randint(1, len(every))):
        outside = (1 << width) - 1 & ~mask(context)
        free = rng.getrandbits(width + 1) & (outside | 1 << width)
        found.append((context, free & outside, free, rng.getrandbits(100)))
    return found


def expected(finished: Finished) -> dict[int, tuple[int, int]]:
    """The contexts all of whose subsets are there and may grow into them, with what all of these leave open."""
    known = {context: rest for context, *rest in finished}
    found = {}
    for bigger in {context | {c} for context, grow, *_ in finished for c in range(grow.bit_length()) if grow >> c & 1}:
        subsets = [(c, known.get(bigger - {c})) for c in bigger]
        if all(rest is not None and rest[0] >> c & 1 for c, rest in subsets):
            fd = oc = -1
            for _, (_, free, viol) in subsets:  # type: ignore[misc]
                fd, oc = fd & free, oc & viol
            found[mask(bigger)] = (fd & ~mask(bigger), oc)
    return found


def ready_after(finished: Finished, size: int, words: int, cuts: list[int], pair_words: int = 2) -> dict[int, Any]:
    """What becomes ready when the contexts come in blocks cut at these places, in a table that starts small."""
    table = pending(8, 16, words, pair_words)
    found: list[int] = []
    edges = [0, *sorted(cuts), len(finished)]
    for first, last in pairwise(edges):
        block = finished[first:last]
        arrays = [
            words_of([part(row) for row in block], words)
            for part in (lambda r: mask(r[0]), lambda r: r[1], lambda r: r[2])
        ]
        viol = words_of([row[3] for row in block], pair_words) if pair_words else np.zeros((len(block), 0), np.uint64)
        start = 0
        while start < len(block):
            out = np.full(64 * words + 3, -7, np.int64)
            start, count = absorb(table, *arrays, viol, size, start, out)
            assert (out[count:] == -7).all()
            found += out[:count].tolist()
            if start < len(block) and table.used[0] + 64 * words > len(table.counts):
                table = grown(table)
    assert len(found) == len(set(found)), "ready twice"
    return {number(table.sets[e]): (number(table.cand_fd[e]), number(table.cand_oc[e])) for e in found}


def grown(old: Pending) -> Pending:
    used, room = int(old.used[0]), 2 * len(old.counts)
    new = pending(room, 2 * room, old.sets.shape[1], old.cand_oc.shape[1])
    for name in ("sets", "counts", "cand_fd", "cand_oc"):
        getattr(new, name)[:used] = getattr(old, name)[:used]
    new.used[0] = used
    rehash(new.slots, new.sets, used)
    return new


@given(st.integers(1, 7), st.integers(0, 3), st.randoms(use_true_random=False))
def test_any_order_and_any_cut_make_the_same_contexts_ready(width: int, size: int, rng: random.Random) -> None:
    finished = make_finished(rng, width, min(size, width))
    wanted = expected(finished)
    for _ in range(3):
        rng.shuffle(finished)
        cuts = rng.choices(range(len(finished) + 1), k=rng.randint(0, 4))
        assert ready_after(finished, min(size, width) + 1, 2, cuts) == wanted


def test_columns_of_three_words() -> None:
    rng = random.Random(2)
    columns = [0, 1, 62, 63, 64, 65, 127, 128, 190]
    outside = mask(frozenset(columns)) | 1 << 191
    finished: Finished = []
    for context in combinations(columns, 2):
        free = outside & ~mask(frozenset(context))
        finished.append((frozenset(context), free & ~(1 << 191), free, (1 << 128) - 1))
    wanted = expected(finished)
    assert len(wanted) == 84
    rng.shuffle(finished)
    assert ready_after(finished, 3, 3, [5, 20]) == wanted


def test_no_pairs_to_follow() -> None:
    finished: Finished = [(frozenset({c}), 0b111 & ~(1 << c), 0b1111 & ~(1 << c), 0) for c in range(3)]
    found = ready_after(finished, 2, 1, [1], pair_words=0)
    assert found == {0b011: (0b1100, 0), 0b101: (0b1010, 0), 0b110: (0b1001, 0)}


def test_a_full_table_is_found_again_after_growing() -> None:
    """Thousands of entries through many doublings."""
    finished: Finished = [
        (frozenset(c), (1 << 30) - 1 & ~mask(frozenset(c)), (1 << 30) - 1 & ~mask(frozenset(c)), 1)
        for c in combinations(range(30), 2)
    ]
    random.Random(3).shuffle(finished)
    found = ready_after(finished, 3, 1, [7, 100, 101, 300])
    assert set(found) == {mask(frozenset(c)) for c in combinations(range(30), 3)}


def test_open_entries_have_a_candidate_left() -> None:
    cand = np.array([[0, 0], [1, 0], [0, 1 << 63], [0, 0]], np.uint64)
    out = np.full(4, -7, np.int64)
    kept = open_entries(cand, np.zeros((4, 0), np.uint64), np.array([3, 2, 0, 1]), out)
    assert out[:kept].tolist() == [2, 1]


@pytest.mark.parametrize("width", [5, 52, 60, 70])
def test_contexts_with_a_common_prefix_stand_together(width: int) -> None:
    contexts = [frozenset(c) for c in combinations(range(min(width, 12)), 3)]
    random.Random(4).shuffle(contexts)
    keys = in_order(words_of([mask(c) for c in contexts], 2), width)
    assert [contexts[i] for i in np.argsort(keys)] == sorted(contexts, key=sorted)
