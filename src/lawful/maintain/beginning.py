"""The first version of a state: a table is read whole, its pairs of rows are counted, its rules derived."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from lawful.engine.choice import engine_for
from lawful.engine.local import LocalEngine
from lawful.engine.port import Engine
from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.evidence.agree import agree_layout
from lawful.evidence.multiset import Multiset
from lawful.families.agreeing import agree_sets_of, check_measure
from lawful.limits import Budget
from lawful.maintain.committing import Draft, commit
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.folder import Piece, StateFolder
from lawful.maintain.following import Followed, found_anew
from lawful.maintain.loading import Loaded, is_exact, wanted_of
from lawful.maintain.manifest import FORMAT, KINDS, Made, Manifest, Options, kinds_of
from lawful.maintain.reading import Given, read
from lawful.maintain.rows import Part, Rows
from lawful.maintain.segment import Segment
from lawful.maintain.state import State, now, open_state
from lawful.options import DiscoverOptions, EngineOptions, SourceOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded

_NO_FILE = Piece("", 0, "")


def create(
    path: str | os.PathLike[str],
    source: Any,
    kinds: Sequence[str] = ("fd", "key"),
    *,
    row_key: Sequence[str] | None = None,
    deletes: bool | None = None,
    max_error: float = 0.0,
    measure: str | None = None,
    max_size: int | None = None,
    batch_id: str | None = None,
    progress: Listener | None = None,
    reading: SourceOptions | None = None,
    running: EngineOptions | None = None,
    **options: Any,
) -> State:
    """Make a state in a new or empty folder, from an encoded table or any source that ``encode`` takes.

    ``kinds``: fd, key or both; or ``"agree"``, for agree sets alone. ``row_key``: columns by which deletes and updates
    may name rows. ``deletes=False`` makes a state of inserts alone. A positive ``max_error`` follows approximate rules
    and needs ``measure="pairs"``. ``max_size``: only rules over at most so many columns, as wide tables need it.
    ``options`` are those of reading a source; ``reading`` and ``running`` hold options as the command line has them:
    with the engine spark, pairs of rows are compared there. O(rows² * columns), once.
    """
    followed = kinds_of(kinds)
    asked = DiscoverOptions(kinds=followed or KINDS, max_error=max_error, measure=measure, max_size=max_size)
    check_measure(asked.max_error, asked.measure)
    read_with = reading or SourceOptions(**options)
    if read_with.nulls == "unknown":
        raise OptionError("A state needs to know whether two nulls are equal.", hint="Set nulls to first or last.")
    chosen = Options(
        followed, asked.max_error, asked.measure, asked.max_size, _names(row_key), deletes is not False,
        read_with.nulls, read_with.null_values, read_with.columns is not None,
    )  # fmt: skip
    folder = StateFolder(path)
    folder.make()
    given = read(source, read_with)
    _check(given, chosen)
    running = running or EngineOptions()
    with folder.lock(), engine_for(running, progress or silent) as engine, LocalEngine(running.workers) as here:
        folder.make()
        folder.sweep(set(), 0)
        budget = Budget.of(running.memory_bytes())
        loaded = _counted(given, engine, budget, progress or silent)
        manifest = Manifest(
            FORMAT, 0, given.table.name, given.columns, chosen, given.rows, given.rows, (), _NO_FILE, _NO_FILE,
            Made("", "", ""),
        )  # fmt: skip
        exact = is_exact(chosen)
        loaded = replace(loaded, followed=found_anew(loaded.sets, wanted_of(manifest), here, exact=exact))
        part = loaded.rows.parts[0]
        segment = Segment(part.ids, part.codes, np.zeros(0, np.int64), loaded.sets.evidence(), given.values)
        made = Made(batch_id or "first", given.digest().hex(), now(), inserted=given.rows, counting="anew")
        commit(folder, Draft(manifest, loaded, segment, folding=True), made)
    return open_state(path)


def _names(row_key: Sequence[str] | None) -> tuple[str, ...]:
    return () if row_key is None else (row_key,) if isinstance(row_key, str) else tuple(row_key)


def _check(given: Given, options: Options) -> None:
    for name in options.row_key:
        if name not in given.names:
            raise ColumnError(
                f"row_key names column {name!r}, which is not there.", hint=did_you_mean(name, given.names)
            )
    if given.table.nulls == "unknown":
        raise OptionError("A state needs to know whether two nulls are equal.", hint="Encode with nulls first or last.")


def _counted(given: Given, engine: Engine, budget: Budget, listener: Listener) -> Loaded:
    """The table in the state's codes, and its agree sets; rules are still to be found."""
    width = len(given.columns)
    table: Encoded = given.table
    agreed = agree_sets_of(table, engine, budget=budget, listener=listener)
    ids = np.arange(given.rows, dtype=np.int64)
    rows = Rows(width, (Part(ids, given.places),), np.zeros(0, np.int64))
    dictionaries = tuple(Dictionary(values.type, (values,)) for values in given.values)
    return Loaded(rows, dictionaries, Multiset(agree_layout(width), agreed.evidence), Followed({}, {}))
