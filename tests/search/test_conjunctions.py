"""Conjunctions as flat arrays, and groups of them that have the equalities they are clustered by."""

from __future__ import annotations

from random import Random

import numpy as np

from lawful.kernels.conjunction import EQUAL
from lawful.search.conjunctions import Conjunctions, grouped
from tests.profiles import examples
from tests.search.test_violating import Asked, random_asked, random_ranks


def listed(asked: Conjunctions, number: int) -> list[Asked]:
    return list(zip(*(held.tolist() for held in asked.at(number)), strict=True))  # type: ignore[arg-type]


def test_lists_are_kept_as_they_came() -> None:
    draw = Random(1)
    for _ in range(examples(30)):
        lists = [random_asked(draw, 5) for _ in range(draw.randint(0, 9))]
        asked = Conjunctions.of(lists)
        assert len(asked) == len(lists)
        assert [listed(asked, m) for m in range(len(asked))] == lists
        assert asked.owners.tolist() == [m for m, predicates in enumerate(lists) for _ in predicates]
        some = np.array([draw.randrange(len(lists)) for _ in range(4)], np.int64) if lists else np.zeros(0, np.int64)
        taken = asked.take(some)
        assert [listed(taken, i) for i in range(len(taken))] == [lists[m] for m in some.tolist()]


def test_equalities_and_who_has_them() -> None:
    draw = Random(2)
    for _ in range(examples(30)):
        lists = [random_asked(draw, 4) for _ in range(6)]
        keys, has = Conjunctions.of(lists).equalities()
        expected = [{(left, right) for left, right, op, *_ in predicates if op == EQUAL} for predicates in lists]
        assert set(keys) == set().union(*expected)
        assert len(set(keys)) == len(keys)
        assert [{key for key, there in zip(keys, row, strict=True) if there} for row in has.tolist()] == expected


def test_every_conjunction_is_in_one_group() -> None:
    draw, rng = Random(3), np.random.default_rng(3)
    for _ in range(examples(60)):
        ranks = random_ranks(rng, draw.choice([0, 1, 2, 12, 40]), 4).astype(np.int32)
        asked = Conjunctions.of([random_asked(draw, 4) for _ in range(draw.randint(1, 25))])
        groups = [numbers for numbers, _ in grouped(ranks, asked)]
        assert sorted(np.concatenate(groups).tolist()) == list(range(len(asked)))
