"""Text to numbers and booleans: which texts are one, and how many digits they need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray

INTEGER: Final = r"^[+-]?[0-9]+$"
DECIMAL: Final = r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$"
FLOAT: Final = r"^[+-]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|(?i:nan|inf|infinity))$"
BOOLEAN: Final = r"^(?:[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$"  # folding case, RE2 takes U+017F for an s
LEADING_ZERO: Final = r"^0[0-9]+$"


def digits_of(plain: pa.StringArray) -> tuple[int, int, bool]:
    """Most digits before the point, most after it, and whether a whole number leaves 64 bits."""
    if len(plain) == 0:
        return 0, 0, False
    bare = pc.utf8_ltrim(plain, "+-0")
    point = np.asarray(pc.find_substring(bare, "."))
    length = np.asarray(pc.binary_length(bare), np.int64)
    before = np.where(point < 0, length, point)
    after = np.zeros(len(plain), np.int64)
    if (point >= 0).any():
        pointed = pa.array(point >= 0)
        stripped = np.asarray(pc.binary_length(pc.utf8_rtrim(bare.filter(pointed), "0")), np.int64)
        after[point >= 0] = np.maximum(stripped - point[point >= 0] - 1, 0)
    most = int(before.max())
    beyond = most > 19
    if most == 19:
        beyond = any(not -(1 << 63) <= int(t.split(".")[0]) < (1 << 63) for t in _long(plain, before))
    return most, int(after.max()), beyond


def _long(plain: pa.StringArray, before: NDArray[np.int64]) -> list[str]:
    """The greatest and least of the numbers with 19 digits: as text, both signs apart, the order is theirs."""
    long = plain.filter(pa.array(before == 19))
    unsigned = pc.utf8_ltrim(long, "+-0")
    minus = pc.starts_with(long, "-")
    found = []
    for sign, flags in (("-", minus), ("", pc.invert(minus))):
        most = pc.max(unsigned.filter(flags)).as_py()
        found += [sign + most] if most is not None else []
    return found


def matches(text: pa.StringArray, pattern: str) -> NDArray[np.bool_]:
    """Which texts match. O(letters)."""
    return np.array(pc.match_substring_regex(text, pattern).to_numpy(zero_copy_only=False), np.bool_)


def _signed(number: str) -> tuple[str, str]:
    """The minus, and what follows the leading zeros."""
    return "-" * number.startswith("-"), number.lstrip("+-0")


def reads_as(trimmed: pa.StringArray, name: str) -> NDArray[np.bool_]:
    """Which texts are of a number type or boolean; whole numbers only within 64 bits, decimals within 38 digits."""
    flags = matches(trimmed, {"integer": INTEGER, "decimal": DECIMAL, "float": FLOAT, "boolean": BOOLEAN}[name])
    if name == "integer" and flags.any():
        for place in np.flatnonzero(flags & (np.asarray(pc.binary_length(trimmed)) > 18)):
            sign, digits = _signed(trimmed[place].as_py())
            flags[place] = len(digits) < 20 and -(1 << 63) <= int(sign + (digits or "0")) < (1 << 63)
    if name == "decimal" and flags.any():
        for place in np.flatnonzero(flags & (np.asarray(pc.binary_length(trimmed)) > 38)):
            whole, _, part = _signed(trimmed[place].as_py())[1].partition(".")
            flags[place] = len(whole) + len(part.rstrip("0")) <= 38
    return flags
