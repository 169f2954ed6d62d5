"""A version in memory, and how versions come to be: from files, from a first table, from the version before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from lawful.engine.port import Engine
from lawful.evidence.agree import agree_layout
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset
from lawful.families.agreeing import Sides, Wanted
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.folder import Piece, StateFolder
from lawful.maintain.following import Followed, found_anew
from lawful.maintain.manifest import Manifest, Options
from lawful.maintain.marking import Marks
from lawful.maintain.ranking import follows_order, order_layout
from lawful.maintain.remembering import as_arrays, marks_in, rules_in
from lawful.maintain.rows import Part, Rows
from lawful.maintain.segment import Segment, flat, merged_values, read_arrays, read_segment, write_arrays
from lawful.rules.model import Rule

MOST_SEGMENTS = 32
_DEAD_SHARE = 0.25


@dataclass(frozen=True, eq=False)
class Loaded:
    """All of a version: rows, values, agree sets, and the rules with what they were made from; ``marks``: the same with
    order, where it is followed."""

    rows: Rows
    dictionaries: tuple[Dictionary, ...]
    sets: Multiset
    followed: Followed
    marks: Marks | None = None

    @property
    def crowded(self) -> bool:
        """Whether so many segments or dead rows are about that the next version had better fold them."""
        return len(self.rows.parts) >= MOST_SEGMENTS or len(self.rows.dead) > _DEAD_SHARE * self.rows.stored


def load(folder: StateFolder, manifest: Manifest) -> Loaded:
    """A version from its files, each verified first. Codes stay mapped."""
    width = len(manifest.columns)
    layout = order_layout(manifest) if follows_order(manifest) else None
    segments = [read_segment(folder, piece, width, layout) for piece in manifest.segments]
    sets = Multiset(agree_layout(width))
    for segment in segments:
        sets.add_signed(segment.change)
    dead = np.concatenate([np.zeros(0, np.int64), *(segment.gone for segment in segments)])
    parts = tuple(Part(segment.ids, segment.codes) for segment in segments)
    dictionaries = tuple(
        Dictionary(segments[0].values[c].type, tuple(segment.values[c] for segment in segments)) for c in range(width)
    )
    rows, known = Rows(width, parts, np.sort(dead)), read_followed(folder, manifest, wanted_of(manifest))
    return Loaded(rows, dictionaries, sets, known, _marks(folder, manifest, segments))


def _marks(folder: StateFolder, manifest: Manifest, segments: Sequence[Segment]) -> Marks | None:
    if not follows_order(manifest):
        return None
    held = Multiset(order_layout(manifest))
    for segment in segments:
        assert segment.marks is not None
        held.add_signed(segment.marks)
    return marks_in(read_arrays(folder, manifest.rules), manifest, held)


def wanted_of(manifest: Manifest, rows: int | None = None) -> Wanted:
    """What rules a state looks for, in a table of so many rows."""
    options = manifest.options
    count = manifest.rows if rows is None else rows
    return Wanted.of(options.kinds, len(manifest.columns), count, options.max_error, options.max_size)


def is_exact(options: Options) -> bool:
    """Whether rules of a state hold without exception."""
    return options.max_error == 0


def write_rules(
    folder: StateFolder, version: int, sides: Sides, followed: Followed, marks: Marks | None = None
) -> Piece:
    """Keep the rules of a version with their counts, and the maximal agree sets they were made from."""
    words = sides.sets.shape[1]
    tops = [np.zeros((0, words), np.uint64), *followed.tops.values()]
    arrays: dict[str, Any] = {
        "rule.sets": sides.sets,
        "rule.rights": sides.rights,
        "rule.within": sides.within,
        "rule.breaking": sides.breaking,
        "top.sets": np.concatenate(tops),
        "top.rights": np.repeat(np.array([*followed.tops], np.int64), [len(part) for part in tops[1:]]),
    }
    arrays |= {} if marks is None else as_arrays(marks)
    return write_arrays(folder, f"rules-{version:08d}", arrays)


def read_marked(folder: StateFolder, manifest: Manifest) -> tuple[Rule, ...]:
    """The rules of a version that need the order of values: ocs, pods, dcs."""
    return rules_in(read_arrays(folder, manifest.rules)) if follows_order(manifest) else ()


def read_sides(folder: StateFolder, manifest: Manifest) -> Sides:
    """The rules of a version with their counts."""
    arrays = read_arrays(folder, manifest.rules)
    words = agree_layout(len(manifest.columns)).words
    return Sides(
        flat(arrays["rule.sets"]).reshape(-1, words),
        flat(arrays["rule.rights"]),
        flat(arrays["rule.within"]),
        flat(arrays["rule.breaking"]),
    )


def read_followed(folder: StateFolder, manifest: Manifest, wanted: Wanted) -> Followed:
    """The rules of a version as they are followed on."""
    arrays, sides = read_arrays(folder, manifest.rules), read_sides(folder, manifest)
    tops = flat(arrays["top.sets"]).reshape(-1, sides.sets.shape[1])
    rights = flat(arrays["top.rights"])
    lefts = {right: sides.sets[sides.rights == right] for right in wanted.rights}
    exact = is_exact(manifest.options)
    return Followed(lefts, {right: tops[rights == right] for right in wanted.rights} if exact else {})


def signed_of(loaded: Loaded) -> Evidence | None:
    """The signatures with order, as a segment keeps them."""
    return None if loaded.marks is None else loaded.marks.held.evidence()


def folded(loaded: Loaded) -> tuple[Segment, Loaded]:
    """A version as one segment: rows that are there, values that some row has, agree sets that some pair has."""
    part = loaded.rows.whole()
    codes = np.zeros_like(part.codes)
    values: list[pa.Array] = []
    for c, dictionary in enumerate(loaded.dictionaries):
        used = np.unique(part.codes[c])
        used = used[used > 0]
        codes[c] = np.searchsorted(used, part.codes[c]) + (part.codes[c] > 0)
        values.append(dictionary.take(used))
    sets, marks = loaded.sets.evidence(), signed_of(loaded)
    segment = Segment(part.ids, codes, np.zeros(0, np.int64), sets, tuple(values), marks)
    return segment, replace(
        loaded,
        rows=Rows(loaded.rows.width, (Part(part.ids, codes),), np.zeros(0, np.int64)),
        dictionaries=tuple(
            Dictionary(d.type, (merged_values([new]),)) for d, new in zip(loaded.dictionaries, values, strict=True)
        ),
    )


def widened(loaded: Loaded, types: Sequence[pa.DataType]) -> Loaded:
    """A version with more columns, null in every row so far: every pair agrees on them."""
    part, more = loaded.rows.whole(), len(types)
    width = loaded.rows.width + more
    codes = np.vstack([part.codes, np.zeros((more, len(part.ids)), np.int32)])
    rows = Rows(width, (Part(part.ids, codes),), np.zeros(0, np.int64))
    held, layout = loaded.sets.evidence(), agree_layout(width)
    sets = np.zeros((len(held), layout.words), np.uint64)
    sets[:, : held.signatures.shape[1]] = held.signatures
    for column in range(loaded.rows.width, width):
        sets[:, column >> 6] |= np.uint64(1) << np.uint64(column & 63)
    dictionaries = (*loaded.dictionaries, *(Dictionary(type) for type in types))
    agreed = Multiset(layout, Evidence.of(layout, sets, held.counts, closed=False))
    return Loaded(rows, dictionaries, agreed, loaded.followed, loaded.marks)


def fresh(loaded: Loaded, wanted: Wanted, engine: Engine, *, exact: bool) -> Loaded:
    """A version whose rules are derived from its agree sets, whatever was known of them."""
    return replace(loaded, followed=found_anew(loaded.sets, wanted, engine, exact=exact))
