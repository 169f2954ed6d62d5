"""The fewest rows whose removal mends a rule: exact for what is an fd, a key or an oc; else by a greedy choice."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.kept import by_rank, fd_gone, oc_gone
from lawful.kernels.sides import cluster_numbers, dealt
from lawful.search.clusters import Clusters, Rows
from lawful.violations.degrees import Degrees, Flags, admitted, degrees
from lawful.violations.denial import Denial, Denials
from lawful.violations.portions import narrowed

_MOST_ROUNDS = 200
_MOST_RETURNS = 12
_SHAPES = {5: "d", 1: "o", 4: "o"}
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Mended(NamedTuple):
    """Rows to remove, as flags, and the least number that any choice has to remove."""

    gone: Flags
    least: int


def exact_kind(denials: Denials) -> str | None:
    """Whether what breaks a rule is what breaks an fd, a key or an oc, whatever kind it is stated as."""
    (denial, *others) = denials.either
    shape = "".join(sorted(_SHAPES.get(c.bits, "?") for c in denial.pairs if c.bits != 2))
    whole = not (others or denial.t_own or denial.u_own or any(c.left != c.right for c in denial.pairs))
    return {"": "key", "d": "fd", "o": "fd", "oo": "oc"}.get(shape) if whole else None


def exactly(ranks: NDArray[np.int32], kind: str, denial: Denial, token: str) -> Mended:
    """The fewest rows for what is an fd, a key or an oc, of several choices always the same one."""
    rows = Rows(ranks)
    gone = np.zeros(rows.count, np.bool_)
    held, offs = _classes(rows, denial, token)
    orders = [c for c in denial.pairs if c.bits in (1, 4)]
    if kind == "key":
        gone[held] = True
        gone[held[offs[:-1]]] = False
    elif kind == "fd":
        right = next(c for c in denial.pairs if c.bits != 2).left
        room = rows.highest(right) + 1
        fd_gone(held, offs, rows.ranks[right], np.zeros(room, np.int32), np.empty(room, np.int32), gone)
    else:
        (left, right), sign = (c.left for c in orders), 1 if orders[0].bits != orders[1].bits else -1
        oc_gone(_by_both(rows, held, offs, left, right, sign < 0), offs, rows.ranks[right], sign, gone)
    return Mended(gone, int(gone.sum()))


def _classes(rows: Rows, denial: Denial, token: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Rows that agree on what has to be equal, class by class, without those whose cells are unknown."""
    keys = tuple((c.left, c.right) for c in denial.pairs if c.bits == 2)
    sides = Clusters(rows, keys, token).sides
    ok = admitted(rows.ranks, denial)[0]
    if ok.all():
        return sides.t_rows, sides.t_offs
    kept = ok[sides.t_rows]
    ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(kept, dtype=np.int32)])[sides.t_offs]
    return sides.t_rows[kept], np.unique(ends).astype(np.int32)


def _by_both(
    rows: Rows, held: NDArray[np.int32], offs: NDArray[np.int32], left: int, right: int, backwards: bool
) -> NDArray[np.int32]:
    """The rows of each class by the left column, then by the right one, forwards or backwards."""
    order = by_rank(rows.numbers, rows.ranks[right], rows.highest(right), backwards)
    order = by_rank(order, rows.ranks[left], rows.highest(left), False)
    numbers = cluster_numbers(held, offs, rows.count)
    return np.asarray(dealt(order, numbers, offs), np.int32)


def greedily(ranks: NDArray[np.int32], parts: Sequence[tuple[Denial, Degrees]]) -> Mended:
    """Rows that mend any rule, few but not always the fewest, and how many are needed at least.

    Rows with about as many partners as any go first, about half of them at a time, until no pair is left; then those
    come back that were not needed. Each round counts again among the rows left: O(n log n) and more, about log n
    rounds.
    """
    counted = Degrees(*(np.sum([d[side] for _, d in parts], axis=0) for side in (0, 1)))
    own = np.flatnonzero(counted.rows)
    gone = np.zeros(len(counted.as_t), np.bool_)
    gone[own] = _cover(*narrowed(ranks, [denial for denial, _ in parts], own))
    return Mended(gone, _least(counted))


def _least(counted: Degrees) -> int:
    """No choice of fewer rows has as many pairs as there are."""
    most = np.sort(counted.as_t + counted.as_u)[::-1]
    return int(np.searchsorted(np.cumsum(most), counted.pairs)) + 1


def _cover(ranks: NDArray[np.int32], either: Sequence[Denial]) -> Flags:
    """Rows without which no pair is left, less those that turn out not to be needed."""
    removed = _chosen(ranks, either)
    back = np.flatnonzero(removed)
    for _ in range(_MOST_RETURNS):
        # Those that no kept row disputes may come back, as far as they do not dispute each other.
        free = back[_undisputed(ranks, either, ~removed, back)]
        if len(free) == 0:
            break
        again = _chosen(ranks[:, free], either)
        again[0] &= not again.all()
        removed[free[~again]] = False
        back = free[again]
    return removed


def _undisputed(ranks: NDArray[np.int32], either: Sequence[Denial], kept: Flags, back: NDArray[np.int64]) -> Flags:
    """Which of ``back`` break the rule with no kept row: their partners are only among themselves."""
    at = np.concatenate([np.flatnonzero(kept), back])
    together, alone = _partners(ranks[:, at], either), _partners(ranks[:, back], either)
    return np.asarray(together[kept.sum() :] == alone, np.bool_)


def _partners(ranks: NDArray[np.int32], either: Sequence[Denial]) -> NDArray[np.int64]:
    total = np.zeros(ranks.shape[1], np.int64)
    for denial in either:
        total += sum(degrees(np.ascontiguousarray(ranks), denial, uuid.uuid4().hex))
    return total


def _chosen(ranks: NDArray[np.int32], either: Sequence[Denial]) -> Flags:
    """Rows without which no pair is left."""
    left = np.arange(ranks.shape[1])
    gone = np.zeros(len(left), np.bool_)
    for turn in range(_MOST_ROUNDS):
        partners = _partners(ranks[:, left], either)
        left, partners = left[partners > 0], partners[partners > 0]
        if len(left) == 0:
            break
        much = partners * 2 > partners.max()
        mixed = (left.astype(np.uint64) + np.uint64(turn + 1)) * _FACTOR
        out = much & ((mixed >> np.uint64(63)) == 0)
        if much.sum() == 1:
            out = much
        elif turn == _MOST_ROUNDS - 1:
            out[:] = True
        gone[left[out]] = True
        left = left[~out]
    return gone
