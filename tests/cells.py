"""Cells of text, and columns of them whose type is known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st


def _any_case(words: Sequence[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda word, case: case(word), st.sampled_from(words), st.sampled_from([str.lower, str.upper, str.title])
    )


def _stamps(zones: Any) -> st.SearchStrategy[str]:
    """ISO-8601 with ``T`` or a space, whole seconds or microseconds."""
    moments = st.datetimes(datetime(1900, 1, 2), datetime(2200, 1, 1), timezones=zones)
    return st.builds(datetime.isoformat, moments, st.sampled_from(["T", " "]))


_zones = st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))

CELLS: dict[str, st.SearchStrategy[str]] = {
    "integer": st.one_of(st.integers(-12, 12), st.integers(-(2**63), 2**63 - 1)).map(str),
    "beyond 64 bits": st.integers(2**63, 10**37).map(str),
    "decimal": st.decimals(-(10**9), 10**9, places=4).map("{:f}".format),
    "trailing zeros": st.builds(
        "{}.{}{}".format, st.integers(-99, 99), st.integers(0, 9), st.sampled_from(["0", "00"])
    ),
    "exponent": st.builds("{}e{}".format, st.integers(-99, 99), st.integers(-20, 20)),
    "not finite": _any_case(["nan", "inf", "-inf"]),
    "leading zero": st.integers(0, 9999).map("0{}".format),
    "boolean": _any_case(["true", "false"]),
    "date": st.dates(date(1000, 1, 1)).map(date.isoformat),
    "date with slashes": st.dates(date(1000, 1, 1)).map("{0:%m}/{0:%d}/{0.year}".format),
    "date with dots": st.dates(date(1000, 1, 1)).map("{0:%d}.{0:%m}.{0.year}".format),
    "timestamp": _stamps(st.none()),
    "timestamp with zone": _stamps(st.one_of(_zones, st.just(UTC))),
    "blank": st.sampled_from(["", " ", "  "]),
    "word": st.sampled_from(["x", "no", "N/A", "?", "-", "1 2", "1,5", "0x1F", "2024-13-01", "12:30", "truely"]),
    "unicode": st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=6),
}
"""Single cells of a text source, by what they look like."""

COLUMNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "integers": ("integer", ("integer",)),
    "big integers": ("decimal", ("beyond 64 bits", "integer")),
    "decimals": ("decimal", ("decimal", "integer", "trailing zeros")),
    "exponents": ("float", ("exponent", "integer", "decimal")),
    "not finite": ("float", ("not finite", "integer", "trailing zeros")),
    "leading zeros": ("string", ("leading zero", "integer")),
    "booleans": ("boolean", ("boolean",)),
    "dates": ("date", ("date",)),
    "dates with slashes": ("date", ("date with slashes",)),
    "dates with dots": ("date", ("date with dots",)),
    "date formats mixed": ("string", ("date with dots", "date with slashes")),
    "timestamps": ("timestamp", ("timestamp",)),
    "timestamps with zones": ("timestamp", ("timestamp with zone",)),
    "zones mixed": ("string", ("timestamp", "timestamp with zone")),
    "words": ("string", ("word", "integer")),
}
"""The type to be inferred for a column of text, the look it must have once, and further ones it may have."""

ALL_NEEDED = frozenset({"date formats mixed", "zones mixed"})
"""The columns that need every one of their looks, lest they be of another type."""


@st.composite
def text_columns(draw: st.DrawFn, max_rows: int = 12) -> tuple[str, list[str]]:
    """A type, and cells of text for which it is the one to infer."""
    name = draw(st.sampled_from(sorted(COLUMNS)))
    kind, looks = COLUMNS[name]
    needed = looks if name in ALL_NEEDED else looks[:1]
    cells = [draw(CELLS[look]) for look in needed]
    cells += draw(st.lists(st.one_of([CELLS[look] for look in looks]), max_size=max_rows - len(cells)))
    return kind, draw(st.permutations(cells))
