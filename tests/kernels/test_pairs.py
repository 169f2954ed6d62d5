"""Pairs that break a rule, against their definition pair by pair and against formulas that sort nothing."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.kernels.pairs import (
    fd_pairs,
    fd_witness,
    key_pairs,
    key_witness,
    oc_pairs,
    oc_witness,
    sort_counting,
)
from lawful.rules.model import Fd, Key, Oc, Rule
from tests.kernels.stripped import (
    UNLIMITED,
    Case,
    case_of,
    cases,
    cells,
    check_budgets,
    counters,
    large_blocks,
    large_ties,
    random_cases,
    sorters,
    table_cases,
)
from tests.naive import Nulls, pairs_error
from tests.strategies import random_tables


def key(case: Case) -> int:
    return int(key_pairs(case.part.offs, case.part.classes))


def fd(case: Case, most: int = UNLIMITED) -> int:
    cnt, touched = counters(case.right, case.part)
    found = fd_pairs(*case.part, case.right, cnt, touched, most)
    assert not cnt.any()
    return int(found)


def oc(case: Case, opposite: bool, most: int = UNLIMITED) -> int:
    return int(oc_pairs(*case.part, case.left, case.right, opposite, *sorters(case.part), most))


def witness(case: Case, opposite: bool) -> tuple[int, int]:
    t, u = oc_witness(*case.part, case.left, case.right, opposite, *sorters(case.part))
    return int(t), int(u)


def fd_oracle(case: Case) -> set[tuple[int, int]]:
    b = case.right
    return {(t, u) for group in case.part.groups() for t, u in permutations(group, 2) if b[t] != b[u]}


def oc_oracle(case: Case, opposite: bool) -> set[tuple[int, int]]:
    a, b = case.left, -case.right if opposite else case.right
    return {(t, u) for group in case.part.groups() for t, u in permutations(group, 2) if a[t] < a[u] and b[t] > b[u]}


def check_case(case: Case) -> None:
    agreeing = {pair for group in case.part.groups() for pair in permutations(group, 2)}
    assert key(case) == len(agreeing)
    assert key_witness(case.part.rows, case.part.classes) in (agreeing or {(-1, -1)})
    unequal = fd_oracle(case)
    check_budgets(partial(fd, case), len(unequal))
    assert fd_witness(*case.part, case.right) in (unequal or {(-1, -1)})
    for opposite in (False, True):
        swaps = oc_oracle(case, opposite)
        check_budgets(partial(oc, case, opposite), len(swaps))
        assert witness(case, opposite) in (swaps or {(-1, -1)})


@given(cases())
def test_by_definition(case: Case) -> None:
    check_case(case)


def test_by_definition_in_bulk() -> None:
    for case in random_cases(seed=4, count=1000):
        check_case(case)


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_the_error_of_small_tables(nulls: Nulls) -> None:
    for table, context, rest, case in table_cases(random_tables(5, 400, min_rows=2), 5, nulls):
        found: dict[Rule, int] = {Key(tuple(context)): key(case), Fd(tuple(context), rest[1]): fd(case)}
        if len(set(rest)) == 2:
            found[Oc(tuple(context), rest[0], rest[1], "same")] = oc(case, False)
            found[Oc(tuple(context), rest[0], rest[1], "opposite")] = oc(case, True)
        for rule, pairs in found.items():
            assert Fraction(pairs, case.n * (case.n - 1)) == pairs_error(rule, table, nulls), (rule, table)


def crossing(counts: Any) -> int:
    """Pairs of rows, the first in a cell of a lower row and a later column than the second's."""
    before = np.cumsum(counts, axis=0)[:-1]
    beyond = before.sum(axis=1, keepdims=True) - np.cumsum(before, axis=1)
    return int((counts[1:] * beyond).sum())


def test_many_rows_with_ties() -> None:
    case = large_ties()
    assert key(case) == case.n * (case.n - 1) > 2**32
    exact = case.n**2 - int((np.bincount(case.right).astype(np.int64) ** 2).sum())
    assert exact > 2**32
    check_budgets(partial(fd, case), exact)
    for opposite in (False, True):
        exact = crossing(cells(case, opposite))
        assert exact > 2**28
        check_budgets(partial(oc, case, opposite), exact)


def test_many_rows_without_ties() -> None:
    case = large_blocks()
    across = 3 * 100_000**2
    assert fd(case) == case.n * (case.n - 1)
    assert oc(case, False) == across > 2**32
    assert oc(case, True) == case.n * (case.n - 1) // 2 - across > 2**30
    assert fd(case, 10) > 10


def test_a_single_swap_among_many_rows_is_found() -> None:
    n = 300_000
    right = list(range(n))
    right[7], right[8] = 8, 7
    case = case_of([list(enumerate(right))], random.Random(6))
    assert oc(case, False) == 1
    t, u = witness(case, False)
    assert (case.left[t], case.left[u]) == (7, 8)
    assert oc(case, True) == n * (n - 1) // 2 - 1


def test_the_highest_ranks() -> None:
    top = 2**31 - 1
    case = case_of([[(top, 0), (top - 1, top), (0, top - 1), (top, top), (0, 0)]], random.Random(1))
    for opposite in (False, True):
        swaps = oc_oracle(case, opposite)
        assert oc(case, opposite) == len(swaps) > 0
        assert witness(case, opposite) in swaps


@given(st.lists(st.integers(-5, 40), max_size=200))
def test_sorting_counts_what_it_turns(values: list[int]) -> None:
    array = np.array([*values, -9], np.int64)
    turned = sort_counting(array, np.empty(len(values), np.int64), len(values))
    assert array.tolist() == [*sorted(values), -9]
    assert turned == sum(x > y for i, x in enumerate(values) for y in values[i + 1 :])
