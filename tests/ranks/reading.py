"""A column of text through the steps of the package: its type, its ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from lawful.options import SourceOptions
from lawful.ranks.coding import Coded, code
from lawful.ranks.columns import Misfit, ordering, summary_of, type_of, typed
from lawful.ranks.encode import place_ranks
from lawful.ranks.infer import TextSummary
from lawful.ranks.keys import dense
from lawful.ranks.types import ColumnType


def coded(cells: Sequence[str | None], chunks: int = 1) -> Coded:
    """The column as read, in one or more chunks."""
    step = -(-len(cells) // chunks) or 1
    parts = [pa.array(cells[at : at + step], pa.string()) for at in range(0, len(cells), step)]
    return code(pa.chunked_array(parts, pa.string()), ())


def summary(cells: Sequence[str | None]) -> TextSummary:
    """What the texts are like."""
    return summary_of(coded(cells), infer=True)


def encoded(cells: Sequence[str | None], chunks: int = 1, nulls: str = "first") -> tuple[ColumnType, list[int]]:
    """The type found, and the rank of every cell."""
    column = coded(cells, chunks)
    type = type_of("a", None, summary_of(column, infer=True), SourceOptions())
    values = typed(column, type, asked=False)
    assert not isinstance(values, Misfit)
    keys = ordering(column, values, type, ())
    assert not isinstance(keys, Misfit)
    out = np.empty(len(cells), np.int32)
    place_ranks(column, dense(keys)[0], nulls, out)
    return type, out.tolist()
