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
    assert all(rule["b"]["s"] == "holds" and "g" in rule["x"] for rule in one["rules"]) and one["graph"]["edges"]
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


def test_the_page_of_a_search_that_ended_early_has_no_rows(lawful: Run, table: Path) -> None:
    said = lawful("discover", "table.csv", "--time-limit", "0.000001s", "--report", "page.html")
    assert said.code == 3
    assert all("b" not in rule and "x" not in rule for rule in data(Path("page.html").read_text())["rules"])


def test_rows_that_break_a_rule_are_on_the_page(lawful: Run, elsewhere: Path) -> None:
    (elsewhere / "pay.csv").write_text("zip,state\n" + "1,MA\n" * 9 + "1,RI\n" + "2,CA\n" * 5)
    words = ("--kinds", "fd", "--max-error", "0.1", "-o", "r.jsonl", "--report", "page.html")
    assert lawful("discover", "pay.csv", *words).code == 0
    (rule,) = (rule for rule in data(Path("page.html").read_text())["rules"] if rule["t"] == "zip -> state")
    assert rule["b"] == {"s": "tolerated", "p": 18, "r": 10, "m": 1, "g": False}
    assert rule["w"]["r"][0] == ["t", "pay.csv:1", "1", "MA"] and rule["w"]["r"][1] == ["u", "pay.csv:10", "1", "RI"]
    assert [group["n"] for group in rule["x"]["g"]] == [10, 5]
    assert rule["x"]["g"][0]["l"] == [[9, "1", "MA"], [1, "1", "RI"]]
