"""A batch, from what a person gives to the change it makes: which rows go, which come, in the state's own codes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from lawful.errors import InputError, OptionError
from lawful.maintain.dictionary import UNKNOWN, Dictionary
from lawful.maintain.loading import Loaded
from lawful.maintain.manifest import Manifest, StoredColumn
from lawful.maintain.naming import ROW_ID, Manner, apart, as_ids, named_by_id, named_by_value
from lawful.maintain.reading import Given, in_order, read_as
from lawful.maintain.segment import Ids
from lawful.options import SourceOptions
from lawful.ranks.store import Ranks

_EVOLVE = "Say evolve (--evolve) to add the column, null in all rows so far; or leave it out."


@dataclass(frozen=True, eq=False)
class Batch:
    """What was given: rows to insert, rows to delete (or their ids), rows to update; each may be absent."""

    inserts: Given | None = None
    deletes: Given | Ids | None = None
    updates: Given | None = None

    @classmethod
    def read(cls, manifest: Manifest, options: SourceOptions, inserts: Any, deletes: Any, updates: Any) -> Batch:
        """Read the sources, their columns in the types of the state."""

        def given(source: Any) -> Given | None:
            found = None if source is None else read_as(source, options, manifest)
            return found.only(manifest.names) if found is not None and manifest.options.chosen else found

        ids = None if deletes is None else as_ids(deletes)
        found = given(deletes) if ids is None else ids
        if isinstance(found, Given) and found.names == (ROW_ID,) and ROW_ID not in manifest.names:
            found = _row_ids(found)
        return cls(given(inserts), found, given(updates))

    def digest(self) -> str:
        """A hash of all that was given."""
        state = hashlib.sha256()
        for part in (self.inserts, self.deletes, self.updates):
            told = b"" if part is None else part.digest() if isinstance(part, Given) else part.tobytes()
            state.update(f"{type(part).__name__} {len(told)};".encode() + told)
        return state.hexdigest()


def _row_ids(given: Given) -> Ids:
    if not pa.types.is_integer(given.values[0].type) or (given.places[0] == 0).any():
        raise InputError(f"{given.table.name!r} has row ids that are no whole numbers.", hint="Ask row_ids() for them.")
    return np.asarray(np.asarray(given.values[0])[given.places[0] - 1], np.int64)


@dataclass(frozen=True, eq=False)
class Resolved:
    """A batch in the state's codes: ids of rows that go, codes of rows that come, and dictionaries with the values
    that are new, which stand apart as well."""

    gone: Ids
    new: Ranks
    dictionaries: tuple[Dictionary, ...]
    values: tuple[pa.Array, ...]


def new_columns(batch: Batch, manifest: Manifest) -> tuple[list[StoredColumn], list[pa.DataType]]:
    """The columns of a batch that the state does not have, with the types their values are kept in."""
    found: dict[str, tuple[StoredColumn, pa.DataType]] = {}
    for given in (batch.inserts, batch.updates):
        for c, column in enumerate(given.columns if given is not None else ()):
            if column.name not in manifest.names and given is not None:
                found.setdefault(column.name, (column, given.values[c].type))
    return [column for column, _ in found.values()], [type for _, type in found.values()]


def resolve(batch: Batch, manifest: Manifest, loaded: Loaded, manner: Manner) -> Resolved:
    """Find the rows that go, and give the new ones their codes. ``loaded`` is not changed."""
    if not manifest.options.deletes and (batch.deletes is not None or batch.updates is not None):
        raise OptionError(
            "This state was made for inserts alone: it cannot follow deletes and updates.",
            hint="Make one with deletes (--deletes).",
        )
    coding = _Coding(manifest.names, loaded.dictionaries)
    gone = [] if batch.deletes is None else [_deleted(batch.deletes, manifest, loaded, coding, manner)]
    new = []
    if batch.updates is not None:
        going, coming = _updated(batch.updates, manifest, loaded, coding, manner)
        gone.append(going)
        new.append(coming)
    if batch.inserts is not None:
        new.append(coding.coded(coding.ordered(batch.inserts, "inserts"), add=True))
    rows = np.hstack([np.zeros((len(manifest.names), 0), np.int32), *new])
    return Resolved(apart(gone), rows, *coding.extended())


def _deleted(given: Given | Ids, manifest: Manifest, loaded: Loaded, coding: _Coding, manner: Manner) -> Ids:
    if not isinstance(given, Given):
        return named_by_id(loaded.rows, given, manner)
    key = manifest.options.row_key
    if set(given.names) == set(manifest.names):
        names: Sequence[str] = manifest.names
    elif key and set(given.names) == set(key):
        names = key
    else:
        ways = "all columns, or a column row_id" + (f", or the row key {', '.join(key)}" if key else "")
        raise InputError(
            f"deletes: {given.table.name!r} has the columns {', '.join(given.names)}.",
            hint=f"Rows to delete are named by {ways}.",
        )
    manner = replace(manner, by_key=len(names) < len(manifest.names))
    ordered = coding.ordered(given, "deletes", names)
    places = [manifest.names.index(name) for name in names]
    return named_by_value(loaded.rows, places, coding.coded(ordered, names=names), ordered, manner)


def _updated(given: Given, manifest: Manifest, loaded: Loaded, coding: _Coding, manner: Manner) -> tuple[Ids, Ranks]:
    """The rows that have the row keys of the given ones, and these; with missing ones ignored, those left out."""
    key = manifest.options.row_key
    if not key:
        raise OptionError(
            "Updates name rows by the row key, and this state has none.",
            hint="Make it with row_key (--row-key COL,...), or delete the old rows and insert the new ones.",
        )
    ordered = coding.ordered(given, "updates")
    keys = coding.coded(coding.ordered(given, "updates", key, others=True), names=key)
    _once(keys, ordered)
    places = [manifest.names.index(name) for name in key]
    gone = named_by_value(loaded.rows, places, keys, ordered, replace(manner, by_key=True))
    there = np.zeros(given.rows, np.bool_)
    there[loaded.rows.matching(places, keys)[0]] = True
    kept = replace(ordered, places=ordered.places[:, there])
    return gone, coding.coded(kept, add=True)


def _once(keys: Ranks, given: Given) -> None:
    """Row keys that are not in the state are all unknown; they are told apart by the search for them, as missing."""
    known = np.flatnonzero((keys != UNKNOWN).all(axis=0))
    found, first, counts = np.unique(keys[:, known], axis=1, return_index=True, return_counts=True)
    if found.size and (counts > 1).any():
        row = int(known[first[np.flatnonzero(counts > 1)[0]]])
        raise InputError(
            f"{given.where(row)}: a row is updated twice: {given.shown(row)}; nothing was applied.",
            hint="Update each row once.",
        )


class _Coding:
    """The dictionaries of a state while a batch is given its codes; new values go to the end."""

    def __init__(self, names: Sequence[str], dictionaries: Sequence[Dictionary]) -> None:
        self._names = tuple(names)
        self._known = list(dictionaries)
        self._new: list[list[pa.Array]] = [[] for _ in names]

    def ordered(self, given: Given, what: str, names: Sequence[str] | None = None, *, others: bool = False) -> Given:
        """The given rows with the state's columns, or some of them; ``others`` may be there and are left out."""
        wanted = self._names if names is None else tuple(names)
        types = [self._known[self._names.index(name)].type for name in wanted]
        extra = _EVOLVE if what != "deletes" else ""
        return in_order(given.only(wanted) if others else given, wanted, what, types, extra)

    def coded(self, given: Given, *, names: Sequence[str] | None = None, add: bool = False) -> Ranks:
        """Codes of rows, int32[columns, rows]; new values get theirs where ``add`` says so."""
        wanted = self._names if names is None else tuple(names)
        codes = np.zeros((len(wanted), given.rows), np.int32)
        for row, name in enumerate(wanted):
            c = self._names.index(name)
            table = np.append(np.int32(0), self._codes(c, given.values[row], given.places[row], add)).astype(np.int32)
            codes[row] = table[given.places[row]]
        return codes

    def _codes(self, column: int, values: pa.Array, places: Any, add: bool) -> Any:
        known = self._known[column]
        codes = known.codes(values)
        if add:
            used = np.zeros(len(values) + 1, np.bool_)
            used[places] = True
            new = np.flatnonzero((codes == UNKNOWN) & used[1:])
            codes[new] = len(known) + 1 + np.arange(len(new))
            if len(new):
                added = values.take(pa.array(new))
                self._new[column].append(added)
                self._known[column] = known.extended(added)
        return codes

    def extended(self) -> tuple[tuple[Dictionary, ...], tuple[pa.Array, ...]]:
        """The dictionaries with the values that are new, and these by column."""
        values = tuple(
            pa.concat_arrays(new) if new else pa.array([], known.type)
            for known, new in zip(self._known, self._new, strict=True)
        )
        return tuple(self._known), values
