"""How columns of text are read, as the definition says it: plain Python, one value after the other.

Shares nothing with what it judges.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Context, Decimal
from typing import Any

_SPACES = " \t\n\r\f\v"
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
_SCIENTIFIC = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+")
_WORDS = {sign + word for sign in ("", "+", "-") for word in ("nan", "inf", "infinity")}
_DATES = {
    "yyyy-MM-dd": (re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})"), (1, 2, 3)),
    "MM/dd/yyyy": (re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})"), (3, 1, 2)),
    "dd.MM.yyyy": (re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})"), (3, 2, 1)),
}
_STAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?"
    r"([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_WIDE = Context(prec=5000)


def infer(cells: Sequence[str | None]) -> tuple[str, list[Any]]:
    """The type of a column and, for every cell, what to compare instead of it; ``None`` for null."""
    texts = [cell.strip(_SPACES) for cell in cells if cell is not None]
    kind, read = _reading(texts)
    if kind == "string":
        return kind, [None if cell is None else cell.encode() for cell in cells]
    return kind, [None if cell is None else read(cell.strip(_SPACES)) for cell in cells]


def dense(keys: Sequence[Any], *, last: bool = False) -> list[int]:
    """Ranks from 0, null before all values or after them."""
    values = sorted({key for key in keys if key is not None})
    null = [None] if None in keys else []
    order = [*values, *null] if last else [*null, *values]
    place = {key: rank for rank, key in enumerate(order)}
    return [place[key] for key in keys]


def _reading(texts: Sequence[str]) -> tuple[str, Any]:
    if not texts:
        return "string", None
    if all(_is_number(text) for text in texts):
        return _number(texts)
    if all(text.lower() in ("true", "false") and text.isascii() for text in texts):
        return "boolean", lambda text: text.lower() == "true"
    for format in _DATES:
        if all(day(text, format) is not None for text in texts):
            return "date", lambda text, format=format: day(text, format)
    if all(stamp(text) is not None for text in texts):
        return _stamps(texts)
    return "string", None


def _is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text) or _SCIENTIFIC.fullmatch(text) or text.lower() in _WORDS)


def _number(texts: Sequence[str]) -> tuple[str, Any]:
    if any(re.fullmatch(r"0[0-9]+", text) for text in texts):
        return "string", None
    if not all(_NUMBER.fullmatch(text) for text in texts):
        return "float", _float
    numbers = [Decimal(text) for text in texts]
    if all(re.fullmatch(r"[+-]?[0-9]+", text) for text in texts) and all(-(2**63) <= n < 2**63 for n in numbers):
        return "integer", int
    before = max(len(str(abs(int(n)))) if abs(n) >= 1 else 0 for n in numbers)
    after = max(max(-int(_WIDE.normalize(n).as_tuple().exponent), 0) for n in numbers)
    return ("decimal", Decimal) if before + after <= 38 else ("float", _float)


def _float(text: str) -> tuple[bool, float]:
    number = float(text)
    return (True, 0.0) if number != number else (False, number)


def day(text: str, format: str) -> date | None:
    """The day that a text names in a format."""
    pattern, (year, month, of_month) = _DATES[format]
    found = pattern.fullmatch(text)
    try:
        return date(int(found[year]), int(found[month]), int(found[of_month])) if found else None
    except ValueError:
        return None


def stamp(text: str) -> tuple[int, bool, int, int] | None:
    """Nanoseconds since 1970 of an ISO timestamp, whether it has a zone, digits of the second, its year."""
    found = _STAMP.fullmatch(text)
    try:
        when = datetime.fromisoformat(found[1]) if found else None
        if when is None or found is None:
            return None
        when = when.replace(hour=int(found[2]), minute=int(found[3]), second=int(found[4] or 0))
    except ValueError:
        return None
    offset = _offset(found[6])
    if offset is None:
        return None
    since = when - datetime(1970, 1, 1)
    fraction = found[5] or ""
    nanos = (since.days * 86_400 + since.seconds - offset) * 10**9 + int(fraction.ljust(9, "0"))
    return nanos, found[6] is not None, len(fraction.rstrip("0")), when.year


def _offset(zone: str | None) -> int | None:
    """Seconds east; nobody lives more than 18 hours from Greenwich."""
    if zone is None or zone in "Zz":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if minutes > 59 or hours * 60 + minutes > 18 * 60:
        return None
    return (hours * 3600 + minutes * 60) * (-1 if zone[0] == "-" else 1)


def _stamps(texts: Sequence[str]) -> tuple[str, Any]:
    found = [stamp(text) for text in texts]
    known = [one for one in found if one is not None]
    mixed = len({zoned for _, zoned, _, _ in known}) > 1
    fine = any(digits > 6 for _, _, digits, _ in known)
    far = any(not 1678 <= year <= 2261 for _, _, _, year in known)
    if mixed or (fine and far):  # 64 bits of nanoseconds reach no further
        return "string", None
    return "timestamp", lambda text: stamp(text)[0]  # type: ignore[index]
