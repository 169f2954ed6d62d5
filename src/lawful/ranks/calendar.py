"""Text to calendar: vectorised reading of dates and timestamps, real days only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray

# date format -> (shape, first byte of year, month, day)
DATE_FORMATS: Final[dict[str, tuple[str, int, int, int]]] = {
    "yyyy-MM-dd": (r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", 0, 5, 8),
    "MM/dd/yyyy": (r"^[0-9]{2}/[0-9]{2}/[0-9]{4}$", 6, 0, 3),
    "dd.MM.yyyy": (r"^[0-9]{2}\.[0-9]{2}\.[0-9]{4}$", 6, 3, 0),
}
_MOMENT: Final = (
    r"^(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?(?P<zone>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?$"
)
_MONTH_DAYS: Final = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
NANOSECOND_YEARS: Final = (1678, 2261)
"""First and last whole year that 64 bits of nanoseconds can tell."""


def days(text: pa.StringArray, format: str) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Days since 1970-01-01 of each text in a date format, and which of them are real days. No nulls; O(n)."""
    shape, year, month, day = DATE_FORMATS[format]
    fits = _flags(pc.match_substring_regex(text, shape))
    found = np.zeros(len(text), np.int64)
    if fits.any():
        cells = _bytes(text.filter(pa.array(fits)), 10)
        civil, real = _civil(_number(cells, year, 4), _number(cells, month, 2), _number(cells, day, 2))
        found[fits] = civil
        fits[fits] = real
    return found, fits


class Moments:
    """ISO timestamps read from text (no nulls): seconds since 1970, nanoseconds, digits of the fraction.

    ``real`` marks the texts that are moments, ``zoned`` those with a zone (their seconds are UTC).
    """

    def __init__(self, text: pa.StringArray) -> None:
        count = len(text)
        self.seconds = np.zeros(count, np.int64)
        self.nanos = np.zeros(count, np.int64)
        self.digits = np.zeros(count, np.int64)
        self.year = np.zeros(count, np.int64)
        self.zoned = np.zeros(count, np.bool_)
        self.real = _flags(pc.match_substring_regex(text, _MOMENT))
        if self.real.any():
            self._read(text.filter(pa.array(self.real)))

    def _read(self, text: pa.StringArray) -> None:
        parts = pc.extract_regex(text, _MOMENT)
        at = np.flatnonzero(self.real)
        date, hour, minute, second, fraction, zone = (parts.field(i) for i in range(6))
        cells = _bytes(date, 10)
        self.year[at] = _number(cells, 0, 4)
        civil, real = _civil(self.year[at], _number(cells, 5, 2), _number(cells, 8, 2))
        clock = [_integers(part) for part in (hour, minute, second)]
        real &= (clock[0] < 24) & (clock[1] < 60) & (clock[2] < 60)
        offset, sound = _offsets(zone)
        real &= sound
        self.seconds[at] = civil * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2] - offset
        self.nanos[at] = _integers(pc.utf8_rpad(fraction, 9, "0"))
        self.digits[at] = _lengths(pc.utf8_rtrim(fraction, "0"))
        self.zoned[at] = _lengths(zone) > 0
        self.real[at] = real


def _offsets(zone: pa.StringArray) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Seconds east of UTC of ``Z``, ``+hh``, ``+hhmm`` and ``+hh:mm``, and which are possible."""
    digits = pc.utf8_rpad(pc.replace_substring_regex(zone, "[^0-9]", ""), 4, "0")
    number = _integers(digits)
    west = _flags(pc.starts_with(zone, "-"))
    hours, minutes = number // 100, number % 100
    seconds = hours * 3_600 + minutes * 60
    return np.where(west, -seconds, seconds), (seconds <= 18 * 3_600) & (minutes < 60)


def _civil(
    year: NDArray[np.int64], month: NDArray[np.int64], day: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Days since 1970-01-01 in the proleptic Gregorian calendar, and which triples are real days."""
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    inside = (month >= 1) & (month <= 12) & (year >= 1)
    last = _MONTH_DAYS[np.where(inside, month, 1) - 1] + (leap & (month == 2))
    real = inside & (day >= 1) & (day <= last)
    # Years start in March here, so that the leap day is the last of its year.
    shifted = year - (month <= 2)
    era = shifted // 400
    of_era = shifted - era * 400
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468, real


def _bytes(text: pa.StringArray, width: int) -> NDArray[np.uint8]:
    """Texts of one byte length as a matrix of bytes."""
    fixed = pc.cast(text, pa.binary()).cast(pa.binary(width))
    start = fixed.offset * width
    return np.frombuffer(fixed.buffers()[1], np.uint8)[start : start + len(text) * width].reshape(-1, width)


def _number(cells: NDArray[np.uint8], first: int, width: int) -> NDArray[np.int64]:
    number = np.zeros(len(cells), np.int64)
    for place in range(first, first + width):
        number = number * 10 + (cells[:, place].astype(np.int64) - 48)
    return number


def _integers(text: pa.StringArray) -> NDArray[np.int64]:
    filled = pc.if_else(pc.equal(pc.binary_length(text), 0), "0", text)
    return np.asarray(pc.fill_null(pc.cast(filled, pa.int64()), 0), np.int64)


def _lengths(text: pa.StringArray) -> NDArray[np.int64]:
    return np.asarray(pc.fill_null(pc.binary_length(text), 0), np.int64)


def _flags(found: pa.BooleanArray) -> NDArray[np.bool_]:
    return np.array(found.to_numpy(zero_copy_only=False), np.bool_)
