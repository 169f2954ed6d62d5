"""One delimited text file, read by Arrow: the only reader of such files on every engine, so all see the same cells.

Cells come out as text. An unquoted empty field is null, ``""`` the empty text; a blank line is a null row in a file
of one column and nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from typing import Final, TextIO

import pyarrow as pa
import pyarrow.csv as pacsv

from lawful.errors import SourceError
from lawful.source.dialect import Dialect
from lawful.source.encodings import open_text, undecodable
from lawful.source.location import damaged, one_line, open_stream
from lawful.source.lookup import line_of_number, line_of_open_quote
from lawful.source.lookup import line_of_record as line_of_record
from lawful.source.names import check_names
from lawful.source.pieces import BadRow, BadRows
from lawful.source.records import unclosed

BLOCK: Final = 16 << 20
_LARGEST_BLOCK: Final = 1 << 30
_UTF8: Final = ("utf-8", "utf-8-sig")


class DelimitedReader:
    """Batches of text columns; ``bad`` tells, once they are read, of the records left out."""

    def __init__(self, path: str, dialect: Dialect, columns: tuple[str, ...]) -> None:
        self._path = path
        self._dialect = dialect
        self._columns = columns
        self._first: pacsv.InvalidRow | None = None
        self._wrong = 0
        self._ends = ["", ""]  # the last cell in the rows so far, and the last bad record

    @property
    def bad(self) -> BadRows:
        """The records of another width."""
        if self._first is None:
            return BadRows()
        row = self._first
        fields = "1 field" if row.actual_columns == 1 else f"{row.actual_columns} fields"
        what = f"{fields} where {row.expected_columns} are expected"
        return BadRows(self._wrong, BadRow(self._path, self._first_line, what, row.text or ""))

    @cached_property
    def _first_line(self) -> int | None:
        assert self._first is not None
        number: int | None = self._first.number
        return None if number is None else line_of_number(self._path, self._dialect, number)

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        block = BLOCK
        rows = 0
        while True:
            try:
                for batch in self._read(block, rows):
                    rows += batch.num_rows
                    yield batch
                return self._check_end()
            except pa.ArrowInvalid as problem:
                if "straddling" not in str(problem) or block >= _LARGEST_BLOCK:
                    raise self._explained(problem) from problem
                # A record longer than a block: read again in larger ones, past the rows that are out already.
                block *= 4
                self._first, self._wrong = None, 0
            except UnicodeError as problem:
                raise undecodable(self._path, self._dialect.encoding) from problem
            except (OSError, EOFError) as problem:
                raise damaged(self._path, problem) from problem

    def _read(self, block: int, done: int) -> Iterator[pa.RecordBatch]:
        reader = self._open(block)
        if reader is None:
            return
        with reader:
            wanted = self._places(reader.schema.names)
            for batch in reader:
                if batch.num_rows:
                    self._ends[0] = batch.column(batch.num_columns - 1)[-1].as_py() or ""
                skipped = min(done, batch.num_rows)
                done -= skipped
                if batch.num_rows > skipped:
                    yield batch.slice(skipped).select(wanted).rename_columns(list(self._columns))

    def _open(self, block: int) -> pacsv.CSVStreamingReader | None:
        """Arrow's reader, all columns text; none for a file without any record."""
        names = list(self._dialect.names)
        if not self._dialect.header:
            names = [f"f{i}" for i in range(len(names))]
        reader = self._opened(block, names)
        if reader is None or all(type == pa.string() for type in reader.schema.types):
            return reader
        # This file spells some name differently (an empty one, perhaps), and Arrow took a column for numbers.
        names = reader.schema.names
        reader.close()
        return self._opened(block, names)

    def _opened(self, block: int, names: list[str]) -> pacsv.CSVStreamingReader | None:
        # Found before the file is opened for Arrow: a file system may hand out one position to all.
        skipped = self._blank_lines() if self._dialect.single and self._dialect.header else 0
        encoding = "utf8" if self._dialect.encoding in _UTF8 else self._dialect.encoding
        try:
            return self._arrow(open_stream(self._path), encoding, block, skipped, names)
        except pa.ArrowInvalid as problem:
            if "Empty CSV file" not in str(problem):
                raise
        # Arrow refuses a lone record that no line end follows.
        with self._text() as lines:
            text = lines.read()
        return (
            self._arrow(pa.BufferReader(f"{text}\n".encode()), "utf8", block, skipped, names) if text.strip() else None
        )

    def _arrow(
        self, stream: pa.NativeFile, encoding: str, block: int, skipped: int, names: list[str]
    ) -> pacsv.CSVStreamingReader:
        dialect = self._dialect
        return pacsv.open_csv(
            stream,
            read_options=pacsv.ReadOptions(
                use_threads=False,
                block_size=block,
                encoding=encoding,
                autogenerate_column_names=not dialect.header,
                skip_rows=skipped,
            ),
            parse_options=pacsv.ParseOptions(
                delimiter=dialect.delimiter,
                quote_char=dialect.quote or False,
                newlines_in_values=bool(dialect.quote),
                ignore_empty_lines=not dialect.single,
                invalid_row_handler=self._meet,
            ),
            convert_options=pacsv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
            ),
        )

    def _blank_lines(self) -> int:
        """Blank lines before the header of one column, which Arrow would take for it."""
        with self._text() as lines:
            return sum(1 for _ in takewhile(lambda line: not line.strip("\r\n"), lines))

    def _text(self) -> TextIO:
        return open_text(self._path, self._dialect.encoding)

    def _places(self, raw: list[str]) -> list[int]:
        """Places of the wanted columns in this file, whose header must name what the first file's named."""
        if not self._dialect.header:
            found: tuple[str, ...] = tuple(f"column_{i}" for i in range(1, len(raw) + 1))
        else:
            found = check_names(self._path, raw)[0]
        missing = [n for n in self._dialect.names if n not in found]
        extra = [n for n in found if n not in self._dialect.names]
        if missing or extra:
            what = f"lacks column {missing[0]!r}" if missing else f"has a further column {extra[0]!r}"
            raise SourceError(
                f"{self._path!r} {what}: its columns are not those of the files before it.",
                hint="Read files of one shape together.",
            )
        return [found.index(n) for n in self._columns]

    def _meet(self, row: pacsv.InvalidRow) -> str:
        self._wrong += 1
        self._first = self._first or row
        self._ends[1] = row.text or ""
        return "skip"

    def _check_end(self) -> None:
        """A quote left open swallows the rest of a file without a word: its last cell then holds line ends."""
        if self._dialect.quote and any("\n" in end or "\r" in end for end in self._ends):
            line = line_of_open_quote(self._path, self._dialect)
            if line is not None:
                raise unclosed(self._path, line)

    def _explained(self, problem: pa.ArrowInvalid) -> SourceError:
        text = one_line(problem)
        if "UTF8" in text or "UTF-8" in text:
            return undecodable(self._path, self._dialect.encoding)
        if "straddling" in text:
            line = line_of_open_quote(self._path, self._dialect)
            if line is not None:
                return unclosed(self._path, line)
            text = "a record is longer than 1 GiB"
        return SourceError(
            f"{self._path!r} cannot be read as delimited text: {text}.", hint="Check the delimiter and the quotes."
        )
