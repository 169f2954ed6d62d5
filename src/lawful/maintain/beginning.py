"""The first version of a state: a table is read whole, its pairs of rows are counted, its rules derived."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from lawful.engine.choice import engine_for
from lawful.engine.local import LocalEngine
from lawful.engine.port import Engine
from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.evidence.agree import agree_layout
from lawful.evidence.multiset import Multiset
from lawful.families.agreeing import agree_sets_of, measure_of
from lawful.limits import Budget
from lawful.maintain.arriving import begun
from lawful.maintain.committing import Draft, commit
from lawful.maintain.comparing import counted
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.folder import Piece, StateFolder
from lawful.maintain.following import Followed, found_anew
from lawful.maintain.loading import Loaded, is_exact, signed_of, wanted_of
from lawful.maintain.manifest import (
    FORMAT,
    KINDS,
    MARKED,
    Made,
    Manifest,
    Options,
    follows_rows,
    keeps_agree_sets,
    kinds_of,
)
from lawful.maintain.marking import check_marked, keeps_counts
from lawful.maintain.ranking import follows_order
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

    ``kinds``: any of fd, key, oc, od (fd and oc), pod, dc; or ``"agree"``, for agree sets alone. ``row_key``: columns
    by which deletes and updates may name rows. ``deletes=False`` makes a state of inserts alone; so does leaving it out
    with oc, pod or dc. A positive ``max_error`` follows approximate rules and needs ``measure="pairs"``, but with pod
    and dc alone. ``max_size``: only rules over at most so many columns, as wide tables need it.
    ``options`` are those of reading a source; ``reading`` and ``running`` hold options as the command line has them:
    with the engine spark, pairs of rows are compared there. O(rows² * columns), once.
    """
    followed = kinds_of(kinds)
    asked = DiscoverOptions(kinds=followed or KINDS, max_error=max_error, measure=measure, max_size=max_size)
    measures = measure_of(followed or KINDS, asked.max_error, asked.measure)
    read_with = reading or SourceOptions(**options)
    if read_with.nulls == "unknown":
        raise OptionError("A state needs to know whether two nulls are equal.", hint="Set nulls to first or last.")
    chosen = Options(
        followed, asked.max_error, measures, asked.max_size, _names(row_key), keeps_counts(followed, deletes),
        read_with.nulls, read_with.null_values, read_with.columns is not None,
    )  # fmt: skip
    check_marked(chosen)
    folder = StateFolder(path)
    folder.make()
    given = read(source, read_with)
    _check(given, chosen)
    if given.table.nulls == "last":
        chosen = msgspec.structs.replace(chosen, nulls="last")
    running = running or EngineOptions()
    told, home = progress or silent, folder.work
    with folder.lock(), engine_for(running, told, home=home) as engine, LocalEngine(running.workers) as here:
        folder.make()
        folder.sweep(set(), 0)
        budget = Budget.of(running.memory_bytes())
        manifest = Manifest(
            FORMAT, 0, given.table.name, given.columns, chosen, given.rows, given.rows, (), _NO_FILE, _NO_FILE,
            Made("", "", ""),
        )  # fmt: skip
        loaded = _counted(manifest, given, engine, budget, told)
        if loaded.marks is None or follows_rows(chosen):
            known = found_anew(loaded.sets, wanted_of(manifest), here, exact=is_exact(chosen))
            loaded = replace(loaded, followed=known)
        part = loaded.rows.parts[0]
        segment = Segment(
            part.ids, part.codes, np.zeros(0, np.int64), loaded.sets.evidence(), given.values, signed_of(loaded)
        )
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
    if "oc" in options.kinds and "fd" not in options.kinds and sum(c.ordered for c in given.table.columns) < 2:
        raise ColumnError("No two columns have an order, so there is no oc.", hint="Follow od, or other kinds.")
    listed = [column.name for column in given.table.columns if column.listed]
    if listed and set(options.kinds) & set(MARKED):
        raise OptionError(
            f"Column {listed[0]!r} has an order that was given by a list; a state knows the order of values alone.",
            hint="Leave --order out, or follow fd and key alone.",
        )


def _counted(manifest: Manifest, given: Given, engine: Engine, budget: Budget, listener: Listener) -> Loaded:
    """The table in the state's codes, and its agree sets; rules are still to be found, unless order is followed."""
    width = len(given.columns)
    table: Encoded = given.table
    ids = np.arange(given.rows, dtype=np.int64)
    rows = Rows(width, (Part(ids, given.places),), np.zeros(0, np.int64))
    dictionaries = tuple(Dictionary(values.type, (values,)) for values in given.values)
    alone = not follows_rows(manifest.options)
    if alone and follows_order(manifest):
        return counted(manifest, rows, dictionaries, engine, budget, listener)
    sets = Multiset(agree_layout(width))
    if keeps_agree_sets(manifest.options):
        sets.add(agree_sets_of(table, engine, budget=budget, listener=listener).evidence)
    marks = None if alone else begun(manifest, rows, dictionaries, engine, budget, listener)
    return Loaded(rows, dictionaries, sets, Followed({}, {}), marks)
