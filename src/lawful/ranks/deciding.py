"""From the summary of a text column to its type, and the reason in a phrase."""

from __future__ import annotations

from lawful.ranks.calendar import NANOSECOND_YEARS
from lawful.ranks.infer import DATE_TESTS, SHOWN, TESTS, TextSummary
from lawful.ranks.types import ColumnType


def decide(summary: TextSummary) -> ColumnType:
    """The first type that all values parse as, and why. A column of nulls only is a string."""
    if summary.rows == 0:
        return ColumnType("string", why="no values")
    every = {test for test, count in summary.fits.items() if count == summary.rows}
    if "float" in every and summary.leading_zero is not None:
        return ColumnType("string", why=f"leading zero in {summary.leading_zero!r}")
    if "decimal" in every:
        return _number(summary, whole="integer" in every)
    if "boolean" in every:
        return ColumnType("boolean", why="every value is true or false")
    for format in DATE_TESTS:
        if format in every:
            return ColumnType("date", format=format, why=f"every value is a date {format}")
    moments = summary.fits.get("zone-less timestamp", 0) + summary.fits.get("zoned timestamp", 0)
    if moments == summary.rows:
        return _moment(summary)
    if "float" in every:
        return ColumnType("float", why="exponents, NaN or infinity among the numbers")
    return ColumnType("string", why=_why_string(summary))


def _number(summary: TextSummary, *, whole: bool) -> ColumnType:
    if whole and not summary.beyond_64:
        return ColumnType("integer", why="every value is a whole number")
    if summary.digits + summary.fraction > 38:
        why = f"{summary.digits} digits before and {summary.fraction} after the point are more than 38"
        return ColumnType("float", why=why)
    why = "whole numbers beyond 64 bits" if whole else "every value is a decimal number"
    return ColumnType("decimal", precision=max(summary.digits + summary.fraction, 1), scale=summary.fraction, why=why)


def _moment(summary: TextSummary) -> ColumnType:
    zoned = summary.fits.get("zoned timestamp", 0)
    if 0 < zoned < summary.rows:
        return ColumnType("string", why=f"{zoned} of {summary.rows} timestamps have a zone, the others none")
    first, last = NANOSECOND_YEARS
    scale = 9 if summary.second_digits > 6 else 6
    if scale == 9 and (summary.years[0] < first or summary.years[1] > last):
        return ColumnType("string", why=f"nanoseconds outside the years {first} to {last}")
    why = "every value is a timestamp " + ("with a zone" if zoned else "without a zone")
    return ColumnType("timestamp", scale=scale, zoned=bool(zoned), why=why)


def _why_string(summary: TextSummary) -> str:
    """Names the test that nearly all values pass, and a value that does not."""
    test, count = max(((t, summary.fits.get(t, 0)) for t in TESTS), key=lambda pair: pair[1])
    if 2 * count < summary.rows:
        return "text"
    kind = f"date {test}" if test in DATE_TESTS else test
    odd = summary.odd[test]
    shown = odd if len(odd) <= SHOWN else odd[: SHOWN - 1] + "…"
    return f"{summary.rows - count} of {summary.rows} values are no {kind}, such as {shown!r}"
