"""Layouts to try, and the outcomes of pairs of rows in plain loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Any

import numpy as np

from lawful.evidence.evidence import Evidence
from lawful.evidence.packing import Packing
from lawful.evidence.signature import UNKNOWN, Comparison, Layout

Outcomes = tuple[int, ...]
"""What each comparison says: 0 less or unequal, 1 equal, 2 greater, 3 unknown."""


def random_layout(draw: Random, columns: int, size: int, *, crossed: bool = False) -> Layout:
    """So many comparisons of columns with themselves or with any others, ordered or not, their nulls known or not."""
    made = []
    for i in range(size):
        left = i % columns
        nulls = [draw.random() < 0.3, draw.random() < 0.3] if crossed else [draw.random() < 0.3] * 2
        made.append(Comparison(left, draw.randrange(columns) if crossed else left, draw.random() < 0.6, *nulls))
    return Layout(tuple(made))


def random_ranks(draw: Random, columns: int, rows: int) -> Any:
    """Rank rows with ties and rank 0 in each; some constant, some of distinct ranks."""
    made = [[draw.randrange(draw.choice([1, 2, 3, rows + 1])) for _ in range(rows)] for _ in range(columns)]
    ranks = np.array(made, np.int32).reshape(columns, rows)
    ranks.flags.writeable = False
    return ranks


def outcome(comparison: Comparison, ranks: Any, t: int, u: int) -> int:
    a, b = int(ranks[comparison.left, t]), int(ranks[comparison.right, u])
    if (comparison.left_null and a == 0) or (comparison.right_null and b == 0):
        return UNKNOWN
    return int(a == b) if not comparison.ordered else 1 if a == b else 2 * int(a > b)


def outcomes(layout: Layout, ranks: Any, pairs: Iterable[tuple[int, int]]) -> Counter[Outcomes]:
    """How many of the pairs have which outcomes."""
    return Counter(tuple(outcome(c, ranks, t, u) for c in layout.comparisons) for t, u in pairs)


def every_pair(rows: int, once: bool) -> list[tuple[int, int]]:
    return list((combinations if once else permutations)(range(rows), 2))


def told(evidence: Evidence) -> Counter[Outcomes]:
    """Evidence as outcomes with their counts; every count is one where it is a set."""
    layout = evidence.layout
    columns = [layout.outcome(evidence.signatures, g).tolist() for g in range(len(layout.comparisons))]
    rows = list(zip(*columns, strict=True)) if columns else [()] * len(evidence)
    assert len(set(rows)) == len(rows), "a signature stands twice"
    counts = [1] * len(rows) if evidence.counts is None else evidence.counts.tolist()
    return Counter(dict(zip(rows, counts, strict=True)))


def packed(layout: Layout, rows: Sequence[Outcomes]) -> Any:
    """Outcomes as signatures: every outcome at the place of its field."""
    numbers = [sum(o << place for o, place in zip(row, layout.places, strict=True)) for row in rows]
    words = [[number >> 64 * w & (1 << 64) - 1 for w in range(layout.words)] for number in numbers]
    return np.array(words, np.uint64).reshape(len(rows), layout.words)


def random_outcomes(draw: Random, layout: Layout) -> Outcomes:
    return tuple(draw.choice([*range(c.outcomes), *[UNKNOWN] * c.nullable]) for c in layout.comparisons)


def packing(layout: Layout, ranks: Any) -> Packing:
    return Packing.of(layout, np.asarray(ranks).max(axis=1, initial=0))
