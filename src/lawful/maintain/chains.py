"""Indexes over two rank columns that find the rows which compare with a probe by any mix of operators.

    index = ChainIndex.build(a, b)
    index = index.extended(a, b, first_new_row)  # a and b have grown
    found = index.fetch_many(a, b, a[new], b[new], LESS, AT_LEAST)  # rows t with a[t] < a[u] and b[t] >= b[u]

``a`` and ``b`` are int32[rows of the table], given with every call; an index keeps row numbers alone, four bytes a row,
and stays valid while ranks are remapped without changing order or equality. No row is left out unless ``rows`` names
those that take part: nulls are values with a rank, and who wants them unknown leaves their rows out. A probe that is
itself a row of the index finds itself where the operators allow it.

An index is frozen; `extended` gives a new one that shares what did not change. Its rows stand in one or two `levels`,
each of which answers for its own rows: large settled runs, and small recent ones, merged into them now and then.
Kernels take a level (`lawful.kernels.chains.Runs`) and call ``span`` or ``spans``; all levels together are the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.errors import JobError
from lawful.kernels.chains import (
    AGAINST,
    ANY,
    CLUSTERED,
    TOGETHER,
    Runs,
    count_spans,
    dealt,
    fewest_chains,
    find_spans,
    write_spans,
)
from lawful.kernels.conjunction import EQUAL, UNEQUAL
from lawful.kernels.joining import choose_chains, merged

Ranks: TypeAlias = NDArray[np.int32]
RowNumbers: TypeAlias = NDArray[np.int32]

_SMALL = 1024
_SHARE = 16
_ROOM = 1 << 20


class Fetched(NamedTuple):
    """What probe p found is ``rows[offs[p]:offs[p + 1]]``: int64[probes + 1], int32, in no promised order."""

    offs: NDArray[np.int64]
    rows: RowNumbers


@dataclass(frozen=True, eq=False)
class _Index:
    """Rows in runs. ``least`` is the fewest runs that were possible when the index was built or rebuilt last."""

    settled: Runs
    recent: Runs
    least: int

    @property
    def levels(self) -> tuple[Runs, ...]:
        """The runs to ask; each row stands in one of them."""
        return (self.settled, self.recent) if len(self.recent.rows) else (self.settled,)

    @property
    def sign(self) -> int:
        """TOGETHER, AGAINST or CLUSTERED."""
        return self.settled.sign

    @property
    def rank(self) -> int:
        """How many runs the rows stand in, those of both levels that belong together counted once."""
        return max(len(self.settled.offs), len(self.recent.offs)) - 1

    @property
    def nbytes(self) -> int:
        """Bytes held: four a row, eight a run and level."""
        return sum(level.rows.nbytes + level.offs.nbytes for level in (self.settled, self.recent))

    def __len__(self) -> int:
        """How many rows it holds."""
        return len(self.settled.rows) + len(self.recent.rows)

    @property
    def rows(self) -> RowNumbers:
        """The rows it holds, in no promised order."""
        return np.concatenate([self.settled.rows, self.recent.rows])

    def rebuilt(self, a: Ranks, b: Ranks) -> Self:
        """The same rows in as few runs as possible, O(n log n)."""
        return self._with(*_built(a, b, self.sign, self.rows))

    def extended(self, a: Ranks, b: Ranks, first_new_row: int) -> Self:
        """With all rows of the columns from ``first_new_row`` on."""
        return self.added(a, b, np.arange(first_new_row, len(a), dtype=np.int32))

    def added(self, a: Ranks, b: Ranks, rows: RowNumbers) -> Self:
        """With more rows, distinct and none of them there yet. A row goes into the largest chain that can take it, else
        into a new one: O(rank * log n) a row, and merges that come to O(1) a row in the long run. Where that would cost
        more than building anew, all is built anew, in as few chains as possible."""
        if not len(rows):
            return self
        if len(rows) * self.rank >= len(self):
            return self._with(*_built(a, b, self.sign, np.concatenate([self.rows, rows])))
        new = _sorted(a, b, self.sign, rows)
        chain = np.zeros(len(new), np.int32)
        runs = 1
        if self.sign != CLUSTERED:
            runs = int(choose_chains(self.settled, self.recent, a, b, new, self._largest(), chain))
        fresh = _runs(dealt(new, chain, runs), self.sign)
        recent = _runs(merged(self.recent, fresh, a, b, runs), self.sign)
        if len(recent.rows) <= max(_SMALL, len(self.settled.rows) // _SHARE):
            return type(self)(self.settled, recent, self.least)
        return type(self)(_runs(merged(self.settled, recent, a, b, runs), self.sign), _none(self.sign), self.least)

    def _largest(self) -> NDArray[np.int32]:
        sizes = np.zeros(self.rank, np.int64)
        for level in self.levels:
            sizes[: len(level.offs) - 1] += np.diff(level.offs)
        return np.argsort(-sizes, kind="stable").astype(np.int32)

    def _with(self, settled: Runs, least: int) -> Self:
        return type(self)(settled, _none(settled.sign), least)

    def fetch(self, a: Ranks, b: Ranks, va: int, vb: int, op_a: int, op_b: int) -> RowNumbers:
        """The rows t with ``a[t] op_a va`` and ``b[t] op_b vb``, ascending."""
        return np.sort(self.fetch_many(a, b, _one(va), _one(vb), op_a, op_b).rows)

    def count_many(self, a: Ranks, b: Ranks, values_a: Ranks, values_b: Ranks, op_a: int, op_b: int) -> NDArray[Any]:
        """How many rows each probe finds, int64[probes]; O(probes * rank * log n), none of them touched."""
        self._insist_answers(op_a, op_b)
        counts = np.zeros(len(values_a), np.int64)
        order = np.argsort(values_a)
        for level in self.levels:
            count_spans(level, a, b, values_a, values_b, order, op_a, op_b, counts)
        return counts

    def fetch_many(self, a: Ranks, b: Ranks, values_a: Ranks, values_b: Ranks, op_a: int, op_b: int) -> Fetched:
        """The rows that each probe finds. Who fears too many looks at `count_many` first, and cuts the probes."""
        self._insist_answers(op_a, op_b)
        size = max(_ROOM // max(self.rank, 1), 1)
        cuts = [slice(start, start + size) for start in range(0, len(values_a), size)]
        parts = [self._found(a, b, values_a[cut], values_b[cut], op_a, op_b) for cut in cuts]
        counts, rows = zip(*parts, strict=True) if parts else ((), ())
        offs = np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts]))
        return Fetched(offs, rows[0] if len(rows) == 1 else np.concatenate([np.zeros(0, np.int32), *rows]))

    def _found(self, a: Ranks, b: Ranks, values_a: Ranks, values_b: Ranks, op_a: int, op_b: int) -> tuple[Any, Any]:
        """How many rows each probe finds, and all of them. The spans are held on the way: 8 bytes a probe and run."""
        order, spans = np.argsort(values_a), []
        counts = np.zeros(len(values_a), np.int64)
        for level in self.levels:
            starts, stops = (np.empty((len(level.offs) - 1, len(values_a)), np.int32) for _ in range(2))
            find_spans(level, a, b, values_a, values_b, order, op_a, op_b, starts, stops)
            counts += (stops - starts).sum(axis=0)
            spans.append((level.rows, starts, stops))
        at, found = np.cumsum(counts) - counts, np.empty(counts.sum(), np.int32)
        for rows, starts, stops in spans:
            write_spans(rows, starts, stops, at, found)
        return counts, found

    def answers(self, op_a: int, op_b: int) -> bool:
        """Whether these operators can be asked."""
        if UNEQUAL in (op_a, op_b):
            return False
        return self.sign != CLUSTERED or op_a == EQUAL or op_b == ANY

    def _insist_answers(self, op_a: int, op_b: int) -> None:
        if not self.answers(op_a, op_b):
            raise JobError(
                f"An index of sign {self.sign} does not answer the operators {op_a} and {op_b}.",
                hint="Ask for != as < and as >; ask clusters for = on the first column.",
            )


class ChainIndex(_Index):
    """Rows in the fewest chains along which both columns run together, or against each other; any mix of operators."""

    @classmethod
    def build(cls, a: Ranks, b: Ranks, sign: int | None = None, rows: RowNumbers | None = None) -> Self:
        """Of all rows, or of ``rows``, distinct. Without a sign the direction that needs fewer chains.

        O(n log n). The number of chains is the size of the largest set of rows of which no two fit into one chain: at
        most the distinct values of either column, about 2 sqrt(n) for unrelated columns without ties.
        """
        rows = np.arange(len(a), dtype=np.int32) if rows is None else rows
        built = [_built(a, b, each, rows) for each in ((TOGETHER, AGAINST) if sign is None else (sign,))]
        settled, least = min(built, key=lambda made: made[1])
        return cls(settled, _none(settled.sign), least)


class EqualityIndex(_Index):
    """Rows sorted by one column and, where it is equal, by another: one run. ``a = va`` with any operator on b.

    For one column give it twice and ask for ANY on the second.
    """

    @classmethod
    def build(cls, a: Ranks, b: Ranks, rows: RowNumbers | None = None) -> Self:
        """Of all rows, or of ``rows``, distinct; O(n log n)."""
        settled, least = _built(a, b, CLUSTERED, np.arange(len(a), dtype=np.int32) if rows is None else rows)
        return cls(settled, _none(CLUSTERED), least)


def _built(a: Ranks, b: Ranks, sign: int, rows: RowNumbers) -> tuple[Runs, int]:
    """Rows in the fewest runs, and how many these are."""
    ordered = _sorted(a, b, sign, rows)
    if sign == CLUSTERED:
        return Runs(ordered, np.array([0, len(rows)]), sign), 1
    chain = np.empty(len(rows), np.int32)
    chains = int(fewest_chains(ordered, b, sign, chain))
    return _runs(dealt(ordered, chain, chains), sign), chains


def _sorted(a: Ranks, b: Ranks, sign: int, rows: RowNumbers) -> RowNumbers:
    """Rows by ``a``, then by ``b`` the way the runs go."""
    second = b[rows] if sign != AGAINST else -b[rows].astype(np.int64)
    return rows[np.argsort((a[rows].astype(np.int64) << 32) + second)]


def _runs(found: Any, sign: int) -> Runs:
    rows, offs = found
    return Runs(rows, offs, sign)


def _none(sign: int) -> Runs:
    return Runs(np.zeros(0, np.int32), np.zeros(1, np.int64), sign)


def _one(value: int) -> Ranks:
    return np.array([value], np.int32)
