"""Reads and rewrites ``.law`` files: a small table, and the laws it must be found to obey.

::

    # title: pay rises with grade
    # nulls: last
    grade | pay
    1     | 100
    2     |
    ---- od
    grade -> pay

Settings stand before the table, one a line: ``title``, ``note``, ``types`` and ``order`` (columns to their type, or to
their values from least to greatest: ``a=string; b=low,mid,high``), ``nulls``, ``max-error``, ``measure``, ``max-size``,
``cross-columns``, ``order-strings``. A blank cell is null, ``""`` the empty string; quotes keep bars and blanks. Types
are integer, else decimal, else string, unless told. A section names kinds and lists exactly the rules to be found.

``python -m tests.golden.law --update FILE...`` rewrites the sections by the naive definitions, for review.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from lawful.rules.canonical import in_file_order
from lawful.rules.text import format_rule
from tests.naive import Table, Value, discover

CELL = re.compile(r'\s*("(?:[^"]|"")*"|[^|"]*?)\s*(?:\||$)')
READ: dict[str, Callable[[str], Value]] = {
    "integer": int,
    "decimal": Decimal,
    "float": float,
    "boolean": {"true": True, "false": False}.__getitem__,
    "date": date.fromisoformat,
    "timestamp": datetime.fromisoformat,
    "string": str,
}
OPTIONS: dict[str, Callable[[str], Any]] = {
    "nulls": str,
    "max-error": Fraction,
    "measure": str,
    "max-size": int,
    "cross-columns": {"yes": True, "no": False}.__getitem__,
    "order-strings": {"yes": True, "no": False}.__getitem__,
}
"""The settings that discovery takes, dashes for underscores."""


@dataclass(frozen=True)
class Section:
    """Kinds, and the text of every rule of these kinds."""

    kinds: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True)
class Golden:
    path: Path
    settings: dict[str, str]
    table: Table
    sections: tuple[Section, ...]

    @property
    def options(self) -> dict[str, Any]:
        """What to pass to a discovery, by parameter name."""
        given = [key for key in OPTIONS if key in self.settings]
        return {key.replace("-", "_"): OPTIONS[key](self.settings[key]) for key in given}


def read(path: Path) -> Golden:
    head, *rest = re.split(r"(?m)^---- ?", path.read_text("utf-8"))
    settings = dict(re.findall(r"(?m)^# ([a-z-]+): (.+)$", head))
    unknown = set(settings) - {"title", "note", "types", "order", *OPTIONS}
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith("#")]
    if unknown or not lines or not rest or "title" not in settings:
        raise ValueError(f"{path.name}: needs a title, a table and a section; unknown settings: {sorted(unknown)}")
    return Golden(path, settings, _table(lines, settings), tuple(map(_section, rest)))


def naive(golden: Golden, kinds: tuple[str, ...]) -> Iterable[Any]:
    """What the naive definitions find."""
    return discover(golden.table, kinds, **golden.options)


def rewrite(path: Path) -> None:
    """Replaces what stands in each section by what the naive definitions find, in the order of a rule file."""
    golden = read(path)
    head = re.split(r"(?m)^----", path.read_text("utf-8"))[0]
    for section in golden.sections:
        head += f"---- {' '.join(section.kinds)}\n"
        for rule in in_file_order(naive(golden, section.kinds), golden.table.names):
            head += format_rule(rule) + "\n"
    path.write_text(head, "utf-8")


def _section(text: str) -> Section:
    kinds, *rules = [line.strip() for line in text.splitlines() if not line.startswith("#")]
    return Section(tuple(re.split(r"[ ,]+", kinds)), tuple(rule for rule in rules if rule))


def _table(lines: list[str], settings: dict[str, str]) -> Table:
    names, *rows = [_cells(line) for line in lines]
    if any(name is None for name in names) or any(len(row) != len(names) for row in rows):
        raise ValueError(f"a column without a name, or a row of another length than {names}")
    header = tuple(name for name in names if name is not None)
    told, orders = (_by_column(settings.get(key, "")) for key in ("types", "order"))
    columns = [[row[i] for row in rows] for i in range(len(header))]
    types = [told.get(name) or _type(cells) for name, cells in zip(header, columns, strict=True)]
    values = [[_value(cell, kind) for cell in cells] for cells, kind in zip(columns, types, strict=True)]
    order = {name: tuple(READ[types[header.index(name)]](v) for v in text.split(",")) for name, text in orders.items()}
    return Table(header, tuple(types), tuple(zip(*values, strict=True)), orders=order)


def _cells(line: str) -> list[str | None]:
    """The cells of a line, None for a blank one."""
    cells: list[str | None] = []
    place = 0
    while place < len(line) or line[place - 1] == "|":
        found = CELL.match(line, place)
        if found is None:
            raise ValueError(f"a quote that is not closed, or text beside it: {line}")
        text = found[1]
        cells.append(text[1:-1].replace('""', '"') if text[:1] == '"' else text or None)
        place = found.end()
        if not found[0].endswith("|"):
            break
    return cells


def _type(cells: list[str | None]) -> str:
    present = [cell for cell in cells if cell is not None]
    if present and all(re.fullmatch(r"-?(0|[1-9]\d*)", cell) for cell in present):
        return "integer"
    numbers = present and all(re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?", cell) for cell in present)
    return "decimal" if numbers else "string"


def _value(cell: str | None, kind: str) -> Value:
    return None if cell is None else READ[kind](cell)


def _by_column(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(";") if part.strip()]
    return {name.strip(): value.strip() for name, _, value in pairs}


def main(arguments: list[str]) -> int:
    if arguments[:1] != ["--update"] or len(arguments) < 2:
        print("usage: python -m tests.golden.law --update FILE...", file=sys.stderr)
        return 2
    for name in arguments[1:]:
        rewrite(Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
