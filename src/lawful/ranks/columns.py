"""One column: from what was read to a type, keys and distinct values. Shared by both encodings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from lawful.errors import ColumnError
from lawful.options import SourceOptions
from lawful.ranks import conversion, parse
from lawful.ranks.coding import Coded, is_text
from lawful.ranks.deciding import decide
from lawful.ranks.infer import TextSummary, null_looking, summarise
from lawful.ranks.keys import Keys, alike, keys_of, listed_keys
from lawful.ranks.plain import plain
from lawful.ranks.types import ColumnType, TypeName, declared

if TYPE_CHECKING:
    from numpy.typing import NDArray


def summary_of(coded: Coded, *, infer: bool) -> TextSummary:
    """What the texts of a column are like; those that look like null alone where no type is to be inferred."""
    if not is_text(coded.values.type):
        return TextSummary()
    return summarise(coded) if infer else null_looking(coded)


def infers(column: str, read: pa.DataType | None, options: SourceOptions) -> bool:
    """Whether a column's type depends on its texts: in text sources (``read`` is ``None``) always, in typed ones where
    a column of text is asked to be of another type."""
    return read is None or (column in options.types and _name_of(read) == "string")


def type_of(column: str, read: pa.DataType | None, summary: TextSummary, options: SourceOptions) -> ColumnType:
    """The type of a column: asked for, declared by its source, or inferred (see `infers`)."""
    if read is None or infers(column, read, options):
        return text_type(column, summary, options)
    return declared_type(column, read, options)


def text_type(column: str, summary: TextSummary, options: SourceOptions) -> ColumnType:
    """The type of a text column: what was asked for, else what all values are."""
    asked = options.types.get(column)
    return decide(summary) if asked is None else parse.resolve(declared(asked, column), summary)


def declared_type(column: str, type: pa.DataType, options: SourceOptions) -> ColumnType:
    """The type of a typed column: what was asked for, else what its source declares."""
    asked = options.types.get(column)
    if asked is not None:
        name = declared(asked, column)
        scale = 38 if pa.types.is_floating(type) and name == "decimal" else getattr(type, "scale", 0)
        return ColumnType(name, scale=scale, zoned=getattr(type, "tz", None) is not None, why="asked for")
    return ColumnType(
        _name_of(type),
        precision=getattr(type, "precision", 38),
        scale=getattr(type, "scale", 0),
        zoned=getattr(type, "tz", None) is not None,
        why=f"declared as {_told(type)}",
    )


def _told(type: pa.DataType) -> str:
    return re.sub(r", tz=[^\]]*\]", ", zoned]", str(type))  # whose zone is the session's, for Spark's frames


def _name_of(type: pa.DataType) -> TypeName:
    if isinstance(type, pa.BaseExtensionType):
        return _name_of(type.storage_type)
    if pa.types.is_dictionary(type) or pa.types.is_run_end_encoded(type):
        return _name_of(type.value_type)
    tests: tuple[tuple[TypeName, bool], ...] = (
        ("integer", pa.types.is_integer(type)),
        ("float", pa.types.is_floating(type)),
        ("decimal", pa.types.is_decimal(type)),
        ("boolean", pa.types.is_boolean(type)),
        ("date", pa.types.is_date(type)),
        ("timestamp", pa.types.is_timestamp(type)),
        ("time", pa.types.is_time(type)),
        ("duration", pa.types.is_duration(type)),
        ("string", is_text(type) or type == pa.string_view() or pa.types.is_null(type)),
        ("nested", pa.types.is_nested(type)),
    )
    return next((name for name, fits in tests if fits), "binary")


@dataclass(frozen=True)
class Misfit:
    """A value that cannot be read as the type asked for, or (``listed``) does not stand in the order given: its place
    among the values, its text, how many rows have such values."""

    place: int
    shown: str
    rows: int
    what: str
    listed: bool = False


def typed(coded: Coded, type: ColumnType, *, asked: bool) -> pa.Array | Misfit:
    """The values in their type, equal ones alike. Only a type that was asked for can fail."""
    values = alike(coded.values)
    if not asked:
        return parse.parse(values, type) if is_text(coded.values.type) else values
    if is_text(values.type):
        good = parse.fits(values, type)
        return parse.parse(values, type) if good.all() else _misfit(coded, good, f"is no {type.name}")
    if _name_of(values.type) == type.name:
        return values
    found, good = conversion.convert(values, type)
    return found if good.all() else _misfit(coded, good, f"is {values.type} and cannot be {type.name}")


def ordering(coded: Coded, values: pa.Array, type: ColumnType, listed: Sequence[str]) -> Keys | Misfit:
    """The keys to sort by: by value, or by the place in the list a person gave."""
    if not listed:
        return keys_of(values)
    keys, known = listed_keys(values, conversion.listed_values(listed, type, values.type))
    return keys if known.all() else _misfit(coded, known, f"is not in the order {', '.join(listed)}", listed=True)


def _misfit(coded: Coded, good: NDArray[np.bool_], what: str, *, listed: bool = False) -> Misfit:
    """The misfit of the first row, which need not have the first of the values."""
    row = int(np.argmin(np.append(good, True)[coded.codes]))
    place = int(coded.codes[row])
    return Misfit(place, str(plain(coded.values.slice(place, 1))[0]), int(coded.times[~good].sum()), what, listed)


def refuse(column: str, misfit: Misfit, where: str) -> ColumnError:
    """The error that names the first such value, its place and how many rows have such values."""
    others = f" {misfit.rows:,} rows hold such values." if misfit.rows > 1 else ""
    shown = misfit.shown if len(misfit.shown) <= 80 else misfit.shown[:79] + "…"
    return ColumnError(
        f"{where}, column {column!r}: {shown!r} {misfit.what}.{others}",
        hint="Change --types or --order, or name the value with --null-value.",
    )
