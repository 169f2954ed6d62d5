"""Pairs of rows that show how a rule is broken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.degrees import find_partners
from lawful.violations.degrees import Degrees, admitted, flat
from lawful.violations.denial import Denial

Pairs = NDArray[np.int32]


def shown_pairs(ranks: NDArray[np.int32], parts: Sequence[tuple[Denial, Degrees]], symmetric: bool, most: int) -> Pairs:
    """Up to ``most`` pairs (t, u) that break a rule, int32[k, 2]; all of them if they are no more than that.

    The first rows that break it as u, with their first partners. Where a pair breaks the rule both ways round it is
    shown once, the earlier row first. O(rows * most) at worst.
    """
    found = [_of_part(ranks, denial, counted, most * (2 if symmetric else 1)) for denial, counted in parts]
    pairs = np.concatenate([np.zeros((0, 2), np.int32), *found])
    if symmetric:
        pairs = np.sort(pairs, axis=1)
    pairs = np.unique(pairs[:, ::-1], axis=0)[:, ::-1] if len(pairs) else pairs
    return _spread(pairs, most)


def _of_part(ranks: NDArray[np.int32], denial: Denial, counted: Degrees, most: int) -> Pairs:
    """Some of one conjunction's pairs."""
    if most < 1:
        return np.zeros((0, 2), np.int32)
    us = np.flatnonzero(counted.as_u)[:most].astype(np.int32)
    ts = np.flatnonzero(counted.as_t).astype(np.int32)
    each = most if len(us) < most else 1
    room = np.empty((len(us) * each, 2), np.int32)
    t_ok, u_ok = admitted(ranks, denial)
    count = find_partners(_read_only(ranks), *flat(denial.pairs), us[u_ok[us]], ts[t_ok[ts]], each, room)
    return room[: int(count)]


def _read_only(held: NDArray[np.int32]) -> NDArray[np.int32]:
    view = held.view()
    view.flags.writeable = False
    return view


def _spread(pairs: Pairs, most: int) -> Pairs:
    """The first ``most``, each row u once before any comes twice."""
    if len(pairs) <= most:
        return pairs
    _, starts, counts = np.unique(pairs[:, 1], return_index=True, return_counts=True)
    turn = np.arange(len(pairs)) - np.repeat(starts, counts)
    kept = np.sort(np.argsort(turn, kind="stable")[:most])
    return pairs[kept]
