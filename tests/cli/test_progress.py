"""What long work shows: nothing at first, then what fits the reader."""

from __future__ import annotations

import io
import logging
import sys
import time
from types import ModuleType

import pytest

from lawful.cli import logs, progress
from lawful.cli.progress import Progress, described
from lawful.cli.screen import Screen
from lawful.progress import Step


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "ANNOUNCED_AFTER", 0.0)
    monkeypatch.setattr(progress, "SHOWN_AFTER", 0.0)
    monkeypatch.setattr(progress, "_GLANCE", 0.01)


def watched(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch, *steps: Step, quiet: bool = False) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    with Progress(Screen(quiet=quiet)) as listener:
        for step in steps:
            listener(step)
        time.sleep(0.3)
    return stream.getvalue()


STEP = Step("encoding", 3, 1200, {"column": "[red]x[/red]\x1b"})


def test_a_step_in_words() -> None:
    assert described(STEP) == r"encoding 3 of 1,200 (column [red]x[/red]\x1b)"
    assert described(Step("thinking")) == "thinking"


def test_a_bar_where_a_person_looks_on(soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert r"encoding 3 of 1,200 (column [red]x[/red]\x1b)" in watched(Terminal(), monkeypatch, STEP)
    assert watched(Terminal(), monkeypatch, STEP, quiet=True) == ""


def test_nothing_in_a_file_nor_at_first(soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(io.StringIO(), monkeypatch, STEP) == ""
    monkeypatch.setattr(progress, "SHOWN_AFTER", 60.0)
    assert watched(Terminal(), monkeypatch, STEP) == ""


def test_spark_is_announced_once_while_it_starts(soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pyspark", raising=False)
    assert watched(io.StringIO(), monkeypatch) == ""
    monkeypatch.setitem(sys.modules, "pyspark", ModuleType("pyspark"))
    assert watched(io.StringIO(), monkeypatch) == "starting Spark …\n"
    assert watched(io.StringIO(), monkeypatch, STEP) == ""
    assert watched(io.StringIO(), monkeypatch, quiet=True) == ""


def test_lines_with_v(soon: None, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    logs.begin(1)
    try:
        said = watched(stream, monkeypatch, STEP, STEP, Step("merging", 0, 2))
    finally:
        logs.begin(0)
    lines = [line.split(": ", 1)[1] for line in said.splitlines()]
    assert lines == [described(STEP), "merging 0 of 2"]
    assert logging.getLogger("lawful").handlers == []
