"""Benchmark tables as files: made once, kept in ``bench/data``; public tables are looked up, never fetched."""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from bench import tables
from lawful.errors import SourceError

ROOT = Path(__file__).resolve().parent.parent
Form: TypeAlias = Literal["parquet", "csv", "csv.gz"]


DATA = ROOT / "bench" / "data"


def written(name: str, rows: int, form: Form = "parquet", seed: int = 0) -> Path:
    """The file of a made table, written now unless it is there; memory of one chunk of rows."""
    DATA.mkdir(parents=True, exist_ok=True)
    target = DATA / f"{name}-{rows}-{seed}-{_recipe_mark()}.{form}"
    if not target.exists():
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            _write(name, rows, form, seed, part)
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return target


def public(name: str) -> Path:
    """The file ``NAME.csv.gz`` of a public table, in the folder LAWFUL_BENCH_DATA, else in ``bench/data``."""
    path = Path(os.environ.get("LAWFUL_BENCH_DATA", DATA)) / f"{name}.csv.gz"
    if not path.exists():
        hint = f"Put {path.name} into bench/data, or into the folder that LAWFUL_BENCH_DATA names."
        raise SourceError(f"The public table {name!r} is not on this machine.", hint=hint)
    return path


def checksum(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def arrow_bytes(path: Path) -> int:
    """Bytes of a Parquet file's table in Arrow's memory, added up batch by batch."""
    with pq.ParquetFile(path) as file:
        return sum(int(batch.nbytes) for batch in file.iter_batches(tables.CHUNK))


@lru_cache(maxsize=1)
def _recipe_mark() -> str:
    """Eight digits that change with the recipes, so that a changed recipe never meets an old file."""
    sources = ("draws", "columns", "places", "people", "trade", "dates", "tables")
    text = b"".join((ROOT / "bench" / f"{name}.py").read_bytes() for name in sources)
    return hashlib.sha256(text).hexdigest()[:8]


def _write(name: str, rows: int, form: Form, seed: int, path: Path) -> None:
    pieces, schema = tables.batches(name, rows, seed), tables.schema(name)
    if form == "parquet":
        with pq.ParquetWriter(path, schema, compression="snappy") as parquet:
            for piece in pieces:
                parquet.write_batch(piece)
    elif form == "csv":
        with path.open("wb") as plain:
            _write_csv(plain, schema, pieces)
    else:
        # No name and no time in the header: the same table is the same file.
        with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed:
            _write_csv(packed, schema, pieces)


def _write_csv(file: object, schema: pa.Schema, pieces: Iterator[pa.RecordBatch]) -> None:
    # The made values hold no comma, quote or line end; pyarrow refuses to write one unquoted.
    options = pa_csv.WriteOptions(quoting_style="none", quoting_header="none")
    with pa_csv.CSVWriter(file, schema, write_options=options) as writer:
        for piece in pieces:
            writer.write_batch(piece)
