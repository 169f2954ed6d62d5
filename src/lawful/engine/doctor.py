"""What this machine offers to lawful, as data: one finding a line, with a fix for whatever is wrong.

Checks never raise: a check that fails in an unforeseen way is a finding as well. Without Spark all of them take about
a second; starting Spark and running one small job on it takes some ten more.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, TypeAlias

import psutil

from lawful.engine.spark import session as sessions
from lawful.engine.spark.java import find_java
from lawful.engine.spark.settings import machine_memory
from lawful.errors import LawfulError
from lawful.ranks.scratch import scratch_folder

OLDEST_PYTHON = (3, 11)
_GIB = 1 << 30
_SPARK = 'pip install "lawful[spark]"'
_SIGNS = "→ ≤ ≥ × … ✓"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: ``ok`` is ``None`` where it is neither good nor bad, ``fix`` is one line to act on."""

    name: str
    ok: bool | None
    detail: str
    fix: str | None = None


Check: TypeAlias = Callable[[], Iterable[Finding]]


def examine(start_spark: bool = True) -> tuple[Finding, ...]:
    """All findings, in the order in which one thing needs another; ``start_spark`` runs a small job on Spark too."""
    checks = (*CHECKS, *((("Spark", _spark),) if start_spark else ()))
    return tuple(finding for name, check in checks for finding in _safely(name, check))


def _safely(name: str, check: Check) -> tuple[Finding, ...]:
    found: list[Finding] = []
    try:
        found.extend(check())
    except LawfulError as error:
        found.append(Finding(name, False, error.message, error.hint))
    except Exception as error:
        text = " ".join(str(error).split())[:300]
        found.append(Finding(name, False, f"the check failed: {type(error).__name__}: {text}", "Report this line."))
    return tuple(found)


def _python() -> Iterator[Finding]:
    new_enough = sys.version_info >= OLDEST_PYTHON
    detail = f"{platform.python_version()}, {sys.executable}"
    yield Finding("Python", new_enough, detail, None if new_enough else "Install Python 3.11 or newer.")
    yield Finding("lawful", True, f"{_lawful()}, {Path(__file__).parent.parent}")
    yield Finding("system", True, f"{platform.system()} {platform.release()}, {platform.machine()}")


def _lawful() -> str:
    return _version("lawful") or "not installed as a package"  # as in a zip sent along with --py-files


def _resources() -> Iterator[Finding]:
    total, free = machine_memory(), psutil.virtual_memory().available
    roomy = min(total, free) >= _GIB
    yield Finding("cores", True, str(_cores()))
    detail = f"{_gib(total)}, {_gib(min(total, free))} free"
    yield Finding("memory", roomy, detail, None if roomy else "Close other programs, or use --limit-rows.")


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _gib(size: int) -> str:
    return f"{size / _GIB:.1f} GiB"


def _scratch() -> Iterator[Finding]:
    """The folder for large intermediate data: whether one can write there, and how much."""
    fix = "Set LAWFUL_SCRATCH to a folder of your own with room."
    try:
        folder = scratch_folder()
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"lawful")
    except OSError as error:
        yield Finding("scratch folder", False, f"cannot be written: {error}", fix)
        return
    free = shutil.disk_usage(folder).free
    yield Finding("scratch folder", free >= _GIB, f"{folder}, {_gib(free)} free", None if free >= _GIB else fix)


def _packages() -> Iterator[Finding]:
    for package in ("numpy", "pyarrow", "numba"):
        version = _version(package)
        fix = None if version else f"pip install {package}"
        yield Finding(package, version is not None, version or "not installed", fix)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _kernels() -> Iterator[Finding]:
    from lawful.kernels import probe

    begun = time.monotonic()
    right = probe.compiles()
    detail = f"compiled and ran in {time.monotonic() - begun:.1f} s" if right else "a compiled sum came out wrong"
    yield Finding("kernels", right, detail, None if right else "pip install --force-reinstall numba")
    folder = probe.cache_folder()
    kept = os.access(folder, os.W_OK)
    fix = None if kept else "Set NUMBA_CACHE_DIR to a folder that you can write to."
    yield Finding("kernel cache", kept, folder if kept else f"{folder} cannot be written", fix)


def _pyspark() -> Iterator[Finding]:
    version = sessions.pyspark_version()
    if not sessions.installed("pyspark"):
        yield Finding("PySpark", None, "not installed; lawful works in this process", _SPARK)
        return
    old = version is not None and sessions.numbers(version) < sessions.OLDEST
    yield Finding("PySpark", not old, version or "installed, version unknown", _SPARK if old else None)
    pandas = _version("pandas")
    yield Finding(
        "pandas", pandas is not None, pandas or "not installed, and PySpark needs it", None if pandas else _SPARK
    )


def _java() -> Iterator[Finding]:
    try:
        java = find_java()
    except LawfulError as error:
        needed = sessions.installed("pyspark") and not os.environ.get("SPARK_REMOTE")
        yield Finding("Java", False if needed else None, error.message, error.hint)
        return
    yield Finding("Java", True, f"{java.version}, {java.home}, from {java.origin}")
    for reason in java.passed_over:
        yield Finding("Java passed over", None, reason, "Set JAVA_HOME to a Java 17 or newer, or unset it.")


def _terminal() -> Iterator[Finding]:
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    try:
        _SIGNS.encode(encoding)
        yield Finding("terminal", True, encoding)
    except (LookupError, UnicodeEncodeError):
        yield Finding(
            "terminal", False, f"{encoding} cannot show the arrows and signs of rules", "Set PYTHONIOENCODING=utf-8."
        )


CHECKS: tuple[tuple[str, Check], ...] = (
    ("Python", _python),
    ("memory", _resources),
    ("scratch folder", _scratch),
    ("packages", _packages),
    ("kernels", _kernels),
    ("PySpark", _pyspark),
    ("Java", _java),
    ("terminal", _terminal),
)
"""Each check with the name that a failure of the check itself goes by."""


def _spark() -> Iterator[Finding]:
    """A real job: starts or finds a session, and sends one row through a Python worker and Arrow."""
    reason = sessions.available()
    if reason is not None:
        yield Finding("Spark", None, f"not started: {reason}")
        return
    before, begun = sessions.active(), time.monotonic()
    session, _ = sessions.session()
    try:
        about = sessions.describe(session)
        came_up = time.monotonic() - begun
        what = f"{about['version']} on {about['master']}, {about['parallelism']} tasks at once"
        yield Finding("Spark", True, f"{what}, {'found' if before else 'started'} in {came_up:.1f} s")
        yield _worker(session)
    finally:
        if before is None:
            sessions.stop()


def _worker(session: Any) -> Finding:
    begun = time.monotonic()
    row = session.range(0, 1, 1, 1).mapInArrow(_about_worker, "python string, lawful string").collect()[0]
    theirs, ours = (row["python"], row["lawful"]), (platform.python_version(), _lawful())
    detail = f"Python {theirs[0]} with lawful {theirs[1]}, answered in {time.monotonic() - begun:.1f} s"
    fix = f"Give the workers Python {ours[0]} and lawful {ours[1]}." if theirs != ours else None
    return Finding("Spark worker", theirs == ours, detail, fix)


def _about_worker(batches: Iterable[Any]) -> Iterator[Any]:
    """Runs in a worker: one row with its Python and its lawful."""
    import pyarrow as pa

    for _ in batches:
        yield pa.RecordBatch.from_pydict({"python": [platform.python_version()], "lawful": [_lawful()]})
