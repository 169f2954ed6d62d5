"""Cleaning a dirty table of hospitals: the laws that nearly hold lead to the cells that are wrong.

A table of hospitals and how well they did by some measures of quality, as authorities publish it: one row for each
hospital and measure, the hospital's name and address told again in each. The table is made up, and 24 cells of it are
then spoiled by typing errors, at known places. Nothing is told to lawful: it finds the laws with exceptions, somebody
rejects those that are no laws, a check points at rows, and a majority among equals proposes what to write.
Run it: ``python examples/hospital.py``.
"""

from __future__ import annotations

import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

import lawful as lw
from lawful.violations.checked import RuleCheck

MEASURES = {
    "AMI-1": ("Aspirin at arrival", "Heart attack"),
    "AMI-2": ("Aspirin at discharge", "Heart attack"),
    "HF-1": ("Discharge instructions", "Heart failure"),
    "HF-2": ("Heart function looked at", "Heart failure"),
    "PN-2": ("Vaccinated against pneumonia", "Pneumonia"),
    "PN-5": ("First antibiotic in six hours", "Pneumonia"),
    "SCIP-1": ("Antibiotic before the cut", "Surgery"),
    "SCIP-3": ("Antibiotic stopped in time", "Surgery"),
}
TOWNS = (
    ("35233", "Birmingham", "Jefferson", "AL"),
    ("35205", "Birmingham", "Jefferson", "AL"),
    ("36301", "Dothan", "Houston", "AL"),
    ("35957", "Boaz", "Marshall", "AL"),
    ("99508", "Anchorage", "Anchorage", "AK"),
    ("99701", "Fairbanks", "North Star", "AK"),
    ("85006", "Phoenix", "Maricopa", "AZ"),
    ("85719", "Tucson", "Pima", "AZ"),
)
KINDS = ("Medical Center", "General Hospital", "Community Hospital")
OWNERS = ("Church", "State", "Private")
LAWS = (
    *(f"provider -> {name}" for name in ("name", "zip", "phone", "owner")),
    *(f"zip -> {name}" for name in ("city", "county", "state")),
    *(f"code -> {name}" for name in ("measure", "condition")),
)
"""What somebody who knows hospitals takes for a law. The rest holds in these towns and need not elsewhere."""
SPOILED = ("name", "city", "county", "state", "measure", "condition", "owner")
"""Columns in which typing errors are made."""


@dataclass(frozen=True)
class Cell:
    """A place in the table, the row from 0, and what stands there or ought to."""

    row: int
    column: str
    value: str


def hospitals(count: int = 60, seed: int = 1) -> pa.Table:
    """Hospitals and measures, without an error: one row for each of both."""
    chance, rows = random.Random(seed), []
    for number in range(count):
        zip_code, city, county, state = TOWNS[number % len(TOWNS)]
        hospital = {
            "provider": f"{10_001 + number}",
            "name": f"{city} {KINDS[number // 8 % 3]} {number // 24 + 1}",
            "zip": zip_code,
            "city": city,
            "county": county,
            "state": state,
            "phone": f"{2055550000 + 137 * number}",
            "owner": chance.choice(OWNERS),
        }
        for code, (measure, condition) in MEASURES.items():
            score = chance.randint(60, 100)
            rows.append({**hospital, "code": code, "measure": measure, "condition": condition, "score": score})
    return pa.Table.from_pylist(rows)


def spoiled(table: pa.Table, errors: int = 24, seed: int = 2) -> tuple[pa.Table, list[Cell]]:
    """The table with one letter of some cells replaced by an x (an x by a z), and what these cells ought to say."""
    chance = random.Random(seed)
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    right = []
    for row in sorted(chance.sample(range(table.num_rows), errors)):
        column = chance.choice(SPOILED)
        value = columns[column][row]
        place = chance.randrange(len(value))
        letter = "z" if value[place] == "x" else "x"
        columns[column][row] = f"{value[:place]}{letter}{value[place + 1 :]}"
        right.append(Cell(row, column, value))
    return pa.table(columns), right


def reviewed(rules: lw.RuleSet, path: Path) -> lw.Review:
    """The rules as a file in which people decide: those of `LAWS` are accepted, the others rejected with a note."""
    review = lw.Review(rules)
    for rule in rules:
        if str(rule) in LAWS:
            review = review.with_verdict(rule, status="accepted")
        else:
            review = review.with_verdict(rule, status="rejected", note="so in these towns, need not be elsewhere")
    review.save(path)
    return lw.Review.load(path)


def proposed(dirty: pa.Table, result: lw.CheckResult) -> set[Cell]:
    """Cells to change: in the rows whose removal mends an fd, to what most rows say that share its left side."""
    return {cell for check in result.violated for cell in _outvoted(dirty, result, check.rule)}


def _outvoted(dirty: pa.Table, result: lw.CheckResult, rule: lw.Fd) -> Iterator[Cell]:
    lefts = list(zip(*(dirty.column(name).to_pylist() for name in rule.lhs), strict=True))
    votes: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for left, value in zip(lefts, dirty.column(rule.rhs).to_pylist(), strict=True):
        votes[left][value] += 1
    for number in result.removable(rule).column("lawful_row").to_pylist():  # from 1
        yield Cell(number - 1, rule.rhs, votes[lefts[number - 1]].most_common(1)[0][0])


def mended(dirty: pa.Table, cells: Iterable[Cell]) -> pa.Table:
    """The table with these cells changed."""
    columns = {name: dirty.column(name).to_pylist() for name in dirty.column_names}
    for cell in cells:
        columns[cell.column][cell.row] = cell.value
    return pa.table(columns, schema=dirty.schema)


def story(folder: Path, count: int = 60, errors: int = 24) -> Iterator[str]:
    """What there is to tell, a line at a time; files go to ``folder``."""
    clean = hospitals(count)
    dirty, right = spoiled(clean, errors)
    yield f"{dirty.num_rows} rows of {count} hospitals, {len(right)} cells spoiled"
    exact = lw.discover(dirty, ["fd"], max_size=2, engine="local")
    yield f"Without exceptions {len(exact)} fds between two columns hold: the errors hide the others"
    rules = lw.discover(dirty, ["fd"], max_size=2, max_error=0.03, engine="local")
    yield f"If three rows in a hundred may be wrong, {len(rules)} do. In the order of interest:"
    yield from (f"  {rule}  error {rule.figures.error:.4f}" for rule in rules.top(5))
    review = reviewed(rules, folder / "rules.yaml")
    laws = review.to_check()
    yield f"Reviewed in rules.yaml: {len(laws)} accepted as laws, {len(rules) - len(laws)} rejected"
    result = lw.check(dirty, laws, max_error=0, engine="local")
    yield f"Check: {len(result.violated)} of {len(result)} laws are broken"
    for check in result.violated:
        yield f"  {check.rule}: {check.pairs} pairs; {_mending(check)}"
    witness = result.of("zip -> city").witnesses[0]
    (one, said), (other, contradicted) = witness.sides.values()
    yield f"A pair, {', '.join(witness.columns)}: row {one} says {said}, row {other} {contradicted}"
    _, bad = lw.split(dirty, laws, engine="local")
    yield f"Quarantine: {bad.num_rows} rows take part in violations, most of them right and beside a wrong one"
    cells = proposed(dirty, result)
    yield f"The rows to remove are {len({cell.row for cell in cells})}; what most of their like say is right there:"
    for cell in sorted(cells, key=lambda cell: cell.row)[:5]:
        yield f"  row {cell.row + 1}, {cell.column}: {dirty.column(cell.column)[cell.row]} → {cell.value}"
    found = cells & set(right)
    yield f"{len(found)} of {len(right)} errors recovered, {len(cells - found)} proposals wrong"
    after = mended(dirty, cells)
    left = lw.check(after, laws, max_error=0, engine="local").violated
    yield f"Afterwards {len(left)} laws are broken; the table is {'' if after == clean else 'not '}what it was before"
    yield "An error in a score would stay: no law speaks of scores"


def _mending(check: RuleCheck) -> str:
    rows, exact, least = check.repair.rows, check.repair.exact, check.repair.least
    return f"mended by removing {rows} rows, {'no fewer would do' if exact else f'at least {least} are needed'}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        for line in story(Path(scratch)):
            print(line)
