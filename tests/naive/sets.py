"""Minimal rules over sets of columns: fd, key, oc."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from lawful.rules.model import Direction, Fd, Key, Oc
from tests.naive.masks import Judge

DIRECTIONS: tuple[Direction, ...] = ("same", "opposite")


def minimal_sets(
    columns: Sequence[str], works: Callable[[tuple[str, ...]], bool], most: int
) -> Iterator[tuple[str, ...]]:
    """The sets of at most ``most`` columns that work and of which no proper subset does, each in table order."""
    found: list[frozenset[str]] = []
    for size in range(min(most, len(columns)) + 1):
        for chosen in combinations(columns, size):
            if not any(smaller < set(chosen) for smaller in found) and works(chosen):
                found.append(frozenset(chosen))
                yield chosen


def fds(judge: Judge, max_size: int) -> Iterator[Fd]:
    for rhs in judge.table.names:
        others = [name for name in judge.table.names if name != rhs]
        for lhs in minimal_sets(others, _determines(judge, rhs), max_size - 1):
            yield Fd(lhs, rhs)


def keys(judge: Judge, max_size: int) -> Iterator[Key]:
    for columns in minimal_sets(judge.table.names, judge.key, max_size):
        yield Key(columns)


def ocs(judge: Judge, max_size: int) -> Iterator[Oc]:
    """Contexts minimal for their direction, less those that already determine one of the two columns."""
    ordered = [name for name in judge.table.names if judge.table.ordered(name)]
    for left, right in combinations(ordered, 2):
        others = [name for name in judge.table.names if name not in (left, right)]
        for direction in DIRECTIONS:
            for context in minimal_sets(others, _runs_along(judge, left, right, direction), max_size - 2):
                if not judge.fd(context, left) and not judge.fd(context, right):
                    yield Oc(context, left, right, direction)


def _determines(judge: Judge, rhs: str) -> Callable[[tuple[str, ...]], bool]:
    return lambda lhs: judge.fd(lhs, rhs)


def _runs_along(judge: Judge, left: str, right: str, direction: Direction) -> Callable[[tuple[str, ...]], bool]:
    return lambda context: judge.oc(context, left, right, direction)
