"""Arrow files of a state: one row, a list for every array, so that arrays of any length stand in one file.

A *segment* holds what one version added: rows (ids and codes), ids of rows that are gone, the change of the agree sets,
and the values that were new in each column. The first segment holds all of it. Codes are mapped, not copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from lawful.errors import StateError
from lawful.evidence.agree import agree_layout
from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import Layout
from lawful.maintain.folder import Piece, StateFolder
from lawful.ranks.store import Ranks

Ids = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Segment:
    """``codes`` int32[columns, rows]: 0 is null, k the k-th value of the column's dictionary. ``gone``: ids of rows
    deleted, from this segment or an earlier one. ``change``: signed counts of agree sets. ``values``: new ones, in
    the order of their codes, an array a column. ``marks``: signed counts of signatures with order, where these are
    kept."""

    ids: Ids
    codes: Ranks
    gone: Ids
    change: Evidence
    values: tuple[pa.Array, ...]
    marks: Evidence | None = None


def write_arrays(folder: StateFolder, stem: str, arrays: Mapping[str, Any]) -> Piece:
    """Write arrays (numpy or Arrow, of any lengths) under their names."""
    lists = {name: _as_list(array) for name, array in arrays.items()}
    batch = pa.record_batch(list(lists.values()), names=list(lists))

    def fill(out: IO[bytes]) -> None:
        with pa.ipc.new_file(pa.PythonFile(out, mode="w"), batch.schema) as writer:
            writer.write_batch(batch)

    return folder.write(stem, ".arrow", fill)


def _as_list(array: Any) -> pa.LargeListArray:
    flat = array if isinstance(array, pa.Array) else pa.array(np.ascontiguousarray(array).reshape(-1))
    return pa.LargeListArray.from_arrays(pa.array([0, len(flat)], pa.int64()), flat)


def read_arrays(folder: StateFolder, piece: Piece) -> dict[str, pa.Array]:
    """The arrays of a file by name, mapped; the file is verified first."""
    path = folder.verified(piece)
    try:
        batch = pa.ipc.open_file(pa.memory_map(str(path))).get_batch(0)
        return {name: batch.column(i).values for i, name in enumerate(batch.schema.names)}
    except (pa.ArrowException, OSError) as error:
        raise StateError(f"{path} is damaged: {error}.", hint="Restore it from a backup.") from error


def flat(array: pa.Array) -> NDArray[Any]:
    """An array of numbers without copying it; read-only."""
    return np.asarray(array.to_numpy(zero_copy_only=True)) if len(array) else np.zeros(0, array.type.to_pandas_dtype())


def write_segment(folder: StateFolder, version: int, segment: Segment) -> Piece:
    """Write a segment."""
    arrays: dict[str, Any] = {
        "ids": segment.ids,
        "codes": segment.codes,
        "gone": segment.gone,
        "agree.sets": segment.change.signatures,
        "agree.counts": segment.change.counts,
    }
    if segment.marks is not None:
        arrays |= {"marks.sets": segment.marks.signatures, "marks.counts": segment.marks.counts}
    arrays |= {f"values.{c}": values for c, values in enumerate(segment.values)}
    return write_arrays(folder, f"rows-{version:08d}", arrays)


def read_segment(folder: StateFolder, piece: Piece, width: int, marks: Layout | None = None) -> Segment:
    """A segment of a table of so many columns, with signatures of the layout ``marks`` where these are kept."""
    arrays = read_arrays(folder, piece)
    ids = flat(arrays["ids"])
    change = _evidence(arrays, "agree", agree_layout(width))
    marked = None if marks is None else _evidence(arrays, "marks", marks)
    codes = flat(arrays["codes"]).reshape(width, len(ids))
    return Segment(ids, codes, flat(arrays["gone"]), change, tuple(arrays[f"values.{c}"] for c in range(width)), marked)


def _evidence(arrays: Mapping[str, pa.Array], name: str, layout: Layout) -> Evidence:
    sets, counts = flat(arrays[f"{name}.sets"]), flat(arrays[f"{name}.counts"])
    return Evidence(layout, sets.reshape(-1, layout.words), counts, closed=False)


def merged_values(parts: Sequence[pa.Array]) -> pa.Array:
    """Arrays of one type end to end."""
    return parts[0] if len(parts) == 1 else pa.concat_arrays(list(parts))
