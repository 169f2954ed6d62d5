"""One Spark session, found or started, without its user knowing anything about Java.

Found: a session that is active in this process, on a cluster, in a notebook or through Connect, is used as it is,
neither changed nor stopped. Started: through Connect, by ``spark-submit``, or on this machine; what lawful started on
its own account ends with this process, without a trace on disk.
"""

from __future__ import annotations

import atexit
import importlib.util
import os
import re
import sys
import threading
import warnings
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from typing import TYPE_CHECKING, Any

from lawful.engine.spark import java, jvm, settings
from lawful.engine.spark.start import Started, connect, own
from lawful.errors import MissingError, OptionError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST = (4, 0)
INSTALL = 'Run: pip install "lawful[spark]"; without it, use the local engine.'
_MASTERS = re.compile(r"local(\[.+\])?|local-cluster\[.+\]|yarn|(spark|k8s|sc)://.+")


class _Ours:
    """The session that lawful started, if any, and the process that did it."""

    lock = threading.RLock()
    started: Started | None = None
    pid = 0


def session(
    master: str | None = None,
    *,
    workers: int | None = None,
    memory: str | int | None = None,
    app_name: str = "lawful",
    conf: Mapping[str, str] | None = None,
) -> tuple[SparkSession, bool]:
    """The session to use, and whether lawful started it and ends it when this process ends.

    ``master``, ``workers``, ``memory`` (the JVM's heap) and ``conf`` shape a session that is to be started. One that
    is active wins over them, but for a ``master`` that it does not run on: that is an ``OptionError``. A start takes
    several seconds, finding a session next to nothing.
    """
    if master is not None and not _MASTERS.fullmatch(master):
        raise OptionError(
            f"{master!r} is no master of Spark.",
            hint="Give local[4], spark://HOST:PORT, yarn, k8s://… or sc://HOST:PORT.",
        )
    _require_pyspark()
    with _Ours.lock:
        if _Ours.started is not None and _Ours.started.lost():
            stop()
        found = active()
        if found is not None:
            _require_master(found, master)
            return found, _Ours.started is not None and found is _Ours.started.session
        stop()
        return _start(master, workers, memory, app_name, conf or {})


def active() -> SparkSession | None:
    """The session that is active in this process, of either kind; never starts one."""
    if "pyspark" not in sys.modules:
        return None
    from pyspark.sql import SparkSession

    with suppress(Exception):
        return SparkSession.active()
    remote: Any = sys.modules.get("pyspark.sql.connect.session")
    with suppress(Exception):
        found: SparkSession | None = remote.SparkSession.active() if remote else None
        return found
    return None


def available() -> str | None:
    """``None`` when Spark can be used here, else the reason; imports no PySpark and starts no JVM."""
    if not installed("pyspark"):
        return "PySpark is not installed"
    if not installed("pandas"):
        return "pandas is not installed, without which PySpark hands over no tables"
    version = pyspark_version()
    if version and numbers(version) < OLDEST:
        return f"PySpark {version} is older than 4.0"
    elsewhere = os.environ.get("SPARK_REMOTE") or os.environ.get("PYSPARK_GATEWAY_PORT") or active()
    if elsewhere or any(program.exists() for _, program in java.candidates()):
        return None
    return "no Java was found"


def installed(package: str) -> bool:
    """Whether a package can be imported; does not import it."""
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def pyspark_version() -> str | None:
    """The version of the PySpark that is installed, ``None`` where it does not say; does not import it."""
    for package in ("pyspark", "pyspark-client", "databricks-connect"):
        with suppress(metadata.PackageNotFoundError):
            return metadata.version(package)
    return None


def describe(session: SparkSession) -> dict[str, Any]:
    """Version, master, kind (``classic`` or ``connect``) and parallelism; ``None`` for what a session does not tell.

    Runs one small job where a session does not tell its parallelism otherwise.
    """
    kind = "connect" if _is_connect(session) else "classic"
    return {"version": session.version, "master": _master(session), "kind": kind, "parallelism": _parallelism(session)}


def last_words() -> str | None:
    """The last useful line that the JVM of our session printed, for an error that is to say why it died."""
    started = _Ours.started
    return jvm.last_words(started.scratch) if started and started.scratch else None


def stop() -> None:
    """Ends the session that lawful started, its JVM and its files; does nothing to any other."""
    with _Ours.lock:
        started, _Ours.started = _Ours.started, None
        if started is not None and _Ours.pid == os.getpid():
            started.close()


def _start(
    master: str | None, workers: int | None, memory: str | int | None, app_name: str, conf: Mapping[str, str]
) -> tuple[SparkSession, bool]:
    remote = os.environ.get("SPARK_REMOTE") if master is None else master if master.startswith("sc://") else None
    if remote and not settings.is_local(remote):
        return _keep(Started(connect(remote, conf)))
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    if "PYSPARK_GATEWAY_PORT" in os.environ or SparkContext._active_spark_context is not None:
        return SparkSession.builder.getOrCreate(), False
    where = settings.chosen_master(master or remote, workers, settings.user_defaults())
    return _keep(own(where, memory, app_name, conf, through_connect=remote is not None))


def _keep(started: Started) -> tuple[SparkSession, bool]:
    _Ours.started, _Ours.pid = started, os.getpid()
    atexit.unregister(stop)
    atexit.register(stop)
    return started.session, True


def _require_pyspark() -> None:
    """``MissingError`` unless a PySpark that is new enough can be imported."""
    try:
        import pyspark
    except ImportError as error:
        raise MissingError(f"PySpark is not installed in {sys.executable}.", hint=INSTALL) from error
    if numbers(pyspark.__version__) < OLDEST:
        raise MissingError(f"PySpark {pyspark.__version__} is older than 4.0.", hint=INSTALL)
    warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)


def numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version: ``(4, 3)`` of ``4.3.0``."""
    return tuple(int(n) for n in re.findall(r"\d+", version)[:2])


def _require_master(found: SparkSession, master: str | None) -> None:
    """A session that runs elsewhere than asked for is neither used nor stopped."""
    runs_on = "Connect" if _is_connect(found) else _master(found) or ""
    wanted = "Connect" if master and master.startswith("sc://") else master
    if wanted is None or settings.with_attempts(wanted) == settings.with_attempts(runs_on):
        return
    raise OptionError(
        f"The master is to be {master}, but this process has an active Spark session on {runs_on}.",
        hint="Leave the master out to use that session, or stop it first.",
    )


def _is_connect(session: SparkSession) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect")


def _master(session: SparkSession) -> str | None:
    with suppress(Exception):
        return str(session.conf.get("spark.master") if _is_connect(session) else session.sparkContext.master)
    return None


def _parallelism(session: SparkSession) -> int | None:
    """The default number of partitions; where a session does not say it, that of a small range of numbers."""
    with suppress(Exception):
        if not _is_connect(session):
            return int(session.sparkContext.defaultParallelism)
    with suppress(Exception):
        parts = session.range(1 << 16).selectExpr("spark_partition_id() AS part").agg({"part": "max"}).collect()
        return int(parts[0][0]) + 1
    return None
