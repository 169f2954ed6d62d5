"""Codes of a state as ranks: values keep the code they got when they came, and every version puts them in order anew.

A column's dictionary is ranked as a whole when it has new values; codes of old rows are then looked up, and no row is
read again from its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.signature import Comparison, Layout
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.manifest import MARKED, Manifest
from lawful.maintain.rows import Part, Rows
from lawful.ranks.encoded import Column, Encoded, HeldValues
from lawful.ranks.store import Ranks
from lawful.ranks.types import UNORDERED, ColumnType

Tables: TypeAlias = tuple[NDArray[np.int32], ...]
"""For each column the rank of each code; a smaller value has a smaller rank."""


def follows_order(manifest: Manifest) -> bool:
    """Whether a state follows kinds of rules that compare by less and greater."""
    return any(kind in MARKED for kind in manifest.options.kinds)


def order_layout(manifest: Manifest) -> Layout:
    """Every column of one row compared with the same column of the other, by order where it has one. What any kind
    asks of a pair of rows is told by this signature: the agree set is what is equal in it."""
    return Layout(tuple(Comparison(c, c, each.type not in UNORDERED) for c, each in enumerate(manifest.columns)))


def described(manifest: Manifest, rows: int) -> Encoded:
    """A table of the state's columns and so many rows, as far as recipes need it: without ranks and values."""
    columns = tuple(
        Column(each.name, ColumnType(each.type), 0, 0, None, each.type not in UNORDERED)  # type: ignore[arg-type]
        for each in manifest.columns
    )
    return Encoded(manifest.source, columns, rows, HeldValues(()), manifest.options.nulls)


def rank_tables(dictionaries: Sequence[Dictionary], nulls: str) -> Tables:
    """The ranks of all codes, null's among them: before all others, or with ``"last"`` after them."""
    found = []
    for dictionary in dictionaries:
        ranks = dictionary.ranks
        null = np.int32(len(ranks)) if nulls == "last" else np.int32(-1)
        found.append(np.concatenate([[null], ranks]).astype(np.int32) + np.int32(nulls != "last"))
    return tuple(found)


def ranked(codes: Ranks, tables: Tables) -> Ranks:
    """Codes int32[columns, k] as ranks."""
    out = np.empty(codes.shape, np.int32)
    for c, table in enumerate(tables):
        np.take(table, codes[c], out=out[c])
    return out


def ranked_rows(rows: Rows, tables: Tables) -> Rows:
    """The same rows by ranks."""
    return replace(rows, parts=tuple(ranked_part(part, tables) for part in rows.parts))


def ranked_part(part: Part, tables: Tables) -> Part:
    """The same rows by ranks."""
    return Part(part.ids, ranked(part.codes, tables))
