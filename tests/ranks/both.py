"""Encoding one source twice, in process and as jobs, and comparing everything that can be seen."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lawful.errors import LawfulError
from lawful.options import SourceOptions
from lawful.ranks import dealing, runs, staging
from lawful.ranks.distributed import encode_files
from lawful.ranks.encode import encode_here
from lawful.ranks.encoded import Encoded
from lawful.ranks.profiling import profile_of
from lawful.source import delimited, lines
from lawful.source.files import FileSource
from lawful.source.opening import open_source
from tests.ranks import awkward

Rows = list[list[str | None]]


def opened(where: Path | Sequence[Path], options: SourceOptions) -> FileSource:
    """The source behind some files."""
    source = open_source(where if isinstance(where, Path) else list(where), options, lambda: None)
    assert isinstance(source, FileSource)
    return source


@contextmanager
def small_steps(rng: random.Random) -> Iterator[None]:
    """Chunks of a few rows, batches of a few keys, sections of a few keys: every seam is met."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(staging, "CELLS", rng.choice([1, 5, 20]))
        patch.setattr(runs, "BATCH", rng.choice([1, 2, 5]))
        patch.setattr(runs, "SAMPLE_EVERY", rng.choice([1, 2, 3]))
        patch.setattr(dealing, "KEYS_PER_SECTION", rng.choice([1, 4, 1 << 22]))
        patch.setattr(lines, "_ROWS", rng.choice([1, 3]))
        patch.setattr(delimited, "BLOCK", rng.choice([64, 256, 1 << 20]))
        yield


def outcome(encode: Any) -> Encoded | tuple[type, str]:
    """The table, or the error as a person sees it."""
    try:
        table: Encoded = encode()
        return table
    except LawfulError as error:
        return type(error), str(error)


def assert_same_outcome(
    engine: Any, where: Path | Sequence[Path], options: SourceOptions, folder: Path
) -> Encoded | tuple[type, str]:
    """Both encodings give the same table, or the same error."""
    here = outcome(lambda: encode_here(opened(where, options), options))
    there = outcome(lambda: encode_files(engine, opened(where, options), options, str(folder)))
    if isinstance(here, tuple) or isinstance(there, tuple):
        assert here == there
    else:
        assert_same(here, there)
    return here


def assert_same(here: Encoded, there: Encoded) -> None:
    """Everything but the engine and the seconds."""
    assert there.columns == here.columns
    assert (there.rows, there.nulls, there.name) == (here.rows, here.nulls, here.name)
    assert there.ranks.dtype == here.ranks.dtype == np.int32
    assert there.ranks.tolist() == here.ranks.tolist()
    assert there.origins == here.origins
    assert there.warnings == here.warnings
    every = range(here.rows)
    for name in here.names:
        assert shown(there.cells(name, every)) == shown(here.cells(name, every)), name
        assert there.cells(name, []) == here.cells(name, []) == []
    assert [there.row_name(r) for r in every] == [here.row_name(r) for r in every]
    assert profile_of(there).columns == profile_of(here).columns
    assert profile_of(there).hints == profile_of(here).hints


def shown(values: Sequence[object]) -> list[str]:
    """Values with their types; NaN equals NaN."""
    return ["nan" if isinstance(v, float) and math.isnan(v) else repr(v) for v in values]


def text_rows(rng: random.Random, width: int, most: int = 12) -> Rows:
    """Rows of awkward cells; a column is mostly of one kind."""
    count = rng.randint(0, most)
    columns = []
    for _ in range(width):
        cells = awkward.column(rng, 20)
        columns.append([rng.choice(cells) if cells else None for _ in range(count)])
    return [list(row) for row in zip(*columns, strict=True)]


def split(rng: random.Random, rows: Rows, files: int) -> list[Rows]:
    """The rows cut into so many parts, some perhaps empty."""
    cuts = sorted(rng.randint(0, len(rows)) for _ in range(files - 1))
    return [rows[a:b] for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


def write_csv(path: Path, names: Sequence[str], rows: Rows) -> Path:
    """Every text quoted, so that only null is an empty field."""
    quoted = [
        "".join(c for c in ",".join("" if v is None else '"' + v.replace('"', '""') + '"' for v in r)) for r in rows
    ]
    path.write_bytes("".join(f"{line}\n" for line in [",".join(names), *quoted]).encode())
    return path


def write_lines(path: Path, names: Sequence[str], rows: Rows, rng: random.Random) -> Path:
    """Null is null or left out."""
    texts = []
    for row in rows:
        cells = {n: v for n, v in zip(names, row, strict=True) if v is not None or rng.random() < 0.3}
        texts.append(json.dumps(cells, ensure_ascii=rng.random() < 0.5))
    path.write_bytes("".join(f"{t}\n" for t in texts).encode())
    return path


def write_typed(path: Path, table: pa.Table, rng: random.Random) -> Path:
    """Parquet in row groups of a few rows, ORC, or Arrow by the ending."""
    import pyarrow.orc as orc
    import pyarrow.parquet as pq

    if path.suffix == ".parquet":
        pq.write_table(table, path, row_group_size=rng.choice([1, 3, 100]), use_dictionary=rng.random() < 0.5)
    elif path.suffix == ".orc":
        orc.write_table(table, path)
    else:
        with pa.ipc.new_file(str(path), table.schema) as writer:
            for batch in table.to_batches(max_chunksize=rng.choice([1, 3, 100])):
                writer.write_batch(batch)
    return path
