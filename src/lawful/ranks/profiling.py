"""What an encoded table is like, column by column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.ranks.encoded import Column, Encoded
from lawful.ranks.plain import plain

_MANY_SHARE = 0.01
_MANY_ROWS = 100


@dataclass(frozen=True)
class ColumnProfile:
    """One column: its type and why, how many values and nulls, the least and the greatest value as text."""

    name: str
    type: str
    why: str
    ordered: bool
    distinct: int
    nulls: int
    constant: bool
    unique: bool
    least: str | None
    greatest: str | None


@dataclass(frozen=True)
class Profile:
    """A table at a glance. ``bytes`` is the size of the ranks, ``seconds`` what the encoding took."""

    source: str
    rows: int
    columns: tuple[ColumnProfile, ...]
    engine: str
    seconds: float
    bytes: int
    warnings: tuple[str, ...]
    hints: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``--json`` prints it."""
        from dataclasses import asdict

        return asdict(self)


def profile_of(table: Encoded) -> Profile:
    """The profile of an encoded table. Costs two values a column."""
    return Profile(
        source=table.name,
        rows=table.rows,
        columns=tuple(_column(table, at, column) for at, column in enumerate(table.columns)),
        engine=table.engine,
        seconds=table.seconds,
        bytes=4 * table.rows * len(table.columns),
        warnings=table.warnings,
        hints=tuple(_hints(table)),
    )


def _column(table: Encoded, at: int, column: Column) -> ColumnProfile:
    ends: list[str | None] = [None, None]
    if column.distinct and column.ordered:
        found = table.values.take(at, np.array([0, column.distinct - 1]))
        ends = [_shown(value) for value in plain(found)]
    return ColumnProfile(
        name=column.name,
        type=column.type.name,
        why=column.type.why,
        ordered=column.ordered,
        distinct=column.distinct,
        nulls=column.nulls,
        constant=column.ranks == 1 and table.rows > 0,
        unique=column.ranks == table.rows and table.rows > 0,
        least=ends[0],
        greatest=ends[1],
    )


def _shown(value: object) -> str:
    text = value.hex() if isinstance(value, bytes) else str(value)
    return text if len(text) <= 40 else text[:39] + "…"


def _hints(table: Encoded) -> list[str]:
    """Texts that look like null and stand often enough in some column to matter."""
    found: dict[str, list[tuple[str, int]]] = {}
    for column in table.columns:
        for token, count in column.null_looking.items():
            if column.type.name == "string" and (count >= _MANY_SHARE * table.rows or count >= _MANY_ROWS):
                found.setdefault(token, []).append((column.name, count))
    hints = []
    for token, places in sorted(found.items()):
        names = ", ".join(name for name, _ in places[:3]) + (", …" if len(places) > 3 else "")
        total = sum(count for _, count in places)
        hints.append(f"{token!r} stands {total:,} times in {names}: --null-value {_quoted(token)} reads it as null.")
    return hints


def _quoted(token: str) -> str:
    return f"'{token}'" if not token.isalnum() else token
