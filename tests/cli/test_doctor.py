"""`lawful doctor`: findings as text and as data, and the exit code they give."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import psutil
import pytest

from lawful.engine.doctor import Finding
from tests.cli.conftest import Run, Spawn, ended

WELL = (Finding("Python", True, "3.11"), Finding("PySpark", None, "not installed", "pip install x"))
ILL = (*WELL, Finding("memory", False, "[red]none[/red]\x1b[1m", "Buy some."))


@pytest.fixture
def findings(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Lets the examination find nothing wrong; holds whether each one was to start Spark."""
    asked: list[bool] = []

    def examine(start_spark: bool = True) -> tuple[Finding, ...]:
        asked.append(start_spark)
        return WELL

    monkeypatch.setattr("lawful.engine.doctor.examine", examine)
    return asked


def test_all_well(lawful: Run, findings: list[bool]) -> None:
    said = lawful("doctor")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines()[0].split() == ["ok", "Python", "3.11"]
    assert said.out.endswith("\nAll that is needed works.\n")
    assert findings == [True]


def test_without_spark(lawful: Run, findings: list[bool]) -> None:
    said = lawful("doctor", "--no-spark", "--json")
    assert findings == [False]
    assert said.json["ok"] is True
    assert said.json["findings"][1] == {
        "name": "PySpark",
        "ok": None,
        "detail": "not installed",
        "fix": "pip install x",
    }


def test_something_is_wrong(lawful: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.engine.doctor.examine", lambda start_spark: ILL)
    said = lawful("doctor")
    assert said.code == 2
    assert r"bad  memory   [red]none[/red]\x1b[1m" in said.out
    assert "Buy some." in said.out and said.out.endswith("To mend: memory.\n")
    assert lawful("doctor", "--json").json["ok"] is False


def test_this_very_machine(lawful: Run) -> None:
    names = [finding["name"] for finding in lawful("doctor", "--no-spark", "--json").json["findings"]]
    assert {"Python", "memory", "kernels"} <= set(names) and "Spark" not in names


@pytest.mark.spark
def test_ctrl_c_while_spark_starts(spawn: Spawn, temporary: Path) -> None:
    process = spawn("doctor")
    assert process.stderr is not None
    assert process.stderr.readline() == "starting Spark …\n"
    time.sleep(1)
    ours = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    said = ended(process)
    assert (said.code, said.out, said.err) == (130, "", "interrupted\n")
    assert not psutil.wait_procs(ours, timeout=10)[1]
    assert list(temporary.glob("lawful-*")) == []
