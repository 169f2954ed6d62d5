"""Weights of edges that rules do not hit, or hit by one group alone: against plain sets."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.kernels.near import nearness, weigh
from tests.profiles import examples


def as_bits(places: set[int], words: int) -> Any:
    number = sum(1 << place for place in places)
    return np.array([number >> 64 * w & (1 << 64) - 1 for w in range(words)], np.uint64)


@pytest.mark.parametrize("edges", [0, 1, 63, 64, 65, 200])
def test_nearness_is_what_sets_say(edges: int) -> None:
    draw, words = Random(edges), max(-(-edges // 64), 1)
    groups = np.array([0, 0, 0, 1, 1, 2, 3, 3, 3], np.int32)
    for _ in range(examples(20)):
        weights = np.array([draw.choice([1, 7, 2**40]) for _ in range(edges)], np.int64)
        held = [{e for e in range(edges) if draw.random() < 0.3} for _ in groups]
        rules = [sorted(draw.sample(range(len(groups)), draw.randint(0, 6))) for _ in range(12)]
        none, one = np.full(12, -1, np.int64), np.full(12, -1, np.int64)
        nearness(
            np.array([as_bits(h, words) for h in held]), as_bits(set(range(edges)), words), weights,
            np.array([literal for rule in rules for literal in rule], np.int64),
            np.cumsum([0, *map(len, rules)]), groups, none, one,
        )  # fmt: skip
        for r, rule in enumerate(rules):
            hits = [len({int(groups[literal]) for literal in rule if e in held[literal]}) for e in range(edges)]
            assert none[r] == sum(int(w) for w, n in zip(weights, hits, strict=True) if n == 0)
            assert one[r] == sum(int(w) for w, n in zip(weights, hits, strict=True) if n == 1)


def test_the_weight_of_a_word() -> None:
    weights = np.arange(1, 129, dtype=np.int64)
    for places in [set(), {0}, {63}, {0, 63}, {7, 8, 40}, set(range(64))]:
        word = as_bits(places, 1)[0]
        assert weigh(word, weights, 0) == sum(place + 1 for place in places)
        assert weigh(word, weights, 64) == sum(place + 65 for place in places)
