"""`lawful profile`: what it prints, whatever the table holds."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from rich.text import Text

import lawful as library
from lawful.cli.profile import fitted
from lawful.cli.screen import shown
from lawful.ranks.profiling import ColumnProfile, Profile
from tests.cli.conftest import Run


def rows(out: str) -> dict[str, str]:
    """The lines of the table by the first word."""
    return {line.split()[0]: line for line in out.splitlines() if line.strip()}


def test_text(table: Path, lawful: Run) -> None:
    said = lawful("profile", "table.csv")
    assert (said.code, said.err) == (0, "")
    lines = rows(said.out)
    assert said.out.splitlines()[0].endswith("4 rows, 4 columns")
    assert lines["id"].split()[1] == "integer" and "unique" in lines["id"] and "1 … 4" in lines["id"]
    assert "constant" in lines["year"] and lines["year"].rstrip().endswith("2024")
    assert "1 (25.0 %)" in lines["size"] and "L … S" in lines["size"]
    assert "leading zero in '01067'" in lines["zip"]
    assert lines["4"].startswith("4 × 4: 64 B of ranks, encoded in ") and lines["4"].endswith("(local)")


def test_json(table: Path, lawful: Run) -> None:
    said = lawful("profile", "table.csv", "--json")
    assert said.out.count("\n") == 1 and said.err == ""
    assert list(said.json) == ["version", *(field.name for field in fields(Profile))]
    assert said.json["version"] == library.__version__
    assert [list(column) for column in said.json["columns"]] == 4 * [[f.name for f in fields(ColumnProfile)]]
    assert said.json["columns"][2] | {"why": ""} == {
        "name": "size", "type": "string", "why": "", "ordered": True, "distinct": 3, "nulls": 1, "constant": False,
        "unique": True, "least": "L", "greatest": "S",
    }  # fmt: skip


def test_options_reach_the_table(table: Path, lawful: Run) -> None:
    words = ("--columns", "size,zip", "--types", "zip=integer", "--order", "size=S,M,L", "--limit-rows", "3")
    found = lawful("profile", "table.csv", "--json", *words).json
    assert [(c["name"], c["type"], c["greatest"]) for c in found["columns"]] == [
        ("size", "string", "L"),
        ("zip", "integer", "4109"),
    ]
    assert found["rows"] == 3


@pytest.mark.parametrize("tab", ["\t", "\\t", "tab"])
def test_a_tab_may_be_written(elsewhere: Path, lawful: Run, tab: str) -> None:
    (elsewhere / "t.csv").write_text("a\tb\n1\t2\n")
    found = lawful("profile", "t.csv", "--json", "--delimiter", tab).json
    assert [column["name"] for column in found["columns"]] == ["a", "b"]


def test_null_values_may_begin_with_a_hyphen(elsewhere: Path, lawful: Run) -> None:
    (elsewhere / "t.csv").write_text("a,b\n1,-\n2,-999\n3,5\n")
    words = ("--null-value", "-", "--null-value", "-999")
    found = lawful("profile", "t.csv", "--json", *words).json
    assert [column["nulls"] for column in found["columns"]] == [0, 2]


def test_hints_follow_the_table(elsewhere: Path, lawful: Run) -> None:
    (elsewhere / "t.csv").write_text("a\n1\n?\n")
    assert lawful("profile", "t.csv").out.splitlines()[-1].startswith("hint: '?' stands 1 times in a")


def test_warnings_go_to_standard_error(elsewhere: Path, lawful: Run) -> None:
    (elsewhere / "t.csv").write_text("a,b\n1,2\n3\n")
    said = lawful("profile", "t.csv", "--bad-rows", "skip", "--json")
    assert said.err.startswith("warning: ") and said.json["warnings"]
    assert lawful("profile", "t.csv", "--bad-rows", "skip", "--json", "-q").err == ""


def test_standard_input(lawful: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n")))
    found = lawful("profile", "-", "--json").json
    assert (found["source"], found["rows"]) == ("standard input", 1)


def test_names_and_values_are_neither_markup_nor_control(elsewhere: Path, lawful: Run) -> None:
    names = ["[red]x[/red]", "[/]", "a\x1b[31mb", "line\nbreak", "right\u202eleft", ":smile:", "日本語"]
    text = ",".join(f'"{name}"' for name in names) + "\n" + ",".join(["[bold]v", "\x07"] + ["1"] * 5) + "\n"
    (elsewhere / "t.csv").write_text(text, encoding="utf-8")
    said = lawful("profile", "t.csv", "--delimiter", ",")
    assert said.code == 0
    lines = said.out.splitlines()
    for name in ("[red]x[/red]", "[/]", r"a\x1b[31mb", r"line\nbreak", r"right\u202eleft", ":smile:", "日本語"):
        assert sum(line.startswith(name) for line in lines) == 1
    assert "[bold]v" in said.out and r"\x07" in said.out
    assert all(c == "\n" or c.isprintable() for c in said.out)
    assert [c["name"] for c in lawful("profile", "t.csv", "--json", "--delimiter", ",").json["columns"]] == names


def test_two_hundred_columns_stand_one_a_line(elsewhere: Path, lawful: Run) -> None:
    names = [f"column_{n}_{'x' * n}" for n in range(200)]
    (elsewhere / "t.csv").write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    lines = lawful("profile", "t.csv").out.splitlines()
    assert [line.split()[0] for line in lines[3:203]] == names
    assert {line.index(" integer ") for line in lines[3:203]} == {len(names[-1]) + 1}


def test_a_narrow_terminal_cuts_texts_but_no_numbers() -> None:
    rows = [("n" * 50, "integer", "every value is a whole number", "123", "0", "unique", "x" * 40 + " … " + "y" * 40)]
    widths = fitted(rows, 80)
    assert sum(widths) + 2 * len(widths) <= 80
    assert widths[1] == len("integer") and widths[3] == len("distinct") and widths[5] == len("unique")
    assert fitted(rows, None)[0] == 50


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain", "plain"),
        ("a\tb\r\n", r"a\tb\r\n"),
        ("\x9b31m", r"\x9b31m"),
        ("\u2028\u2066\ufeff", r"\u2028\u2066\ufeff"),
        ("\ud800", r"\ud800"),
        ("é ß 日本 👩\u200d🔬", "é ß 日本 👩\u200d🔬"),
    ],
)
def test_hidden_characters_are_written_out(text: str, safe: str) -> None:
    assert shown(text) == safe
    assert Text(shown(text)).cell_len >= len(text) - 2


def test_json_has_no_nan(lawful: Run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Profile.to_dict
    monkeypatch.setattr(Profile, "to_dict", lambda self: plain(self) | {"seconds": float("nan")})
    assert lawful("profile", "table.csv", "--json").json["seconds"] is None


def test_json_in_a_stream_without_unicode(elsewhere: Path, lawful: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (elsewhere / "t.csv").write_text("größe\n1\n", encoding="utf-8")
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    lawful("profile", "t.csv", "--json")
    lawful("profile", "t.csv")
    stream.flush()
    data, _, text = stream.buffer.getvalue().partition(b"\n")  # type: ignore[attr-defined]
    assert json.loads(data)["columns"][0]["name"] == "größe"
    assert rb"gr\xf6\xdfe" in text
