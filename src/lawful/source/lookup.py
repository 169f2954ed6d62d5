"""On which line of a delimited file something stands: found by reading it again, for errors and the rows shown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from lawful.source.dialect import Dialect
from lawful.source.encodings import open_text
from lawful.source.records import Record, scan


def line_of_record(path: str, dialect: Dialect, record: int) -> int | None:
    """The line on which the given record (from 1, records of another width left out) starts. Reads up to it."""
    # The header is counted with them: it is as wide as they should be.
    return _find(path, dialect, record + dialect.header, lambda width: width == len(dialect.names))


def line_of_number(path: str, dialect: Dialect, number: int) -> int | None:
    """The line of the record that has Arrow's number: every record counts, the header too."""
    return _find(path, dialect, number, lambda width: True)


def lines_of_records(path: str, dialect: Dialect, records: Collection[int]) -> dict[int, int]:
    """The lines on which some records start, numbered as in ``line_of_record``; one pass up to the last of them."""
    wanted = {record + dialect.header: record for record in records}
    found: dict[int, int] = {}
    met = 0
    for record in _records(path, dialect) if wanted else ():
        width = record.width or int(dialect.single and bool(met or not dialect.header))
        if width == len(dialect.names):
            met += 1
            if met in wanted:
                found[wanted[met]] = record.line
                if len(found) == len(wanted):
                    break
    return found


def _find(path: str, dialect: Dialect, number: int, counts: Callable[[int], bool]) -> int | None:
    met = 0
    for record in _records(path, dialect):
        if record.width or (dialect.single and (met or not dialect.header)):
            met += counts(record.width or 1)
            if met == number:
                return record.line
    return None


def line_of_open_quote(path: str, dialect: Dialect) -> int | None:
    """The line of the record whose quotes are open at the end of the file."""
    return next((record.line for record in _records(path, dialect) if not record.closed), None)


def _records(path: str, dialect: Dialect) -> Iterator[Record]:
    with open_text(path, dialect.encoding, errors="replace") as lines:
        yield from scan(lines, dialect.delimiter, dialect.quote)
