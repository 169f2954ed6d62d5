"""Is a state whole? Its files against their checksums, and on demand its answers against the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lawful.engine.local import LocalEngine
from lawful.errors import StateError
from lawful.evidence.agree import agree_layout
from lawful.evidence.batch import within
from lawful.evidence.multiset import Multiset
from lawful.families.agreeing import Sides
from lawful.limits import Budget
from lawful.maintain.arriving import begun
from lawful.maintain.comparing import counted
from lawful.maintain.counting import packing_of
from lawful.maintain.folder import StateFolder
from lawful.maintain.following import found_anew
from lawful.maintain.loading import Loaded, is_exact, load, read_sides, wanted_of
from lawful.maintain.manifest import Manifest, follows_rows, keeps_agree_sets, read


@dataclass(frozen=True)
class Checked:
    """What a check found: the newest version, how many versions and files were read, and what is wrong.

    ``whole`` is the newest version all of whose files are whole, ``None`` when there is none.
    """

    version: int
    versions: int
    files: int
    deep: bool
    problems: tuple[str, ...]
    whole: int | None

    @property
    def fine(self) -> bool:
        return not self.problems

    def __bool__(self) -> bool:
        return self.fine

    def __str__(self) -> str:
        what = "files, counts and rules" if self.deep else "files"
        if self.fine:
            return f"version {self.version}: {what} of {self.versions:,} versions are as they should be"
        back = "make the state anew or restore a backup"
        if self.whole is not None and self.whole < self.version:
            back = f"version {self.whole} is whole: to go back to it remove the manifests of later ones in versions/"
        return "\n".join([*self.problems, back])


def check(folder: StateFolder, *, deep: bool = False) -> Checked:
    """Read every file of every version. O(bytes); ``deep`` counts all pairs of rows of the newest version again."""
    versions = folder.versions()
    newest = read(folder).version if not versions else versions[-1]
    problems: list[str] = []
    seen: dict[str, str | None] = {}
    whole = None
    for version in versions:
        found = _problems(folder, version, versions[-1], seen)
        problems += [problem for problem in found if problem not in problems]
        if not found:
            whole = version
    if deep and not problems:
        problems += _recounted(folder, read(folder))
    return Checked(newest, len(versions), len(seen), deep, tuple(problems), whole)


def _problems(folder: StateFolder, version: int, newest: int, seen: dict[str, str | None]) -> list[str]:
    """What is wrong with the files of a version; segments that later versions folded away are not missed."""
    try:
        manifest = read(folder, version)
    except StateError as error:
        return [error.message]
    pieces = [manifest.rules, manifest.changes, *manifest.segments]
    for piece in pieces:
        folded_away = piece in manifest.segments and version < newest and not folder.path(piece.name).exists()
        if piece.name not in seen and not folded_away:
            try:
                folder.verified(piece)
                seen[piece.name] = None
            except StateError as error:
                seen[piece.name] = error.message
    return [problem for piece in pieces if (problem := seen.get(piece.name))]


def _recounted(folder: StateFolder, manifest: Manifest) -> list[str]:
    loaded = load(folder, manifest)
    codes = loaded.rows.whole().codes
    if len(loaded.rows) != manifest.rows:
        return [f"version {manifest.version} has {len(loaded.rows):,} rows, not {manifest.rows:,}"]
    if follows_rows(manifest.options):
        wrong = _found_again(manifest, loaded)
        if wrong or not keeps_agree_sets(manifest.options):
            return wrong
    elif loaded.marks is not None:
        return _compared_again(manifest, loaded, read_sides(folder, manifest))
    sets = Multiset(agree_layout(len(manifest.columns)), within(packing_of(loaded.rows, codes), codes))
    if sets.evidence() != loaded.sets.evidence():
        return [f"the agree sets of version {manifest.version} are not those of its rows"]
    with LocalEngine(1) as engine:
        fresh = found_anew(sets, wanted_of(manifest), engine, exact=is_exact(manifest.options))
    same = _same(fresh.sides(sets, len(manifest.columns)), read_sides(folder, manifest))
    return [] if same else [f"the rules of version {manifest.version} are not those of its rows"]


def _same(expected: Sides, kept: Sides) -> bool:
    fields = ("sets", "rights", "within", "breaking")
    return all(np.array_equal(getattr(expected, name), getattr(kept, name)) for name in fields)


def _found_again(manifest: Manifest, loaded: Loaded) -> list[str]:
    """Whether pods that were followed by rows are those that a discovery finds."""
    assert loaded.marks is not None
    with LocalEngine(1) as engine:
        fresh = begun(manifest, loaded.rows, loaded.dictionaries, engine, Budget.of(None))
    same = [rule.to_dict() for rule in fresh.rules] == [rule.to_dict() for rule in loaded.marks.rules]
    return [] if same else [f"the rules of version {manifest.version} are not those of its rows"]


def _compared_again(manifest: Manifest, loaded: Loaded, kept: Sides) -> list[str]:
    """The same of a state that compares rows by order."""
    marks = loaded.marks
    assert marks is not None
    with LocalEngine(1) as engine:
        fresh = counted(manifest, loaded.rows, loaded.dictionaries, engine, Budget.of(None))
    assert fresh.marks is not None
    if fresh.sets.evidence() != loaded.sets.evidence():
        return [f"the agree sets of version {manifest.version} are not those of its rows"]
    if fresh.marks.held.evidence() != marks.held.evidence():
        return [f"the signatures of version {manifest.version} are not those of its rows"]
    rules = [rule.to_dict() for rule in fresh.marks.rules] == [rule.to_dict() for rule in marks.rules]
    same = rules and _same(fresh.followed.sides(fresh.sets, len(manifest.columns)), kept)
    return [] if same else [f"the rules of version {manifest.version} are not those of its rows"]
