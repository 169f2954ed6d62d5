"""Starts a Spark session of our own and ends it again, leaving nothing behind on disk or among the processes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawful.engine.spark import interrupt, settings
from lawful.engine.spark.java import find_java
from lawful.engine.spark.jvm import Jvm, last_words, launch
from lawful.errors import MissingError
from lawful.ranks.scratch import scratch_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DOCTOR = "Run `lawful doctor` to see which part is at fault."


@dataclass(frozen=True, slots=True)
class Started:
    """A session that lawful started, and what it must take along when it ends: its JVM and its files."""

    session: SparkSession
    jvm: Jvm | None = None
    scratch: Path | None = None

    def lost(self) -> bool:
        """Whether the JVM is gone, for whatever reason."""
        return self.jvm is not None and not self.jvm.alive()

    def close(self) -> None:
        """Stops the session, ends its JVM and removes its files; a dead JVM is no obstacle."""
        try:
            with warnings.catch_warnings(), suppress(Exception):
                warnings.simplefilter("ignore")  # PySpark warns where the JVM is gone already
                self.session.stop()
        except KeyboardInterrupt:
            pass  # pressed twice: what follows ends the JVM in any case
        _clear(self.jvm, self.scratch)


def connect(url: str, conf: Mapping[str, str]) -> SparkSession:
    """A session on a Spark Connect server; asks it for its version, so that a wrong address shows here."""
    from pyspark.sql import SparkSession

    try:
        builder = SparkSession.builder.remote(url)
        for key, value in conf.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        session.version  # noqa: B018 (the first word with the server)
        return session
    except ImportError as error:
        hint = 'Run: pip install "pyspark[connect]"'
        raise MissingError(
            f"Spark Connect is asked for ({url}), and parts of it are missing: {error}", hint=hint
        ) from error
    except Exception as error:
        hint = "See whether the server runs, and whether the address and the token are right."
        raise MissingError(f"No session on the Spark Connect server {url}: {_reason(error)}", hint=hint) from error


def own(
    master: str, memory: str | int | None, app_name: str, conf: Mapping[str, str], *, through_connect: bool = False
) -> Started:
    """A session on a JVM that this process starts; ``through_connect`` talks to it as to a Connect server."""
    from pyspark import SparkContext

    scratch = _scratch()
    jvm = None
    try:
        composed = settings.compose(master, memory, app_name, conf, scratch)
        with _environment(_variables(master)), interrupt.replaced():
            if SparkContext._gateway is None:
                jvm = launch(composed, scratch)
                SparkContext._ensure_initialized(gateway=jvm.gateway)
                # The JVM has them all now, but for those kept off its command line.
                composed = {key: value for key, value in conf.items() if key != settings.JAVA_OPTIONS}
            session = connect(master, composed) if through_connect else _classic(composed)
            _delete_with_the_jvm(scratch)
            return Started(session, jvm, scratch)
    except BaseException as error:
        said = last_words(scratch)
        _clear(jvm, scratch)
        if isinstance(error, MissingError) or not isinstance(error, Exception):
            raise
        raise MissingError(f"Spark did not start on {master}: {_reason(error) or said}", hint=DOCTOR) from error


def _scratch() -> Path:
    """A new folder, where the user wants large data if they said so."""
    chosen = scratch_folder() if os.environ.get("LAWFUL_SCRATCH") else None
    return Path(tempfile.mkdtemp(prefix="lawful-spark-", dir=chosen)).resolve()


def _classic(conf: Mapping[str, str]) -> SparkSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    return SparkSession(SparkContext(conf=SparkConf().setAll(list(conf.items()))))


def _variables(master: str) -> dict[str, str | None]:
    """What the JVM and its Python workers are to find in their environment; ``None`` takes a variable away."""
    variables: dict[str, str | None] = {"JAVA_HOME": str(find_java().home), "SPARK_REMOTE": None}
    if settings.is_local(master):
        return variables | {
            "PYSPARK_PYTHON": sys.executable,
            "PYSPARK_DRIVER_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",  # else Spark looks up the host's name, which fails on some laptops
        }
    return variables | {"PYSPARK_PYTHON": os.environ.get("PYSPARK_PYTHON", sys.executable)}


@contextmanager
def _environment(variables: Mapping[str, str | None]) -> Iterator[None]:
    """Sets variables for the start alone; the user's are back afterwards."""
    before = {name: os.environ.get(name) for name in variables}
    try:
        _put(variables)
        yield
    finally:
        _put(before)


def _put(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _delete_with_the_jvm(scratch: Path) -> None:
    """Asks the JVM to delete the folder when it ends, for the case that this process is killed."""
    from pyspark import SparkContext

    with suppress(Exception):
        jvm: Any = SparkContext._jvm
        jvm.org.apache.spark.util.ShutdownHookManager.registerShutdownDeleteDir(jvm.java.io.File(str(scratch)))


def _clear(jvm: Jvm | None, scratch: Path | None) -> None:
    """Ends the JVM, makes PySpark forget it, so that another can be started, and removes the files."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    interrupt.restored()
    if jvm is not None:
        jvm.close()
        if SparkContext._gateway is jvm.gateway:
            SparkContext._gateway = SparkContext._jvm = SparkContext._active_spark_context = None
            SparkSession._instantiatedSession = SparkSession._activeSession = None
    if scratch is not None:
        shutil.rmtree(scratch, ignore_errors=True)


def _reason(error: Exception) -> str:
    """The first line of an error that means something; for an error inside the JVM, that error's own message."""
    inside = getattr(error, "java_exception", None)
    with suppress(Exception):
        return str(inside.getMessage() if inside is not None else error).strip().splitlines()[0]
    return type(error).__name__
