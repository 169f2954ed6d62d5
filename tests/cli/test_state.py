"""``lawful state``: a state from its making to its end, on the screen and as data; what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lawful.maintain.folder import StateFolder
from tests.cli.conftest import Run

BASE = "id,zip,state,paid\n1,01067,SN,1.5\n2,01067,SN,2\n3,04109,SN,2\n4,20095,HH,3\n"


@pytest.fixture
def base(elsewhere: Path, lawful: Run) -> Path:
    """A state that was made of four rows, its file beside it."""
    (elsewhere / "base.csv").write_text(BASE)
    assert lawful("state", "init", "st", "base.csv", "--row-key", "id").code == 0
    return elsewhere


def texts(said: object) -> set[str]:
    return {entry["text"] for entry in said}  # type: ignore[attr-defined]


def test_from_beginning_to_end(base: Path, lawful: Run) -> None:
    (base / "new.csv").write_text("id,zip,state,paid\n5,01067,BY,1.50\n")
    said = lawful("state", "apply", "st", "--insert", "new.csv", "--batch-id", "monday", "--json")
    assert said.code == 0 and said.json["inserted"] == 1
    gone = {entry["text"]: entry for entry in said.json["removed"]}
    assert gone["zip -> state"]["before"] == 0 and gone["zip -> state"]["after"] == 0.2
    assert [row["state"] for row in gone["zip -> state"]["witness"]["rows"]] == ["SN", "BY"]

    again = lawful("state", "apply", "st", "--insert", "new.csv", "--batch-id", "monday")
    assert again.code == 0 and "applied before, nothing done" in again.out
    assert re.search(r"^- zip -> state  \(rows [01] and 4 break it\)$", again.out, re.M)

    (base / "gone.csv").write_text("id\n5\n")
    said = lawful("state", "apply", "st", "--delete", "gone.csv")
    assert re.search(r"^\+ zip -> state  \(rows [01] and 4 broke it\)$", said.out, re.M)
    assert "zip -> state" in lawful("state", "rules", "st").out
    assert "zip -> state" not in lawful("state", "rules", "st", "--at", "2").out
    same = lawful("state", "diff", "st", "--from", "1", "--exit-code")
    assert same.code == 0 and same.out.startswith("0 added, 0 removed")
    assert lawful("state", "diff", "st", "--to", "2", "--exit-code").code == 1
    assert "- zip -> state" in lawful("state", "diff", "st", "--to", "2").out

    said = lawful("state", "history", "st", "--json")
    assert [v["batch"] for v in said.json["versions"]][:2] == ["first", "monday"]
    assert lawful("state", "agree", "st", "--json").json["pairs"] == 6
    assert lawful("state", "compact", "st").out.startswith("st, version 4: 4 rows, ")
    assert lawful("state", "check", "st", "--deep").out.startswith("version 4: files, counts and rules of 4 versions")
    assert len(lawful("state", "history", "st").out.splitlines()) == 4


def test_rules_are_those_of_discovery(base: Path, lawful: Run) -> None:
    kept = lawful("state", "rules", "st", "--json").out.splitlines()[1:]
    assert kept == lawful("discover", "base.csv", "--kinds", "fd,key", "--json").out.splitlines()[1:]
    assert lawful("state", "rules", "st", "-o", "kept.jsonl").code == 0
    assert (base / "kept.jsonl").read_text().splitlines()[1:] == kept


def test_a_value_of_another_type(base: Path, lawful: Run) -> None:
    (base / "new.csv").write_text("id,zip,state,paid\n5,01067,BY,1\n6,01067,BY,much\n")
    said = lawful("state", "apply", "st", "--insert", "new.csv")
    assert said.code == 2 and "'new.csv', line 3, column 'paid': 'much' is no decimal" in said.err
    assert lawful("state", "history", "st").out.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("id,zip,state\n5,01067,BY\n", "has no column 'paid'"),
        ("id,zip,state,paid,more\n5,01067,BY,1,2\n", "has a column 'more' that the state does not have"),
    ],
)
def test_other_columns(base: Path, lawful: Run, content: str, said: str) -> None:
    (base / "new.csv").write_text(content)
    ended = lawful("state", "apply", "st", "--insert", "new.csv")
    assert ended.code == 2 and said in ended.err


def test_a_column_more(base: Path, lawful: Run) -> None:
    (base / "new.csv").write_text("more,id,zip,state,paid\nx,5,01067,SN,9\n")
    said = lawful("state", "apply", "st", "--insert", "new.csv", "--evolve", "--json")
    assert said.code == 0 and {"id -> more", "paid -> more"} <= texts(said.json["added"])
    assert lawful("state", "check", "st", "--deep").code == 0


def test_rows_that_are_not_there(base: Path, lawful: Run) -> None:
    (base / "gone.csv").write_text("id\n1\n7\n8\n")
    said = lawful("state", "apply", "st", "--delete", "gone.csv")
    assert said.code == 2 and "'gone.csv', line 3: there is no such row: id=7, and 1 more are not" in said.err
    said = lawful("state", "apply", "st", "--delete", "gone.csv", "--ignore-missing")
    assert said.code == 0 and said.out.startswith("version 2: 0 rows inserted, 1 deleted")


def test_all_copies_go_when_told(base: Path, lawful: Run) -> None:
    assert lawful("state", "apply", "st", "--insert", "base.csv").code == 0
    (base / "gone.csv").write_text("id,zip,state,paid\n1,01067,SN,1.5\n")
    (base / "key.csv").write_text("id\n2\n")
    said = lawful("state", "apply", "st", "--delete", "gone.csv")
    assert said.out.startswith("version 3: 0 rows inserted, 1 deleted")
    said = lawful("state", "apply", "st", "--delete", "key.csv")
    assert said.code == 2 and "several rows have the key id=2" in said.err and "--delete-all-copies" in said.err
    said = lawful("state", "apply", "st", "--delete", "key.csv", "--delete-all-copies")
    assert said.out.startswith("version 4: 0 rows inserted, 2 deleted")


def test_two_writers(base: Path, lawful: Run) -> None:
    with StateFolder(base / "st").lock():
        said = lawful("state", "apply", "st", "--insert", "base.csv")
        assert said.code == 2 and "Another process is writing to the state" in said.err
        assert lawful("state", "rules", "st").code == 0
    assert lawful("state", "history", "st").out.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["init", "s3://bucket/st", "base.csv"], "is a URL"),
        (["apply", "st"], "nothing to apply"),
        (["apply", "st", "--insert", "-", "--delete", "-"], "Standard input can be only one"),
        (["rules", "st", "--at", "9"], "has no version 9"),
        (["rules", "nowhere"], "'lawful state init"),
        (["init", "st", "base.csv"], "holds a state already"),
        (["init", "new", "base.csv", "--kinds", "lod"], "cannot follow rules of kind 'lod'"),
        (["init", "new", "base.csv", "--max-error", "0.1"], "--measure pairs"),
        (["init", "new", "base.csv", "--row-key", "ids"], "row_key names column 'ids'"),
        (["init", "new", "base.csv", "--nulls", "unknown"], "Set nulls"),
        (["begin"], "See: lawful state --help"),
    ],
)
def test_what_is_refused(base: Path, lawful: Run, words: list[str], said: str) -> None:
    ended = lawful("state", *words)
    assert ended.code == 2 and said.strip("'") in ended.err
    assert "Traceback" not in ended.err


def test_agree_sets_alone(base: Path, lawful: Run) -> None:
    made = lawful("state", "init", "sets", "base.csv", "--kinds", "agree")
    assert made.out.startswith("sets, version 1: 4 rows; made")
    assert lawful("state", "apply", "sets", "--insert", "base.csv").out.startswith("version 2: 4 rows inserted")
    assert lawful("state", "agree", "sets", "--json").json["pairs"] == 28
    assert lawful("state", "rules", "sets").code == 2


def test_a_damaged_file_is_named(base: Path, lawful: Run) -> None:
    (base / "new.csv").write_text("id,zip,state,paid\n5,01067,BY,1.50\n")
    assert lawful("state", "apply", "st", "--insert", "new.csv").code == 0
    [file] = (base / "st" / "data").glob("rows-00000002-*")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(bytes(content))
    said = lawful("state", "agree", "st")
    assert said.code == 2 and file.name in said.err and "lawful state check" in said.err
    said = lawful("state", "check", "st")
    assert said.code == 2 and "version 1 is whole" in said.out
    (base / "st" / "versions" / "00000002.json").unlink()
    assert lawful("state", "check", "st", "--deep").code == 0
    assert lawful("state", "apply", "st", "--insert", "new.csv").code == 0
    assert lawful("state", "check", "st", "--deep").code == 0
