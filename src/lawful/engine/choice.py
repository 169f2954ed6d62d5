"""The one rule for the engine, everywhere: what was asked for, else where the source is at home."""

from __future__ import annotations

import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawful.engine.local import LocalEngine
from lawful.errors import OptionError
from lawful.options import EngineOptions
from lawful.progress import Listener, Step, silent

if TYPE_CHECKING:
    from lawful.engine.port import Engine

NO_SPARK = "Spark is not used, {reason}: this runs in process."


@dataclass(frozen=True)
class Place:
    """Where a run takes place: ``spark`` or this process; ``warnings`` say when that is second best."""

    spark: bool
    warnings: tuple[str, ...] = ()

    def session(self, running: EngineOptions, listener: Listener = silent) -> Any:
        """The Spark session of a run on Spark, found or started; ``None`` in process."""
        if not self.spark:
            return None
        from lawful.engine.spark.session import active, session

        if active() is None:
            listener(Step("starting Spark"))
        return session(running.master, workers=running.workers)[0]

    def engine(self, running: EngineOptions, session: Any, folder: str | None = None) -> Engine:
        """The engine of the run; close it after use."""
        if not self.spark:
            return LocalEngine(running.workers)
        from lawful.engine.spark.engine import SparkEngine

        return SparkEngine(session, running.workers, folder)


@contextmanager
def engine_for(
    running: EngineOptions | None, listener: Listener = silent, *, home: str | None = None
) -> Iterator[Engine]:
    """The engine that was asked for outright, by its name or by a master, else this process; closed after use.

    ``home`` takes what the workers of a cluster have to read where no work folder was named: it is reached by all of
    them, or they say that it is not.
    """
    running = running or EngineOptions()
    place = Place(running.engine == "spark" or (running.engine is None and running.master is not None))
    if not place.spark:
        with place.engine(running, None) as engine:
            yield engine
        return
    session = place.session(running, listener)
    local = is_local(session)
    folder = run_folder(running.work_dir or (None if local else home), local=local)
    try:
        with place.engine(running, session, folder) as engine:
            yield engine
    finally:
        remove_folder(folder)


def choose(home: str, spark_only: bool, running: EngineOptions) -> Place:
    """By the source's ``home`` (memory, spark for a session's frame, or storage); ``spark_only``: no other reads it."""
    asked = running.engine or os.environ.get("LAWFUL_ENGINE") or ("spark" if running.master else None)
    if asked not in (None, "local", "spark"):
        raise OptionError(f"LAWFUL_ENGINE is {asked!r}.", hint="Set it to local or spark, or unset it.")
    if asked is not None:
        return Place(asked == "spark")
    if home == "memory":
        return Place(False)
    if home == "spark" or spark_only:
        return Place(True)
    from lawful.engine.spark.session import available

    reason = available()
    return Place(True) if reason is None else Place(False, (NO_SPARK.format(reason=reason),))


def is_local(session: Any) -> bool:
    """Whether a session's workers share this machine's files: a local master, and a Connect server on this host."""
    from lawful.engine.spark.session import describe

    about = describe(session)
    if about["kind"] == "connect":
        host = str(getattr(getattr(session, "client", None), "host", ""))
        return host in ("localhost", "127.0.0.1", "[::1]", "::1") and str(about["master"] or "local").startswith(
            "local"
        )
    return str(about["master"] or "").startswith("local")


def run_folder(work_dir: str | None, *, local: bool) -> str:
    """A folder of its own for one run, that every worker reaches."""
    if work_dir is None:
        if local:
            return tempfile.mkdtemp(prefix="lawful-run-")
        raise OptionError(
            "This Spark master is a cluster: its workers need a folder that all of them reach.",
            hint="Name it with --work-dir (work_dir=), a shared path or a URL such as s3://bucket/tmp.",
        )
    return f"{work_dir.rstrip('/')}/lawful-run-{uuid.uuid4().hex[:12]}"


def remove_folder(folder: str, store: Any = None) -> None:
    """Take away what a run wrote, on this host and in its work folder."""
    if store is not None:
        store.discard()
    if "://" not in folder:
        shutil.rmtree(folder, ignore_errors=True)
        return
    import fsspec

    system, path = fsspec.core.url_to_fs(folder)
    if system.exists(path):
        system.rm(path, recursive=True)
