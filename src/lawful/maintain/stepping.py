"""From one version to the next, in memory: rows, agree sets and rules, and the segment that says what is new."""

from __future__ import annotations

import msgspec
import numpy as np

from lawful.engine.local import LocalEngine
from lawful.engine.port import Engine
from lawful.evidence.evidence import Evidence
from lawful.limits import Budget
from lawful.maintain.applying import Resolved
from lawful.maintain.arriving import arrived
from lawful.maintain.committing import Draft
from lawful.maintain.comparing import advanced, compared
from lawful.maintain.counting import change_of, cheaper_anew, counted_anew
from lawful.maintain.following import followed
from lawful.maintain.loading import Loaded, folded, is_exact, wanted_of
from lawful.maintain.manifest import Manifest, follows_rows, keeps_agree_sets
from lawful.maintain.rows import Part, Rows
from lawful.maintain.segment import Segment
from lawful.maintain.witnessing import Change


def next_version(
    manifest: Manifest, loaded: Loaded, found: Resolved, engine: Engine, *, folding: bool, budget: Budget
) -> tuple[Draft, Change]:
    """The next version in memory, and what is new in it; ``engine`` compares rows where these are many, and ``budget``
    is what signatures may take."""
    gone = Part(found.gone, loaded.rows.codes(found.gone))
    ids = np.arange(manifest.next_id, manifest.next_id + found.new.shape[1])
    new = Part(ids, found.new)
    by_rows = follows_rows(manifest.options)
    held = (loaded.sets if loaded.marks is None or by_rows else loaded.marks.held).used
    anew = keeps_agree_sets(manifest.options) and cheaper_anew(len(loaded.rows), len(gone.ids), len(ids), held)
    batch = None
    if loaded.marks is not None and not by_rows:
        batch = compared(manifest, loaded, found, gone, new, engine, anew=anew)
    after = loaded.rows.changed(found.gone, new) if batch is None else batch.after
    sets = _agreed(manifest, loaded, after, gone, new, engine, anew=anew) if batch is None else batch.agreed
    turned = loaded.sets.add(sets)
    exact, wanted = is_exact(manifest.options), wanted_of(manifest, len(after))
    with LocalEngine() as here:
        rules = followed(loaded.followed, loaded.sets, turned, wanted, here, exact=exact)
        marks, kept, marked, came = loaded.marks, None, None, None
        if batch is not None:
            marks, kept, marked = advanced(manifest, loaded, batch, here, budget)
        elif by_rows:
            assert loaded.marks is not None
            old = len(loaded.rows)
            marks, kept, came = arrived(manifest, loaded.marks, old, after, found.dictionaries, here, budget)
    change = Change(
        manifest.names, loaded.rows, after, gone, new, sets, loaded.sets, found.dictionaries, anew, marked, came
    )  # fmt: skip
    now = Loaded(after, found.dictionaries, loaded.sets, rules, marks)
    segment = Segment(ids, found.new, found.gone, sets, found.values, kept)
    if folding or now.crowded:
        segment, now = folded(now)
        folding = True
    return Draft(msgspec.structs.replace(manifest, next_id=manifest.next_id + len(ids)), now, segment, folding), change


def _agreed(
    manifest: Manifest, loaded: Loaded, after: Rows, gone: Part, new: Part, engine: Engine, *, anew: bool
) -> Evidence:
    """What a batch does to the agree sets; nothing where these are not kept."""
    if not keeps_agree_sets(manifest.options):
        return Evidence.none(loaded.sets.layout, counted=True, closed=False)
    if anew:
        return counted_anew(after, loaded.sets.evidence(), engine)
    return change_of(loaded.rows, gone, new.codes, engine)
