"""Where a row stands in the files it came from, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawful.ranks.encoded import Origin
from lawful.source.files import FileSource
from lawful.source.frames import FrameSource
from lawful.source.lookup import line_of_record
from lawful.source.spark import SparkSource


def origins_of(read: Iterable[tuple[str, int]]) -> tuple[Origin, ...]:
    """Origins of (file, rows) in the order of rows: one for each file that has rows."""
    found: dict[str, Origin] = {}
    start = 0
    for path, rows in read:
        known = found.get(path, Origin(path, start, 0))
        found[path] = Origin(path, known.start, known.rows + rows)
        start += rows
    return tuple(origin for origin in found.values() if origin.rows)


def record_place(source: FileSource | FrameSource | SparkSource, origins: Sequence[Origin], row: int) -> str:
    """``'pay.csv', line 18`` where lines can be counted, else the record of the file or the row of the frame.

    Reads a delimited file again, up to the line: for errors and the few rows that are shown.
    """
    for origin in origins:
        if origin.start <= row < origin.start + origin.rows:
            record = origin.record + row - origin.start
            line = None
            if isinstance(source, FileSource) and source.dialect is not None:
                line = line_of_record(origin.path, source.dialect, record)
            return f"{origin.path!r}, " + (f"line {line}" if line is not None else f"record {record}")
    return source.name if isinstance(source, SparkSource) else f"{source.name!r}, row {row + 1}"
