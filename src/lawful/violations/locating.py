"""On which lines of delimited files the rows stand that a check shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from lawful.errors import LawfulError
from lawful.options import SourceOptions
from lawful.source.dialect import Dialect
from lawful.source.lookup import lines_of_records
from lawful.source.opening import home_of, only_spark_reads
from lawful.violations.checked import CheckResult, RuleCheck, Witness

FARTHEST = 1 << 20
"""The record up to which a file is read again for lines."""


def located(result: CheckResult, source: Any, reading: SourceOptions) -> CheckResult:
    """The result with the lines of the rows shown, where the source is delimited text that can be read again.

    Each file is read once more, up to the last record shown; rows beyond ``FARTHEST`` records get no line.
    """
    dialect = _dialect(source, reading)
    if dialect is None:
        return result
    wanted: dict[str, set[int]] = defaultdict(set)
    for row in _rows(result.checks):
        path, record = placed(row)
        if 0 < record <= FARTHEST:
            wanted[path].add(record)
    lines = {
        f"{path}:{record}": line
        for path, records in wanted.items()
        for record, line in lines_of_records(path, dialect, records).items()
    }
    return replace(result, checks=tuple(_with_lines(check, lines) for check in result.checks))


def placed(row: str | None) -> tuple[str, int]:
    """File and record of a row's name; the record is 0 where the row is of no file."""
    path, sign, record = (row or "").rpartition(":")
    return (path, int(record)) if sign and record.isdecimal() else ("", 0)


def _dialect(source: Any, reading: SourceOptions) -> Dialect | None:
    from lawful.source.finding import open_files

    if source == "-" or only_spark_reads(source) or home_of(source) != "storage":
        return None
    try:
        return open_files(source, reading).dialect
    except (LawfulError, OSError):
        return None  # a pipe that was read, a file that is gone: the rows are named all the same


def _rows(checks: Iterable[RuleCheck]) -> Iterator[str | None]:
    for check in checks:
        for witness in check.witnesses:
            yield from witness.rows
        yield from _rows(check.parts)


def _with_lines(check: RuleCheck, lines: dict[str, int]) -> RuleCheck:
    def found(witness: Witness) -> Witness:
        t, u = (lines.get(row or "") for row in witness.rows)
        return replace(witness, lines=(t, u))

    parts = tuple(_with_lines(part, lines) for part in check.parts)
    return replace(check, witnesses=tuple(map(found, check.witnesses)), parts=parts)
