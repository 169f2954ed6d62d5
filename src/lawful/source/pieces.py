"""What a source is cut into, and what is said of the records that had to be left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from lawful.errors import SourceError

Partitions: TypeAlias = tuple[tuple[str, str | None], ...]
"""Columns that the names of folders tell: ``(("year", "2020"),)``."""

_SHOWN: Final = 80


@dataclass(frozen=True)
class Piece:
    """A part of one file that is read on its own: the whole file, or some row groups of it.

    ``file`` is the place of the file in the sorted list, ``part`` the place of the piece in its file.
    """

    file: int
    path: str
    part: int = 0
    groups: tuple[int, ...] | None = None
    size: int = 0
    partitions: Partitions = ()


@dataclass(frozen=True)
class BadRow:
    """The first record that could not be used: where it starts and what is wrong with it."""

    path: str
    line: int | None
    what: str
    text: str

    def place(self) -> str:
        """The file and, where it is known, the line."""
        return f"{self.path!r}" + (f", line {self.line}" if self.line is not None else "")


@dataclass(frozen=True)
class BadRows:
    """How many records could not be used, and the first of them. Merging keeps the left one's first."""

    count: int = 0
    first: BadRow | None = None

    def merge(self, other: BadRows) -> BadRows:
        """Those of both; the left ones come first."""
        return BadRows(self.count + other.count, self.first or other.first)

    def error(self) -> SourceError:
        """What to raise where bad records are not to be left out."""
        assert self.first is not None
        others = f"There are {self.count} such records in all." if self.count > 1 else "It is the only such record."
        text = self.first.text if len(self.first.text) <= _SHOWN else self.first.text[: _SHOWN - 1] + "…"
        return SourceError(
            f"{self.first.place()}: {self.first.what}: {text!r}. {others}",
            hint="Mend the file, or leave such records out with --bad-rows skip.",
        )

    def warning(self) -> str:
        """What to say where they were left out."""
        assert self.first is not None
        were = "1 bad record is" if self.count == 1 else f"{self.count} bad records are"
        return f"{were} left out, the first at {self.first.place()}: {self.first.what}."
