"""Contexts with random candidates to try validating kernels on, and what is true of them by counting."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from tests.kernels.stripped import frozen, grouped


class Trial(NamedTuple):
    """Ranks, the place of each column of the search, which have an order, and contexts with their candidates.

    ``fd`` holds columns to test as right-hand sides, the width itself meaning the row; ``oc`` direction bits.
    """

    ranks: Any
    places: tuple[int, ...]
    ordered: tuple[bool, ...]
    contexts: list[tuple[int, ...]]
    fd: list[set[int]]
    oc: list[set[int]]

    @property
    def width(self) -> int:
        return len(self.places)

    @property
    def rows(self) -> int:
        return int(self.ranks.shape[1])

    def groups(self, context: tuple[int, ...]) -> list[list[int]]:
        return grouped([self.ranks[self.places[c]].tolist() for c in context], self.rows)

    def sub(self, group: list[int], column: int) -> list[int]:
        return [int(rank) for rank in self.ranks[self.places[column]][group]]

    def pairs(self) -> list[tuple[int, int, int]]:
        """Left column, right column and direction of every bit."""
        return [(a, b, d) for a, b in combinations(range(self.width), 2) for d in (0, 1)]

    def words(self, sets: list[Any], bits: int) -> Any:
        found = np.zeros((len(sets), (bits + 63) // 64), np.uint64)
        for q, columns in enumerate(sets):
            for column in columns:
                found[q, column // 64] |= np.uint64(1 << column % 64)
        return found

    def arguments(self) -> tuple[Any, ...]:
        """Ranks, places, ordered, sets, cand_fd and cand_oc as kernels take them."""
        bits = self.width + 1
        pair_bits = self.width * (self.width - 1) if any(self.oc) else 0
        sets, fd = self.words(self.contexts, bits), self.words(self.fd, bits)
        return self.ranks, np.array(self.places), np.array(self.ordered), sets, fd, self.words(self.oc, pair_bits)


def trials(seed: int, count: int, largest: int = 20) -> Iterator[Trial]:
    """Tables of up to six columns; contexts in any order, of all depths, some twice, at times with a common prefix."""
    rng = random.Random(seed)
    for _ in range(count):
        width, rows = rng.randint(1, 6), rng.randint(2, largest)
        columns = [_column(rng, rows) for _ in range(width)]
        ordered = tuple(rng.random() < 0.85 for _ in range(width))
        contexts = [tuple(sorted(rng.sample(range(width), rng.randint(0, width)))) for _ in range(rng.randint(1, 12))]
        if rng.random() < 0.5:
            contexts.sort()
        if rng.random() < 0.5:
            first = set(range(rng.randint(0, width)))
            contexts = [tuple(sorted(first.union(context))) for context in contexts]
        fd = [{c for c in range(width + 1) if c not in context and rng.random() < 0.8} for context in contexts]
        follow = rng.random() < 0.8
        oc = [{b for b in range(width * (width - 1)) if follow and rng.random() < 0.7} for _ in contexts]
        yield Trial(frozen(columns), tuple(rng.sample(range(width), width)), ordered, contexts, fd, oc)


def _column(rng: random.Random, rows: int) -> list[int]:
    levels = rng.choice((1, 2, 3, rows))
    drift = rng.choice((-1, 0, 0, 1))
    values = [rng.randrange(levels) + drift * (row * levels // rows) for row in range(rows)]
    return [sorted(set(values)).index(value) for value in values]


def set_bits(words: Any) -> list[set[int]]:
    """The bits set in each row."""
    return [{64 * i + b for i, word in enumerate(row) for b in range(64) if int(word) >> b & 1} for row in words]
