"""One schema for several files of typed columns, or a refusal that names the file that differs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

import pyarrow as pa

from lawful.errors import SourceError

_INTEGER: Final = re.compile(r"-?(0|[1-9]\d{0,17})")


def united(paths: Sequence[str], schemas: Sequence[pa.Schema]) -> pa.Schema:
    """The columns of the first file, each in the narrowest type that holds the values of all without loss."""
    first = schemas[0].remove_metadata()
    others: dict[pa.Schema, str] = {}
    for path, schema in zip(paths, schemas, strict=True):
        others.setdefault(schema.remove_metadata(), path)
    for schema, path in others.items():
        odd = sorted(set(schema.names) ^ set(first.names))
        if odd:
            where = path if odd[0] in schema.names else paths[0]
            without = paths[0] if odd[0] in schema.names else path
            raise SourceError(
                f"{where!r} has a column {odd[0]!r}, {without!r} has not.", hint="Read files of one shape together."
            )
    if len(others) == 1:
        return first
    return pa.schema([_field(name, [(path, s.field(name).type) for s, path in others.items()]) for name in first.names])


def _field(column: str, found: Sequence[tuple[str, pa.DataType]]) -> pa.Field:
    type = found[0][1]
    for path, other in found[1:]:
        wider = _wider(type, other)
        if wider is None:
            raise SourceError(
                f"Column {column!r} is {other} in {path!r} but {type} in {found[0][0]!r}.",
                hint="Read files of one shape together.",
            )
        type = wider
    return pa.field(column, type)


def _wider(left: pa.DataType, right: pa.DataType) -> pa.DataType | None:
    if left == right:
        return left
    try:
        schemas = [pa.schema([pa.field("", left)]), pa.schema([pa.field("", right)])]
        type = pa.unify_schemas(schemas, promote_options="permissive").field(0).type
    except (pa.ArrowTypeError, pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    # Arrow would turn 64-bit integers into floating point, where different ones become equal.
    lossy = pa.types.is_floating(type) and any(
        (pa.types.is_integer(t) and 2 * t.bit_width > type.bit_width) or pa.types.is_decimal(t) for t in (left, right)
    )
    return None if lossy else type


def told_type(values: Sequence[str | None]) -> pa.DataType:
    """The type of a column that folder names tell: integer, date or else string, which all of them must be."""
    texts = [value for value in values if value is not None]
    if texts and all(_INTEGER.fullmatch(text) for text in texts):
        return pa.int64()
    return pa.date32() if texts and all(map(_is_date, texts)) else pa.string()


def _is_date(text: str) -> bool:
    try:
        return len(text) == 10 and bool(date.fromisoformat(text))
    except ValueError:
        return False
