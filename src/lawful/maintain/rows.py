"""The rows of a state, as codes: parts that were added one after the other, and which of their rows are gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lawful.maintain.segment import Ids
from lawful.ranks.store import Ranks

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows: ids, ascending, and codes int32[columns, rows]."""

    ids: Ids
    codes: Ranks


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows that are there: those of all parts but the ``dead`` ones (ids, ascending). Ids ascend over the parts."""

    width: int
    parts: tuple[Part, ...]
    dead: Ids

    def __len__(self) -> int:
        return self.stored - len(self.dead)

    @property
    def stored(self) -> int:
        """How many rows the parts hold, dead ones included."""
        return sum(len(part.ids) for part in self.parts)

    @property
    def ids(self) -> Ids:
        """The ids of the rows that are there, ascending."""
        return np.concatenate([np.zeros(0, np.int64), *(part.ids[alive] for part, alive in self)])

    def __iter__(self) -> Iterator[tuple[Part, Flags]]:
        """Each part that has rows, with flags of those that are there."""
        for part in self.parts:
            if len(part.ids):
                yield part, ~_among(part.ids, self.dead)

    @cached_property
    def dead_codes(self) -> Ranks:
        """The codes of the rows that are gone and still stored."""
        return self.codes(self.dead)

    def codes(self, ids: Ids) -> Ranks:
        """The codes of stored rows, int32[columns, k], in the order of the ids."""
        found = np.zeros((self.width, len(ids)), np.int32)
        for part in self.parts:
            here = _among(ids, part.ids)
            found[:, here] = part.codes[:, np.searchsorted(part.ids, ids[here])]
        return found

    def there(self, ids: Ids) -> Flags:
        """Which ids are of rows that are there."""
        stored = np.zeros(len(ids), np.bool_)
        for part in self.parts:
            stored |= _among(ids, part.ids)
        return stored & ~_among(ids, self.dead)

    def changed(self, gone: Ids, part: Part) -> Rows:
        """Without some rows and with a part more."""
        return Rows(self.width, (*self.parts, part), np.union1d(self.dead, gone))

    def whole(self) -> Part:
        """All rows that are there as one part; copies them."""
        codes = [part.codes[:, alive] for part, alive in self]
        return Part(self.ids, np.hstack([np.zeros((self.width, 0), np.int32), *codes]))

    def matching(self, columns: Sequence[int], wanted: Ranks) -> tuple[NDArray[np.int64], Ids]:
        """Rows that are equal to one of ``wanted`` int32[len(columns), k], all different, on some columns: the number
        of the wanted one and the id, by number and then id. O(rows * columns), and O(log k) for each row."""
        hashes = _hashes(wanted)
        order = np.argsort(hashes, kind="stable")
        numbers, ids = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for part, alive in self:
            codes = part.codes[list(columns)]
            for number, row in _equal(codes, wanted, hashes[order], order):
                kept = alive[row]
                numbers.append(number[kept])
                ids.append(part.ids[row[kept]])
        number, found = np.concatenate(numbers), np.concatenate(ids)
        by = np.lexsort((found, number))
        return number[by], found[by]


def _equal(
    codes: Ranks, wanted: Ranks, hashes: NDArray[np.uint64], order: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Numbers of wanted rows and places of rows equal to them; different ones with one hash are tried in turn."""
    own = _hashes(codes)
    at = np.searchsorted(hashes, own)
    rows = np.arange(codes.shape[1])
    while True:
        good = at < len(hashes)
        rows, at, own = rows[good], at[good], own[good]
        good = hashes[at] == own
        rows, at, own = rows[good], at[good], own[good]
        if not len(rows):
            return
        same = (codes[:, rows] == wanted[:, order[at]]).all(axis=0)
        yield order[at[same]], rows[same]
        rows, at, own = rows[~same], at[~same] + 1, own[~same]


def _hashes(codes: Ranks) -> NDArray[np.uint64]:
    mixed = np.zeros(codes.shape[1], np.uint64)
    for row in codes:
        mixed = (mixed ^ row.astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _among(values: Ids, ascending: Ids) -> Flags:
    """Which values stand in an ascending array."""
    if not len(ascending):
        return np.zeros(len(values), np.bool_)
    at = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    return np.asarray(ascending[at] == values, np.bool_)
