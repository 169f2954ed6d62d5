"""Threads of this process: their number, and what an interrupt leaves behind."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from lawful.engine import LocalEngine
from lawful.engine.local import usable_cores
from lawful.errors import JobError, OptionError
from tests.engines.conftest import Small
from tests.engines.jobs import Concurrent, Failing, Sleeping


def test_workers_default_to_the_cores() -> None:
    assert LocalEngine().parallelism == usable_cores() >= 1
    assert LocalEngine(3).parallelism == 3
    assert LocalEngine().name == "local"


@pytest.mark.parametrize("workers", [0, -2])
def test_no_workers_is_refused(workers: int) -> None:
    with pytest.raises(OptionError, match=f"workers is {workers}"):
        LocalEngine(workers)


def test_one_worker_needs_no_thread(table: Small) -> None:
    before = threading.active_count()
    with LocalEngine(1) as engine:
        assert engine.reduce(Failing(on=-1), engine.share(table), range(5)) == frozenset(range(5))
        assert threading.active_count() == before


def test_workers_bound_what_runs_at_once(table: Small, tmp_path: Path) -> None:
    with LocalEngine(3) as engine:
        seen = engine.reduce(Concurrent(str(tmp_path)), engine.share(table), range(24))
    assert 2 <= max(seen) <= 3


def test_an_interrupt_passes_at_once_and_close_leaves_nothing(table: Small, tmp_path: Path) -> None:
    """The running units hear of the end by a file; those that were waiting never start."""
    engine = LocalEngine(2)
    shared = engine.share(table)
    with pytest.raises(KeyboardInterrupt):
        interrupt_when(tmp_path, 2)
        list(engine.stream(Sleeping(str(tmp_path)), shared, range(50)))
    (tmp_path / "enough").touch()
    engine.close()
    started = {path.name for path in tmp_path.glob("start-*")}
    assert started == {"start-0", "start-1"}
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("lawful")]


def test_after_a_failure_nothing_new_starts(table: Small) -> None:
    with LocalEngine(2) as engine:
        pulled = []

        def units():  # type: ignore[no-untyped-def]
            for number in range(10_000):
                pulled.append(number)
                yield number

        with pytest.raises(JobError):
            engine.reduce(Failing(on=3), engine.share(table), units())
        assert len(pulled) < 50


def interrupt_when(folder: Path, started: int) -> None:
    """Press Ctrl-C as soon as so many units have left their file."""

    def press() -> None:
        give_up = time.monotonic() + 60
        while len(list(folder.glob("start-*"))) < started and time.monotonic() < give_up:
            time.sleep(0.02)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
