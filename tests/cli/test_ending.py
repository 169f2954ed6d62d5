"""Every way a command ends: its exit code, and what is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lawful.cli import signals
from lawful.errors import JobError, LimitError
from tests.cli.conftest import Run, Spawn, ended

DEAF = """
import atexit, time
from lawful.cli.signals import Watch
atexit.register(lambda: print("last call", flush=True))
with Watch():
    while True:
        try:
            print("in", flush=True)
            time.sleep(60)
        except KeyboardInterrupt:
            print("swallowed", flush=True)
"""


def until(there: Callable[[], object], seconds: float = 30) -> None:
    """Waits until something is so; fails where it never is."""
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "never came"
        time.sleep(0.02)


def fails(error: BaseException) -> Callable[..., object]:
    def fail(*_: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (LimitError("Memory: too much.", hint="Use less."), 3, "error: Memory: too much.\nhint: Use less.\n"),
        (MemoryError(), 3, "error: This machine's memory is used up.\n"),
        (JobError("The step failed.", hint="See."), 2, "error: The step failed.\nhint: See.\n"),
        (KeyboardInterrupt(), 130, "interrupted\n"),
        (signals.Interrupted(signal.SIGTERM), 143, "terminated\n"),
        (OSError(28, "No space left on device", "/t/x"), 2, "error: Cannot write or read '/t/x': No space left"),
        (ValueError("odd\x1b[31m"), 70, "error: ValueError: odd\\x1b[31m\nhint: This is a bug in lawful. Run again"),
    ],
)
def test_errors(lawful: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, message: str) -> None:
    monkeypatch.setattr("lawful.api.encode_with", fails(error))
    said = lawful("profile", "x.csv")
    assert (said.code, said.out) == (code, "")
    assert said.err.startswith(message)
    assert "Traceback" not in said.err


def test_a_bug_shows_its_trace_when_asked(lawful: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.api.encode_with", fails(ValueError("odd")))
    said = lawful("profile", "x.csv", "-v")
    assert said.code == 70
    assert "Traceback" in said.err and said.err.splitlines()[-2] == "error: ValueError: odd"


def test_handlers_are_as_before_afterwards(lawful: Run, table: Path) -> None:
    before = [signal.getsignal(number) for number in signals.SIGNALS]
    assert lawful("profile", "table.csv").code == 0
    assert [signal.getsignal(number) for number in signals.SIGNALS] == before


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [
        (signal.SIGINT, 130, "interrupted\n"),
        (signal.SIGTERM, 143, "terminated\n"),
        (signal.SIGHUP, 129, "terminated\n"),
    ],
)
def test_a_signal_while_standard_input_is_read(
    spawn: Spawn, temporary: Path, number: signal.Signals, code: int, message: str
) -> None:
    process = spawn("profile", "-", stdin=subprocess.PIPE)
    until(lambda: any(temporary.glob("lawful-stdin-*")))
    process.send_signal(number)
    process.wait(30)  # while its input is still open
    said = ended(process)
    assert (said.code, said.out, said.err) == (code, "", message)
    assert list(temporary.iterdir()) == []


def test_a_signal_while_a_library_waits_for_a_file(spawn: Spawn, elsewhere: Path) -> None:
    fifo = elsewhere / "slow.csv"
    os.mkfifo(fifo)
    process = spawn("profile", str(fifo))
    writer = None

    def opened() -> bool:
        nonlocal writer
        try:
            writer = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            assert process.poll() is None, process.communicate()
            return False
        return True

    until(opened)
    assert writer is not None
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    said = ended(process, 3 * signals.DEAF)
    os.close(writer)
    assert (said.code, said.out, said.err.strip()) == (130, "", "interrupted")


def test_a_second_signal_ends_what_does_not_listen(spawn: Spawn) -> None:
    process = spawn(program=("-c", DEAF))
    assert process.stdout is not None
    assert process.stdout.readline() == "in\n"
    process.send_signal(signal.SIGTERM)
    assert process.stdout.readline() == "swallowed\n"
    assert process.stdout.readline() == "in\n"
    process.send_signal(signal.SIGTERM)
    said = ended(process, 20)
    assert (said.code, said.out, said.err.strip()) == (143, "last call\n", "terminated")


def test_a_closed_pipe_ends_quietly(spawn: Spawn, elsewhere: Path) -> None:
    names = ",".join(f"column_{n}_{'x' * 500}" for n in range(400))
    (elsewhere / "wide.csv").write_text(f"{names}\n{','.join('1' * 400)}\n")
    for words in ((), ("--json",)):
        process = spawn("profile", "wide.csv", *words)
        assert process.stdout is not None
        assert process.stdout.read(20)
        process.stdout.close()
        assert process.stderr is not None
        assert (process.wait(60), process.stderr.read()) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_told(spawn: Spawn, table: Path) -> None:
    with open("/dev/full", "w") as full:
        said = ended(spawn("profile", "table.csv", "--json", stdout=full))
    assert said.code == 2
    assert said.err.startswith("error: The output cannot be written: No space left") and "Traceback" not in said.err
