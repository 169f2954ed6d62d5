"""The types a column can have, and what the encoding needs to know about one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lawful.errors import OptionError, did_you_mean

TypeName: TypeAlias = Literal[
    "integer", "decimal", "float", "boolean", "date", "timestamp", "time", "duration", "string", "binary", "nested"
]

DECLARABLE: tuple[TypeName, ...] = ("integer", "decimal", "float", "boolean", "date", "timestamp", "string")
"""What ``--types`` accepts; the others come from typed sources only."""

UNORDERED: frozenset[str] = frozenset({"binary", "nested"})
"""Types whose values can only be equal or not."""

_ALIASES: dict[str, TypeName] = {
    "int": "integer", "long": "integer", "bigint": "integer", "int64": "integer",
    "numeric": "decimal", "number": "decimal",
    "double": "float", "real": "float", "float64": "float", "floating point": "float",
    "bool": "boolean", "datetime": "timestamp", "str": "string", "text": "string", "varchar": "string",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ColumnType:
    """A column's type with what is needed to read its text and to compare its values.

    ``format`` is the date format, ``scale`` the digits after the point (decimal) or of the second (timestamp),
    ``zoned`` whether timestamps are instants; ``why`` says in a phrase how the type was found.
    """

    name: TypeName
    format: str | None = None
    precision: int = 38
    scale: int = 0
    zoned: bool = False
    why: str = "declared"

    @property
    def ordered(self) -> bool:
        return self.name not in UNORDERED


def declared(name: str, column: str) -> TypeName:
    """The type a person named for a column, aliases allowed."""
    folded = name.strip().casefold()
    found = _ALIASES.get(folded, folded)
    for known in DECLARABLE:
        if found == known:
            return known
    raise OptionError(
        f"{name!r}, given as the type of column {column!r}, is not a type.", hint=did_you_mean(name, DECLARABLE)
    )
