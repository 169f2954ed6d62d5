"""Where the records of delimited text start and how wide they are, by the very rules of Arrow's reader.

A quote opens a field only at its start, two of them inside are one, and what follows the closing one up to the
delimiter belongs to the field. Python's own reader agrees, but refuses fields beyond a limit of the process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from lawful.errors import SourceError


class Record(NamedTuple):
    """The first and the last line of a record, its fields (0: a blank line), and whether its quotes are closed."""

    line: int
    last: int
    width: int
    closed: bool


def scan(lines: Iterable[str], delimiter: str, quote: str) -> Iterator[Record]:
    """The records in lines that keep their ends (as of a file opened with ``newline=""``). O(characters), no memory."""
    start, number, cuts, inside = 1, 0, 0, False
    for number, line in enumerate(lines, 1):
        if quote and quote in line:
            more, inside = _cut(line, delimiter, quote, inside)
            cuts += more
        elif not inside:
            cuts += line.count(delimiter)
        if not inside:
            blank = start == number and not line.rstrip("\r\n")
            yield Record(start, number, 0 if blank else cuts + 1, True)
            start, cuts = number + 1, 0
    if inside:
        yield Record(start, number, cuts + 1, False)


def _cut(line: str, delimiter: str, quote: str, inside: bool) -> tuple[int, bool]:
    """Delimiters of a line outside quotes, and whether it ends inside them."""
    cuts = at = 0
    if not inside:
        inside = line.startswith(quote)
        at = int(inside)
    while True:
        if inside:
            at = _closing(line, quote, at)
            if at == len(line):
                return cuts, True
            at += 1
        at = line.find(delimiter, at) + 1
        if not at:
            return cuts, False
        cuts += 1
        inside = line.startswith(quote, at)
        at += inside


def _closing(text: str, quote: str, at: int) -> int:
    """The place of the quote that closes, from inside a quoted field; the end of the text where none does."""
    found = _quoted(quote).match(text, at)
    assert found is not None
    return found.end()


@lru_cache(maxsize=8)
def _quoted(quote: str) -> re.Pattern[str]:
    """What may stand inside quotes: the loop runs over pairs of quotes, never over letters."""
    mark = re.escape(quote)
    return re.compile(f"[^{mark}]*(?:{mark}{mark}[^{mark}]*)*")


def fields(record: str, delimiter: str, quote: str) -> list[str]:
    """The fields of one record, given with its end of line."""
    text = re.sub(r"(\r\n|\r|\n)\Z", "", record)
    found: list[str] = []
    at = 0
    while True:
        value = ""
        if quote and text.startswith(quote, at):
            closing = _closing(text, quote, at + 1)
            value, at = text[at + 1 : closing].replace(quote * 2, quote), closing + 1
        end = text.find(delimiter, at)
        found.append(value + text[at : len(text) if end < 0 else end])
        if end < 0:
            return found
        at = end + 1


def unclosed(path: str, line: int) -> SourceError:
    """What to raise where a quote swallows the rest of a file."""
    return SourceError(
        f"{path!r}, line {line}: a quote that opens in this record is never closed.",
        hint="Close it, or read the file without quotes with --quote ''.",
    )
