"""The story of the hospitals: the errors planted are the errors found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import lawful as lw
from tests.house.tree import ROOT


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.delitem(sys.modules, "hospital", raising=False)
    import hospital  # type: ignore[import-not-found]

    return hospital


def test_the_story(example: Any, tmp_path: Path) -> None:
    text = "\n".join(example.story(tmp_path))
    assert "480 rows of 60 hospitals, 24 cells spoiled" in text
    assert "Without exceptions 5 fds between two columns hold" in text
    assert "28 do. In the order of interest:\n  city -> county  error 0.0104" in text
    assert "9 accepted as laws, 19 rejected" in text
    assert "Check: 7 of 9 laws are broken" in text
    assert "zip -> county: 624 pairs; mended by removing 5 rows, no fewer would do" in text
    assert "row 25 says ('35957', 'Boaz'), row 158 ('35957', 'Bxaz')" in text
    assert "row 19, condition: Heart faxlure → Heart failure" in text
    assert "24 of 24 errors recovered, 0 proposals wrong" in text
    assert "Afterwards 0 laws are broken; the table is what it was before" in text
    assert (tmp_path / "rules.yaml").read_text().count('status: "accepted"') == 9


def laws_checked(table: Any, example: Any) -> lw.CheckResult:
    return lw.check(table, list(example.LAWS), engine="local")


def test_a_clean_table_breaks_no_law(example: Any) -> None:
    clean = example.hospitals()
    result = laws_checked(clean, example)
    assert (result.violated, example.proposed(clean, result)) == ((), set())


@pytest.mark.parametrize("seed", range(3, 8))
def test_other_errors_are_found_too(example: Any, seed: int) -> None:
    clean = example.hospitals()
    dirty, right = example.spoiled(clean, errors=20, seed=seed)
    cells = example.proposed(dirty, laws_checked(dirty, example))
    assert cells == set(right)
    assert example.mended(dirty, cells) == clean


def test_an_error_in_a_score_is_not_found(example: Any) -> None:
    clean = example.hospitals()
    wrong = example.mended(clean, [example.Cell(7, "score", 999)])
    assert wrong != clean
    assert laws_checked(wrong, example).violated == ()
