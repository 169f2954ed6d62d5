"""States that compare rows by order: their first version, and the step from one version to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lawful.engine.local import LocalEngine
from lawful.engine.port import Engine
from lawful.evidence.agree import agree_layout
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset
from lawful.evidence.relaying import odd, one_image, relaid
from lawful.evidence.space import Space
from lawful.families.comparing import compare_all
from lawful.limits import Budget
from lawful.maintain.applying import Resolved
from lawful.maintain.counting import change_of, counted_anew
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.following import Followed, found_anew
from lawful.maintain.loading import Loaded, is_exact, wanted_of
from lawful.maintain.manifest import Manifest
from lawful.maintain.marking import (
    Marks,
    absorbed,
    asked_again,
    asked_anew,
    evidence_of,
    once_each,
    refuse_long,
    refuse_many,
)
from lawful.maintain.ranking import Tables, described, order_layout, rank_tables, ranked, ranked_part, ranked_rows
from lawful.maintain.rows import Part, Rows
from lawful.maintain.witnessing import Marked
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.search.ending import Deadline


def counted(
    manifest: Manifest,
    rows: Rows,
    dictionaries: Sequence[Dictionary],
    engine: Engine,
    budget: Budget,
    listener: Listener = silent,
) -> Loaded:
    """A version from its rows alone: all pairs are compared once, as jobs of an engine. O(rows² * columns)."""
    refuse_long(len(rows))
    table = replace(
        described(manifest, len(rows)),
        held=_still(ranked(rows.whole().codes, rank_tables(dictionaries, manifest.options.nulls))),
    )
    signatures = _compared(manifest, table, engine, budget, listener)
    sets = Multiset(agree_layout(rows.width), relaid(signatures, agree_layout(rows.width)))
    held = Multiset(signatures.layout, signatures if manifest.options.deletes else once_each(signatures))
    loaded = Loaded(rows, tuple(dictionaries), sets, Followed({}, {}))
    with LocalEngine() as here:
        known = found_anew(sets, wanted_of(manifest, len(rows)), here, exact=is_exact(manifest.options))
        marks = asked_anew(manifest, len(rows), held, sets, here)
    return replace(loaded, followed=known, marks=marks)


def _still(ranks: np.ndarray) -> np.ndarray:
    ranks.flags.writeable = False
    return ranks


def _compared(manifest: Manifest, table: Encoded, engine: Engine, budget: Budget, listener: Listener) -> Evidence:
    """The signatures of all pairs of rows, each pair once."""
    layout = order_layout(manifest)
    if table.rows < 2:
        return Evidence.none(layout, True, closed=False)
    space = Space((), (), layout, table)
    both = compare_all(space, engine, counted=True, budget=budget, deadline=Deadline(None), listener=listener)
    once = one_image(both)
    assert once.counts is not None
    return replace(once, counts=once.counts // 2)


@dataclass(frozen=True, eq=False)
class Compared:
    """A batch compared by order: the rows after it, the signed change of the signatures, each pair once and none that
    comes out even, and how codes were ranked."""

    after: Rows
    signed: Evidence
    tables: Tables

    @property
    def agreed(self) -> Evidence:
        """The change of the agree sets."""
        return odd(relaid(self.signed, agree_layout(self.after.width)))


def compared(
    manifest: Manifest, loaded: Loaded, found: Resolved, gone: Part, new: Part, engine: Engine, *, anew: bool
) -> Compared:
    """One pass over the pairs of a batch; or, ``anew``, over all pairs that are left."""
    after = loaded.rows.changed(gone.ids, new)
    refuse_long(len(after))
    assert loaded.marks is not None
    tables, layout = rank_tables(found.dictionaries, manifest.options.nulls), order_layout(manifest)
    if anew:
        signed = counted_anew(ranked_rows(after, tables), loaded.marks.held.evidence(), engine, layout)
    else:
        rows, going = ranked_rows(loaded.rows, tables), ranked_part(gone, tables)
        signed = one_image(change_of(rows, going, ranked(new.codes, tables), engine, layout))
    return Compared(after, odd(signed), tables)


def advanced(
    manifest: Manifest, loaded: Loaded, batch: Compared, here: Engine, budget: Budget
) -> tuple[Marks | None, Evidence, Marked]:
    """What is known of the order after a batch, once the agree sets know of it; what a segment has to keep; and what
    reasons are told from."""
    marks, options = loaded.marks, manifest.options
    assert marks is not None
    refuse_many(marks.held, len(batch.signed), budget)
    turned, kept = absorbed(marks.held, batch.signed, counted=options.deletes)
    now = asked_again(marks, turned, manifest, len(batch.after), loaded.sets, here)
    after = evidence_of(manifest, marks.held) if options.deletes else None
    return now, kept, Marked(batch.signed.close(), after, batch.tables, is_exact(options))


def widened_marks(wide: Manifest, marks: Marks) -> Marks:
    """The signatures with columns more, in which every pair is equal; all is to be asked again."""
    held = one_image(relaid(marks.held.evidence(), order_layout(wide)))
    return Marks(Multiset(held.layout, held), {}, ())
