"""From one version to the next, in memory: rows, agree sets and rules, and the segment that says what is new."""

from __future__ import annotations

import msgspec
import numpy as np

from lawful.engine.local import LocalEngine
from lawful.engine.port import Engine
from lawful.maintain.applying import Resolved
from lawful.maintain.committing import Draft
from lawful.maintain.counting import change_of, cheaper_anew, counted_anew
from lawful.maintain.following import followed
from lawful.maintain.loading import Loaded, folded, is_exact, wanted_of
from lawful.maintain.manifest import Manifest
from lawful.maintain.rows import Part
from lawful.maintain.segment import Segment
from lawful.maintain.witnessing import Change


def next_version(
    manifest: Manifest, loaded: Loaded, found: Resolved, engine: Engine, *, folding: bool
) -> tuple[Draft, Change]:
    """The next version in memory, and what is new in it; ``engine`` compares rows where these are many."""
    gone = Part(found.gone, loaded.rows.codes(found.gone))
    ids = np.arange(manifest.next_id, manifest.next_id + found.new.shape[1])
    new = Part(ids, found.new)
    after = loaded.rows.changed(found.gone, new)
    anew = cheaper_anew(len(loaded.rows), len(gone.ids), len(ids))
    rows = loaded.rows
    sets = counted_anew(after, loaded.sets.evidence()) if anew else change_of(rows, gone, new.codes, engine)
    turned = loaded.sets.add(sets)
    exact, wanted = is_exact(manifest.options), wanted_of(manifest, len(after))
    with LocalEngine() as here:
        rules = followed(loaded.followed, loaded.sets, turned, wanted, here, exact=exact)
    change = Change(manifest.names, loaded.rows, after, gone, new, sets, loaded.sets, found.dictionaries, anew)
    now = Loaded(after, found.dictionaries, loaded.sets, rules)
    segment = Segment(ids, found.new, found.gone, sets, found.values)
    if folding or now.crowded:
        segment, now = folded(now)
        folding = True
    return Draft(msgspec.structs.replace(manifest, next_id=manifest.next_id + len(ids)), now, segment, folding), change
