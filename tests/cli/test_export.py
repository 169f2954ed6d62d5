"""`lawful export`: where it writes, what it says of rules that a target cannot express, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lawful import Review, parse
from tests.cli.conftest import Run
from tests.export.listed import rules


@pytest.fixture(autouse=True)
def files(elsewhere: Path) -> None:
    listed = rules("grade -> born", "key(id)", "not(t.id <= u.id and t.born >= u.born)")
    listed.save("rules.jsonl")
    review = Review(listed).with_verdict(parse("key(id)"), status="accepted", severity="warn")
    review.with_verdict(parse("grade -> born"), status="accepted").save("rules.yaml")


def test_to_standard_output(lawful: Run) -> None:
    said = lawful("export", "rules.jsonl", "--to", "sql", "--dialect", "postgres", "--table", "people")
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("-- 3 rules of 'staff.csv', exported by lawful; nulls first\n")
    assert said.out.count('FROM "people"') == 5 and "UNIQUE NULLS NOT DISTINCT" in said.out


def test_to_files(lawful: Run) -> None:
    said = lawful("export", "rules.jsonl", "--to", "pandera", "-o", "schema.py")
    assert said.out == "" and "2 rules are in schema.py\n" in said.err
    assert "warning: not expressed: not(t.id <= u.id and t.born >= u.born): needs the table joined" in said.err
    assert "schema = pandera.DataFrameSchema(" in Path("schema.py").read_text()
    lawful("export", "rules.jsonl", "--to", "dbt", "-o", "tests")
    assert len(list(Path("tests/lawful").iterdir())) == 4


def test_of_a_review_the_accepted_ones_with_their_severity(lawful: Run) -> None:
    suite = json.loads(lawful("export", "rules.yaml", "--to", "great-expectations").out)
    rules = [(entry["meta"]["lawful_rule"], entry["severity"]) for entry in suite["expectations"]]
    assert rules == [("grade -> born", "critical"), ("key(id)", "warning")]


def test_json(lawful: Run) -> None:
    found = lawful("export", "rules.jsonl", "--to", "pandera", "--json", "-q").json
    assert (found["target"], found["kept"], list(found["files"])) == ("pandera", 2, ["staff.py"])
    assert [one["reason"] for one in found["left"]] == ["needs the table joined with itself; export it to sql"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("rules.jsonl",), "The target is missing"),
        (("rules.jsonl", "--to", "sqlx"), "no export to 'sqlx'"),
        (("rules.jsonl", "--to", "sql", "--dialect", "postgrs"), "no dialect 'postgrs'"),
        (("rules.jsonl", "--to", "dbt", "-o", "rules.jsonl"), "makes several"),
        (("rules.jsonl", "--to", "sql", "-o", "absent/x.sql"), "cannot be written"),
        (("absent.jsonl", "--to", "sql"), "absent.jsonl cannot be read"),
    ],
)
def test_misuse(lawful: Run, words: tuple[str, ...], message: str) -> None:
    said = lawful("export", *words)
    assert said.code == 2 and said.out == ""
    assert message in said.err and "\nhint: " in said.err and "Traceback" not in said.err
