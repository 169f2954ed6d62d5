"""The settings of a Spark session that lawful starts itself; a session of somebody else's never sees them.

Whatever the user set comes first: the ``conf`` given, then ``PYSPARK_SUBMIT_ARGS``, then ``spark-defaults.conf``.

The session's time zone is UTC. Times without a zone have no gaps and no doubled hours there, so none is shifted and no
two fall together, and the same table gives the same rules on every machine.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import psutil

from lawful.errors import OptionError

ATTEMPTS = 4
"""How often a local session tries a task before it gives up; Spark's own default for ``local[*]`` is once."""

JAVA_OPTIONS = "spark.driver.extraJavaOptions"
_GIB = 1 << 30


def chosen_master(master: str | None, workers: int | None, defaults: Mapping[str, str]) -> str:
    """Where to run: what is asked for, else what the environment names, else this machine."""
    named = master or _submitted_master() or os.environ.get("MASTER") or defaults.get("spark.master")
    if named and (master or not workers or not is_local(named)):
        return with_attempts(named)
    return f"local[{workers or '*'},{ATTEMPTS}]"


def with_attempts(master: str) -> str:
    """``local[2]`` as ``local[2,4]``, so that a failed task is tried again; any other master as it is."""
    if master == "local":
        return f"local[1,{ATTEMPTS}]"
    return re.sub(r"^local\[\s*(\*|\d+)\s*\]$", rf"local[\1,{ATTEMPTS}]", master)


def is_local(master: str) -> bool:
    """Whether this master is a JVM on this machine that serves this process alone."""
    return master == "local" or master.startswith("local[")


def _submitted_master() -> str | None:
    words = shlex.split(os.environ.get("PYSPARK_SUBMIT_ARGS", ""))
    return next((after for word, after in pairwise(words) if word == "--master"), None)


def user_defaults() -> dict[str, str]:
    """The user's ``spark-defaults.conf``, empty where there is none."""
    folder = os.environ.get("SPARK_CONF_DIR") or _spark_home() / "conf"
    try:
        lines = Path(folder, "spark-defaults.conf").read_text(errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (re.split(r"\s*[=:]\s*|\s+", line.strip(), maxsplit=1) for line in lines)
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2 and not pair[0].startswith(("#", "!"))}


def _spark_home() -> Path:
    named = os.environ.get("SPARK_HOME")
    spec = None if named else importlib.util.find_spec("pyspark")
    return Path(named) if named else Path(spec.origin).parent if spec and spec.origin else Path()


def compose(
    master: str, memory: str | int | None, app_name: str, conf: Mapping[str, str], scratch: Path
) -> dict[str, str]:
    """All settings of a new session: ours where the user has none. ``scratch`` holds what it writes to disk."""
    defaults = user_defaults()
    given = {**defaults, **conf}
    ours = _anywhere(app_name) | (_on_this_machine(scratch) if is_local(master) else {})
    settings = {key: value for key, value in ours.items() if key not in defaults} | dict(conf)
    settings["spark.master"] = master
    if memory is not None:
        settings["spark.driver.memory"] = java_memory(memory)
    if is_local(master):
        settings[JAVA_OPTIONS] = f"{_java_options(scratch)} {given.get(JAVA_OPTIONS, '')}".strip()
    return settings


def _anywhere(app_name: str) -> dict[str, str]:
    return {
        "spark.app.name": app_name,
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.execution.arrow.pyspark.enabled": "true",
        "spark.python.worker.reuse": "true",
    }


def _on_this_machine(scratch: Path) -> dict[str, str]:
    """Loopback only, so that host names and VPNs do not matter; nothing is written outside ``scratch``."""
    return {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.local.dir": str(scratch),
        "spark.sql.warehouse.dir": (scratch / "warehouse").as_uri(),
        "spark.sql.shuffle.partitions": str(min(200, 8 * (os.cpu_count() or 1))),
        "spark.driver.memory": java_memory(min(max(machine_memory() // 4, _GIB), 16 * _GIB)),
    }


def _java_options(scratch: Path) -> str:
    """Keeps temporary files, crash reports and a metastore's log out of the current directory."""
    return " ".join(
        f'"{option}"'
        for option in (
            f"-Djava.io.tmpdir={scratch}",
            f"-Dderby.system.home={scratch}",
            f"-XX:ErrorFile={scratch}/crash.log",
            "-XX:-UsePerfData",
        )
    )


def java_memory(memory: str | int) -> str:
    """A heap size as Java reads it, from bytes or from a text such as ``2g``."""
    if isinstance(memory, int):
        return f"{max(memory >> 20, 1)}m"
    found = re.fullmatch(r"\s*(\d+)\s*([kmgt])i?b?\s*", memory.lower())
    if not found:
        raise OptionError(
            f"memory is {memory!r}, which is no size.", hint="Write a number and a unit, such as 2g or 512m."
        )
    return found[1] + found[2]


def machine_memory() -> int:
    """Bytes of memory that this process may use: the machine's, or the container's limit where that is lower."""
    total = int(psutil.virtual_memory().total)
    for limit in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            total = min(total, int(Path(limit).read_text()))
        except (OSError, ValueError):
            continue
    return total
