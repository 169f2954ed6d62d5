"""Agree sets: for a pair of rows, the columns in which the two are equal; of a table, how many pairs have each.

An agree set is the signature of a pair when no column has an order, so evidence holds them as it stands: column c is
bit ``c & 63`` of word ``c >> 6``, and each pair of rows counts once. The set without columns is counted as well: two
rows that differ everywhere break ``[] -> A``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import Comparison, Layout, Signatures
from lawful.rules.model import Fd, Key, Rule
from lawful.rules.text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

_SHOWN = 8


def agree_layout(width: int) -> Layout:
    """Every column of one row compared with the same column of the other, by equality alone."""
    return Layout(tuple(Comparison(c, c, False) for c in range(width)))


def as_set(columns: Iterable[int], words: int) -> NDArray[np.uint64]:
    """A set of columns as words."""
    number = sum(1 << c for c in set(columns))
    return np.array([number >> 64 * w & (1 << 64) - 1 for w in range(words)], np.uint64)


def holding(sets: Signatures, columns: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which sets hold all of some columns."""
    return np.asarray(((sets & columns) == columns).all(axis=1))


@dataclass(frozen=True, eq=False)
class AgreeSets:
    """The agree sets of the pairs of rows of a table, with the number of pairs that have each.

    ``names`` are the table's columns, ``rows`` how many rows it has. Iterating gives (columns, pairs), the commonest
    set first. ``part``: only some of the sets are here, so errors cannot be told.
    """

    names: tuple[str, ...]
    rows: int
    evidence: Evidence
    part: bool = False

    def __len__(self) -> int:
        return len(self.evidence)

    @property
    def pairs(self) -> int:
        """How many pairs of rows there are, each counted once."""
        return self.evidence.pairs or 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgreeSets):
            return NotImplemented
        return (self.names, self.rows, self.part) == (other.names, other.rows, other.part) and (
            self.evidence == other.evidence
        )

    __hash__ = None  # type: ignore[assignment]

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], int]]:
        bits, counts = self._sorted()
        for row, count in zip(bits, counts.tolist(), strict=True):
            yield tuple(self.names[c] for c in np.flatnonzero(row)), count

    def __repr__(self) -> str:
        what = "agree set" if len(self) == 1 else "agree sets"
        return f"<AgreeSets: {len(self):,} distinct {what} of {self.pairs:,} pairs of {self.rows:,} rows>"

    def __str__(self) -> str:
        lines = [f"{count:,}  {{{', '.join(map(quoted, columns))}}}" for columns, count in _first(self, _SHOWN)]
        more = [f"and {len(self) - _SHOWN:,} more"] if len(self) > _SHOWN else []
        return "\n".join([repr(self)[1:-1], *lines, *more])

    def count(self, columns: Iterable[str]) -> int:
        """How many pairs agree on exactly these columns."""
        same = (self.evidence.signatures == self._set(columns)).all(axis=1)
        return int(self._counts[same].sum())

    def supersets(self, columns: Iterable[str], without: Iterable[str] = ()) -> AgreeSets:
        """The agree sets that hold all of ``columns`` and none of ``without``; one pass over the distinct sets."""
        found = holding(self.evidence.signatures, self._set(columns))
        found &= ~(self.evidence.signatures & self._set(without)).any(axis=1)
        some = Evidence(
            self.evidence.layout, self.evidence.signatures[found], self._counts[found], self.evidence.closed
        )
        return replace(self, evidence=some, part=True)

    def error(self, rule: str | Rule) -> float:
        """The share of pairs of rows that break an fd or a key, from the counts alone; 0 where there are no pairs."""
        if self.part:
            raise OptionError("These are only some of the agree sets.", hint="Ask all of them for an error.")
        stated = _parsed(rule)
        left = stated.lhs if isinstance(stated, Fd) else stated.columns
        broken = self.supersets(left, (stated.rhs,) if isinstance(stated, Fd) else ()).pairs
        return broken / self.pairs if self.pairs else 0.0

    def to_arrow(self) -> pa.Table:
        """A table of ``columns`` (list of names) and ``pairs`` (int64), the commonest set first."""
        import pyarrow as pa

        bits, counts = self._sorted()
        sets, members = np.nonzero(bits)
        offsets = np.searchsorted(sets, np.arange(len(bits) + 1)).astype(np.int64)
        names = pa.array(self.names, pa.string()).take(pa.array(members))
        return pa.table({"columns": pa.LargeListArray.from_arrays(offsets, names), "pairs": counts})

    @property
    def _counts(self) -> NDArray[np.int64]:
        assert self.evidence.counts is not None
        return self.evidence.counts

    def _set(self, columns: Iterable[str]) -> NDArray[np.uint64]:
        columns = (columns,) if isinstance(columns, str) else columns
        return as_set((_place(self.names, name) for name in columns), self.evidence.layout.words)

    def _sorted(self) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        order = np.argsort(-self._counts, kind="stable")
        words = np.ascontiguousarray(self.evidence.signatures[order]).astype("<u8").view(np.uint8)
        bits = np.unpackbits(words, axis=1, bitorder="little")[:, : len(self.names)].astype(np.bool_)
        return bits, self._counts[order]


def _parsed(rule: str | Rule) -> Fd | Key:
    if isinstance(rule, str):
        from lawful.rules.text import parse

        rule = parse(rule)
    if isinstance(rule, Fd | Key):
        return rule
    raise OptionError(f"Agree sets say nothing of a rule of kind {rule.kind}.", hint="Ask for an fd or a key.")


def _place(names: Sequence[str], name: str) -> int:
    if name not in names:
        raise ColumnError(f"There is no column {name!r}.", hint=did_you_mean(name, names))
    return names.index(name)


def _first(things: Iterable[Any], most: int) -> Iterator[Any]:
    return (thing for thing, _ in zip(things, range(most), strict=False))
