"""The examples of the page about checking do what they show."""

from __future__ import annotations

import pytest

from tests.house.test_readme import failures
from tests.house.tree import ROOT


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    text = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    assert text.count(">>> ") > 10
    assert failures(text) == ""
