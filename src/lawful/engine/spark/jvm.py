"""The Java process behind a session that lawful starts: quiet, out of reach of Ctrl-C, and gone when we are.

Everything the process prints goes to a log in the scratch folder, for a JVM greets with a page of warnings that mean
nothing. It runs in a process session of its own, so that a Ctrl-C reaches Python alone, which then ends the JVM
in good order. It ends by itself when this process dies, since it reads from a pipe that we hold.
"""

from __future__ import annotations

import os
import re
import signal
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Any

import psutil

from lawful.errors import MissingError

START_SECONDS = 180.0
STOP_SECONDS = 15.0
_TAIL = 1 << 16
_SECRET = re.compile(r"secret|password|token|access\.?key|credential", re.IGNORECASE)
_NOISE = re.compile(
    r"""^\s*$ | ^\s*at\s | ^\s*\.\.\.\s\d+\smore | WARN(ING)?\b | ^Using\sSpark's | ^Setting\s.*log\slevel
    | ^To\sadjust\slogging | ^Picked\sup\s | ^Error:\sCould\snot\screate\sthe\sJava | ^Error:\sA\sfatal\sexception
    | \bINFO\b""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Jvm:
    """A running JVM: ``gateway`` is PySpark's line to it, ``scratch`` its folder, with ``jvm.log`` in it."""

    gateway: Any
    scratch: Path

    @property
    def process(self) -> Popen[bytes]:
        """The process itself, which leads a process session of its own."""
        process: Popen[bytes] = self.gateway.proc
        return process

    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.poll() is None

    def close(self) -> None:
        """Ends the process, by force where it does not end by itself within ``STOP_SECONDS``."""
        with suppress(Exception):
            self.gateway.shutdown()
        with suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            self.process.wait(STOP_SECONDS)
        except (TimeoutExpired, KeyboardInterrupt):
            _kill(self.process.pid)
            self.process.wait(STOP_SECONDS)


def launch(settings: Mapping[str, str], scratch: Path) -> Jvm:
    """Starts a JVM for these settings; ``MissingError`` with its last useful words where it does not come up."""
    started: Future[Any] = Future()
    threading.Thread(target=_launch, args=(settings, scratch, started), name="lawful-jvm-start", daemon=True).start()
    try:
        return Jvm(started.result(START_SECONDS), scratch)
    except BaseException as error:
        _kill_started(scratch)
        started.add_done_callback(_discard)
        if not isinstance(error, Exception):
            raise
        slow = isinstance(error, TimeoutError)
        said = last_words(scratch) or (f"it did not answer within {START_SECONDS:g} seconds" if slow else str(error))
        raise MissingError(
            f"Spark's Java process did not start: {said}",
            hint="Run `lawful doctor` to see which part is at fault, or use the local engine.",
        ) from error


def _launch(settings: Mapping[str, str], scratch: Path, started: Future[Any]) -> None:
    """Runs in a thread, so that Ctrl-C and the time limit find the main thread free to act."""
    from pyspark import SparkConf
    from pyspark.java_gateway import launch_gateway

    from lawful.engine.spark.line import steady

    try:
        conf = SparkConf(loadDefaults=False)
        conf.setAll([(key, value) for key, value in settings.items() if not is_secret(key)])
        conf.set("spark.lawful.scratch", str(scratch))  # marks the process as ours, see _kill_started
        with (scratch / "jvm.log").open("ab") as log:
            gateway = launch_gateway(conf, {"stdout": log, "stderr": log, "start_new_session": True})
        steady(gateway)
        started.set_result(gateway)
    except BaseException as error:
        started.set_exception(error)


def is_secret(key: str) -> bool:
    """Whether a setting must not stand on a command line, where every user of the machine can read it."""
    return bool(_SECRET.search(key))


def last_words(scratch: Path) -> str | None:
    """The last line of the JVM's log that is neither a stack frame nor a warning."""
    try:
        lines = (scratch / "jvm.log").read_bytes()[-_TAIL:].decode(errors="replace").splitlines()
    except OSError:
        return None
    return next((line.strip() for line in reversed(lines) if not _NOISE.search(line)), None)


def _discard(started: Future[Any]) -> None:
    """Kills a JVM that came up after nobody waited for it any more."""
    if started.exception() is None:
        _kill(started.result().proc.pid)


def _kill_started(scratch: Path) -> None:
    """Kills what was started for this scratch folder and never came up."""
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            if any(str(scratch) in word for word in child.cmdline()):
                _kill(child.pid)


def _kill(pid: int) -> None:
    """Kills a JVM with the workers in its process session."""
    with suppress(psutil.Error):
        for child in psutil.Process(pid).children(recursive=True):
            with suppress(psutil.Error):
                child.kill()
    with suppress(OSError):
        os.kill(pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
