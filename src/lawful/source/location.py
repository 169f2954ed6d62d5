"""One file, wherever it lies: opened for reading from its start or anywhere, measured, known by its ending."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import IO, Any, Final

import pyarrow as pa

from lawful.errors import MissingError, SourceError

_COMPRESSIONS: Final = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}
_FORMATS: Final = {
    ".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".txt": "csv", ".psv": "csv", ".data": "csv",
    ".json": "json", ".jsonl": "json", ".ndjson": "json",
    ".parquet": "parquet", ".pq": "parquet", ".orc": "orc",
    ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow", ".arrows": "arrow",
}  # fmt: skip


def is_url(name: str) -> bool:
    """Whether a name is an address that fsspec understands, not a local path."""
    return "://" in name or "::" in name


def filesystem(url: str) -> tuple[Any, str]:
    """The file system of an address and the path in it."""
    import fsspec

    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as problem:
        raise MissingError(
            f"Reading {url!r} needs another package: {one_line(problem)}.", hint="Install it with pip."
        ) from problem
    except (ValueError, OSError) as problem:
        raise SourceError(
            f"{url!r} is no address known here: {one_line(problem)}.", hint="Name a file or a URL."
        ) from problem
    return system, path


def format_of(path: str) -> str | None:
    """The format that a file's name tells, the ending of a compression aside."""
    stem, ending = os.path.splitext(path.partition("::")[0].casefold())
    if ending in _COMPRESSIONS:
        ending = os.path.splitext(stem)[1]
    return _FORMATS.get(ending)


def size_of(path: str) -> int:
    """Bytes of a file, or 0 where nobody says."""
    try:
        if not is_url(path):
            return os.path.getsize(path)
        system, inside = filesystem(path)
        return int(system.size(inside) or 0)
    except OSError:
        return 0


def open_random(path: str) -> Any:
    """A file that can be read anywhere, as Arrow takes it."""
    try:
        return pa.PythonFile(_open_url(path), "r") if is_url(path) else pa.OSFile(path)
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem) from problem


def open_stream(path: str) -> Any:
    """A file read from its start, decompressed by its ending."""
    compression = _COMPRESSIONS.get(os.path.splitext(path.partition("::")[0].casefold())[1])
    raw = open_random(path)
    try:
        return pa.CompressedInputStream(raw, compression) if compression else raw
    except (OSError, ValueError) as problem:
        raw.close()
        raise damaged(path, problem) from problem


def _open_url(url: str) -> IO[bytes]:
    system, path = filesystem(url)
    opened: IO[bytes] = system.open(path, "rb")
    # A file in an archive is readable as long as somebody holds the archive.
    with suppress(AttributeError):
        opened.holds = system  # type: ignore[attr-defined]
    return opened


def _unreadable(path: str, problem: Exception) -> SourceError:
    code = getattr(problem, "errno", None)
    reason = os.strerror(code) if code else one_line(problem)
    return SourceError(f"{path!r} cannot be read: {reason}.", hint="Check that the file is there and yours to read.")


def start_of(path: str, most: int) -> bytes:
    """The first bytes of a file, decompressed."""
    with open_stream(path) as stream:
        try:
            return bytes(stream.read(most))
        except (OSError, EOFError, ValueError) as problem:
            raise damaged(path, problem) from problem


def damaged(path: str, problem: Exception) -> SourceError:
    """What to raise where the bytes of a file are not what they should be."""
    return SourceError(
        f"{path!r} is damaged or not what its name says: {one_line(problem)}.",
        hint="Fetch or write it again, or name its format with --format.",
    )


def one_line(problem: Exception) -> str:
    """What an error of another library says, on one line of bearable length and without its full stop."""
    text = " ".join(str(problem).split()) or type(problem).__name__
    return (text if len(text) <= 300 else text[:299] + "…").rstrip(".")
