"""Exact validation of candidates is trying them group by group, whatever is remembered and in whatever order."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from lawful.kernels.contexts import Base, Found, validate
from lawful.kernels.glance import Turned, turn
from lawful.kernels.witnesses import Known, remember_all
from tests.kernels.contexts import Trial, set_bits, trials
from tests.kernels.stripped import frozen, stripped
from tests.profiles import examples


def run(trial: Trial, pairs: Any, *, room: int, exhaustive: bool = False, follow: bool = False, least: int = 0) -> Any:
    """What is found with these pairs remembered and room for so many more; and the pairs that are new."""
    ranks, places, ordered, sets, fd, oc = trial.arguments()
    words = max((len(pairs) + room + 63) // 64, 1)
    bits = (np.zeros((trial.width, words), np.uint64) for _ in range(2))
    known = Known(*bits, np.zeros(1, np.int64))
    remember_all(ranks, places, known.agree, known.less, known.count, pairs)
    some = pairs[: len(pairs) * (len(sets) % 4) // 3]  # all, a part or none are looked at before the bitmaps
    turned = Turned(*np.zeros((2, len(some), trial.width // 64 + 1), np.uint64))
    turn(ranks, places, some, turned, 0)
    found = Found(*(np.zeros_like(like) for like in (fd, oc, fd, oc)), np.zeros(len(sets), np.int64))
    new, counters = np.full((room, 2), -7, np.int32), np.zeros(6, np.int64)
    tried = ranks, places, ordered, sets, fd, oc
    fresh = validate(*tried, known, turned, exhaustive, follow, least, base(trial), found, new, counters)
    assert (new[fresh:] == -7).all()
    return found, new[:fresh], counters


def base(trial: Trial) -> Base:
    """The partition by the columns that all contexts start with."""
    prefix = trial.contexts[0]
    for context in trial.contexts:
        while context[: len(prefix)] != prefix:
            prefix = prefix[:-1]
    return Base(np.array(prefix, np.int64), *stripped(trial.groups(prefix)))


def swapped(trial: Trial, group: list[int], left: int, right: int, direction: int) -> bool:
    a, b = trial.sub(group, left), trial.sub(group, right)
    against = [
        (x < y) and (v < w if direction else v > w)
        for x, v in zip(a, b, strict=True)
        for y, w in zip(a, b, strict=True)
    ]
    return any(against)


def expected(trial: Trial, least: int = 0) -> list[tuple[set[int], set[int], set[int], set[int], int]]:
    """Per context: free columns, violated bits, columns and bits that hold, and the pairs that share it."""
    found = []
    for context, fd, oc in zip(trial.contexts, trial.fd, trial.oc, strict=True):
        groups = trial.groups(context)
        shared = sum(len(group) ** 2 for group in groups)
        if shared < least:
            found.append((set(), set(), set(), set(), -1))
            continue
        valid = {c for c in fd if c < trial.width and all(len(set(trial.sub(group, c))) == 1 for group in groups)}
        if trial.width in fd and len(groups) == trial.rows:
            valid.add(trial.width)
        free = fd - valid
        tested = {
            bit: (left, right, direction)
            for bit, (left, right, direction) in enumerate(trial.pairs())
            if bit in oc and left in free and right in free and trial.ordered[left] and trial.ordered[right]
        }
        bad = {bit for bit, pair in tested.items() if any(swapped(trial, group, *pair) for group in groups)}
        holds = valid or set(tested) - bad
        found.append((free, bad, valid, set(tested) - bad, shared if holds or least else -1))
    return found


def check(trial: Trial, found: Found, wanted: list[tuple[Any, ...]], least: int = 0) -> None:
    got = list(zip(*map(set_bits, found[:4]), found.shared.tolist(), strict=True))
    for q, (ours, theirs) in enumerate(zip(got, wanted, strict=True)):
        assert ours[:4] == theirs[:4], (trial, q)
        if ours[2] or ours[3] or not least:
            assert ours[4] == theirs[4], (trial, q)


@pytest.mark.parametrize("store", ["nothing", "no room", "some", "roomy"])
def test_validation_by_definition(store: str) -> None:
    rng = random.Random(store)
    for trial in trials(1, examples(500)):
        some = np.array([rng.sample(range(trial.rows), 2) for _ in range(rng.randint(1, 90))], np.int32)
        pairs = some if store in ("some", "no room") else some[:0]
        found, _, _ = run(trial, pairs, room={"nothing": 0, "no room": 0, "some": 5, "roomy": 4000}[store])
        check(trial, found, expected(trial))


def test_all_pairs_remembered_need_no_data() -> None:
    for trial in trials(2, examples(500)):
        pairs = np.column_stack(np.triu_indices(trial.rows, 1)).astype(np.int32)
        found, new, counters = run(trial, pairs, room=0, exhaustive=True)
        check(trial, found, expected(trial))
        assert len(new) == 0
        assert (counters[0], counters[1], counters[2], counters[5]) == (0, 0, 0, 0)


@pytest.mark.parametrize("exhaustive", [True, False])
def test_contexts_that_few_pairs_share_are_given_up(exhaustive: bool) -> None:
    rng = random.Random(3)
    for trial in trials(3, examples(300)):
        least = rng.randint(1, trial.rows**2)
        pairs = np.column_stack(np.triu_indices(trial.rows, 1)).astype(np.int32)
        found, _, _ = run(trial, pairs if exhaustive else pairs[:3], room=64, exhaustive=exhaustive, least=least)
        check(trial, found, expected(trial, least), least)


def test_every_new_pair_is_a_witness() -> None:
    """Each agrees on some context and breaks a candidate there that was not refuted before."""
    for trial in trials(4, examples(300)):
        _, new, _ = run(trial, np.zeros((0, 2), np.int32), room=4000)
        wanted = expected(trial)
        for left, right in new.tolist():
            assert left != right
            row = [trial.ranks[place][[left, right]].tolist() for place in trial.places]
            assert any(
                all(row[c][0] == row[c][1] for c in context)
                and (
                    trial.width in free
                    or any(row[c][0] != row[c][1] for c in free if c < trial.width)
                    or any(_breaks(row, *trial.pairs()[bit]) for bit in bad)
                )
                for context, (free, bad, *_) in zip(trial.contexts, wanted, strict=True)
            )


def _breaks(row: list[list[int]], left: int, right: int, direction: int) -> bool:
    a, b = (row[c][0] - row[c][1] for c in (left, right))
    return a * b > 0 if direction else a * b < 0


def test_what_was_learnt_is_not_looked_for_again() -> None:
    """With the witnesses of a first run remembered, a second refutes every wrong candidate without the data."""
    for trial in trials(5, examples(150)):
        first, new, _ = run(trial, np.zeros((0, 2), np.int32), room=4000)
        again, more, counters = run(trial, new, room=4000)
        for ours, theirs in zip(again, first, strict=True):
            assert np.array_equal(ours, theirs)
        assert len(more) == 0
        assert counters[1] == sum(len(columns) for columns in set_bits(first.valid_fd))


def test_a_context_with_the_row_alone_open_is_a_key() -> None:
    """Subsets determine the other columns and no two rows are equal: nothing needs to be looked at."""
    ranks = frozen([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 2, 3]])
    trial = Trial(ranks, (0, 1, 2), (True,) * 3, [(0, 1)], [{3}], [set()])
    found, _, counters = run(trial, np.zeros((0, 2), np.int32), room=8, follow=True)
    assert (set_bits(found.valid_fd), found.shared.tolist()) == ([{3}], [4])
    assert not counters.any()


def test_rows_by_the_hundred_thousand() -> None:
    """Sums of squares and ranks beyond what 32 bits hold when multiplied."""
    n = 120_000
    ranks = frozen([np.arange(n) % 2, np.arange(n) // 2, np.zeros(n), n - 1 - np.arange(n)])
    trial = Trial(ranks, (0, 1, 2, 3), (True,) * 4, [(), (0,)], [{0, 1, 2, 3, 4}, {1, 2, 3, 4}], [{8, 9}] * 2)
    found, _, _ = run(trial, np.zeros((0, 2), np.int32), room=64)
    assert trial.pairs()[9] == (1, 3, 1)
    assert (set_bits(found.valid_fd), set_bits(found.free)) == ([{2}, {2}], [{0, 1, 3, 4}, {1, 3, 4}])
    assert (set_bits(found.viol), set_bits(found.valid_oc)) == ([{8}, {8}], [{9}, {9}])
    assert found.shared.tolist() == [n * n, n * n // 2]
