"""The files of a new version, and the moment in which it comes to be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import IO

import msgspec
import numpy as np

from lawful.evidence.agree import AgreeSets, as_set
from lawful.families.agreeing import KEY, Sides, as_rules
from lawful.maintain.blaming import reasons_marked, reasons_of_rows
from lawful.maintain.delta import Delta, encoded
from lawful.maintain.folder import StateFolder
from lawful.maintain.loading import Loaded, is_exact, write_rules
from lawful.maintain.manifest import Made, Manifest
from lawful.maintain.manifest import encoded as encoded_manifest
from lawful.maintain.segment import Segment, write_segment
from lawful.maintain.witnessing import Change, reasons_for
from lawful.rules.model import Fd, Key, Rule
from lawful.rules.ruleset import RuleSet


@dataclass(frozen=True, eq=False)
class Draft:
    """A version that is to be: its manifest but for the files, what it holds, and the segment to write; ``folding``:
    this segment is all of it, and no earlier one is read any more."""

    manifest: Manifest
    loaded: Loaded
    segment: Segment
    folding: bool


def commit(
    folder: StateFolder, draft: Draft, made: Made, before: RuleSet | None = None, change: Change | None = None
) -> tuple[Manifest, Delta]:
    """Write the next version; ``before`` are the rules so far, and ``change`` is what made them others."""
    manifest, loaded = draft.manifest, draft.loaded
    version = manifest.version + 1 if folder.versions() else 1
    rows, options = len(loaded.rows), manifest.options
    sides = loaded.followed.sides(loaded.sets, len(manifest.columns))
    delta = Delta(version, made.batch, made.inserted, made.deleted)
    if before is not None and change is not None:
        after = as_rules(sides, manifest.names, rows, options.measure)  # type: ignore[arg-type]
        after += () if loaded.marks is None else loaded.marks.rules
        delta = _explained(delta, manifest, before, after, change, loaded)
    segment = write_segment(folder, version, draft.segment)
    rules = write_rules(folder, version, sides, loaded.followed, loaded.marks)
    changes = folder.write(f"delta-{version:08d}", ".json", lambda out: _put(out, encoded(delta)))
    now = msgspec.structs.replace(
        manifest,
        version=version,
        rows=rows,
        segments=(segment,) if draft.folding else (*manifest.segments, segment),
        rules=rules,
        changes=changes,
        made=msgspec.structs.replace(
            made,
            added=len(delta.added),
            removed=len(delta.removed),
            counting="anew" if change is not None and change.anew else made.counting,
        ),
    )
    folder.commit(version, encoded_manifest(now))
    return now, delta


def _put(out: IO[bytes], content: bytes) -> None:
    out.write(content)


def _explained(
    bare: Delta, manifest: Manifest, before: RuleSet, after: list[Rule], change: Change, loaded: Loaded
) -> Delta:
    """The delta with the rules that came and went, and why."""
    was, now = set(before), set(after)
    added, removed = [rule for rule in after if rule not in was], [rule for rule in before if rule not in now]
    plain, marked = _parted(added + removed)
    told = reasons_for(_sides(plain, manifest.names, loaded), change, exact=is_exact(manifest.options))
    if marked and change.marked is not None:
        told += reasons_marked(marked, change, change.marked)
    if marked and change.came is not None:
        told += reasons_of_rows(marked, change, change.came)
    reasons = {rule.id: reason for rule, reason in zip(plain + marked, told, strict=True)}
    agreed = AgreeSets(manifest.names, len(loaded.rows), change.sets, part=True)
    return replace(bare, added=tuple(added), removed=tuple(removed), reasons=reasons, change=agreed)


def _parted(rules: list[Rule]) -> tuple[list[Rule], list[Rule]]:
    """The rules that agree sets tell of, and those that need order."""
    return [r for r in rules if isinstance(r, Fd | Key)], [r for r in rules if not isinstance(r, Fd | Key)]


def _sides(rules: list[Rule], names: tuple[str, ...], loaded: Loaded) -> Sides:
    """Rules as arrays, with the counts they have now."""
    places = {name: c for c, name in enumerate(names)}
    words = loaded.sets.layout.words
    lefts = [as_set((places[c] for c in (r.lhs if isinstance(r, Fd) else r.columns)), words) for r in rules]
    rights = np.array([places[r.rhs] if isinstance(r, Fd) else KEY for r in rules], np.int64)
    sets = np.array(lefts, np.uint64).reshape(-1, words)
    return Sides(sets, rights, *loaded.sets.masses(sets, rights))
