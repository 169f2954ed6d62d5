"""Rank columns on disk: what tasks write as chunks, and every host maps as one array.

An encoded table is m columns by n rows of int32 ranks. A *chunk* holds some consecutive rows of all columns, column
after column, little endian, without a header. Chunks live in the run's work folder under names that no other attempt
has; the list of those that count travels in the `Store`, so retried and speculated tasks change nothing.

Checksums are BLAKE2b and not CRC-32: the key of a store is the hash of its chunks' checksums and names the copy on
each host, so two different tables must never share one, not even by accident.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.errors import SourceError
from lawful.ranks import scratch
from lawful.ranks.folder import Folder, unique

Ranks: TypeAlias = NDArray[np.int32]

CELLS_PER_CHUNK = 8 << 20
"""Cells in a chunk where the caller does not say: 32 MiB, a comfortable object for any file system."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A file of consecutive rows: its name in the work folder, how many rows, the BLAKE2b of its bytes."""

    name: str
    rows: int
    checksum: str


@dataclass(frozen=True)
class Store:
    """A small, picklable handle on a table's rank columns; ``chunks`` are in row order."""

    folder: str
    chunks: tuple[Chunk, ...]
    rows: int
    width: int
    key: str

    @classmethod
    def of(cls, folder: str | os.PathLike[str], chunks: Iterable[Chunk], width: int) -> Store:
        """The store that consists of ``chunks``, in row order, each of ``width`` columns."""
        kept = tuple(chunks)
        key = _digest(*(f"{c.rows} {c.checksum};".encode() for c in kept), f"{width}".encode())
        return cls(os.fspath(folder), kept, sum(c.rows for c in kept), width, key)

    def open(self) -> Ranks:
        """The ranks, shape (width, rows), int32, C order, read-only.

        The first process of a host copies the chunks to local scratch and verifies them, O(cells); every other one
        maps that copy, and a process that asks again gets the same array.
        """
        return _open(self, str(scratch.scratch_folder()))

    def discard(self) -> None:
        """Remove the chunks and this host's copy. Arrays that are open stay valid."""
        _open.cache_clear()
        scratch.forget(self._entry)
        for chunk in self.chunks:
            Folder(self.folder).remove(chunk.name)

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def _entry(self) -> str:
        return f"{self.key}.ranks"

    def _assemble(self, path: Path) -> None:
        try:
            self._fill(path)
        except OSError as error:
            raise SourceError(
                f"The encoded table ({self.rows * self.width * 4 / 1e6:.1f} MB) cannot be put in the scratch folder "
                f"{path.parent} of this host: {error}.",
                hint="Free some space there, or set LAWFUL_SCRATCH to a local folder with more.",
            ) from error

    def _fill(self, path: Path) -> None:
        with path.open("wb") as out:
            _reserve(out, self.rows * self.width * 4)
            at = 0
            for chunk in self.chunks:
                self._place(out, at, read_chunk(self.folder, chunk, self.width))
                at += chunk.rows
            out.flush()
            os.fsync(out.fileno())  # the name will be trusted after a power cut too

    def _place(self, out: BinaryIO, at: int, block: Ranks) -> None:
        for column, values in enumerate(block):
            out.seek((column * self.rows + at) * 4)
            out.write(values.data)


def write_chunk(folder: str | os.PathLike[str], number: int, ranks: Ranks) -> Chunk:
    """Write ``ranks``, shape (columns, rows), as chunk ``number`` of a table; O(cells).

    The number only makes the name readable: the order of chunks is the order of the list given to `Store.of`.
    """
    data = ranks.astype("<i4", order="C", casting="safe", copy=False).tobytes()
    name = unique(f"chunk-{number:06d}", ".ranks")
    Folder(os.fspath(folder)).write(name, data)
    return Chunk(name, int(ranks.shape[1]), _digest(data))


def read_chunk(folder: str | os.PathLike[str], chunk: Chunk, width: int) -> Ranks:
    """The ranks of one chunk, shape (width, chunk.rows), verified against its size and checksum."""
    try:
        data = Folder(os.fspath(folder)).read(chunk.name)
    except OSError as error:
        raise SourceError(
            f"Chunk {chunk.name} of the encoded table cannot be read from {os.fspath(folder)}: {error}.",
            hint="The work folder must be one that every host reaches under the same name (work_dir), "
            "and must stay until the run ends.",
        ) from error
    if len(data) != width * chunk.rows * 4 or _digest(data) != chunk.checksum:
        raise SourceError(
            f"Chunk {chunk.name} of the encoded table in {os.fspath(folder)} is damaged: {len(data)} bytes "
            f"where {width * chunk.rows * 4} were written, or other ones.",
            hint="Something changed the work folder during the run, or its disk is failing; encode the table again.",
        )
    return np.frombuffer(data, dtype="<i4").reshape(width, chunk.rows)


def write_store(folder: str | os.PathLike[str], ranks: Ranks, chunk_rows: int | None = None) -> Store:
    """Write a table that was encoded in process, shape (columns, rows), in chunks of ``chunk_rows`` rows."""
    width, rows = ranks.shape
    step = chunk_rows or max(1, CELLS_PER_CHUNK // max(1, width))
    starts: Sequence[int] = range(0, rows, step)
    return Store.of(folder, [write_chunk(folder, at // step, ranks[:, at : at + step]) for at in starts], width)


@lru_cache(maxsize=4)  # per process; few, so that a long-lived worker does not hold on to tables of the past
def _open(store: Store, scratch_folder: str) -> Ranks:
    if not store.rows or not store.width:
        empty = np.empty((store.width, store.rows), dtype=np.int32)
        empty.flags.writeable = False
        return empty
    while True:
        path = scratch.entry(store._entry, store._assemble)
        try:
            mapped = np.memmap(path, dtype="<i4", mode="r", shape=(store.width, store.rows), order="C")
            return np.asarray(mapped)  # a plain array on the same memory: kernels know no other kind
        except FileNotFoundError:  # another process discarded the copy in between: make it again
            continue


def _reserve(out: BinaryIO, size: int) -> None:
    """Claim the space at once: a full disk is then an error here and not a bus error in whoever maps the file."""
    try:
        os.posix_fallocate(out.fileno(), 0, size)
    except (AttributeError, OSError) as error:
        if getattr(error, "errno", None) == errno.ENOSPC:
            raise
        out.truncate(size)  # a system, or file system, that cannot claim space


def _digest(*parts: bytes) -> str:
    state = hashlib.blake2b(digest_size=16)
    for part in parts:
        state.update(part)
    return state.hexdigest()
