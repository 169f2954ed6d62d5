"""Which rows a batch takes away: named by id, by row key, or by all of their values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawful.errors import InputError, OptionError
from lawful.maintain.reading import Given
from lawful.maintain.rows import Rows
from lawful.maintain.segment import Ids
from lawful.ranks.store import Ranks

ROW_ID = "row_id"


@dataclass(frozen=True)
class Manner:
    """``all_copies``: a named row goes with all its copies. ``ignore_missing``: a row that is not there is no error.
    ``by_key``: rows are named by row key, of which two different ones may have the same."""

    all_copies: bool = False
    ignore_missing: bool = False
    by_key: bool = False


def as_ids(things: Any) -> Ids | None:
    """Row ids, where that is what was given: a sequence of whole numbers, or a table of one column `ROW_ID`."""
    if isinstance(things, pa.Table | pa.RecordBatch) and things.schema.names == [ROW_ID]:
        things = things.column(0)
    if isinstance(things, pa.Array | pa.ChunkedArray):
        things = things.to_numpy() if isinstance(things, pa.ChunkedArray) else things.to_numpy(zero_copy_only=False)
    if isinstance(things, np.ndarray | list | tuple | set | frozenset | range):
        array = np.asarray(list(things) if isinstance(things, set | frozenset) else things)
        if array.ndim == 1 and (array.dtype.kind in "iu" or not len(array)):
            return array.astype(np.int64)
    return None


def named_by_id(rows: Rows, ids: Ids, manner: Manner) -> Ids:
    """The rows of some ids, ascending."""
    distinct, counts = np.unique(ids, return_counts=True)
    if (counts > 1).any() and not manner.ignore_missing:
        raise InputError(f"Row id {distinct[counts > 1][0]} is named twice.", hint="Name each row once.")
    there = rows.there(distinct)
    if not there.all() and not manner.ignore_missing:
        raise InputError(
            f"There is no row with id {distinct[~there][0]}{_others(int((~there).sum()))}; nothing was applied.",
            hint="Ask row_ids() for those that are there, or say ignore_missing (--ignore-missing).",
        )
    return distinct[there]


def named_by_value(rows: Rows, columns: Sequence[int], codes: Ranks, given: Given, manner: Manner) -> Ids:
    """The rows that are equal to the given ones, int32[len(columns), k], on some columns; of several copies those with
    the lowest ids go. Each given row takes exactly one row away."""
    wanted, first, of = _distinct(codes)
    asked = np.bincount(of, minlength=wanted.shape[1])
    number, ids = rows.matching(columns, wanted)
    found = np.bincount(number, minlength=wanted.shape[1])
    if manner.all_copies:
        _insist(np.where(found > 0, 0, asked), first, given, manner)
        return np.sort(ids)
    _insist(np.maximum(asked - found, 0), first, given, manner)
    if manner.by_key and (found > asked).any():
        row = int(first[np.flatnonzero(found > asked)[0]])
        raise InputError(
            f"{given.where(row)}: several rows have the key {given.shown(row)}; nothing was applied.",
            hint="Name the rows by id or by all values, or say delete_all_copies (--delete-all-copies).",
        )
    nth = np.arange(len(ids)) - np.searchsorted(number, number)
    return np.sort(ids[nth < asked[number]])


def _insist(missing: NDArray[np.int64], first: NDArray[np.int64], given: Given, manner: Manner) -> None:
    """An error where rows are missing: so many of each distinct one."""
    if not missing.any() or manner.ignore_missing:
        return
    row = int(first[np.flatnonzero(missing)].min())
    raise InputError(
        f"{given.where(row)}: there is no such row: {given.shown(row)}{_others(int(missing.sum()))}; "
        "nothing was applied.",
        hint="Correct the row, or say ignore_missing (--ignore-missing).",
    )


def _others(missing: int) -> str:
    return "" if missing == 1 else f", and {missing - 1:,} more are not there either"


def _distinct(codes: Ranks) -> tuple[Ranks, NDArray[np.int64], NDArray[np.int64]]:
    """The distinct columns of codes, the first place of each, and which of them stands where."""
    if not codes.shape[1]:
        return codes, np.zeros(0, np.int64), np.zeros(0, np.int64)
    found, first, of = np.unique(codes, axis=1, return_index=True, return_inverse=True)
    return np.ascontiguousarray(found), first, of.reshape(-1)


def apart(named: Sequence[Ids]) -> Ids:
    """All rows that go, which no two parts of a batch may name both."""
    together = np.concatenate([np.zeros(0, np.int64), *named])
    distinct, counts = np.unique(together, return_counts=True)
    if (counts > 1).any():
        raise OptionError(
            f"The row with id {distinct[counts > 1][0]} is both deleted and updated; nothing was applied.",
            hint="Say only one of the two.",
        )
    return distinct
