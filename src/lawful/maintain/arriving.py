"""States of exact pods that follow inserts alone: no pair of rows is compared but those that a rule may break on.

What such a state keeps of its pairs of rows is some signatures, enough to tell its rules (see `families.inserting`); a
segment holds those that are new. Agree sets are counted only where fds or keys are followed beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lawful.engine.port import Engine
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset
from lawful.families.comparing import refuse_large
from lawful.families.inserting import Following
from lawful.families.noting import Found, Grounds
from lawful.families.running import Run
from lawful.limits import Budget
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.manifest import Manifest
from lawful.maintain.marking import Marks, absorbed, once_each, refuse_many
from lawful.maintain.probing import Probing
from lawful.maintain.ranking import described, order_layout, rank_tables, ranked
from lawful.maintain.rows import Rows
from lawful.maintain.witnessing import Arrived
from lawful.options import DiscoverOptions
from lawful.progress import Listener, silent
from lawful.search.ending import Deadline

_KIND = "pod"


def following(manifest: Manifest, rows: Rows, dictionaries: Sequence[Dictionary]) -> Following:
    """The pods of the rows that are there. O(cells), and what columns with new values cost to be ranked."""
    ranks = ranked(rows.whole().codes, rank_tables(dictionaries, manifest.options.nulls))
    ranks.flags.writeable = False
    table = replace(described(manifest, len(rows)), held=ranks)
    return Following(table, DiscoverOptions(kinds=(_KIND,), max_size=manifest.options.max_size))


def begun(
    manifest: Manifest,
    rows: Rows,
    dictionaries: Sequence[Dictionary],
    engine: Engine,
    budget: Budget,
    listener: Listener = silent,
) -> Marks:
    """The rules of a first table, as a discovery finds them."""
    this = following(manifest, rows, dictionaries)
    refuse_large(this.space, budget)
    return _marks(manifest, this, this.begun(Run(engine, budget, Deadline(None), listener)))


def _marks(manifest: Manifest, this: Following, grounds: Grounds) -> Marks:
    held = Multiset(order_layout(manifest), once_each(grounds.seen))
    return Marks(held, {_KIND: grounds.answers}, tuple(this.rules(grounds)))


def arrived(
    manifest: Manifest,
    marks: Marks,
    before: int,
    after: Rows,
    dictionaries: Sequence[Dictionary],
    engine: Engine,
    budget: Budget,
) -> tuple[Marks, Evidence, Arrived]:
    """What is known after rows came to ``before`` others; the signatures that a segment has to keep; and what reasons
    are told from. Where more rows came than there were, or columns, all is found anew."""
    this = following(manifest, after, dictionaries)
    run = Run(engine, budget, Deadline(None))
    seen = replace(marks.held.evidence(), counts=None)
    indexes = None
    if _KIND not in marks.answers or before < 2 or len(after) > 2 * before:
        grounds = this.begun(run, seen)
        found = Found(grounds.seen.signatures, None)
    else:
        probing = Probing(this.space.table, before, engine, marks.indexes)
        grounds, found = this.followed(Grounds(seen, marks.answers[_KIND]), before, probing.look, run)
        indexes = probing.indexes
    refuse_many(marks.held, len(grounds.seen), budget)
    _, kept = absorbed(marks.held, grounds.seen, counted=False)
    now = Marks(marks.held, {_KIND: grounds.answers}, tuple(this.rules(grounds)), indexes)
    return now, kept, Arrived(this, found)
