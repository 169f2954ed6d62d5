"""Minimal hitting sets that follow new edges are those that are searched anew."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lawful.kernels.extending import extended

Sets = set[frozenset[int]]


def naive(edges: list[frozenset[int]], width: int, most: int) -> Sets:
    found: Sets = set()
    for size in range(most + 1):
        for members in map(frozenset, combinations(range(width), size)):
            if all(members & edge for edge in edges) and not any(small <= members for small in found):
                found.add(members)
    return found


def words(sets: Any, places: list[int]) -> Any:
    out = np.zeros((len(sets), 2), np.uint64)
    for i, members in enumerate(sets):
        for c in members:
            out[i, places[c] >> 6] |= np.uint64(1 << (places[c] & 63))
    return out


def read(sets: Any, places: list[int]) -> Sets:
    return {frozenset(c for c, p in enumerate(places) if int(row[p >> 6]) >> (p & 63) & 1) for row in np.asarray(sets)}


@given(st.data(), st.integers(1, 7), st.integers(0, 7))
def test_one_edge_after_the_other(data: st.DataObject, width: int, most: int) -> None:
    """From no edge on, which the empty set hits, and with an empty edge, which nothing hits; columns in two words."""
    most = min(most, width)
    places = sorted(data.draw(st.lists(st.integers(0, 127), min_size=width, max_size=width, unique=True)))
    sets, edges = words([()], places), []
    for edge in data.draw(st.lists(st.frozensets(st.integers(0, width - 1)), max_size=6)):
        edges.append(edge)
        out = np.zeros(((width + 1) * len(sets), 2), np.uint64)
        made, left = extended(sets, words([edge], places)[0], most, out, 1 << 30)
        sets = out[:made].copy()
        expected = naive(edges, width, most)
        assert read(sets, places) == expected and len(sets) == len(expected) and left <= 1 << 30


def test_it_gives_up_when_it_is_told_to() -> None:
    places = list(range(6))
    sets, edge = words([(0,), (1,), (2,)], places), words([(3, 4, 5)], places)[0]
    out = np.zeros((9, 2), np.uint64)
    assert extended(sets, edge, 6, out, 9) == (9, 0)
    assert extended(sets, edge, 6, out, 8)[0] == -1
    assert extended(sets, edge, 6, out[:8], 100)[0] == -1
