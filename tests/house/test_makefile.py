"""The Makefile explains itself and finds a Python that works."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.house.tree import ROOT

EXPECTED = set("setup demo test check fast spark golden nightly bench bench-smoke docs clean".split())


def fake(folder: Path, name: str, code: int) -> None:
    """A command that does nothing but end with ``code``."""
    path = folder / name
    path.write_text(f"#!/bin/sh\nexit {code}\n")
    path.chmod(0o755)


def found(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the search for a Python says when ``folder`` is all there is."""
    command = ["/bin/sh", str(ROOT / ".ci/find-python")]
    return subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True)


def test_make_lists_every_explained_target() -> None:
    listed = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = set(re.findall(r"^  make (\S+) +\S", listed.stdout, re.M))
    assert names >= EXPECTED
    assert names <= set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))


def test_a_python_that_fails_is_passed_over(tmp_path: Path) -> None:
    fake(tmp_path, "python3.13", 127)
    fake(tmp_path, "python3.12", 1)
    fake(tmp_path, "python3", 0)
    assert found(tmp_path).stdout == f"{tmp_path}/python3\n"


def test_no_python_is_said_with_what_to_do(tmp_path: Path) -> None:
    done = found(tmp_path)
    assert done.returncode == 1
    assert "Install one" in done.stderr
