"""The columns of a table, as a list of rules knows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lawful.errors import ColumnError, did_you_mean


class Column(NamedTuple):
    """A column of the table; ``type`` is None where it is not known."""

    name: str
    type: str | None = None


def refuse_unknown(mentioned: Iterable[str], columns: Sequence[Column]) -> None:
    """An error where a column stands twice, or one that is named is not there."""
    names = [column.name for column in columns]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ColumnError(f"Column {twice!r} stands twice in the table.", hint="Rename one of the two.")
    known = frozenset(names)
    for name in mentioned:
        if name not in known:
            raise ColumnError(f"A rule names column {name!r}, which the table lacks.", hint=did_you_mean(name, names))
