"""Encoding as jobs on any engine: nothing but ranks and small summaries ever reaches the driver.

    pieces --StagePieces--> codes + local values --SortChunk--> sorted runs
           --MergeSection--> local ranks         --ApplyChunk--> ranks

It is a sample sort of the distinct values of all columns together: every chunk draws samples of its sorted keys, the
driver cuts the keys into sections of about equal weight, a section ranks its keys, and the counts of the sections
before it are its offset. Steps hand each other files of the work folder, written under attempt-unique names and
committed by rename; what counts is what a job returned, so a step that runs twice changes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from lawful.options import SourceOptions
from lawful.progress import Listener, Step, silent
from lawful.ranks.applying import ApplyChunk
from lawful.ranks.columns import refuse
from lawful.ranks.dealing import assignments, distinct_of, sections_of, values_of_columns
from lawful.ranks.encode import check_named, describe
from lawful.ranks.encoded import Encoded, Origin
from lawful.ranks.folder import Folder
from lawful.ranks.gathered import limited, names_of, nulls_of, summaries_of, types_of
from lawful.ranks.merging import Merged, MergeSection
from lawful.ranks.places import origins_of, record_place
from lawful.ranks.sorting import Refused, SortChunk, Sorted
from lawful.ranks.staged import Reading, Staged
from lawful.ranks.staging import StagePieces
from lawful.ranks.store import Store
from lawful.source.files import FileSource
from lawful.source.spark import SparkSource


class Runner(Protocol):
    """What is needed of an engine."""

    @property
    def name(self) -> str: ...
    @property
    def parallelism(self) -> int: ...
    def stream(self, job: Any, shared: Any, units: Iterable[Any]) -> Iterable[tuple[Any, Any]]: ...


@dataclass
class Run:
    """One encoding: what all its steps share."""

    engine: Runner
    source: FileSource | SparkSource
    options: SourceOptions
    folder: str
    listener: Listener = silent

    def all(self, stage: str, job: Any, units: Sequence[Any]) -> Any:
        """Run a job over units; the merge of all parts, equals with equals so that a part is merged O(log n) times."""
        self.listener(Step(stage, 0, len(units)))
        parts = []
        for _, part in self.engine.stream(job, None, iter(units)):
            parts.append(part)
            self.listener(Step(stage, len(parts), len(units)))
        while len(parts) > 1:
            odd = parts[len(parts) & ~1 :]
            parts = [job.merge(a, b) for a, b in zip(parts[::2], parts[1::2], strict=False)] + odd
        return parts[0] if parts else job.zero()


def encode_files(
    engine: Runner,
    source: FileSource,
    options: SourceOptions,
    folder: str,
    *,
    memory: int | None = None,
    listener: Listener = silent,
) -> Encoded:
    """Encode files on an engine; all its workers reach ``folder``, and each may hold ``memory`` bytes."""
    started = time.perf_counter()
    run = Run(engine, source, options, folder, listener)
    reading = _read(run, StagePieces(source, options, folder, memory, options.limit_rows), source)
    bad = reading.bad_rows()
    if bad.count and not source.skip_bad:
        raise bad.error()
    warnings = (bad.warning(),) if bad.count else ()
    return finish(run, reading.chunks, warnings, started)


def _read(run: Run, job: StagePieces, source: FileSource) -> Reading:
    """Stage all pieces; where rows are limited, the piece in which the limit falls once more."""
    reading: Reading = run.all("reading", job, source.pieces)
    if job.most is not None:
        reading = limited(
            source, reading, job.most, lambda piece, most: run.all("reading", replace(job, most=most), [piece])
        )
    if reading.faults:
        raise reading.faults[0][1].error()
    return reading


def finish(run: Run, chunks: tuple[Staged, ...], warnings: tuple[str, ...], started: float) -> Encoded:
    """From staged chunks to the encoded table."""
    source, options, folder = run.source, run.options, run.folder
    names = names_of(source, chunks)
    check_named(names, options)
    summaries = summaries_of(names, chunks)
    types = types_of(source, options, names, chunks, summaries)
    origins = () if isinstance(source, SparkSource) else origins_of((c.path, c.rows) for c in chunks)
    runs = _sorted(run, SortChunk(folder, names, types, frozenset(options.types), options), chunks, origins)
    sections = sections_of(len(names), runs, run.engine.parallelism)
    found = run.all("merging", MergeSection(folder, tuple(r.file for r in runs)), list(enumerate(sections)))
    merged: list[Merged] = [found[i] for i in range(len(sections))]
    distinct = distinct_of(len(names), sections, merged)
    nulls = [nulls_of(name, chunks) for name in names]
    apply = ApplyChunk(folder, names, distinct, tuple(n > 0 for n in nulls), options.nulls == "last")
    placed = run.all("ranking", apply, assignments(chunks, runs, sections, merged, len(names)))
    store = Store.of(folder, [placed[i] for i in range(len(chunks))], len(names))
    _tidy(folder, chunks, runs, merged)
    columns = []
    for i, name in enumerate(names):
        null_rank = None if not nulls[i] else distinct[i] if options.nulls == "last" else 0
        columns.append(describe(name, types[i], distinct[i], nulls[i], null_rank, options, summaries[i]))
    return Encoded(
        name=source.name,
        columns=tuple(columns),
        rows=store.rows,
        values=values_of_columns(folder, columns, runs, sections, merged),
        nulls=options.nulls,
        origins=origins,
        warnings=(*source.warnings, *warnings),
        engine=run.engine.name,
        seconds=time.perf_counter() - started,
        store=store,
    )


def _sorted(run: Run, job: SortChunk, chunks: Sequence[Staged], origins: tuple[Origin, ...]) -> tuple[Sorted, ...]:
    """Sort every chunk. Raise for the first column, and in it the first row, that cannot be what was asked for."""
    parts = run.all("sorting", job, [(i, chunk.bare()) for i, chunk in enumerate(chunks)])
    refused = [p for p in parts.values() if isinstance(p, Refused)]
    if refused:
        column, listed = min((p.column, p.misfit.listed) for p in refused)
        # Chunks that stopped at an order have no value of the wrong type: the type is looked at first, everywhere.
        same = sorted((p for p in refused if (p.column, p.misfit.listed) == (column, listed)), key=lambda p: p.number)
        misfit = replace(same[0].misfit, rows=sum(p.misfit.rows for p in same))
        row = sum(c.rows for c in chunks[: same[0].number]) + same[0].row
        raise refuse(job.names[column], misfit, record_place(run.source, origins, row))
    return tuple(parts[i] for i in range(len(chunks)))


def _tidy(folder: str, chunks: Sequence[Staged], runs: Sequence[Sorted], merged: Sequence[Merged]) -> None:
    """Remove what later steps do not need; attempts that lost go with the folder."""
    here = Folder(folder)
    for name in (
        *(n for c in chunks for n in (c.codes, c.values)),
        *(n for r in runs for n in (r.file.name, r.places)),
        *(m.ranks for m in merged),
    ):
        here.remove(name)
