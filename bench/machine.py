"""What a figure depends on besides the code: the machine, the versions, the commit. No host name, no path."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from bench.files import DATA, ROOT
from bench.measure import memcpy_rate

PACKAGES = ("lawful", "numpy", "pyarrow", "numba", "pandas", "pyspark", "desbordante", "duckdb", "polars")


def machine() -> dict[str, Any]:
    """Processor, cores that this process may use, memory, system, and bytes a second that memcpy reaches."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_bytes": psutil.virtual_memory().total,
        "system": f"{platform.system()} {platform.machine()}",
        "memcpy_bytes_per_s": round(memcpy_rate()),
    }


def versions() -> dict[str, str | None]:
    """Python and every package that takes part; None where it is not installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    return found


def code() -> dict[str, Any]:
    """The commit, and whether the tree differs from it (what benchmarks write themselves does not count)."""
    commit = _git("rev-parse", "--short=10", "HEAD")
    status = _git("status", "--porcelain", "--", ".", ":!bench/history", ":!docs/benchmarks.md", ":!docs/benchmarks")
    return {"commit": commit or "none", "dirty": status != ""}


def without_paths(text: str) -> str:
    """A message fit for a record: places of this machine are named by what they are."""
    public = os.environ.get("LAWFUL_BENCH_DATA") or str(DATA)
    for place, name in ((public, "DATA"), (str(DATA), "bench/data"), (str(ROOT), "."), (str(Path.home()), "~")):
        text = text.replace(place.rstrip("/") + "/", name + "/")
    return text


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or "unknown")


def _git(*arguments: str) -> str | None:
    """What git prints, or None where there is no git, no repository or no commit."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None
