"""A rule's work in portions: rows that a violating pair can have in common stay together.

Rows of a pair agree on what a rule asks to be equal. So the rows are dealt by these cells' ranks, and each portion is
a table of its own: counts, rows and repairs of portions add up. What to do with a large group of equal rows says
`lawful.violations.blocks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lawful.violations.denial import Comparison, Denial, Denials, List

_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def keys_of(denials: Denials) -> tuple[int, ...]:
    """The rank rows on which both rows of every violating pair agree; none where a rule cannot be portioned."""
    if denials.lists or denials.single:
        return ()
    sets = [{c.left for c in d.pairs if c.bits == 2 and c.left == c.right} for d in denials.either]
    return tuple(sorted(set.intersection(*sets)))


def rows_of_portion(ranks: NDArray[np.int32], keys: Sequence[int], portion: int, portions: int) -> NDArray[np.intp]:
    """The rows of one of several portions; O(rows * keys)."""
    if portions == 1:
        return np.arange(ranks.shape[1])
    return np.flatnonzero(portion_of_rows(ranks, keys, portions) == portion)


def portion_of_rows(ranks: NDArray[np.int32], keys: Sequence[int], portions: int) -> NDArray[np.uint64]:
    """The number of each row's portion, by a hash of its ranks; O(rows * keys)."""
    mixed = np.zeros(ranks.shape[1], np.uint64)
    for key in keys:
        mixed = (mixed ^ ranks[key].astype(np.uint64)) * _FACTOR
        mixed ^= mixed >> np.uint64(32)
    return mixed % np.uint64(portions)


def of_rows(
    ranks: NDArray[np.int32], denials: Denials, rows: NDArray[np.intp]
) -> tuple[NDArray[np.int32], tuple[Denial, ...]]:
    """The ranks of some rows as the conjunctions of a rule compare them, and the conjunctions with their places."""
    if not denials.lists:
        return narrowed(ranks, denials.either, rows)
    places = sorted({place for listed in denials.lists for place, _ in listed})
    few = np.stack([ranks[place][rows] for place in places]) if places else ranks[:0, rows]
    lists = tuple(tuple((places.index(place), descends) for place, descends in each) for each in denials.lists)
    return of_lists(few, lists), denials.either


def narrowed(
    ranks: NDArray[np.int32], either: Sequence[Denial], rows: NDArray[np.intp]
) -> tuple[NDArray[np.int32], tuple[Denial, ...]]:
    """Some rows of the rank rows that conjunctions speak of, and the conjunctions with these rank rows' new places."""
    parts = [(*d.pairs, *d.t_own, *d.u_own) for d in either]
    places = sorted({place for part in parts for c in part for place in (c.left, c.right)})
    at = {place: i for i, place in enumerate(places)}

    def moved(held: tuple[Comparison, ...]) -> tuple[Comparison, ...]:
        return tuple(replace(c, left=at[c.left], right=at[c.right]) for c in held)

    narrow = tuple(Denial(moved(d.pairs), moved(d.t_own), moved(d.u_own)) for d in either)
    return np.stack([ranks[place][rows] for place in places]) if places else ranks[:0, rows], narrow


def of_lists(ranks: NDArray[np.int32], lists: tuple[List, ...]) -> NDArray[np.int32]:
    """The ranks of rows sorted by each list, int32[lists, rows]; O(rows log rows) a column."""
    return np.stack([_of_list(ranks, listed) for listed in lists])


def _of_list(ranks: NDArray[np.int32], listed: List) -> NDArray[np.int32]:
    found = np.zeros(ranks.shape[1], np.int64)
    for place, descends in listed:
        rank = ranks[place].astype(np.int64)
        most = int(rank.max(initial=0))
        found = found * (most + 1) + (most - rank if descends else rank)
        found = np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return found.astype(np.int32)
