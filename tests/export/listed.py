"""Rules of every kind over a small table, and the table."""

from __future__ import annotations

import random

from lawful.rules import Column, RuleSet, parse
from tests.naive import Table, table

NAMES = ("id", "grade", 'pa"y', "it's", "born")
TYPES = ("integer", "integer", "decimal", "string", "date")
TEXTS = [
    *("grade -> `it's`", "[] -> born", 'id, grade -> `pa"y`', "key(id)", "key(grade, `it's`)", "key()"),
    *('{grade}: id ~ `pa"y`', '{}: `pa"y` ~ born desc', "{`it's`}: id ~ grade", "{}: id ~ `it's`"),
    *("[grade, `it's` desc] -> [born]", '[id] <-> [`pa"y`]', "[grade] ~ [born desc]"),
    *('grade<, id>= => `pa"y`<=', "`it's`=, grade<= => id<", "[] => born="),
    *('not(t.grade = u.grade and t.`pa"y` > u.`pa"y`)', "not(t.id > t.grade)"),
    "not(t.id <= u.id and t.`it's` >= u.`it's`)",
]


def rules(*texts: str, **header: object) -> RuleSet:
    """The rules, or those given, of a table in a file."""
    columns = tuple(Column(name, type) for name, type in zip(NAMES, TYPES, strict=True))
    given = {"columns": columns, "source": "staff.csv", "rows": 9, "options": {"nulls": "first"}} | header
    return RuleSet([parse(text) for text in texts or TEXTS], **given)  # type: ignore[arg-type]


def staff(seed: int, rows: int = 9, nulls: bool = True) -> Table:
    """Some rows that break most of the rules."""
    from datetime import date
    from decimal import Decimal

    rng = random.Random(seed)

    def cell(name: str) -> object:
        if nulls and rng.random() < 0.2:
            return None
        value = rng.randint(1, 4)
        made = {'pa"y': Decimal(value) / 2, "it's": "aBcé"[value - 1], "born": date(2000, 1, value)}
        return made.get(name, value)

    return table(NAMES, TYPES, *([cell(name) for name in NAMES] for _ in range(rows)))  # type: ignore[arg-type]
