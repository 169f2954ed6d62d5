"""`lawful discover --update`: a review is written, and what people said in it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful import Review, parse
from lawful.errors import RuleFileError
from tests.cli.conftest import Run


@pytest.fixture
def pay(elsewhere: Path) -> Path:
    path = elsewhere / "pay.csv"
    path.write_text("zip,state,rate\n1,MA,5\n1,MA,5\n2,CA,7\n3,CA,7\n")
    return path


def test_a_review_is_made_and_kept(lawful: Run, pay: Path) -> None:
    said = lawful("discover", "pay.csv", "--kinds", "od,key", "--update", "rules.yaml")
    assert said.code == 0 and "rules.yaml: 7 rules (7 proposed), 7 of them new\n" in said.err
    text = Path("rules.yaml").read_text().replace('status: "proposed"', "status: accepted", 2)
    Path("rules.yaml").write_text(text.replace('note: ""', "note: NO"))
    pay.write_text(pay.read_text() + "3,MA,7\n")
    again = lawful("discover", "pay.csv", "--kinds", "od,key", "--update", "rules.yaml", "--json")
    review = Review.load("rules.yaml")
    accepted = [str(rule) for rule in review.rules if review.of(rule).status == "accepted"]
    assert len(accepted) == 2 and {review.of(rule).note for rule in review.rules} >= {"NO"}
    assert "reviewed but not found again" in again.err and again.out.startswith('{"lawful": 1')
    assert any(not review.of(rule).found for rule in review.rules)
    assert list(map(str, review.to_check())) == accepted
    assert lawful("ask", "rules.yaml", str(review.rules[0])).code == 0


def test_mistakes_are_told_before_the_search(lawful: Run, pay: Path) -> None:
    Path("bad.yaml").write_text("lawful: 1\n")
    for name, message in (
        ("bad.yaml", "missing required field"),
        ("rules.jsonl", "which is no review"),
        ("absent/rules.yaml", "cannot be written"),
    ):
        said = lawful("discover", "pay.csv", "--update", name)
        assert (said.code, said.out) == (2, "") and message in said.err
    assert Path("bad.yaml").read_text() == "lawful: 1\n"


def test_a_rule_file_does_not_take_the_place_of_a_review(lawful: Run, pay: Path) -> None:
    lawful("discover", "pay.csv", "--update", "rules.yaml")
    before = Path("rules.yaml").read_bytes()
    said = lawful("discover", "pay.csv", "-o", "rules.yaml")
    assert said.code == 2 and "is the name of a review" in said.err
    assert Path("rules.yaml").read_bytes() == before
    assert parse("rate -> state") in Review.load("rules.yaml").rules


def test_rules_are_shown_though_they_could_not_be_kept(lawful: Run, pay: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise RuleFileError("rules.yaml cannot be written: no room.", hint="Make room.")

    monkeypatch.setattr("lawful.rules.review.Review.save", full)
    said = lawful("discover", "pay.csv", "--update", "rules.yaml", "--report", "r.html")
    assert said.code == 2 and "zip -> state" in said.out and "no room" in said.err


def test_two_things_do_not_go_to_one_file(lawful: Run, pay: Path) -> None:
    said = lawful("discover", "pay.csv", "-o", "x.html", "--report", "./x.html")
    assert said.code == 2 and "is to hold two things" in said.err and not Path("x.html").exists()
