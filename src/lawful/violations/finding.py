"""What is known of one rule held against a table: from all rows, or from a part of the work, which adds up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from lawful.violations.degrees import Degrees, Flags

EXACT = ("fd", "key", "oc")
"""The kinds for which the fewest rows to remove are known."""

NO_ROWS = np.zeros(0, np.uint8)
NO_PAIRS = np.zeros((0, 2), np.int32)

Packed = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Finding:
    """What is true of one rule. Flags of rows stand eight to a byte, no byte where none is set.

    ``broken`` has, for each conjunction, the rows that break it as t and those that do as u. ``shown`` int32[k, 2] are
    pairs (t, u) that break the rule; where it is about one row alone, that row twice. ``gone`` are rows to remove, and
    ``least`` is how many have to go at least; with ``unmended`` they were not looked for.
    """

    number: int
    pairs: int = 0
    broken: tuple[tuple[Packed, Packed], ...] = ()
    shown: NDArray[np.int32] = field(default_factory=lambda: NO_PAIRS)
    gone: Packed = field(default_factory=lambda: NO_ROWS)
    least: int = 0
    unmended: bool = False

    @property
    def bad(self) -> Packed:
        """The rows that take part in a violating pair."""
        found = NO_ROWS
        for sides in self.broken:
            found = either(either(found, sides[0]), sides[1])
        return found


def packed(found: Flags) -> Packed:
    """Flags eight to a byte, no byte where none is set."""
    return np.packbits(found) if found.any() else NO_ROWS


def flags(held: Packed, rows: int) -> Flags:
    """Flags of rows from eight a byte; none is set where there are no bytes."""
    if len(held) == 0:
        return np.zeros(rows, np.bool_)
    return np.unpackbits(held, count=rows).astype(np.bool_)


def placed(rows: NDArray[np.intp], count: int) -> Flags:
    """Flags of ``count`` rows, set for those given."""
    held = np.zeros(count, np.bool_)
    held[rows] = True
    return held


def counted_flags(held: Packed) -> int:
    """How many are set."""
    return int(np.unpackbits(held).sum())


def broken_by(parts: Iterable[Degrees]) -> tuple[tuple[Packed, Packed], ...]:
    """The rows that have a partner, of every conjunction as t and as u."""
    return tuple((packed(counted.as_t > 0), packed(counted.as_u > 0)) for counted in parts)


def added(left: Finding, right: Finding, most: int) -> Finding:
    """What two parts of the work on one rule say together, with at most ``most`` pairs."""
    shown = np.concatenate([left.shown, right.shown])
    shown = shown[np.lexsort((shown[:, 0], shown[:, 1]))][:most]
    both = zip(left.broken, right.broken, strict=True)
    broken = tuple((either(a[0], b[0]), either(a[1], b[1])) for a, b in both) if left.broken and right.broken else ()
    return Finding(
        left.number, left.pairs + right.pairs, broken or left.broken or right.broken, shown,
        either(left.gone, right.gone), left.least + right.least, left.unmended or right.unmended,
    )  # fmt: skip


def either(left: Packed, right: Packed) -> Packed:
    """Flags set in one or the other."""
    return left | right if len(left) and len(right) else left if len(left) else right


def widened(found: Finding, rows: NDArray[np.intp], count: int) -> Finding:
    """What is true of some rows of a table, with their places in the table."""

    def wide(held: Packed) -> Packed:
        return packed(placed(rows[flags(held, len(rows))], count)) if len(held) else held

    broken = tuple((wide(t), wide(u)) for t, u in found.broken)
    return replace(found, broken=broken, shown=rows[found.shown].astype(np.int32), gone=wide(found.gone))
