"""Commands in this process (`lawful`) and in one of their own (`Spawned`), both in process and in an empty folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from lawful.cli import main

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Said:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run: TypeAlias = Callable[..., Said]
Spawn: TypeAlias = Callable[..., subprocess.Popen[str]]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder without a configuration file, an environment without options but the engine, temporary files apart."""
    for name in [n for n in os.environ if n.startswith("LAWFUL_") and n != "LAWFUL_SCRATCH"]:
        monkeypatch.delenv(name)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lawful(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process."""

    def run(*words: str) -> Said:
        capsys.readouterr()
        code = main(list(words))
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture
def table(elsewhere: Path) -> Path:
    """Four rows: a key, a constant, a column with nulls, and one with a leading zero."""
    path = elsewhere / "table.csv"
    path.write_text("id,year,size,zip\n1,2024,S,01067\n2,2024,,04109\n3,2024,L,01067\n4,2024,M,20095\n")
    return path


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """The folder in which a spawned command makes its temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def spawn(temporary: Path) -> Iterator[Spawn]:
    """Starts a command in a process of its own, which is gone when the test is over."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, **options: Any) -> subprocess.Popen[str]:
        command = [sys.executable, *options.pop("program", ("-m", "lawful")), *words]
        environment = {**os.environ, "TMPDIR": str(temporary), **options.pop("env", {})}
        settings: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        # A job in the background of a shell has Ctrl-C ignored, and its children inherit that.
        process = subprocess.Popen(
            command, text=True, env=environment, preexec_fn=_with_default_signals, **(settings | options)
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def _with_default_signals() -> None:
    for number in ENDINGS:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


def ended(process: subprocess.Popen[str], seconds: float = 60) -> Said:
    """What a spawned command said until its end."""
    out, err = process.communicate(timeout=seconds)
    return Said(process.returncode, out or "", err or "")
