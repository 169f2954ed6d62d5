"""Rules between lists: every pair of lists of the form that is reported, tried one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product

from lawful.rules.model import Lod, Sort
from tests.naive.masks import Judge

List = tuple[tuple[str, Sort], ...]
SORTS: tuple[Sort, ...] = ("asc", "desc")


def lods(judge: Judge, max_size: int) -> Iterator[Lod]:
    """Exact ``->`` rules; the number of pairs of lists tried grows like m! 2^m."""
    before = {by: _before(judge, by) for by in _lists(judge, max_size - 1)}
    for lhs in (by for by in before if by[0][1] == "asc"):
        prefixes = [lhs[:size] for size in range(1, len(lhs))]
        for rhs in (by for by in before if not before[lhs] & ~before[by]):
            shorter = any(not before[prefix] & ~before[rhs] for prefix in prefixes)
            if not shorter and _apart(lhs, rhs) and len(lhs) + len(rhs) <= max_size:
                yield Lod(lhs, rhs, "->")


def _lists(judge: Judge, most: int) -> Iterator[List]:
    """Non-empty lists in which no column is determined by those before it."""
    ordered = [name for name in judge.table.names if judge.table.ordered(name)]
    for size in range(1, min(most, len(ordered)) + 1):
        for names in permutations(ordered, size):
            if not any(judge.fd(names[:i], names[i]) for i in range(size)):
                for sorts in product(SORTS, repeat=size):
                    yield tuple(zip(names, sorts, strict=True))


def _apart(lhs: List, rhs: List) -> bool:
    return {name for name, _ in lhs}.isdisjoint(name for name, _ in rhs)


def _before(judge: Judge, by: List) -> int:
    """The pairs (t, u) in which t may stand before u in a table sorted by the list."""
    if not by:
        return judge.masks.every
    (name, sort), rest = by[0], by[1:]
    ahead = judge.masks.mark(name, "<" if sort == "asc" else ">")
    return ahead | judge.masks.mark(name, "=") & _before(judge, rest)
