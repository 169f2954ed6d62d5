"""How a delimited text file is written: found out from its start, or told."""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass
from itertools import islice
from typing import Final

from lawful.errors import OptionError, SourceError
from lawful.source.encodings import encoding_of, undecodable
from lawful.source.location import start_of
from lawful.source.names import check_names
from lawful.source.records import Record, fields, scan, unclosed

_SAMPLE: Final = 1 << 18
_LONGEST: Final = 1 << 26
_RECORDS: Final = 200
_NUMBER: Final = re.compile(r"^\s*[+-]?\d+(\.\d*)?([eE][+-]?\d+)?\s*$")
_COMPRESSED: Final = (b"\x1f\x8b", b"BZh", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")


@dataclass(frozen=True)
class Dialect:
    """Delimiter, quote (``""`` for none), encoding, names of the columns and whether the file gives them."""

    delimiter: str
    quote: str
    encoding: str
    names: tuple[str, ...]
    header: bool
    warnings: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether there is one column only, so that a blank line is a row."""
        return len(self.names) == 1


@dataclass(frozen=True)
class _Sample:
    """The start of a file as text; ``whole`` when there is no more of it."""

    text: str
    whole: bool

    def records(self, delimiter: str, quote: str) -> list[Record]:
        """The first records that are there in full, blank ones left out."""
        found = list(islice(scan(io.StringIO(self.text, newline=""), delimiter, quote), _RECORDS + 1))
        if not self.whole and len(found) <= _RECORDS:
            found = found[:-1]
        return [record for record in found[:_RECORDS] if record.width]

    def first(self, delimiter: str, quote: str) -> list[str]:
        """The fields of the first record; none where it is not there in full."""
        found = self.records(delimiter, quote)
        if not found:
            return []
        lines = islice(io.StringIO(self.text, newline=""), found[0].line - 1, found[0].last)
        return fields("".join(lines), delimiter, quote)


def sniff(
    path: str,
    *,
    delimiter: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    header: bool = True,
    tabs: bool = False,
) -> Dialect:
    """The dialect of a file; what is given is not guessed. Reads the first 256 KiB, more where one record is longer."""
    size = _SAMPLE
    while True:
        sample, encoding = _sample(path, size, encoding)
        mark = _quote(sample.text) if quote is None else quote
        cut = delimiter or ("\t" if tabs else _delimiter(sample, mark))
        _check(cut, mark)
        first = sample.first(cut, mark)
        if first or sample.whole:
            break
        size *= 4
        if size > _LONGEST:
            raise SourceError(
                f"The first record of {path!r} is longer than {_LONGEST >> 20} MiB.",
                hint="Check its first quote; read without quotes with --quote ''.",
            )
    if sample.whole and not (head := sample.records(cut, mark)[0]).closed:
        raise unclosed(path, head.line)
    names, warnings = check_names(path, first) if header else (_numbered(len(first)), [])
    if header and len(sample.records(cut, mark)) > 1 and all(map(_NUMBER.match, first)):
        warnings.append(f"{path!r}: the header holds numbers only; --no-header if the file has none.")
    return Dialect(cut, mark, encoding, names, header, tuple(warnings))


def _sample(path: str, size: int, encoding: str | None) -> tuple[_Sample, str]:
    head = start_of(path, size)
    if not head:
        raise SourceError(f"{path!r} is empty: it has no header.", hint="Write a header line with the columns' names.")
    if head.startswith(_COMPRESSED):
        raise SourceError(
            f"{path!r} is compressed, which its name does not say.",
            hint="Name it .gz, .bz2 or .zst; unpack a .zip; save a workbook as CSV.",
        )
    encoding = encoding_of(head, encoding)
    whole = len(head) < size
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(head, final=whole).removeprefix("\ufeff")
    except UnicodeError as problem:
        if b"\0" in head[:1000]:
            raise _binary(path) from problem
        raise undecodable(path, encoding) from problem
    if "\0" in text[:1000]:
        raise _binary(path)
    if not text.strip(" \r\n"):
        raise SourceError(f"{path!r} has blank lines only.", hint="Write a header line with the columns' names.")
    return _Sample(text, whole), encoding


def _binary(path: str) -> SourceError:
    return SourceError(
        f"{path!r} is not text: it holds zero bytes.", hint="Name its format with --format, or its --encoding."
    )


def _check(delimiter: str, quote: str) -> None:
    for name, mark in (("delimiter", delimiter), ("quote", quote)):
        if mark in ("\n", "\r", "\0"):
            raise OptionError(f"{name} is {mark!r}, which cannot be one.", hint="Lines end records, and nothing else.")
    if delimiter == quote:
        raise OptionError(
            f"{delimiter!r} cannot be both delimiter and quote.", hint="Choose another quote, or none with --quote ''."
        )


def _quote(text: str) -> str:
    if '"' in text or not re.search(r"(?:^|[,;\t|])'[^'\n]*'(?:[,;\t|]|$)", text, re.MULTILINE):
        return '"'
    return "'"


def _delimiter(sample: _Sample, quote: str) -> str:
    """The one that cuts the records into the same number of fields, more than one; a comma when none does."""
    best, score = ",", (0.0, 0)
    for candidate in (",", "\t", ";", "|"):
        widths = [record.width for record in sample.records(candidate, quote)]
        if not widths or widths[0] < 2:
            continue
        share = sum(width == widths[0] for width in widths) / len(widths)
        if (share, widths[0]) > score:
            best, score = candidate, (share, widths[0])
    return best


def _numbered(width: int) -> tuple[str, ...]:
    return tuple(f"column_{i}" for i in range(1, width + 1))
