"""JSON lines: one object a line, every value as the text it was written in (nested ones in one canonical spelling).

Read line by line, since numbers must keep their digits and types are found later, over every value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import pyarrow as pa

from lawful.errors import SourceError
from lawful.source.encodings import encoding_of, open_text, undecodable
from lawful.source.location import damaged, start_of
from lawful.source.pieces import BadRow, BadRows

Row: TypeAlias = dict[str, str | None]

_ROWS: Final = 1 << 16
_LETTERS: Final = 1 << 26
_DEPTH: Final = 100


class _Digits(str):
    """A number, as it stands in the file."""

    __slots__ = ()


class _Unusable(ValueError):
    """Says what is wrong with an object that is well-formed JSON."""


def encoding_of_lines(path: str, asked: str | None) -> str:
    """The encoding of a file that holds an object a line; one big array is refused here, before it is taken apart."""
    head = start_of(path, 4096)
    encoding = encoding_of(head, asked)
    if head.decode(encoding, errors="replace").lstrip("\ufeff \t\r\n").startswith("["):
        raise SourceError(
            f"{path!r} holds a JSON array, not one object a line.",
            hint="Write one object a line, as jq -c '.[]' does.",
        )
    return encoding


class LinesReader:
    """Batches of text columns, in the order in which their names first appear; a missing name is null.

    ``bad`` tells, once they are read, of the lines left out.
    """

    def __init__(self, path: str, encoding: str, columns: tuple[str, ...] | None) -> None:
        self._path = path
        self._encoding = encoding
        self._columns = columns
        self.bad = BadRows()

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        rows: list[Row] = []
        letters = 0
        for row, length in self._rows():
            rows.append(row)
            letters += length
            if len(rows) == _ROWS or letters > _LETTERS:
                yield self._batch(rows)
                rows, letters = [], 0
        if rows:
            yield self._batch(rows)

    def names(self) -> tuple[str, ...]:
        """Every name in the file, by first appearance. Reads the file."""
        found: Row = {}
        for row, _ in self._rows():
            found |= row
        return tuple(found)

    def _batch(self, rows: list[Row]) -> pa.RecordBatch:
        names = self._columns if self._columns is not None else tuple(dict.fromkeys(n for r in rows for n in r))
        if not names:
            # A batch without columns would forget its rows.
            return pa.record_batch({"": [None] * len(rows)})
        return pa.RecordBatch.from_arrays([pa.array([r.get(n) for r in rows], pa.string()) for n in names], list(names))

    def _rows(self) -> Iterator[tuple[Row, int]]:
        self.bad = BadRows()
        try:
            with open_text(self._path, self._encoding, newline="\n") as lines:
                for number, text in enumerate(lines, 1):
                    row = self._row(number, text) if text and not text.isspace() else None
                    if row is not None:
                        yield row, len(text)
        except UnicodeError as problem:
            raise undecodable(self._path, self._encoding) from problem
        except (OSError, EOFError) as problem:
            raise damaged(self._path, problem) from problem

    def _row(self, line: int, text: str) -> Row | None:
        try:
            return _cells(text)
        except json.JSONDecodeError as problem:
            what = f"not JSON at column {problem.colno} ({problem.msg})"
        except _Unusable as problem:
            what = str(problem)
        except RecursionError:
            what = "nested too deeply"
        self.bad = self.bad.merge(BadRows(1, BadRow(self._path, line, what, text.rstrip("\r\n"))))
        return None


def _cells(text: str) -> Row:
    row = _decode(text)
    if not isinstance(row, dict):
        raise _Unusable("not an object")
    found = {name: value if value is None or type(value) is str else _spell(value, 1) for name, value in row.items()}
    if not all(map(str.strip, found)):
        raise _Unusable("a name is empty")
    if "\\u" in text:
        _check_letters(found)
    return found


def _check_letters(row: Row) -> None:
    """An escape can write half a character, which no text can hold."""
    for name, value in row.items():
        try:
            (name + (value or "")).encode()
        except UnicodeEncodeError as problem:
            raise _Unusable(f"half a character ({problem.object[problem.start]!a}) in {name!a}") from problem


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Unusable(f"the name {next(n for n in names if names.count(n) > 1)!r} stands twice in one object")
    return found


_decode: Final = json.JSONDecoder(
    parse_int=_Digits, parse_float=_Digits, parse_constant=_Digits, object_pairs_hook=_unique
).decode


def _spell(value: Any, depth: int) -> str:
    """A value in one spelling: names sorted, no spaces, numbers as written."""
    if depth > _DEPTH:
        raise _Unusable("nested too deeply")
    if isinstance(value, dict):
        parts = [f"{json.dumps(n, ensure_ascii=False)}:{_spell(v, depth + 1)}" for n, v in sorted(value.items())]
        return "{" + ",".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ",".join([_spell(v, depth + 1) for v in value]) + "]"
    return str(value) if isinstance(value, _Digits) else json.dumps(value, ensure_ascii=False)
