"""The examples of the page about states do what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.test_readme import failures
from tests.house.tree import ROOT


def test_its_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    page = (ROOT / "docs" / "state.md").read_text(encoding="utf-8")
    assert ">>> " in page and failures(page) == ""
