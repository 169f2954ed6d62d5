"""Minimal keys by hitting what agree sets leave out: the branches of the search, and what is known by now.

A pass searches from the root. It tries what hits all edges known on the rows, and learns an edge where two rows agree.
A pass that began without knowing all edges that it met is followed by another one, which finds most sets proven
already; the first pass that learns nothing has found every minimal key (see ``kernels/uniques.py``).
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.engine.port import PAUSE, Pause
from lawful.search import witnesses

Words: TypeAlias = NDArray[np.uint64]

DEPTH = 16
"""Columns that nodes have room for to begin with; more is made when a search needs it."""

COUNTERS = 4
_FIRST, _WORK = 2e7, 2e8
"""Words and rows looked at by the first branch, and by later ones: about 0.02 and 0.2 seconds."""

_SETS = 1 << 14
"""Most keys that a branch gives back."""

_EDGES = 192
"""Edges that a branch may learn at least."""

_PROVEN = 1 << 17
"""Most proven keys that travel with a branch; others are tried again."""

_ROWS, _PAIRS = 20_000, 4
"""Rows that are sorted for the first agree sets, and how many pairs are taken for each of them, up to as many."""

_SEED = 20_111


@dataclass(frozen=True, eq=False)
class Branch:
    """Nodes to search below, ``kernels.hitting.Nodes``, with what was known when they were handed out: agree sets
    uint64[k, w], and keys that need not be tried again, uint64[k, w], ascending."""

    depth: NDArray[np.int64]
    columns: NDArray[np.int16]
    open: Words
    work: float
    agree: Words = field(default_factory=lambda: np.zeros((0, 1), np.uint64))
    proven: Words = field(default_factory=lambda: np.zeros((0, 1), np.uint64))

    def __len__(self) -> int:
        return len(self.depth)


@dataclass(frozen=True, eq=False)
class Searched:
    """What came of a branch: minimal keys, agree sets that were not known, what is left of it, counts of work."""

    keys: Words
    learnt: Words
    left: Branch
    counters: NDArray[np.int64]
    seconds: float


Part: TypeAlias = tuple[Searched, ...]


@dataclass(frozen=True)
class FindKeys:
    """Searches branches for keys of at most ``most_columns`` columns. ``places``: the table's columns in the order of
    the search. ``exhaustive``: all agree sets are known, so that no set has to be tried on the rows."""

    places: tuple[int, ...]
    most_columns: int
    exhaustive: bool

    def zero(self) -> Part:
        return ()

    def merge(self, left: Part, right: Part) -> Part:
        return tuple(sorted((*left, *right), key=_order))

    def run(self, shared: Any, unit: Branch) -> Part:
        from lawful.kernels.hitting import Nodes, room_for
        from lawful.kernels.twins import TWINS, Known
        from lawful.kernels.uniques import Limits, search_keys

        started = time.thread_time()
        (count, deepest), words, known = unit.columns.shape, unit.open.shape[1], len(unit.agree)
        room = count + room_for(len(self.places), deepest)
        left = Nodes(np.zeros(room, np.int64), np.zeros((room, deepest), np.int16), np.zeros((room, words), np.uint64))
        agree = np.zeros((known + max(known, _EDGES) + TWINS, words), np.uint64)
        agree[:known] = unit.agree
        found, counted = np.empty((_SETS, words), np.uint64), np.array([known], np.int64)
        counters = np.zeros(COUNTERS, np.int64)
        made, kept, deep = search_keys(
            shared.ranks,
            np.array(self.places, np.int64),
            Known(agree, counted),
            Nodes(unit.depth, unit.columns, unit.open),
            Limits(self.most_columns, float(unit.work), self.exhaustive),
            unit.proven,
            found,
            left,
            counters,
        )
        columns = left.literals[:kept].copy()
        if deep:
            columns = np.pad(columns, ((0, 0), (0, deepest)))
        rest = Branch(left.depth[:kept].copy(), columns, left.open[:kept].copy(), unit.work)
        learnt = agree[known : int(counted[0])].copy()
        return (Searched(found[:made].copy(), learnt, rest, counters, time.thread_time() - started),)


def _order(part: Searched) -> Any:
    left = part.left
    return part.keys.tobytes(), part.learnt.tobytes(), left.open.tobytes(), left.columns.tobytes(), part.seconds


@dataclass
class Passes:
    """The state of a search for keys of ``width`` columns: what is known, what was found, what is still to be searched.

    ``agree`` are the maximal agree sets known, ``keys`` those found in this pass, ``proven`` those of earlier ones.
    """

    width: int
    agree: Words
    parallelism: int = 1
    number: int = 0
    dirty: bool = False
    waiting: deque[Branch] = field(default_factory=deque)
    flying: dict[int, Branch] = field(default_factory=dict)
    keys: list[Words] = field(default_factory=list)
    proven: Words = field(default_factory=lambda: np.zeros((0, 1), np.uint64))
    counters: NDArray[np.int64] = field(default_factory=lambda: np.zeros(COUNTERS, np.int64))

    def begin(self) -> None:
        """A pass from the root; what was found so far need not be tried again."""
        self.proven = self.found()
        self.keys, self.dirty = [], False
        self.number += 1
        whole = (1 << self.width) - 1
        open_ = np.array([[whole >> 64 * w & (1 << 64) - 1 for w in range(self.agree.shape[1])]], np.uint64)
        depth, columns = np.zeros(1, np.int64), np.zeros((1, DEPTH), np.int16)
        self.waiting.append(Branch(depth, columns, open_, _WORK if self.parallelism == 1 else _FIRST))

    def units(self) -> Iterator[Branch | Pause]:
        """Branches to search, pass after pass; a pause while all that is left hangs on others being searched."""
        while True:
            if self.waiting:
                branch = replace(self.waiting.popleft(), agree=self.agree, proven=self.proven[:_PROVEN])
                self.flying[id(branch)] = branch
                yield branch
            elif self.flying:
                yield PAUSE
            elif self.dirty:
                self.begin()
            else:
                return

    def take_in(self, branch: Branch, parts: Part) -> None:
        """What came of a branch; its rest is divided among as many workers as there are."""
        for part in parts:
            self.counters += part.counters
            if len(part.keys):
                self.keys.append(part.keys)
            if len(part.learnt):
                self._learn(part.learnt)
            if len(part.left):
                pieces = min(len(part.left), 1 if self.parallelism == 1 else 4 * self.parallelism)
                self.waiting.extendleft(_cut(part.left, i, pieces) for i in range(pieces))
        del self.flying[id(branch)]

    def _learn(self, agree: Words) -> None:
        from lawful.kernels.agreement import maximal

        self.dirty = True
        self.agree = maximal(np.concatenate([self.agree, agree]), self.width)

    def state(self) -> dict[str, Any]:
        """All that a later run needs to go on from here, as arrays; branches being searched count as waiting."""
        open_ = [*self.flying.values(), *self.waiting]
        deepest = max((branch.columns.shape[1] for branch in open_), default=DEPTH)
        columns = [np.pad(b.columns, ((0, 0), (0, deepest - b.columns.shape[1]))) for b in open_]
        return {
            "agree": self.agree,
            "keys": np.concatenate([self.agree[:0], *self.keys]),
            "proven": np.concatenate([self.agree[:0], self.proven]),
            "pass": np.array([self.number, self.dirty]),
            "depth": np.concatenate([np.zeros(0, np.int64), *(b.depth for b in open_)]),
            "columns": np.concatenate([np.zeros((0, deepest), np.int16), *columns]),
            "open": np.concatenate([self.agree[:0], *(b.open for b in open_)]),
        }

    def resume(self, state: dict[str, Any]) -> None:
        """Go on from what a run before wrote down."""
        self.agree, self.proven, self.keys = state["agree"], state["proven"], [state["keys"]]
        self.number, self.dirty = int(state["pass"][0]), bool(state["pass"][1])
        if len(state["depth"]):
            self.waiting.append(Branch(state["depth"], state["columns"], state["open"], _WORK))

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return not self.waiting and not self.flying and not self.dirty

    @property
    def count(self) -> int:
        """Keys known by now, about: most of those of this pass were found by an earlier one, if there was one."""
        return max(len(self.proven), sum(map(len, self.keys)))

    @property
    def bytes(self) -> int:
        """What the sets and nodes hold."""
        waiting = sum(branch.open.nbytes + branch.columns.nbytes for branch in self.waiting)
        return self.agree.nbytes + self.proven.nbytes + sum(keys.nbytes for keys in self.keys) + waiting

    def found(self) -> Words:
        """Every minimal key found so far, in ascending order, each once."""
        words = self.agree.shape[1]
        kept = [keys for keys in (self.proven, *self.keys) if len(keys)]
        if not kept:
            return np.zeros((0, words), np.uint64)
        if words == 1:
            return np.unique(np.concatenate(kept))[:, None]
        return np.unique(np.concatenate(kept), axis=0)


def _cut(branch: Branch, piece: int, pieces: int) -> Branch:
    part = slice(piece, None, pieces)
    depth, columns = np.ascontiguousarray(branch.depth[part]), np.ascontiguousarray(branch.columns[part])
    return Branch(depth, columns, np.ascontiguousarray(branch.open[part]), _WORK)


def first_agreements(ranks: NDArray[np.int32], places: tuple[int, ...]) -> tuple[Words, bool]:
    """Maximal agree sets to begin with, and whether they are all there are: of all pairs of a short table, else of
    neighbours in sorted orders of 20,000 rows at most. The choice is fixed by the table alone."""
    from lawful.kernels.agreement import all_agreements, maximal, near_agreements

    rows, order = ranks.shape[1], np.array(places, np.int64)
    if rows * (rows - 1) // 2 <= witnesses.ALL:
        return maximal(all_agreements(ranks, order), len(places)), True
    draw = np.random.default_rng(_SEED)
    some = np.sort(draw.choice(rows, _ROWS, replace=False)) if rows > _ROWS else np.arange(rows)
    sets = near_agreements(ranks, order, some.astype(np.int32), min(_PAIRS * len(some), _ROWS))
    return maximal(sets, len(places)), False
