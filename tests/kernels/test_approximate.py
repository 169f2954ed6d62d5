"""Approximate validation accepts what stays within the budget, and tells its exact error."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from lawful.kernels.approximate import Near, validate_near
from tests.kernels.contexts import Trial, set_bits, trials
from tests.kernels.stripped import frozen
from tests.profiles import examples


def run(trial: Trial, by_pairs: bool, most: int, least: int = 0) -> tuple[Near, list[int], list[int]]:
    ranks, places, ordered, sets, fd, oc = trial.arguments()
    found = Near(*(np.zeros_like(like) for like in (fd, fd, oc, fd, oc)), np.zeros(len(sets), np.int64))
    fd_errors, oc_errors = validate_near(
        ranks, places, ordered, sets, fd, oc, by_pairs, most, least, found, np.zeros(6, np.int64)
    )
    return found, fd_errors.tolist(), oc_errors.tolist()


def fd_error(trial: Trial, groups: list[list[int]], column: int, by_pairs: bool) -> int:
    total = 0
    for group in groups:
        counts = Counter(group if column == trial.width else trial.sub(group, column)).values()
        n = len(group)
        total += n * n - sum(c * c for c in counts) if by_pairs else n - max(counts)
    return total


def oc_error(trial: Trial, groups: list[list[int]], left: int, right: int, direction: int, by_pairs: bool) -> int:
    total = 0
    for group in groups:
        sign = -1 if direction else 1
        rows = sorted((a, sign * b) for a, b in zip(trial.sub(group, left), trial.sub(group, right), strict=True))
        if by_pairs:
            total += sum(a < x and b > y for a, b in rows for x, y in rows)
            continue
        ends: list[int] = []
        for i, (_, b) in enumerate(rows):
            ends.append(1 + max((ends[j] for j in range(i) if rows[j][1] <= b), default=0))
        total += len(rows) - max(ends)
    return total


def expected(trial: Trial, by_pairs: bool, most: int, least: int) -> list[Any]:
    found = []
    for context, fd, oc in zip(trial.contexts, trial.fd, trial.oc, strict=True):
        groups = trial.groups(context)
        shared = sum(len(group) ** 2 for group in groups)
        if shared < least:
            found.append((set(), set(), set(), {}, {}, -1))
            continue
        errors = {column: fd_error(trial, groups, column, by_pairs) for column in fd}
        valid = {column: errors[column] for column in sorted(fd) if errors[column] <= most}
        free = fd - set(valid)
        grow = {c for c in range(trial.width) if c not in context and errors.get(c) != 0}
        tested = {
            bit: oc_error(trial, groups, left, right, direction, by_pairs)
            for bit, (left, right, direction) in enumerate(trial.pairs())
            if bit in oc and {left, right} <= free and trial.ordered[left] and trial.ordered[right]
        }
        along = {bit: error for bit, error in tested.items() if error <= most}
        found.append((free, grow, set(tested) - set(along), valid, along, shared if valid or along else -1))
    return found


@pytest.mark.parametrize("by_pairs", [False, True], ids=["removal", "pairs"])
def test_validation_by_definition(by_pairs: bool) -> None:
    rng = random.Random(1)
    for trial in trials(11, examples(500)):
        most = rng.choice([0, 1, 2, 3, trial.rows // 3, trial.rows * (trial.rows - 1) // rng.randint(2, 9)])
        least = rng.choice([0, 0, 0, rng.randint(1, trial.rows**2)])
        found, fd_errors, oc_errors = run(trial, by_pairs, most, least)
        wanted = expected(trial, by_pairs, most, least)
        bits = [set_bits(words) for words in (found.free, found.grow, found.viol, found.valid_fd, found.valid_oc)]
        for q, (free, grow, viol, valid, along, shared) in enumerate(wanted):
            ours = tuple(part[q] for part in bits)
            assert ours == (free, grow, viol, set(valid), set(along)), (trial, most, q)
            assert found.shared[q] == shared
        assert fd_errors == [error for *_, valid, _, _ in wanted for error in valid.values()]
        assert oc_errors == [error for *_, along, _ in wanted for error in along.values()]


def test_a_budget_of_nothing_is_exact() -> None:
    for trial in trials(12, examples(200)):
        found, fd_errors, oc_errors = run(trial, False, 0)
        assert not any(fd_errors)
        assert not any(oc_errors)
        by_pairs, *_ = run(trial, True, 0)
        for ours, theirs in zip(found, by_pairs, strict=True):
            assert np.array_equal(ours, theirs)


def test_a_column_that_is_nearly_determined_still_makes_contexts_grow() -> None:
    """Only an error of 0 makes the larger context the same partition."""
    ranks = frozen([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 2, 3]])
    trial = Trial(ranks, (0, 1, 2), (True,) * 3, [(0,)], [{1, 2, 3}], [set()])
    found, errors, _ = run(trial, False, 1)
    assert (set_bits(found.valid_fd), errors) == ([{1}], [1])
    assert set_bits(found.grow) == [{1, 2}]
    assert set_bits(found.free) == [{2, 3}]
