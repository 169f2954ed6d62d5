"""A file of the rows that break rules, each with the ids of the rules it breaks: to set them aside, or to mend them."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc

from lawful.errors import OptionError
from lawful.violations.checked import CheckResult

_ROWS = 1 << 16


def check_suffix(path: str) -> None:
    """An error where the path does not say which format the file is to have."""
    if Path(path).suffix.lower() not in _WRITERS:
        hint = f"End its name with one of: {', '.join(_WRITERS)}."
        raise OptionError(f"The format of {path!r} is not known.", hint=hint)


def write_bad_rows(result: CheckResult, path: str) -> int:
    """Writes CSV, Parquet or JSON lines, as the name ends; under another name first, then renamed. Returns the rows.

    In CSV the ids of a row stand in one field, with spaces between them.
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

    last = rows.num_columns - 1
    joined = pc.binary_join(rows.column(last), " ")
    csv.write_csv(rows.set_column(last, rows.column_names[last], joined), file)


def _parquet(rows: pa.Table, file: IO[bytes]) -> None:
    from pyarrow import parquet

    parquet.write_table(rows, file, row_group_size=_ROWS)


def _json(rows: pa.Table, file: IO[bytes]) -> None:
    import msgspec

    encoder = msgspec.json.Encoder(decimal_format="number")
    for batch in rows.to_batches(max_chunksize=_ROWS):
        file.write(encoder.encode_lines(batch.to_pylist()))


_WRITERS: dict[str, Callable[[pa.Table, IO[bytes]], Any]] = {
    ".csv": _csv, ".parquet": _parquet, ".jsonl": _json, ".ndjson": _json,
}  # fmt: skip
