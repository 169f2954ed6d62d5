"""What a batch does to the agree sets: the signed counts of the pairs that go and of those that come.

Rows that go are compared with all that were there, new ones with all that stay: O(batch * rows). Where a batch is so
large that counting what is left costs less, that is done instead; both give the same change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lawful.engine.port import Engine
from lawful.evidence.agree import agree_layout
from lawful.evidence.batch import CompareBatch, stretches, within
from lawful.evidence.evidence import Evidence
from lawful.evidence.packing import Packing
from lawful.evidence.signature import Layout
from lawful.maintain.rows import Rows
from lawful.ranks.store import Ranks


@dataclass(frozen=True)
class _Columns:
    """Codes as the table that an engine shares."""

    ranks: Ranks
    columns: tuple[()] = ()
    store: None = None

    @property
    def rows(self) -> int:
        return int(self.ranks.shape[1])


def packing_of(rows: Rows, more: Ranks) -> Packing:
    """How the sets are numbered while they are counted, from the codes that there are."""
    tops = [part.codes.max(axis=1, initial=0) for part in rows.parts] + [more.max(axis=1, initial=0)]
    return Packing.of(agree_layout(rows.width), np.max(np.array(tops, np.int64), axis=0))


def cheaper_anew(rows: int, gone: int, new: int) -> bool:
    """Whether counting all pairs that are left costs less than comparing what goes and what comes."""
    left = rows - gone
    return (left + new) ** 2 / 2 < gone * rows + new * (left + new / 2)


def change_of(rows: Rows, gone: Ranks, new: Ranks, engine: Engine) -> Evidence:
    """The change by rows that go, int32[columns, g], all of them there, and rows that come, int32[columns, k]."""
    packing = packing_of(rows, new)
    layout = packing.layout
    change = Evidence.none(layout, True, closed=False)
    if gone.shape[1]:
        with_all = _across(packing, gone, rows, engine)
        itself = _alike(layout, gone.shape[1])
        change = change.merge(_less(with_all, within(packing, gone), itself))
        change = _negative(change)
    if new.shape[1]:
        came = _across(packing, new, rows, engine).merge(within(packing, new))
        if gone.shape[1]:
            job = CompareBatch(packing, new)
            came = _less(came, job.run(_Columns(gone), (0, gone.shape[1])))
        change = change.merge(came)
    return _kept(change)


def counted_anew(after: Rows, before: Evidence) -> Evidence:
    """The change from ``before`` to all pairs of the rows that there are after a batch."""
    codes = after.whole().codes
    return _kept(_less(within(packing_of(after, codes), codes), before))


def _across(packing: Packing, batch: Ranks, rows: Rows, engine: Engine) -> Evidence:
    """The pairs of a batch with the rows that are there: with all that are stored, less the dead ones."""
    job = CompareBatch(packing, batch)
    found = job.zero()
    for part in rows.parts:
        if len(part.ids):
            table = engine.share(_Columns(part.codes))
            found = job.merge(found, engine.reduce(job, table, stretches(len(part.ids), batch.shape[1])))
    if len(rows.dead):
        found = _less(found, job.run(_Columns(rows.dead_codes), (0, len(rows.dead))))
    return found


def _alike(layout: Layout, pairs: int) -> Evidence:
    """So many pairs that agree on everything: rows with themselves."""
    width = len(layout.comparisons)
    number = (1 << width) - 1
    words = [[number >> 64 * w & (1 << 64) - 1 for w in range(layout.words)]]
    return Evidence(layout, np.array(words, np.uint64), np.array([pairs], np.int64), closed=False)


def _negative(some: Evidence) -> Evidence:
    assert some.counts is not None
    return Evidence(some.layout, some.signatures, -some.counts, closed=False)


def _less(all_: Evidence, *others: Evidence) -> Evidence:
    for other in others:
        all_ = all_.merge(_negative(other))
    return all_


def _kept(some: Evidence) -> Evidence:
    """Without the sets that come out even."""
    assert some.counts is not None
    odd = some.counts != 0
    return Evidence(some.layout, some.signatures[odd], some.counts[odd], closed=False)
