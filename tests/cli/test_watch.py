"""``lawful watch``: arriving files are applied once, in order, when they are whole; bad ones are told and left."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Spawn, ended

BASE = "id,zip,state\n1,01067,SN\n2,01067,SN\n3,20095,HH\n"
BREAKING = "id,zip,state\n4,01067,BY\n"
NOW = ("--settle", "0")


@pytest.fixture
def incoming(elsewhere: Path, lawful: Run) -> Path:
    """An empty folder beside a state of three rows."""
    (elsewhere / "base.csv").write_text(BASE)
    assert lawful("state", "init", "st", "base.csv").code == 0
    (elsewhere / "in").mkdir()
    return elsewhere / "in"


def test_each_file_is_applied_once(incoming: Path, lawful: Run) -> None:
    (incoming / "b.csv").write_text(BREAKING)
    (incoming / "a.csv").write_text("id,zip,state\n5,04109,SN\n")
    said = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert said.code == 0 and said.err == ""
    lines = said.out.splitlines()
    assert lines[0].startswith("a.csv: version 2: 1 rows inserted") and "b.csv: version 3: 1 rows inserted" in said.out
    assert "- zip -> state  (rows 0 and 4 break it)" in lines
    at = lines.index("- zip -> state  (rows 0 and 4 break it)")
    assert lines[at + 1 : at + 3] == ["    row 0: zip='01067', state='SN'", "    row 4: zip='01067', state='BY'"]
    again = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert (again.code, again.out, again.err) == (0, "", ""), "a restart applies nothing twice"
    (incoming / "c.csv").write_text("id,zip,state\n6,01067,SN\n")
    later = lawful("watch", "--source", "in", "--state", "st", "--once", "--json", *NOW)
    assert (later.json["file"], later.json["version"], later.json["batch_id"]) == ("c.csv", 4, "c.csv")
    rows = [entry["batch"] for entry in lawful("state", "history", "st", "--json").json["versions"]]
    assert rows == ["first", "a.csv", "b.csv", "c.csv"]


def test_a_batch_applied_by_hand_is_known(incoming: Path, lawful: Run) -> None:
    (incoming / "a.csv").write_text(BREAKING)
    assert lawful("state", "apply", "st", "--insert", "in/a.csv", "--batch-id", "a.csv").code == 0
    assert lawful("watch", "--source", "in", "--state", "st", "--once", *NOW).out == ""


def test_the_table_the_state_was_made_of_is_not_applied(elsewhere: Path, lawful: Run) -> None:
    (elsewhere / "in").mkdir()
    (elsewhere / "in" / "base.csv").write_text(BASE)
    assert lawful("state", "init", "st", "in/base.csv").code == 0
    assert lawful("watch", "--source", "in", "--state", "st", "--once", *NOW).out == ""


@pytest.mark.parametrize(("text", "code"), [(BREAKING, 1), ("id,zip,state\n9,01067,SN\n", 0)])
def test_exit_code(incoming: Path, lawful: Run, text: str, code: int) -> None:
    (incoming / "a.csv").write_text(text)
    assert lawful("watch", "--source", "in", "--state", "st", "--once", "--exit-code", *NOW).code == code


def test_a_bad_file_is_told_and_the_others_are_applied(incoming: Path, lawful: Run) -> None:
    (incoming / "a.csv").write_text("id,zip,stat\n4,01067,BY\n")
    (incoming / "b.csv").write_text(BREAKING)
    (incoming / "c.csv").write_text("id,zip,state\nx,01067,BY\n")
    (incoming / "d.csv").write_bytes(b"")
    (incoming / "e.parquet").write_bytes(b"PAR1 nonsense")
    said = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert said.code == 2 and said.out.startswith("b.csv: version 2")
    for name in ("a.csv", "c.csv", "d.csv", "e.parquet"):
        assert f"error: {name} was not applied: " in said.err
    assert "b.csv" not in said.err and "Traceback" not in said.err and "'stat'" in said.err
    (incoming / "a.csv").write_text("id,zip,state\n4,04109,BY\n")
    for name in ("c.csv", "d.csv", "e.parquet"):
        (incoming / name).unlink()
    mended = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert mended.code == 0 and mended.out.startswith("a.csv: version 3")


def test_what_is_not_yet_a_file_is_left(incoming: Path, lawful: Run) -> None:
    for name in (".a.csv", "_b.csv", "c.csv.tmp", "d.csv.part", "e.csv~", "f.csv.crdownload"):
        (incoming / name).write_text(BREAKING)
    (incoming / "folder.csv").mkdir()
    (incoming / "gone.csv").symlink_to("nowhere")
    os.mkfifo(incoming / "pipe.csv")
    said = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert (said.code, said.out, said.err) == (0, "", "")


def test_a_growing_file_is_left_for_the_next_time(incoming: Path) -> None:
    from lawful.maintain.inbox import Arrivals

    now = [1000.0]
    arrivals, file = Arrivals(incoming, 5, lambda: now[0]), incoming / "a.csv"

    def written(text: str) -> None:
        file.write_text(text)
        os.utime(file, (now[0], now[0]))

    written("id")
    assert arrivals.look(()) == ([], ["a.csv"])
    now[0] += 4
    assert arrivals.look(()) == ([], ["a.csv"])
    written("id,zip")
    now[0] += 4
    assert arrivals.look(()) == ([], ["a.csv"]), "it changed four seconds ago"
    now[0] += 1
    assert arrivals.look(()) == (["a.csv"], []) and arrivals.look({"a.csv"}) == ([], [])
    os.utime(file, (now[0] + 3600, now[0] + 3600))
    assert arrivals.look(()) == ([], ["a.csv"]), "a clock that is ahead"
    now[0] += 5
    assert arrivals.look(()) == (["a.csv"], []), "nothing changed in five seconds"


def test_once_waits_for_a_young_file(incoming: Path, lawful: Run) -> None:
    (incoming / "a.csv").write_text(BREAKING)
    said = lawful("watch", "--source", "in", "--state", "st", "--once", "--settle", "0.3")
    assert said.out.startswith("a.csv: version 2") and said.err == ""
    (incoming / "b.csv").write_text(BREAKING)
    ahead = time.time() + 3600
    os.utime(incoming / "b.csv", (ahead, ahead))
    said = lawful("watch", "--source", "in", "--state", "st", "--once", "--settle", "0.3")
    assert said.out.startswith("b.csv: version 3")


def test_a_file_written_to_after_it_was_applied(incoming: Path, lawful: Run) -> None:
    (incoming / "a.csv").write_text(BREAKING)
    assert lawful("watch", "--source", "in", "--state", "st", "--once", *NOW).out.startswith("a.csv: version 2")
    later = time.time() + 60
    os.utime(incoming / "a.csv", (later, later))
    said = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert said.out == "" and "a.csv was written to after it was applied" in said.err


def test_a_state_in_use_is_tried_again(incoming: Path, lawful: Run) -> None:
    from lawful.maintain.folder import StateFolder

    (incoming / "a.csv").write_text(BREAKING)
    with StateFolder("st").lock():
        said = lawful("watch", "--source", "in", "--state", "st", "--once", *NOW)
    assert said.code == 0 and said.out == "" and "a.csv is still being written, or the state is in use" in said.err
    assert lawful("watch", "--source", "in", "--state", "st", "--once", *NOW).out.startswith("a.csv: version 2")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--source", "in"], "--state DIR"),
        (["--source", "gone", "--state", "st", "--once"], "'gone' cannot be looked into"),
        (["--source", "in", "--state", "nowhere"], "lawful state init"),
        (["--source", "in", "--state", "st", "--settle", "-1"], "from 0 to 86400"),
    ],
)
def test_what_is_refused(incoming: Path, lawful: Run, words: list[str], said: str) -> None:
    found = lawful("watch", *words)
    assert found.code == 2 and said in found.err and found.out == ""


def test_it_follows_until_it_is_interrupted(incoming: Path, lawful: Run, spawn: Spawn) -> None:
    words = ("watch", "--source", "in", "--state", "st", "--every", "0.1", "--settle", "0.2")
    process = spawn(*words, env={"PYTHONUNBUFFERED": ""})
    assert process.stderr is not None and process.stderr.readline().startswith("watching in, version 1")
    (incoming / "a.csv").write_text(BREAKING)
    assert process.stdout is not None and process.stdout.readline().startswith("a.csv: version 2")
    (incoming / "bad.csv").write_text("x\n1\n")
    assert process.stderr.readline().startswith("error: bad.csv was not applied: ")
    (incoming / "c.csv").write_text("id,zip,state\n7,04109,SN\n")
    while not (line := process.stdout.readline()).startswith("c.csv"):
        assert line
    process.send_signal(signal.SIGINT)
    said = ended(process)
    assert said.code == 130 and said.err.count("bad.csv") == 0 and "Traceback" not in said.err
    assert "interrupted" in said.err
    assert lawful("state", "check", "st", "--deep").code == 0
