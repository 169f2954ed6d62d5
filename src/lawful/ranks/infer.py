"""What the texts of a column are like: all that its type depends on, over every value of it.

A ``TextSummary`` says how many rows of a column could be read as each kind of value. Summaries merge (associative,
commutative), so a column may be seen in pieces, on any number of machines, and end with the same type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lawful.ranks.calendar import DATE_FORMATS, Moments, days
from lawful.ranks.numerals import BOOLEAN, DECIMAL, FLOAT, INTEGER, LEADING_ZERO, digits_of, matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from lawful.ranks.coding import Coded

DATE_TESTS: Final = tuple(DATE_FORMATS)
TESTS: Final = ("integer", "decimal", "float", "boolean", *DATE_TESTS, "zone-less timestamp", "zoned timestamp")
NULL_LOOKING: Final = ("?", "NA", "N/A", "n/a", "-", "--", "null", "NULL", "None", "none", "nan", "NaN", "\\N", "#N/A")
_NEVER: Final = 1 << 62
SHOWN: Final = 60
"""Letters of a value that are shown."""


@dataclass(frozen=True)
class TextSummary:
    """What some cells of one text column are like; nulls are left out.

    ``fits[test]`` counts the rows that pass a test of ``TESTS`` and ``odd[test]`` starts the least text that fails it;
    the digits are the most that a number needs before and after the point.
    """

    rows: int = 0
    fits: Mapping[str, int] = field(default_factory=dict)
    odd: Mapping[str, str] = field(default_factory=dict)
    leading_zero: str | None = None
    digits: int = 0
    fraction: int = 0
    beyond_64: bool = False
    second_digits: int = 0
    years: tuple[int, int] = (_NEVER, -_NEVER)
    null_looking: Mapping[str, int] = field(default_factory=dict)

    def merge(self, other: TextSummary) -> TextSummary:
        return TextSummary(
            self.rows + other.rows,
            _added(self.fits, other.fits),
            {t: min(o[t] for o in (self.odd, other.odd) if t in o) for t in {*self.odd, *other.odd}},
            _least(self.leading_zero, other.leading_zero),
            max(self.digits, other.digits),
            max(self.fraction, other.fraction),
            self.beyond_64 or other.beyond_64,
            max(self.second_digits, other.second_digits),
            (min(self.years[0], other.years[0]), max(self.years[1], other.years[1])),
            _added(self.null_looking, other.null_looking),
        )


def summarise(coded: Coded) -> TextSummary:
    """Summary of a column's distinct non-null texts. O(n) per test."""
    text = coded.values
    if len(text) == 0:
        return TextSummary()
    trimmed = pc.ascii_trim_whitespace(text)
    passes: dict[str, NDArray[np.bool_]] = {}
    passes["float"] = matches(trimmed, FLOAT)
    numeric = bool(passes["float"].any())
    nothing = np.zeros(len(text), np.bool_)
    passes["decimal"] = matches(trimmed, DECIMAL) if numeric else nothing
    passes["integer"] = matches(trimmed, INTEGER) if numeric else nothing
    plain = trimmed.filter(pa.array(passes["decimal"])) if numeric else trimmed.slice(0, 0)
    digits, fraction, beyond = digits_of(plain)
    if numeric and passes["float"].all():
        passes.update(dict.fromkeys(("boolean", *DATE_TESTS, "zone-less timestamp", "zoned timestamp"), nothing))
        moments = None
    else:
        lengths = np.asarray(pc.binary_length(trimmed))
        short, ten, long = (bool(test.any()) for test in (lengths < 6, lengths == 10, lengths > 15))
        passes["boolean"] = matches(trimmed, BOOLEAN) if short else nothing
        passes.update((f, days(trimmed, f)[1] if ten else nothing) for f in DATE_TESTS)
        moments = Moments(trimmed) if long else None
        passes["zone-less timestamp"] = moments.real & ~moments.zoned if moments is not None else nothing
        passes["zoned timestamp"] = moments.real & moments.zoned if moments is not None else nothing
    zeros = plain.filter(pc.match_substring_regex(plain, LEADING_ZERO)) if len(plain) else plain
    seen = moments is not None and bool(moments.real.any())
    return TextSummary(
        coded.met,
        {test: _rows_of(coded, flags) for test, flags in passes.items() if flags.any()},
        _odd(text, passes),
        pc.min(zeros).as_py() if len(zeros) else None,
        digits,
        fraction,
        beyond,
        int(moments.digits[moments.real].max()) if moments is not None and seen else 0,
        _span(moments.year[moments.real]) if moments is not None and seen else (_NEVER, -_NEVER),
        _tokens(trimmed, coded),
    )


def null_looking(coded: Coded) -> TextSummary:
    """The part of a summary that speaks of texts that look like null."""
    return TextSummary(null_looking=_tokens(pc.ascii_trim_whitespace(coded.values), coded))


def _rows_of(coded: Coded, flags: NDArray[np.bool_]) -> int:
    return coded.met if flags.all() else int(coded.times[flags].sum())


def _tokens(trimmed: pa.StringArray, coded: Coded) -> dict[str, int]:
    at = np.asarray(pc.fill_null(pc.index_in(trimmed, pa.array(NULL_LOOKING, trimmed.type)), -1))
    found: dict[str, int] = {}
    for place in np.flatnonzero(at >= 0):
        token = NULL_LOOKING[at[place]]
        found[token] = found.get(token, 0) + int(coded.times[place])
    return found


def _odd(text: pa.StringArray, passes: Mapping[str, NDArray[np.bool_]]) -> dict[str, str]:
    """The least text that fails each test. Most tests fail everywhere, and share that search."""
    least = _least_of(text)
    found = {}
    for test, flags in passes.items():
        if not flags.all():
            found[test] = _least_of(text.filter(pa.array(~flags))) if flags.any() else least
    return found


def _least_of(text: pa.StringArray) -> str:
    """The start of the least text, which is the least of all starts: so pieces agree with the whole."""
    return str(pc.min(text).as_py())[: SHOWN + 1]


def _span(years: NDArray[np.int64]) -> tuple[int, int]:
    return int(years.min()), int(years.max())


def _least(left: str | None, right: str | None) -> str | None:
    return min((v for v in (left, right) if v is not None), default=None)


def _added(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
    return {k: left.get(k, 0) + right.get(k, 0) for k in {*left, *right}}
