"""The verbs: what a person can do with a table, in Python. The command line calls the same functions."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lawful.errors import OptionError
from lawful.limits import Budget
from lawful.options import EngineOptions, SourceOptions
from lawful.progress import Listener, silent

if TYPE_CHECKING:
    from lawful.engine.choice import Place
    from lawful.evidence.agree import AgreeSets
    from lawful.options import DiscoverOptions
    from lawful.ranks.encoded import Encoded
    from lawful.ranks.profiling import Profile
    from lawful.rules import RuleSet
    from lawful.search.ending import Ending
    from lawful.source.opening import Source


def encode(
    source: Any,
    *,
    columns: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    order: Mapping[str, Sequence[str]] | None = None,
    nulls: str = "first",
    null_values: Sequence[str] = (),
    format: str | None = None,
    delimiter: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    header: bool = True,
    bad_rows: str = "error",
    strict: bool = False,
    limit_rows: int | None = None,
    table: str | None = None,
    engine: str | None = None,
    master: str | None = None,
    workers: int | None = None,
    memory: str | None = None,
    work_dir: str | None = None,
    progress: Listener | None = None,
) -> Encoded:
    """Read a source and turn its values into ranks, once, for any number of discoveries.

    ``source`` is a path, glob, folder or URL; a pandas, Polars, Arrow or DuckDB table; a Spark DataFrame,
    ``"spark:table"``, ``"spark:SELECT …"`` or a JDBC URL. In-memory frames are encoded in process, Spark frames on
    their session, files and tables through Spark where it is installed; ``engine`` overrides.
    """
    reading = _source_options(
        columns,
        types,
        order,
        nulls,
        null_values,
        format=format,
        delimiter=delimiter,
        quote=quote,
        encoding=encoding,
        header=header,
        bad_rows=bad_rows,
        strict=strict,
        limit_rows=limit_rows,
        table=table,
    )
    return encode_with(source, reading, _engine_options(engine, master, workers, memory, work_dir), progress or silent)


def _source_options(
    columns: Sequence[str] | None,
    types: Mapping[str, str] | None,
    order: Mapping[str, Sequence[str]] | None,
    nulls: str,
    null_values: Sequence[str],
    **others: Any,
) -> SourceOptions:
    known = {name: value for name, value in others.items() if name != "master"}
    return SourceOptions(
        columns=None if columns is None else tuple(columns),
        types=dict(types or {}),
        order={name: tuple(listed) for name, listed in (order or {}).items()},
        nulls=nulls,  # type: ignore[arg-type]
        null_values=(null_values,) if isinstance(null_values, str) else tuple(null_values),
        **known,
    )


def _engine_options(
    engine: str | None, master: str | None, workers: int | None, memory: str | None, work_dir: str | None
) -> EngineOptions:
    return EngineOptions(
        engine=engine,  # type: ignore[arg-type]
        master=master,
        workers=workers,
        memory=memory,
        work_dir=work_dir,
    )


def profile(source: Any, **options: Any) -> Profile:
    """What a table is like: rows, and for each column its type and why, distinct values, nulls, constants.

    Takes an encoded table, or whatever ``encode`` takes, with the same options.
    """
    from lawful.ranks.encoded import Encoded
    from lawful.ranks.profiling import profile_of

    return profile_of(source if isinstance(source, Encoded) else encode(source, **options))


def agree_sets(source: Any, *, progress: Listener | None = None, **options: Any) -> AgreeSets:
    """How many pairs of rows agree on exactly which columns: all pairs, each counted once. Quadratic in the rows.

    Takes an encoded table, or whatever ``encode`` takes, with the same options.
    """
    from lawful.ranks.encoded import Encoded

    running = {name: options.get(name) for name in ("engine", "master", "workers", "memory", "work_dir")}
    table = source if isinstance(source, Encoded) else encode(source, progress=progress, **options)
    return agree_sets_with(table, EngineOptions(**running), progress or silent)


def agree_sets_with(table: Encoded, running: EngineOptions, listener: Listener = silent) -> AgreeSets:
    """``agree_sets`` of an encoded table, where it was encoded or where ``running`` says."""
    from lawful.engine.choice import Place
    from lawful.families.agreeing import agree_sets_of

    place = Place((running.engine or table.engine) == "spark")
    with place.engine(running, place.session(running, listener), running.work_dir) as engine:
        return agree_sets_of(table, engine, budget=Budget.of(running.memory_bytes()), listener=listener)


def discover(
    source: Any,
    kinds: Sequence[str] = ("od",),
    *,
    columns: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    order: Mapping[str, Sequence[str]] | None = None,
    nulls: str = "first",
    null_values: Sequence[str] = (),
    max_error: float = 0.0,
    measure: str | None = None,
    max_size: int | None = None,
    min_coverage: float = 0.0,
    top: int | None = None,
    list_form: bool = False,
    cross_columns: bool = False,
    share: float = 0.2,
    means: float = 0.1,
    order_strings: bool = False,
    estimate: bool = False,
    sample: int = 20,
    efficiency: float = 0.005,
    engine: str | None = None,
    workers: int | None = None,
    memory: str | None = None,
    time_limit: str | None = None,
    work_dir: str | None = None,
    resume: bool = False,
    progress: Listener | None = None,
    **reading: Any,
) -> RuleSet:
    """The minimal rules that a table obeys, of the kinds asked for.

    ``source`` is an encoded table or whatever ``encode`` takes, with its options. ``kinds``: any of fd, key, oc, od
    (fd and oc), pod and dc. The result says whether it is complete, and if not, why and up to which size.
    """
    from lawful.options import DiscoverOptions

    wanted = DiscoverOptions(
        kinds=(kinds,) if isinstance(kinds, str) else tuple(kinds),
        max_error=max_error,
        measure=measure,
        max_size=max_size,
        min_coverage=min_coverage,
        top=top,
        list_form=list_form,
        cross_columns=cross_columns,
        share=share,
        means=means,
        order_strings=order_strings,
        estimate=estimate,
        sample=sample,
        efficiency=efficiency,
        time_limit=time_limit,
        resume=resume,
    )
    options = _source_options(columns, types, order, nulls, null_values, **reading)
    running = _engine_options(engine, reading.get("master"), workers, memory, work_dir)
    return discover_with(source, options, running, wanted, progress or silent)[0]


def discover_with(
    source: Any,
    reading: SourceOptions,
    running: EngineOptions,
    wanted: DiscoverOptions,
    listener: Listener = silent,
) -> tuple[RuleSet, Ending]:
    """``discover`` with its options already checked; also how the search ended."""
    from lawful.engine.choice import Place, choose
    from lawful.families.discovery import discover_all
    from lawful.ranks.encoded import Encoded
    from lawful.source.opening import home_of, only_spark_reads

    if isinstance(source, Encoded):
        if reading != SourceOptions():
            raise OptionError(
                "The table is encoded already: options of reading it come too late.", hint="Give them to encode()."
            )
        asked = running.engine or source.engine
        place = Place(asked == "spark")
        session = place.session(running, listener)
        table = source
    else:
        place = choose(home_of(source), only_spark_reads(source), running)
        session = place.session(running, listener)
        table = _encode_at(place, session, source, reading, running, listener)
    with place.engine(running, session, running.work_dir) as engine:
        budget = Budget.of(running.memory_bytes())
        return discover_all(table, engine, wanted, budget=budget, work_dir=running.work_dir, listener=listener)


def encode_with(source: Any, reading: SourceOptions, running: EngineOptions, listener: Listener = silent) -> Encoded:
    """``encode`` with its options already checked."""
    from lawful.engine.choice import choose
    from lawful.source.opening import home_of, only_spark_reads

    place = choose(home_of(source), only_spark_reads(source), running)
    return _encode_at(place, place.session(running, listener), source, reading, running, listener)


def _encode_at(
    place: Place, session: Any, source: Any, reading: SourceOptions, running: EngineOptions, listener: Listener
) -> Encoded:
    from lawful.source.opening import open_source

    opened = open_source(source, reading, lambda: session)
    if place.spark:
        return _encode_on_spark(place, session, opened, reading, running, listener)
    table = _encode_here(opened, reading, running, listener)
    return replace(table, warnings=(*place.warnings, *table.warnings)) if place.warnings else table


def _encode_here(opened: Source, reading: SourceOptions, running: EngineOptions, listener: Listener) -> Encoded:
    from lawful.ranks.encode import encode_here
    from lawful.source.frames import FrameSource
    from lawful.source.spark import SparkSource

    if isinstance(opened, SparkSource):
        opened = FrameSource(opened.name, opened.frame.toArrow(), opened.warnings)
    return encode_here(opened, reading, budget=Budget.of(running.memory_bytes()), listener=listener)


def _encode_on_spark(
    place: Place, session: Any, opened: Source, reading: SourceOptions, running: EngineOptions, listener: Listener
) -> Encoded:
    from lawful.engine.choice import is_local, remove_folder, run_folder
    from lawful.ranks.distributed import encode_files
    from lawful.ranks.spark import encode_rows
    from lawful.source.files import FileSource
    from lawful.source.frames import FrameSource

    if isinstance(opened, FrameSource):
        # Its rows are in this process already; jobs find its ranks through the engine.
        return _encode_here(opened, reading, running, listener)
    local = is_local(session)
    folder = run_folder(running.work_dir, local=local)
    try:
        with place.engine(running, session, folder) as engine:
            asked = running.memory_bytes()
            memory = Budget.of(asked, engine.parallelism + 1).bytes if local or asked else None
            if isinstance(opened, FileSource):
                opened = opened if local else opened.absolute()
                table = encode_files(engine, opened, reading, folder, memory=memory, listener=listener)
            else:
                table = encode_rows(engine, opened, reading, folder, memory=memory, listener=listener)
    except BaseException:
        remove_folder(folder)
        raise
    # Copies of the table share its values: the files go when the last of them does.
    weakref.finalize(table.values, remove_folder, folder, table.store)
    return table
