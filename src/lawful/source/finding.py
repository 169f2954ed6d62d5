"""Files that a person names become one source: their format, columns and types, and the pieces they are read in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final, TypeVar

import pyarrow as pa

from lawful.errors import SourceError
from lawful.options import SourceOptions
from lawful.source.columnar import schema_of
from lawful.source.dialect import sniff
from lawful.source.files import FileSource
from lawful.source.lines import LinesReader, encoding_of_lines
from lawful.source.listing import Listed, expand
from lawful.source.location import format_of, size_of, start_of
from lawful.source.names import check_names, choose
from lawful.source.pieces import Piece
from lawful.source.shapes import told_type, united

T = TypeVar("T")

_TYPED: Final = ("parquet", "orc", "arrow")
_GROUP_ROWS: Final = 1 << 18
_THREADS: Final = 16
_MARKS: Final = ((b"PAR1", "parquet"), (b"ORC", "orc"), (b"ARROW1", "arrow"))


def open_files(location: str | Sequence[str], options: SourceOptions, *, shown: str | None = None) -> FileSource:
    """The files meant by a path, glob, folder, URL or a list of them. Reads the start of the first, and footers."""
    files = expand(location)
    name = shown or (location if isinstance(location, str) else ", ".join(map(str, location)))
    paths = [file.path for file in files]
    format = options.format or format_of(paths[0]) or _by_content(paths[0])
    if options.format is None:
        _same_format(paths, format)
    _same_folders(files)
    if format in _TYPED:
        return _typed(name, files, format, options)
    if format == "json":
        return _lines(name, files, options)
    return _delimited(name, files, format, options)


def _by_content(path: str) -> str:
    head = start_of(path, 4096)
    for mark, format in _MARKS:
        if head.startswith(mark):
            return format
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return "json" if text.startswith((b"{", b"[{")) else "csv"


def _same_format(paths: Sequence[str], format: str) -> None:
    for path in paths[1:]:
        other = format_of(path)
        if other is not None and other != format and {other, format} != {"csv", "tsv"}:
            raise SourceError(
                f"{path!r} is {other}, {paths[0]!r} is {format}.",
                hint="Read files of one format, or name it with --format.",
            )


def _same_folders(files: Sequence[Listed]) -> None:
    keys = _told(files[0])
    for file in files[1:]:
        if _told(file) != keys:
            raise SourceError(
                f"The folders of {file.path!r} tell the columns {_told(file)}, those of {files[0].path!r} {keys}.",
                hint="Read files at one depth of key=value folders together.",
            )


def _told(file: Listed) -> list[str]:
    return [name for name, _ in file.partitions]


def _with_told(file: Listed, names: Sequence[str]) -> tuple[str, ...]:
    return (*names, *(n for n in _told(file) if n not in names))


def _each(work: Callable[[str], T], paths: Sequence[str]) -> list[T]:
    """The answers for all paths, in their order; a few at a time, since far files take long to answer."""
    with ThreadPoolExecutor(min(_THREADS, len(paths))) as pool:
        return list(pool.map(work, paths))


def _wholes(files: Sequence[Listed]) -> tuple[Piece, ...]:
    sizes = _each(size_of, [file.path for file in files])
    return tuple(
        Piece(i, file.path, size=size, partitions=file.partitions)
        for i, (file, size) in enumerate(zip(files, sizes, strict=True))
    )


def _delimited(name: str, files: Sequence[Listed], format: str, options: SourceOptions) -> FileSource:
    # A file without a byte has no rows and no say; writers of many parts leave such.
    first = next((file for file in files if start_of(file.path, 1)), files[0])
    dialect = sniff(
        first.path,
        delimiter=options.delimiter,
        quote=options.quote,
        encoding=options.encoding,
        header=options.header,
        tabs=format == "tsv",
    )
    names = choose(_with_told(first, dialect.names), options.columns, name)
    skip = options.bad_rows == "skip"
    return FileSource(name, "csv", _wholes(files), names, dialect=dialect, skip_bad=skip, warnings=dialect.warnings)


def _lines(name: str, files: Sequence[Listed], options: SourceOptions) -> FileSource:
    encoding = encoding_of_lines(files[0].path, options.encoding)
    names = None
    if options.columns is not None:
        # Only reading all rows tells which names there are; a misspelt column must not come out as nulls.
        known: dict[str, None] = {}
        for file in files:
            known |= dict.fromkeys(_with_told(file, LinesReader(file.path, encoding, None).names()))
        names = choose(list(known), options.columns, name)
    skip = options.bad_rows == "skip"
    return FileSource(name, "json", _wholes(files), names, encoding=encoding, skip_bad=skip)


def _typed(name: str, files: Sequence[Listed], format: str, options: SourceOptions) -> FileSource:
    found = _each(lambda path: schema_of(path, format), [file.path for file in files])
    for file, (one, _) in zip(files, found, strict=True):
        if check_names(file.path, one.names)[0] != tuple(one.names):
            at = next(i for i, n in enumerate(one.names, 1) if not n.strip())
            raise SourceError(f"Column {at} of {file.path!r} has no name.", hint="Give it one in the file.")
    schema = united([file.path for file in files], [one for one, _ in found])
    for at, column in enumerate(_told(files[0])):
        field = pa.field(column, told_type([file.partitions[at][1] for file in files]))
        place = schema.get_field_index(column)
        schema = schema.append(field) if place < 0 else schema.set(place, field)
    names = choose(schema.names, options.columns, name)
    pieces: list[Piece] = []
    for whole, (_, groups) in zip(_wholes(files), found, strict=True):
        pieces += _row_groups(whole, groups)
    return FileSource(name, format, tuple(pieces), names, schema=pa.schema([schema.field(n) for n in names]))


def _row_groups(whole: Piece, groups: tuple[int, ...]) -> list[Piece]:
    """Neighbouring row groups together up to some rows: enough pieces to share, few enough to be worth a task."""
    if len(groups) < 2:
        return [whole]
    share = whole.size / max(sum(groups), 1)
    pieces: list[Piece] = []
    pending: list[int] = []
    rows = 0
    for group, count in enumerate(groups):
        pending.append(group)
        rows += count
        if rows >= _GROUP_ROWS or group == len(groups) - 1:
            pieces.append(replace(whole, part=len(pieces), groups=tuple(pending), size=int(rows * share)))
            pending, rows = [], 0
    return pieces
