"""``lawful agree``: counts on the screen and as data."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_sets_as_data(lawful: Run, table: Path) -> None:
    said = lawful("agree", str(table), "--json")
    assert said.code == 0 and said.json["rows"] == 4 and said.json["pairs"] == 6
    assert {tuple(s["columns"]): s["pairs"] for s in said.json["agree_sets"]} == {("year",): 5, ("year", "zip"): 1}


def test_sets_on_the_screen(lawful: Run, table: Path) -> None:
    said = lawful("agree", str(table))
    assert said.code == 0
    assert "5  year\n" in said.out and "1  year, zip\n" in said.out
    assert said.out.endswith("4 rows, 6 pairs: 2 distinct agree sets\n")


def test_a_single_row_has_no_pairs(lawful: Run, table: Path) -> None:
    said = lawful("agree", str(table), "--limit-rows", "1")
    assert said.out == "1 rows, 0 pairs: 0 distinct agree sets\n"


def test_unknown_nulls_are_refused(lawful: Run, table: Path) -> None:
    said = lawful("agree", str(table), "--nulls", "unknown")
    assert said.code == 2 and "hint: Set nulls" in said.err
