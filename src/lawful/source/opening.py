"""Whatever a person names becomes a source."""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, TypeAlias

from lawful.errors import SourceError
from lawful.options import SourceOptions
from lawful.source.files import FileSource
from lawful.source.finding import open_files
from lawful.source.frames import FrameSource, is_frame, open_frame
from lawful.source.spark import Session, SparkSource, is_spark_frame, is_spark_name, open_spark

Source: TypeAlias = FileSource | FrameSource | SparkSource


def home_of(thing: object) -> str:
    """Where a source is at home: ``"memory"``, ``"spark"`` (a frame of a session) or ``"storage"`` (files, tables)."""
    if is_spark_frame(thing):
        return "spark"
    if isinstance(thing, str | os.PathLike):
        return "storage"
    if isinstance(thing, list | tuple | set | frozenset):
        odd = next((part for part in thing if not isinstance(part, str | os.PathLike)), None)
        if odd is None:
            return "storage"
        raise _no_table(f"{type(thing).__name__} with a {type(odd).__name__} in it")
    if is_frame(thing):
        return "memory"
    raise _no_table(type(thing).__name__)


def _no_table(what: str) -> SourceError:
    return SourceError(
        f"A {what} is no table.",
        hint="Give a path, a list of paths, a data frame (pandas, Polars, Arrow, DuckDB, Spark) or 'spark:table'.",
    )


def only_spark_reads(thing: object) -> bool:
    """Whether a source is a table, query or database that no other engine can read."""
    return is_spark_name(thing)


def open_source(thing: Any, options: SourceOptions, session: Callable[[], Session | None]) -> Source:
    """The source behind a path, a frame or a name. ``session`` is asked only by what Spark alone can read."""
    home = home_of(thing)
    if home == "spark":
        return open_spark(thing, options, None)
    if home == "memory":
        return open_frame(thing, options)
    if is_spark_name(thing):
        return open_spark(thing, options, session())
    if not isinstance(thing, str | os.PathLike):
        return open_files([os.fspath(part) for part in thing], options)
    path = os.fspath(thing)
    if path == "-":
        return open_files(_spooled(sys.stdin.buffer), options, shown="standard input")
    if _is_pipe(path):
        with open(path, "rb") as pipe:
            return open_files(_spooled(pipe), options, shown=path)
    return open_files(path, options)


def _is_pipe(path: str) -> bool:
    try:
        return stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def _spooled(stream: BinaryIO) -> str:
    """A stream as a file, since it is read more than once; gone when the process ends."""
    handle, path = tempfile.mkstemp(prefix="lawful-stdin-")
    atexit.register(_remove, path)
    with os.fdopen(handle, "wb") as spool:
        shutil.copyfileobj(stream, spool)
    return path


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
