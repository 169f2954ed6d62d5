"""Where to cut the distinct values of all columns together, so that every task merges about as many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from lawful.ranks.runs import Key


@dataclass(frozen=True)
class Range:
    """The keys of one column from ``low`` on (``None``: from the least) up to below ``high`` (``None``: to the end)."""

    column: int
    low: Key | None = None
    high: Key | None = None


def plan(counts: Sequence[int], samples: Sequence[Sequence[Key]], sections: int) -> tuple[tuple[Range, ...], ...]:
    """Ranges of all columns in order, grouped into about ``sections`` sections of equal weight.

    ``counts[c]`` is the number of keys of column c over all runs, ``samples[c]`` keys drawn evenly from every run.
    """
    share = max(sum(counts) / max(sections, 1), 1.0)
    found: list[tuple[Range, ...]] = []
    pending: list[Range] = []
    weight = 0.0
    for column, count in enumerate(counts):
        cuts = _cuts(sorted(samples[column]), round(count / share))
        bounds = [None, *cuts, None]
        for low, high in pairwise(bounds):
            pending.append(Range(column, low, high))
            weight += count / (len(cuts) + 1)
            if weight >= share * 0.75:
                found.append(tuple(pending))
                pending, weight = [], 0.0
    return (*found, tuple(pending)) if pending else tuple(found)


def _cuts(samples: Sequence[Key], parts: int) -> list[Key]:
    """At most ``parts - 1`` distinct keys that cut the samples evenly."""
    if parts < 2 or not samples:
        return []
    drawn = {samples[len(samples) * i // parts] for i in range(1, parts)}
    return sorted(drawn - {samples[0]})
