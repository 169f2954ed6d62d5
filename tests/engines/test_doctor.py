"""What the doctor finds, on this machine and on worse ones."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from lawful.engine import doctor
from lawful.errors import MissingError
from tests.engines.test_session import BLOCKED, Run


def found(findings: tuple[doctor.Finding, ...]) -> dict[str, doctor.Finding]:
    return {finding.name: finding for finding in findings}


def test_without_starting_spark() -> None:
    findings = doctor.examine(start_spark=False)
    names = [finding.name for finding in findings if finding.name != "Java passed over"]
    assert names[:5] == ["Python", "lawful", "system", "cores", "memory"]
    assert {"scratch folder", "numpy", "pyarrow", "numba", "kernels", "kernel cache", "PySpark", "Java"} <= set(names)
    assert "Spark" not in names and len(set(names)) == len(names)
    assert all(finding.fix for finding in findings if finding.ok is False)
    assert all("\n" not in f"{finding.detail}{finding.fix}" for finding in findings)
    assert found(findings)["kernels"].ok is True
    assert found(findings)["Python"].detail.endswith(sys.executable)


def test_a_check_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[doctor.Finding]:
        raise ZeroDivisionError("by nought")

    def missing() -> list[doctor.Finding]:
        raise MissingError("no spanner", hint="Buy one.")

    monkeypatch.setattr(doctor, "CHECKS", (("one", broken), ("two", missing)))
    one, two = doctor.examine(start_spark=False)
    assert (one.name, one.ok) == ("one", False) and "ZeroDivisionError: by nought" in one.detail and one.fix
    assert two == doctor.Finding("two", False, "no spanner", "Buy one.")


def test_a_scratch_folder_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LAWFUL_SCRATCH", str(tmp_path / "file" / "scratch"))
    finding = found(doctor.examine(start_spark=False))["scratch folder"]
    assert finding.ok is False and "file/scratch" in finding.detail
    assert finding.fix and "LAWFUL_SCRATCH" in finding.fix


def test_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "machine_memory", lambda: 300 << 20)
    finding = found(doctor.examine(start_spark=False))["memory"]
    assert finding.ok is False and finding.detail.startswith("0.3 GiB") and finding.fix


@pytest.mark.parametrize(("encoding", "ok"), [("utf-8", True), ("ascii", False), ("latin-1", False)])
def test_the_terminal(encoding: str, ok: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
    findings = tuple(doctor._terminal())
    assert findings[0].ok is ok
    f"{findings[0].detail}{findings[0].fix}".encode("ascii")  # must be fit to print on that very terminal


def test_no_java(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_JAVA", "none")
    monkeypatch.setattr("lawful.engine.spark.session.active", lambda: None)  # another test may have left one
    findings = found(doctor.examine(start_spark=True))
    assert (
        findings["Java"].ok is False and findings["Java"].fix and 'pip install "lawful[java]"' in findings["Java"].fix
    )
    assert findings["Spark"].ok is None and "no Java was found" in findings["Spark"].detail


def test_no_pyspark(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        BLOCKED + "from lawful.engine.doctor import examine\n"
        "for finding in examine():\n"
        "    print(finding.name, finding.ok, finding.fix, sep='|')\n",
    )
    status, out, err = run.ended()
    assert (status, err) == (0, "")
    assert 'PySpark|None|pip install "lawful[spark]"' in out and "Spark|None|" in out and "|False|" not in out


@pytest.mark.spark
def test_spark_itself(tmp_path: Path) -> None:
    run = Run(
        tmp_path,
        """
        from lawful.engine.doctor import examine
        for finding in examine()[-2:]:
            print(finding.name, finding.ok, finding.detail, sep="|")
        assert sessions.active() is None, "what the doctor starts, it stops"
        """,
    )
    status, out, err = run.ended()
    assert (status, err) == (0, "")
    spark, worker = out.splitlines()
    assert spark.startswith("Spark|True|") and "started in" in spark
    assert worker.startswith("Spark worker|True|Python 3.")
    assert run.leaves_nothing()
