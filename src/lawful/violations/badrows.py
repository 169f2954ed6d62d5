"""A file of the rows that break rules, each with the ids of the rules it breaks: to set them aside, or to mend them."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lawful.errors import OptionError
from lawful.ranks.nested import spell
from lawful.ranks.plain import plain
from lawful.violations.checked import CheckResult

_ROWS = 1 << 16


def check_suffix(path: str) -> None:
    """An error where the path does not say which format the file is to have."""
    if Path(path).suffix.lower() not in _WRITERS:
        hint = f"End its name with one of: {', '.join(_WRITERS)}."
        raise OptionError(f"The format of {path!r} is not known.", hint=hint)


def write_bad_rows(result: CheckResult, path: str) -> int:
    """Writes CSV, Parquet or JSON lines, as the name ends; under another name first, then renamed. Returns the rows.

    In CSV the ids of a row stand in one field, with spaces between them; bytes that are no text stand in hexadecimal
    digits.
    """
    check_suffix(path)
    rows, target = result.bad_rows(), Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as sink:  # a pipe or a device, which no file can take the place of
            _WRITERS[Path(path).suffix.lower()](rows, sink)
        return int(rows.num_rows)
    draft = target.with_name(f".{target.name[:80]}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        with open(draft, "xb") as file:
            _WRITERS[Path(path).suffix.lower()](rows, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except OSError as error:
        hint = "Choose a file in a folder that exists and that you may write to."
        raise OptionError(f"{path!r} cannot be written: {error.strerror or error}.", hint=hint) from error
    finally:
        with suppress(OSError):
            draft.unlink()
    return int(rows.num_rows)


def _csv(rows: pa.Table, file: IO[bytes]) -> None:
    from pyarrow import csv

    *cells, ids = rows.columns
    columns = [*map(_as_text, cells), pc.binary_join(ids, " ")]
    csv.write_csv(pa.table(columns, names=rows.column_names), file)


def _as_text(column: pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Bytes, for which CSV has no form, as the text that they are, else in hexadecimal digits; others as they are."""
    type = column.type
    if not (pa.types.is_fixed_size_binary(type) or type in (pa.binary(), pa.large_binary(), pa.binary_view())):
        return column
    try:
        return column.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:
        values = column.combine_chunks()
        return pa.array(spell(values), pa.large_string(), mask=np.asarray(values.is_null()))


def _parquet(rows: pa.Table, file: IO[bytes]) -> None:
    from pyarrow import parquet

    parquet.write_table(rows, file, row_group_size=_ROWS)


def _json(rows: pa.Table, file: IO[bytes]) -> None:
    import msgspec

    encoder = msgspec.json.Encoder(decimal_format="number", enc_hook=str)
    for batch in rows.to_batches(max_chunksize=_ROWS):
        cells = zip(*map(plain, batch.columns), strict=True)
        file.write(encoder.encode_lines([dict(zip(rows.column_names, row, strict=True)) for row in cells]))


_WRITERS: dict[str, Callable[[pa.Table, IO[bytes]], Any]] = {
    ".csv": _csv, ".parquet": _parquet, ".jsonl": _json, ".ndjson": _json,
}  # fmt: skip
