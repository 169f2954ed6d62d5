"""`lawful report` and `discover --report`: where the page goes, what it takes, and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.report.pages import one
from tests.report.test_page import data


def test_commands(lawful: Run, table: Path) -> None:
    assert lawful("discover", "table.csv", "--kinds", "od,key", "-o", "r.jsonl", "--report", "one.html").code == 0
    said = lawful("report", "r.jsonl", "table.csv", "-o", "two.html")
    assert said.code == 0 and said.out == "" and said.err.endswith("rules are in two.html\n")
    one, two = (data(Path(name).read_text()) for name in ("one.html", "two.html"))
    assert one == two and one["columns"][0]["distinct"] == 4
    assert lawful("report", "r.jsonl", "-o", "three.html").code == 0
    assert "distinct" not in data(Path("three.html").read_text())["columns"][0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("r.jsonl",), "The page's name is missing"),
        (("r.jsonl", "-o", "r.jsonl"), "which is the table"),
        (("r.jsonl", "-o", "absent/x.html"), "cannot be written"),
        (("r.jsonl", "absent.csv", "-o", "x.html"), "There is no file 'absent.csv'"),
    ],
)
def test_misuse(lawful: Run, elsewhere: Path, words: tuple[str, ...], message: str) -> None:
    one("a -> b").save("r.jsonl")
    said = lawful("report", *words)
    assert (said.code, said.out) == (2, "") and message in said.err and "Traceback" not in said.err
    assert not Path("x.html").exists()
