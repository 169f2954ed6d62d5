"""Programs that carry out exports: a Postgres of the tests' own, and dbt where it is installed."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

Ask: TypeAlias = Callable[[str], str]

DBT = "import sys; from dbt.cli.main import dbtRunner; sys.exit(not dbtRunner().invoke(sys.argv[1:]).success)"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Ask]:
    """Runs a script on Postgres and gives what it prints: on the database that LAWFUL_POSTGRES names, else on a
    cluster made for the tests, which listens on a socket of its own alone and is removed with them."""
    given, psql = os.environ.get("LAWFUL_POSTGRES"), shutil.which("psql")
    if given:
        yield lambda script: _asked(psql or "psql", given, script)
        return
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = shutil.which("initdb") or (str(programs[-1]) if programs else None)
    if initdb is None or psql is None:
        pytest.skip("Postgres is not installed, and LAWFUL_POSTGRES names no database")
    with _cluster(Path(initdb).parent) as address:
        yield lambda script: _asked(psql, address, script)


class _cluster:
    """A cluster in a folder of its own; as another user where this one is root, whom Postgres refuses."""

    def __init__(self, programs: Path) -> None:
        self._programs = programs
        self._folder = Path(tempfile.mkdtemp(prefix="lawful-pg-", dir="/tmp"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = next(name for name in ("postgres", "nobody") if _known(name))
            shutil.chown(self._folder, user)
            self._as = {"user": user, "group": pwd.getpwnam(user).pw_gid, "extra_groups": []}

    def __enter__(self) -> str:
        self._run("initdb", "--auth=trust", "--username=lawful", "--encoding=UTF8", "--locale=C", "--no-sync")
        settings = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c fsync=off"
        self._run("pg_ctl", "start", "--wait", "--log", str(self._folder / "log"), "--options", settings)
        return f"postgresql:///postgres?host={self._folder}&user=lawful"

    def __exit__(self, *raised: object) -> None:
        self._run("pg_ctl", "stop", "--mode=immediate")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self._programs / program), "-D", str(self._folder / "data"), *words]
        # Its output goes to a file: the server would keep a pipe open.
        with open(os.devnull, "rb") as nothing, tempfile.TemporaryFile("w+") as said:
            code = subprocess.run(
                command, stdin=nothing, stdout=said, stderr=said, cwd="/", timeout=120, **self._as
            ).returncode
            said.seek(0)
            assert code == 0, said.read()


def _known(user: str) -> bool:
    return any(entry.pw_name == user for entry in pwd.getpwall())


def _asked(psql: str, address: str, script: str) -> str:
    command = [psql, "-XqAt", "-v", "ON_ERROR_STOP=1", address]
    done = subprocess.run(command, input=script, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def dbt() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs dbt in a folder: the program that LAWFUL_DBT names, else the one of this environment. It is a process of
    its own, so that its environment may be another one: what it depends on fits no linter of ours."""
    program = os.environ.get("LAWFUL_DBT")
    if not program and importlib.util.find_spec("dbt") is None:
        pytest.skip("dbt is not installed, and LAWFUL_DBT names no program")
    command = [program] if program else [sys.executable, "-c", DBT]
    quiet = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}

    def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        words = (*words, "--profiles-dir", ".", "--no-partial-parse")
        return subprocess.run([*command, *words], cwd=folder, env=quiet, capture_output=True, text=True, timeout=200)

    return run
