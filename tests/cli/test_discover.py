"""`lawful discover` for dcs and pods: what is shown, what is refused and in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.families import comparing
from tests.cli.conftest import Run


@pytest.fixture
def bookings(elsewhere: Path) -> str:
    (elsewhere / "bookings.csv").write_text("room,start,end\na,1,3\na,4,6\nb,2,5\nb,7,9\n")
    return "bookings.csv"


def test_rules_of_two_rows_are_shown(lawful: Run, bookings: str) -> None:
    said = lawful("discover", bookings, "--kinds", "dc,pod", "-q")
    assert said.code == 0
    assert "not(t.start <= u.start and t.end >= u.end)" in said.out
    assert "start<= => end<" in said.out
    assert "complete" in said.out


def test_columns_are_compared_on_request(lawful: Run, bookings: str) -> None:
    said = lawful("discover", bookings, "--kinds", "dc", "--cross-columns", "--share", "0", "--json", "-q")
    assert '["t.start", "=", "t.end"]' in said.out
    assert '"cross_columns": true, "share": 0.0' in said.out


@pytest.mark.parametrize(
    ("words", "problem", "hint"),
    [
        (("--kinds", "dc", "--share", "2"), "share is 2.0, not in 0 ≤ x ≤ 1", "usual 0.2"),
        (("--kinds", "dc", "--sample", "0"), "sample is 0, below 1", "usual 20"),
        (("--kinds", "dc", "--measure", "removal"), "kind dc have no error by removal", "measure pairs"),
        (("--kinds", "pod", "--nulls", "unknown"), "nulls='unknown' has no meaning for discovering", "first or last"),
        (("--kinds", "dc", "--resume"), "nothing to resume without a work folder", "--work-dir"),
        (("--kinds", "dc", "--resume", "--work-dir", "w"), "'w' holds no search to resume", "without --resume"),
    ],
)
def test_what_is_refused(lawful: Run, bookings: str, words: tuple[str, ...], problem: str, hint: str) -> None:
    said = lawful("discover", bookings, *words)
    assert said.code == 2
    assert problem in said.err and hint in said.err
    assert "Traceback" not in said.err and said.out == ""


def test_an_estimate_is_no_early_end(lawful: Run, bookings: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "FEW_PAIRS", 1)
    monkeypatch.setattr(comparing, "MOST_PAIRS", 1)
    refused = lawful("discover", bookings, "--kinds", "dc", "--max-error", "0.1")
    assert refused.code == 2 and "--estimate" in refused.err
    said = lawful("discover", bookings, "--kinds", "dc", "--max-error", "0.1", "--estimate")
    assert said.code == 0
    assert "until then" not in said.err
    assert "are estimates" in said.err and "errors are estimated" in said.out
