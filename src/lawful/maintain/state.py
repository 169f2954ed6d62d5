"""A state: a table's agree sets and rules in a folder, kept current batch by batch.

A batch is one commit: all its files are written and forced to disk, then the manifest of the new version gets its name.
Until then nothing has changed, whatever happens. Readers never wait: what a version consists of is not written again.
"""

from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from lawful.engine.choice import engine_for
from lawful.engine.local import LocalEngine
from lawful.errors import OptionError, StateError
from lawful.evidence.agree import AgreeSets
from lawful.families.agreeing import Sides, as_rules
from lawful.limits import Budget
from lawful.maintain.applying import Batch, new_columns, resolve
from lawful.maintain.batches import Batches, version_of
from lawful.maintain.committing import Draft, commit
from lawful.maintain.comparing import widened_marks
from lawful.maintain.delta import Delta, decoded
from lawful.maintain.folder import Missing, StateFolder
from lawful.maintain.following import found_anew
from lawful.maintain.loading import Loaded, folded, is_exact, load, read_marked, read_sides, wanted_of, widened
from lawful.maintain.manifest import Made, Manifest, keeps_agree_sets, read
from lawful.maintain.naming import Manner
from lawful.maintain.segment import Ids
from lawful.maintain.stepping import next_version
from lawful.options import EngineOptions, SourceOptions
from lawful.rules import RuleSet
from lawful.rules.diff import RuleDiff
from lawful.rules.model import Rule
from lawful.rules.ruleset import Column

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from lawful.maintain.checking import Checked

_TRIES = 5


class State:
    """A state folder that was opened, at its newest version; `apply` and `refresh` go on to later ones."""

    def __init__(self, folder: StateFolder, manifest: Manifest) -> None:
        self._folder = folder
        self._manifest = manifest
        self._loaded: Loaded | None = None
        self._batches: Batches | None = None

    @property
    def path(self) -> str:
        """The folder."""
        return str(self._folder)

    @property
    def version(self) -> int:
        """The version that is open, from 1."""
        return self._manifest.version

    @property
    def names(self) -> tuple[str, ...]:
        """The table's columns, in its order."""
        return self._manifest.names

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of rules that are followed; none where agree sets alone are."""
        return self._manifest.options.kinds

    def __len__(self) -> int:
        """How many rows the table has."""
        return self._manifest.rows

    def __bool__(self) -> bool:
        """A state is something, also of a table without rows."""
        return True

    def __repr__(self) -> str:
        kinds = ", ".join(self._manifest.options.kinds) or "agree sets"
        return f"<State: {self.path!r}, version {self.version}, {len(self):,} rows, following {kinds}>"

    def refresh(self) -> State:
        """Go on to the newest version, where another process made one; this very object."""
        newest = read(self._folder)
        if newest.version != self.version:
            self._manifest, self._loaded = newest, None
        return self

    # -- what is known ------------------------------------------------------------------------------------------

    def rules(self, at: int | None = None) -> RuleSet:
        """The minimal rules of this version, or of another one, with the figures they had."""
        manifest = self._manifest if at is None else read(self._folder, at)
        if not manifest.options.kinds:
            raise OptionError(
                "This state follows no rules, only agree sets.", hint="Make one that follows kinds, such as fd,key."
            )
        return self._rules(manifest)

    def _rules(self, manifest: Manifest) -> RuleSet:
        return _rule_set(manifest, read_sides(self._folder, manifest), read_marked(self._folder, manifest))

    def agree_sets(self) -> AgreeSets:
        """The counted agree sets of all pairs of rows of this version."""
        if not keeps_agree_sets(self._manifest.options):
            raise OptionError(
                "This state of pods alone counts no agree sets.", hint="Follow fd or key too, or make it with deletes."
            )
        return AgreeSets(self.names, len(self), self._load().sets.evidence())

    def row_ids(self) -> Ids:
        """The ids of the rows, ascending. A row keeps its id; an updated row is a new row."""
        return self._load().rows.ids

    def to_arrow(self) -> pa.Table:
        """The rows of this version as a table, after a column ``row_id`` (named so unless the table has one)."""
        import pyarrow as pa

        from lawful.maintain.dictionary import unpadded

        loaded = self._load()
        part = loaded.rows.whole()
        columns = {name: unpadded(loaded.dictionaries[c].take(part.codes[c])) for c, name in enumerate(self.names)}
        return pa.table(({} if "row_id" in columns else {"row_id": part.ids}) | columns)

    def history(self) -> list[tuple[int, Made]]:
        """Every version with how it came to be, the first one first."""
        return [(version, read(self._folder, version).made) for version in self._folder.versions()]

    def delta(self, version: int | None = None) -> Delta:
        """What the batch changed that made this version, or another one."""
        manifest = self._manifest if version is None else read(self._folder, version)
        return decoded(self._folder.verified(manifest.changes).read_bytes())

    def diff(self, older: int | None = None, newer: int | None = None) -> RuleDiff:
        """What changed between two versions: by default between the one before and this one."""
        last = self.version if newer is None else newer
        first = max(last - 1, self._folder.versions()[0]) if older is None else older
        return self.rules(first).diff(self.rules(last))

    def check(self, *, deep: bool = False) -> Checked:
        """Verify the files of all versions; ``deep``: also count and derive anew from the rows, and compare."""
        from lawful.maintain.checking import check

        return check(self._folder, deep=deep)

    # -- what changes it ----------------------------------------------------------------------------------------

    def apply(
        self,
        inserts: Any = None,
        deletes: Any = None,
        updates: Any = None,
        batch_id: str | None = None,
        *,
        delete_all_copies: bool = False,
        ignore_missing: bool = False,
        evolve: bool = False,
        reading: SourceOptions | None = None,
        running: EngineOptions | None = None,
    ) -> Delta:
        """Delete, then insert, as one commit; what that changed.

        ``inserts``, ``updates``: any source. ``deletes``: a source of whole rows or of row keys, or row ids. Each given
        row takes exactly one equal row away, the one with the lowest id, or with ``delete_all_copies`` all of them. An
        update is a delete by row key and an insert. What names a row that is not there is an error, and nothing is
        applied; with ``ignore_missing`` it is passed over. A ``batch_id`` that was applied before changes nothing.
        ``evolve`` lets new columns in, null in all rows so far. ``reading`` and ``running`` hold options as the command
        line has them: with the engine spark, large batches are compared there. O(batch * rows * columns).
        """
        manner = Manner(delete_all_copies, ignore_missing)
        with self._folder.lock(), self._undone_on_failure():
            self.refresh()
            batch = Batch.read(self._manifest, reading or SourceOptions(), inserts, deletes, updates)
            digest = batch.digest()
            known = self._made(batch_id) if batch_id is not None else None
            if known is not None:
                return self._repeated(known, digest)
            self._sweep()
            manifest, loaded = self._evolved(batch) if evolve else (self._manifest, self._load())
            found = resolve(batch, manifest, loaded, manner)
            with engine_for(running, home=self._folder.work) as engine:
                budget, folding = Budget.of((running or EngineOptions()).memory_bytes()), manifest is not self._manifest
                draft, change = next_version(manifest, loaded, found, engine, folding=folding, budget=budget)
            made = Made(batch_id or uuid.uuid4().hex[:12], digest, now())
            made = msgspec.structs.replace(made, inserted=found.new.shape[1], deleted=len(found.gone))
            self._manifest, delta = commit(self._folder, draft, made, self._rules(self._manifest), change)
            self._loaded = draft.loaded
        return delta

    def compact(self) -> State:
        """Fold all segments into one, without what no row has any more, as a version of its own."""
        with self._folder.lock(), self._undone_on_failure():
            self.refresh()
            self._sweep()
            segment, loaded = folded(self._load())
            draft = Draft(self._manifest, loaded, segment, folding=True)
            made = Made(uuid.uuid4().hex[:12], "", now(), counting="compacted")
            self._manifest, _ = commit(self._folder, draft, made)
            self._loaded = loaded
        return self

    @contextmanager
    def _undone_on_failure(self) -> Iterator[None]:
        """What is in memory may be half changed when a batch fails: it is read again from the folder."""
        try:
            yield
        except BaseException:
            self._loaded = None
            raise

    def _load(self) -> Loaded:
        """This version in memory. Where a later one folded its files away in the meantime, the later one."""
        for _ in range(_TRIES):
            if self._loaded is not None:
                break
            try:
                self._loaded = load(self._folder, self._manifest)
            except Missing:
                if read(self._folder).version == self.version:
                    raise
                self.refresh()
        if self._loaded is None:
            raise StateError(f"The state {self.path} changes faster than it can be read.", hint="Try again.")
        return self._loaded

    def _sweep(self) -> None:
        """Remove what belongs to no version, and segments that neither this version nor the one before is made of."""
        versions = self._folder.versions()
        recent = [read(self._folder, version) for version in versions[-2:-1]]
        segments = {piece.name for manifest in (self._manifest, *recent) for piece in manifest.segments}
        self._folder.sweep(segments, self.version)

    def _made(self, batch_id: str) -> Manifest | None:
        """The version that a batch of this id made."""
        found, self._batches = version_of(self._folder, batch_id, self._batches)
        return found

    def _repeated(self, known: Manifest, digest: str) -> Delta:
        if known.made.digest != digest:
            raise OptionError(
                f"Another batch was applied as {known.made.batch!r}, as version {known.version}.",
                hint="Give this batch an id of its own.",
            )
        return replace(self.delta(known.version), repeated=True)

    def _evolved(self, batch: Batch) -> tuple[Manifest, Loaded]:
        columns, types = new_columns(batch, self._manifest)
        if not columns:
            return self._manifest, self._load()
        wide = msgspec.structs.replace(self._manifest, columns=(*self._manifest.columns, *columns))
        loaded = widened(self._load(), types)
        with LocalEngine(1) as engine:
            marks = None if loaded.marks is None else widened_marks(wide, loaded.marks)
            known = found_anew(loaded.sets, wanted_of(wide), engine, exact=is_exact(wide.options))
        return wide, replace(loaded, marks=marks, followed=known)


def _rule_set(manifest: Manifest, sides: Sides, marked: Sequence[Rule]) -> RuleSet:
    options = manifest.options
    measure: Any = options.measure
    shown: dict[str, Any] = {"nulls": options.nulls}
    asked = {"max_error": options.max_error, "measure": measure, "max_size": options.max_size}
    shown |= {name: value for name, value in asked.items() if value}
    size = options.max_size
    return RuleSet(
        [*as_rules(sides, manifest.names, manifest.rows, measure), *marked],
        source=manifest.source,
        rows=manifest.rows,
        columns=tuple(Column(column.name, column.type) for column in manifest.columns),
        kinds=options.kinds,
        incomplete=None if size is None else f"only rules over at most {size} columns",
        complete_to=size,
        note="fewer than two rows" if manifest.rows < 2 else None,
        engine="local",
        options=shown,
        in_order=True,
    )


def now() -> str:
    """The time as versions tell it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def open_state(path: str | os.PathLike[str]) -> State:
    """Open the newest version of a state; its rules are read when they are asked for, its rows when they are needed."""
    folder = StateFolder(path)
    return State(folder, read(folder))
