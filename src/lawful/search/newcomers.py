"""Pairs of which one row is new: conjunctions that no pair of old rows satisfies, tried on what new rows bring.

A conjunction sees of a row only its values in some columns. Where these have few combinations, most new rows bring
none that was not there: whoever they would satisfy it with, an old row like them would have. So a combination is looked
up in one step, however many rows there are, and only combinations that are new are compared with those there are.
Conjunctions over columns of too many combinations are tried on the whole table.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import closing
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.engine import Engine, Table
from lawful.search.conjunctions import Conjunctions
from lawful.search.violating import Flags, Pairs, Part, stream_pairs

Tried: TypeAlias = tuple[NDArray[np.int32], Part]

_COMPARE: tuple[Any, ...] = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
_ROOM = 4
"""Combinations a row, up to which they are numbered."""
_MOST_PAIRS = 1 << 23
"""Pairs of combinations, up to which they are compared one by one; a piece at a time."""
_PIECE = 1 << 19


class Newcomers:
    """A table of which the first ``old`` rows satisfied none of what is asked; each column is compared with itself.

    What is kept for a set of columns, a row for each combination of values, is kept for all that is asked later.
    """

    def __init__(self, table: Table, old: int, engine: Engine) -> None:
        self._shared, self._engine, self._token = engine.share(table), engine, uuid.uuid4().hex
        self._ranks, self._old = self._shared.ranks, old
        self._sizes = self._ranks.max(axis=1, initial=0).astype(np.int64) + 1
        self._seen: dict[bytes, _Combinations] = {}

    def look(self, asked: Conjunctions, most: int, open_: Flags) -> Iterator[Tried]:
        """Tries conjunctions: their numbers as they are done, with up to about ``most`` pairs of each; none is a proof.
        Those that are no longer ``open_`` when their turn comes are left out."""
        has = np.zeros((len(asked), len(self._sizes)), np.bool_)
        has[asked.owners, asked.predicates.left] = True
        rest = []
        sets, of_set = np.unique(has, axis=0, return_inverse=True)
        order = np.argsort(of_set.reshape(-1), kind="stable")
        ends = np.searchsorted(of_set.reshape(-1)[order], np.arange(len(sets) + 1))
        for s, columns in enumerate(sets):
            numbers = order[ends[s] : ends[s + 1]]
            about = self._about(np.flatnonzero(columns))
            if about is None:
                rest.append(numbers)
            else:
                yield from _tried(about, asked, numbers[open_[numbers]], most)
        if rest:
            yield from self._wide(asked, np.sort(np.concatenate(rest)), most, open_)

    def _about(self, columns: NDArray[np.int64]) -> _Combinations | None:
        key = columns.tobytes()
        if key not in self._seen:
            room = float(np.prod(self._sizes[columns].astype(np.float64)))
            if room > _ROOM * self._ranks.shape[1] + 1024:
                return None
            self._seen[key] = _Combinations(self._ranks, self._sizes, columns, self._old)
        about = self._seen[key]
        return about if len(about.fresh) * len(about.codes) <= _MOST_PAIRS else None

    def _wide(self, asked: Conjunctions, numbers: NDArray[np.int64], most: int, open_: Flags) -> Iterator[Tried]:
        """Those over too many combinations, on all pairs of rows."""
        own = open_[numbers]
        streamed = stream_pairs(self._shared, self._engine, asked.take(numbers), most, self._token, own)
        with closing(streamed) as parts:  # type: ignore[type-var]
            for tried, (found, pairs) in parts:
                yield numbers[tried].astype(np.int32), (numbers[found].astype(np.int32), pairs)
                own &= open_[numbers]


class _Combinations:
    """The combinations of values in some columns, numbered: ``codes`` of all that there are, ascending, ``fresh`` of
    those that came, with the ``values`` of each and a row that has it; ``twice``: two rows, one of them new, with the
    same one."""

    def __init__(self, ranks: Pairs, sizes: NDArray[np.int64], columns: NDArray[np.int64], old: int) -> None:
        self.columns = columns
        code = np.zeros(ranks.shape[1], np.int64)
        for column in columns:
            code *= sizes[column]
            code += ranks[column]
        room = int(np.prod(sizes[columns]))
        self._row = np.full(room, -1, np.int32)
        self._row[code[:old]] = np.arange(old, dtype=np.int32)
        came = code[old:]
        known = self._row[came] >= 0
        self.fresh, first, times = np.unique(came[~known], return_index=True, return_counts=True)
        self._row[self.fresh] = old + np.flatnonzero(~known)[first]
        self.codes = np.flatnonzero(self._row >= 0)
        self.twice = self._alike(code, old, known, self.fresh[times > 1])
        self._sizes = sizes[columns]

    def _alike(self, code: NDArray[np.int64], old: int, known: Flags, more: NDArray[np.int64]) -> Pairs:
        """A new row with one like it, if there are such."""
        if known.any():
            new = old + int(np.argmax(known))
            return np.array([[new, self._row[code[new]]]], np.int32)
        if len(more):
            return (old + np.flatnonzero(code[old:] == more[0])[:2]).astype(np.int32).reshape(1, 2)
        return np.zeros((0, 2), np.int32)

    def values(self, codes: NDArray[np.int64]) -> dict[int, NDArray[np.int64]]:
        """The rank in each column of some combinations."""
        found = {}
        for column, size in zip(self.columns[::-1], self._sizes[::-1], strict=True):
            codes, found[int(column)] = np.divmod(codes, size)
        return found

    def rows(self, codes: NDArray[np.int64]) -> NDArray[np.int32]:
        """A row of each combination."""
        return np.asarray(self._row[codes], np.int32)


def _tried(about: _Combinations, asked: Conjunctions, numbers: NDArray[np.int64], most: int) -> Iterator[Tried]:
    """Conjunctions over one set of columns, one by one."""
    fresh, all_ = about.values(about.fresh), about.values(about.codes)
    for number in numbers.tolist():
        one = asked.at(number)
        predicates = list(zip(one.left.tolist(), one.op.tolist(), strict=True))
        found = [about.twice] if all(op in (0, 3, 5) for _, op in predicates) else []
        found += _compared(about, predicates, fresh, all_, most) if len(about.fresh) else []
        pairs = np.concatenate([np.zeros((0, 2), np.int32), *found])[:most]
        at = np.array([number], np.int32)
        yield at, (np.repeat(at, len(pairs)), pairs)


def _compared(
    about: _Combinations, predicates: list[tuple[int, int]], fresh: dict[int, Any], all_: dict[int, Any], most: int
) -> list[Pairs]:
    """Combinations that are new against all others, in both orders, a piece at a time, until there are enough pairs."""
    found: list[Pairs] = []
    step = max(_PIECE // max(len(about.codes), 1), 1)
    for start in range(0, len(about.fresh), step):
        piece = slice(start, start + step)
        here = about.rows(about.fresh[piece])
        apart = about.fresh[piece, None] != about.codes[None, :]
        for turned in (False, True):
            good = apart.copy()
            for column, op in predicates:
                left, right = fresh[column][piece, None], all_[column][None, :]
                good &= _COMPARE[op](right, left) if turned else _COMPARE[op](left, right)
            if not good.any():
                continue
            new, other = np.nonzero(good)
            pair = (here[new[:most]], about.rows(about.codes[other[:most]]))
            found.append(np.stack(pair[::-1] if turned else pair, axis=1).astype(np.int32))
        if sum(map(len, found)) >= most:
            break
    return found
