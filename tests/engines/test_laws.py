"""The merge laws hold for the sample jobs, and are seen to fail where they do not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.engine.fold import merge_all
from lawful.engine.local import InMemory
from lawful.evidence.gather import GatherPairs, blocks
from lawful.search.conjunctions import Conjunctions
from lawful.search.covers import Branch, Branches, SearchBranch
from lawful.search.violating import FindPairs, searches
from tests.engines.conftest import Named
from tests.engines.jobs import Best, Bits, Collecting, Sum, Tally
from tests.engines.laws import assert_merge_laws, same
from tests.evidence.outcomes import packing, random_layout, random_ranks
from tests.profiles import examples
from tests.search.test_covers import MADE
from tests.search.test_violating import random_asked
from tests.search.test_violating import random_ranks as satisfied_ranks

SHARED = InMemory((Named("a"), Named("b")), np.arange(20, dtype=np.int32).reshape(2, 10) % 4)  # type: ignore[arg-type]


@pytest.mark.parametrize("job", [Sum(), Tally(), Best()], ids=lambda job: type(job).__name__)
@given(units=st.lists(st.integers(0, 50), max_size=5))
def test_laws(job: Any, units: list[int]) -> None:
    assert_merge_laws(job, [job.run(SHARED, unit) for unit in units])


@given(units=st.lists(st.frozensets(st.integers(0, 127)), max_size=5))
def test_laws_of_arrays(units: list[frozenset[int]]) -> None:
    assert_merge_laws(Bits(), [Bits().run(SHARED, tuple(unit)) for unit in units])


@pytest.mark.parametrize("once", [False, True], ids=["both orders", "once"])
@pytest.mark.parametrize("counted", [False, True], ids=["set", "counted"])
@settings(max_examples=examples(25))
@given(seed=st.integers(0, 999))
def test_laws_of_evidence(counted: bool, once: bool, seed: int) -> None:
    draw = Random(seed)
    ranks, layout = random_ranks(draw, 5, 12), random_layout(draw, 5, draw.choice([4, 45]), crossed=not once)
    job, table = GatherPairs(packing(layout, ranks), counted, once), InMemory((), ranks)
    units = draw.sample(list(blocks(12, once, 5)), 3)
    assert_merge_laws(job, [job.run(table, unit) for unit in units])


@pytest.mark.parametrize("make", MADE)
@settings(max_examples=examples(50))
@given(seed=st.integers(0, 999))
def test_laws_of_branches(make: Any, seed: int) -> None:
    evidence, questions, *_ = make(Random(seed))
    job, branches = SearchBranch(evidence, tuple(questions)), Branches.of(questions, len(evidence))
    parts = []
    for unit in branches.units():
        assert isinstance(unit, Branch)
        parts.append(job.run(None, replace(unit, most=2)))
        branches.take_in(unit, parts[-1], 1)
    assert_merge_laws(job, parts[:4])


@settings(max_examples=examples(50))
@given(seed=st.integers(0, 999), most=st.integers(1, 4))
def test_laws_of_pairs_found(seed: int, most: int) -> None:
    draw, rng = Random(seed), np.random.default_rng(seed)
    shared = InMemory((), np.ascontiguousarray(satisfied_ranks(rng, 9, 4), np.int32))
    asked, job = Conjunctions.of([random_asked(draw, 4) for _ in range(9)]), FindPairs(most, f"laws {seed}")
    assert_merge_laws(job, [job.run(shared, unit) for unit in searches(shared, asked, 1e-7)][:4])  # type: ignore[arg-type]


@dataclass(frozen=True)
class Subtracting(Sum):
    def merge(self, left: int, right: int) -> int:
        return left - right


@dataclass(frozen=True)
class Averaging(Sum):
    def merge(self, left: int, right: int) -> int:
        return left or right if not (left and right) else (left + right) // 2


@dataclass(frozen=True)
class Growing(Bits):
    def merge(self, left: Any, right: Any) -> Any:
        left |= right
        return left


@pytest.mark.parametrize(
    ("job", "parts", "law"),
    [
        (Subtracting(), [1, 2], "identity"),
        (Averaging(), [1, 2, 8], "associative"),
        (Growing(), [np.array([1, 2], np.uint64), np.array([4, 8], np.uint64)], "changed|commutative"),
    ],
    ids=["Subtracting", "Averaging", "Growing"],
)
def test_a_broken_law_is_seen(job: Any, parts: list[Any], law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        assert_merge_laws(job, parts)


@given(st.lists(st.one_of(st.none(), st.integers())))
def test_merge_all_is_a_fold(parts: list[int | None]) -> None:
    assert merge_all(Best(), parts) == max((p for p in parts if p is not None), default=None)


def test_merge_all_touches_each_part_a_few_times() -> None:
    """1024 sets of one element: a running total would copy half a million elements, equal sizes ten thousand."""
    copied = []

    class Counting(Collecting):
        def merge(self, left: frozenset[Any], right: frozenset[Any]) -> frozenset[Any]:
            copied.append(len(left) + len(right))
            return left | right

    assert merge_all(Counting(), (frozenset([n]) for n in range(1024))) == frozenset(range(1024))
    assert sum(copied) == 1024 * 10 + 1024


def test_same_looks_into_arrays() -> None:
    left = {"a": [np.array([1]), (2, SHARED)]}
    assert same(left, {"a": [np.array([1]), (2, SHARED)]})
    assert not same(left, {"a": [np.array([2]), (2, SHARED)]})
    assert not same(np.array([1]), np.array([1.0]))
    assert not same(1, True)
