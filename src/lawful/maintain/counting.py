"""What a batch does to the agree sets: the signed counts of the pairs that go and of those that come.

Rows that go are compared with each other and with all that stay, and so are new ones: O(batch * rows). Where a batch is
so large that counting what is left costs less, that is done instead; both give the same change.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lawful.engine.port import Engine
from lawful.evidence.agree import agree_layout
from lawful.evidence.batch import CompareBatch, paired_here, runs_of, stretches, within
from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import GatherPairs, blocks, by_low_cardinality
from lawful.evidence.packing import Packing
from lawful.evidence.relaying import one_image
from lawful.evidence.signature import HALF, Layout
from lawful.maintain.rows import Part, Rows
from lawful.ranks.store import Ranks

FEW_PAIRS = 1 << 24
"""So many pairs are compared at once and by this thread alone: a few hundredths of a second."""

PAIRS_OF_A_SET = 2
"""To hold a distinct set against those of before takes as long as comparing so many pairs of wide rows."""

WORTH_COPYING = 16
"""A batch of so many rows is compared with one copy of the rows that are there, a small part of the work."""

_SIDE = 1 << 14
"""Rows on a side of a block of pairs, at most."""

RUN_LENGTH = 64
"""Dead rows are stepped over where runs of others are so long, on average, else they are compared and taken off."""


@dataclass(frozen=True)
class _Columns:
    """Codes as the table that an engine shares."""

    ranks: Ranks
    columns: tuple[()] = ()
    store: None = None

    @property
    def rows(self) -> int:
        return int(self.ranks.shape[1])


def packing_of(rows: Rows, more: Ranks, layout: Layout | None = None) -> Packing:
    """How the sets are numbered while they are counted: by the values that there are; wide ones as they are laid out,
    since then nothing is to be unpacked. ``layout``: that of agree sets, unless the rows are ranks to be compared."""
    bare, layout = layout is None, layout or agree_layout(rows.width)
    if bare and rows.width > HALF:
        return Packing(layout, tuple(range(rows.width)))
    tops = [part.codes.max(axis=1, initial=0) for part in rows.parts] + [more.max(axis=1, initial=0)]
    return Packing.of(layout, np.max(np.array(tops, np.int64), axis=0))


def cheaper_anew(rows: int, gone: int, new: int, held: int) -> bool:
    """Whether counting all pairs that are left costs less than comparing what goes and what comes: by the pairs that
    each has to compare, and as what is counted is held against the ``held`` distinct sets of before. For inserts alone
    it never does; for deletes alone it does from 29 % of the rows on, later where distinct sets are many."""
    left = rows - gone
    return (left + new) ** 2 / 2 + PAIRS_OF_A_SET * held < gone * (left + gone / 2) + new * (left + new / 2)


def change_of(rows: Rows, gone: Part, new: Ranks, engine: Engine, layout: Layout | None = None) -> Evidence:
    """The change by rows that go, all of them there, and rows that come, int32[columns, k]. With a ``layout`` a pair is
    told by either of its orders."""
    packing = packing_of(rows, new, layout)
    stay = rows.changed(gone.ids, Part(gone.ids[:0], new[:, :0])) if len(gone.ids) else rows
    went = _negative(_paired(packing, gone.codes, stay, engine)) if len(gone.ids) else None
    came = _paired(packing, new, stay, engine) if new.shape[1] or went is None else None
    if went is None or came is None:
        both = came if went is None else went
        assert both is not None
        return both
    return _kept(went.merge(came))


def _paired(packing: Packing, batch: Ranks, rows: Rows, engine: Engine) -> Evidence:
    """The pairs among the rows of a batch, and of these with the rows that are there."""
    if batch.shape[1] * rows.stored <= FEW_PAIRS:
        held = [(part.codes, runs_of(alive)) for part, alive in rows]
        if sum(len(runs) for _, runs in held) <= max(RUN_LENGTH, rows.stored // RUN_LENGTH):
            return paired_here(packing, batch, held)
    return _kept(_across(packing, batch, rows, engine).merge(all_within(packing, batch, engine)))


def counted_anew(after: Rows, before: Evidence, engine: Engine, layout: Layout | None = None) -> Evidence:
    """The change from ``before`` to all pairs of the rows that there are after a batch; with a ``layout`` of their
    signatures, of each and its mirror image the lesser one."""
    codes = after.whole().codes
    found = all_within(packing_of(after, codes, layout), codes, engine)
    return _kept(_less(found if layout is None else one_image(found), before))


def all_within(packing: Packing, ranks: Ranks, engine: Engine) -> Evidence:
    """Counted evidence of the pairs among some rows, each once: as jobs of an engine where they are many."""
    rows = ranks.shape[1]
    if rows * rows // 2 <= FEW_PAIRS:
        return within(packing, ranks)
    settled = np.ascontiguousarray(ranks[:, by_low_cardinality(ranks)])
    side = min(_SIDE, max(1024, -(-rows // (4 * engine.parallelism))))
    job = GatherPairs(packing, True, True)
    return engine.reduce(job, engine.share(_Columns(settled)), blocks(rows, True, side))


def _across(packing: Packing, batch: Ranks, rows: Rows, engine: Engine) -> Evidence:
    """The pairs of a batch with the rows that are there. A small batch is compared with all that are stored, part by
    part, and with the dead ones once more, which are taken off."""
    job = CompareBatch(packing, batch)
    found, size, workers = job.zero(), batch.shape[1], engine.parallelism
    if size >= WORTH_COPYING:
        whole = rows.whole().codes
        return engine.reduce(job, engine.share(_Columns(whole)), stretches(whole.shape[1], size, workers))
    for part in rows.parts:
        if len(part.ids):
            table = engine.share(_Columns(part.codes))
            found = job.merge(found, engine.reduce(job, table, stretches(len(part.ids), size, workers)))
    if len(rows.dead):
        found = _less(found, job.run(_Columns(rows.dead_codes), (0, len(rows.dead))))
    return found


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
