"""The least number of rows to remove, against definitions and against formulas that sort nothing."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from lawful.kernels.removal import fd_removal, key_removal, oc_removal
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
from tests.naive import Nulls, removal_error
from tests.strategies import random_tables


def key(case: Case) -> int:
    return int(key_removal(case.part.offs, case.part.classes))


def fd(case: Case, most: int = UNLIMITED) -> int:
    cnt, touched = counters(case.right, case.part)
    found = fd_removal(*case.part, case.right, cnt, touched, most)
    assert not cnt.any()
    return int(found)


def oc(case: Case, opposite: bool, most: int = UNLIMITED) -> int:
    return int(oc_removal(*case.part, case.left, case.right, opposite, *sorters(case.part), most))


def fd_oracle(case: Case) -> int:
    """Every class without its commonest rank."""
    counts = [Counter(case.right[group].tolist()) for group in case.part.groups()]
    return sum(count.total() - max(count.values()) for count in counts)


def oc_oracle(case: Case, opposite: bool) -> int:
    """Every class without the longest subsequence, found by trying each row as the end of one."""
    total = 0
    for group in case.part.groups():
        sign = -1 if opposite else 1
        rights = np.array([b for _, b in sorted((case.left[row], sign * case.right[row]) for row in group)])
        longest = np.ones(len(group), np.int64)
        for i in range(1, len(group)):
            longest[i] += max(longest[:i][rights[:i] <= rights[i]], default=0)
        total += len(group) - longest.max()
    return int(total)


def check_case(case: Case) -> None:
    assert key(case) == sum(len(group) - 1 for group in case.part.groups())
    check_budgets(partial(fd, case), fd_oracle(case))
    for opposite in (False, True):
        check_budgets(partial(oc, case, opposite), oc_oracle(case, opposite))


@given(cases())
def test_by_definition(case: Case) -> None:
    check_case(case)


def test_by_definition_in_bulk() -> None:
    for case in random_cases(seed=2, count=1500):
        check_case(case)


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_the_least_number_of_rows_of_small_tables(nulls: Nulls) -> None:
    for table, context, rest, case in table_cases(random_tables(3, 400, min_rows=1, max_rows=7), 3, nulls):
        found: dict[Rule, int] = {Key(tuple(context)): key(case), Fd(tuple(context), rest[1]): fd(case)}
        if len(set(rest)) == 2:
            found[Oc(tuple(context), rest[0], rest[1], "same")] = oc(case, False)
            found[Oc(tuple(context), rest[0], rest[1], "opposite")] = oc(case, True)
        for rule, removed in found.items():
            assert Fraction(removed, len(table)) == removal_error(rule, table, nulls), (rule, table)


def staircase(counts: Any) -> int:
    """Rows beside the heaviest way through a table of counts that only ever steps right or down."""
    best = np.zeros(counts.shape[1] + 1, np.int64)
    for row in counts:
        for b, count in enumerate(row, 1):
            best[b] = count + max(best[b], best[b - 1])
    return int(counts.sum() - best[-1])


def test_many_rows_with_ties() -> None:
    case = large_ties()
    assert fd(case) == case.n - np.bincount(case.right).max()
    assert key(case) == case.n - 1
    for opposite in (False, True):
        exact = staircase(cells(case, opposite))
        assert 0 < exact < case.n
        check_budgets(partial(oc, case, opposite), exact)


def test_many_rows_without_ties() -> None:
    case = large_blocks()
    assert fd(case) == case.n - 1
    assert oc(case, False) == 200_000
    assert oc(case, True) == case.n - 3
    assert oc(case, False, 199_999) > 199_999


def test_the_highest_ranks() -> None:
    top = 2**31 - 1
    members = [(top, 0), (top - 1, top), (0, top - 1), (top, top), (0, 0)]
    case = case_of([members], random.Random(1))
    assert (oc(case, False), oc(case, True)) == (oc_oracle(case, False), oc_oracle(case, True)) == (1, 2)


def test_a_hopeless_candidate_is_dropped_before_its_classes_are_sorted() -> None:
    case = case_of([[(i, -i % 40) for i in range(40)]], random.Random(4))
    keys, spare = sorters(case.part)
    assert oc_removal(*case.part, case.left, case.right, False, keys, spare, 10) > 10
    assert (keys == -7).all()
