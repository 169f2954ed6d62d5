from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.errors import LawfulError, RuleFileError
from lawful.rules import Column, Fd, Figures, RuleSet, parse
from lawful.rules.rulefile import dumps, loads, pieces
from tests.rules.strategies import rules, tables

HEADER = {
    "lawful": 1,
    "source": "pay.csv",
    "rows": 6,
    "columns": [{"name": "zip", "type": "string"}, {"name": "state", "type": "string"}],
    "kinds": ["fd"],
    "complete": True,
    "options": {},
}
FD = {"kind": "fd", "lhs": ["zip"], "rhs": "state"}
POD = {"kind": "pod", "lhs": [["zip", "<"]], "rhs": ["state", "<="]}
DC = {"kind": "dc", "predicates": [["t.zip", "=", "u.zip"]]}
OC = {"kind": "oc", "context": [], "left": "zip", "right": "state", "direction": "same"}
NAMED = (Column("a"), Column("b"), Column("c"))
LOD = {"kind": "lod", "lhs": [["zip", "asc"]], "rhs": [["state", "asc"]], "form": "->"}


def content(*lines: object) -> bytes:
    return "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines).encode()


@given(st.data())
def test_whatever_is_saved_is_loaded(data: st.DataObject) -> None:
    columns = data.draw(tables())
    found = RuleSet(
        data.draw(st.lists(rules(columns), max_size=8)),
        source=data.draw(st.none() | st.sampled_from(columns)),
        rows=data.draw(st.none() | st.integers(0, 10**12)),
        columns=tuple(Column(name, data.draw(st.sampled_from([None, "integer", "string"]))) for name in columns),
        kinds=("fd", "oc"),
        incomplete=data.draw(st.none() | st.sampled_from(columns)),
        complete_to=data.draw(st.none() | st.integers(0, 5)),
        note=data.draw(st.none() | st.sampled_from(columns)),
        engine=data.draw(st.none() | st.just("local")),
        warnings=tuple(columns),
        options={"columns": columns, "max_error": 0.25, "nulls": "first"},
    )
    written = dumps(found)
    read = loads(written)
    assert read == found
    assert read.header() == found.header()
    assert read.to_dicts() == found.to_dicts()
    assert dumps(read) == written
    assert written.endswith(b"\n")
    assert written.count(b"\n") == len(found) + 1


def test_header_line_and_utf8() -> None:
    found = RuleSet(
        [parse("größe -> b")], source="größen.csv", rows=2, columns=(Column("größe", "string"), Column("b"))
    )
    head, line, rest = dumps(found).decode().split("\n")
    assert head == (
        '{"lawful": 1, "source": "größen.csv", "rows": 2, "columns": [{"name": "größe", "type": "string"}, '
        '{"name": "b", "type": null}], "kinds": ["fd"], "complete": true, "options": {}}'
    )
    assert line.startswith('{"kind": "fd", "lhs": ["größe"], "rhs": "b", "id": "')
    assert rest == ""


def test_incompleteness_is_told_in_the_header() -> None:
    found = RuleSet(incomplete="max size 3", complete_to=3, note="few", engine="spark", warnings=("w",))
    head = json.loads(dumps(found))
    assert list(head)[5:] == ["complete", "incomplete", "complete_to", "note", "engine", "warnings", "options"]
    assert (head["complete"], head["incomplete"], head["complete_to"]) == (False, "max size 3", 3)


def test_a_file_written_by_hand() -> None:
    found = loads(b"\xef\xbb\xbf" + content(HEADER, "", DC, POD, FD).replace(b"\n", b"\r\n") + b"\n\n")
    assert list(map(str, found)) == ["zip -> state", "zip< => state<=", "not(t.zip = u.zip)"]
    assert found[0].figures == Figures()
    assert loads(content(HEADER, FD).rstrip(b"\n")) == loads(content(HEADER, FD))


LINE_2 = [
    ({**FD, "kind": "ffd"}, "Invalid value 'ffd' - at `$.kind`", "fd, key, oc"),
    ({"lhs": ["zip"], "rhs": "state"}, "missing required field `kind` - at `$`", "fd, key, oc"),
    ({"kind": "fd", "lhs": ["zip"]}, "missing required field `rhs` - at `$`", "Correct the line"),
    ({**FD, "contex": []}, "unknown field `contex` - at `$`", "Correct the line"),
    ({**FD, "surprise": 1.0}, "unknown field `surprise` - at `$`", "Correct the line"),
    ({**FD, "lhs": "zip"}, "got `str` - at `$.lhs`", "Correct the line"),
    ({**FD, "lhs": [3]}, "got `int` - at `$.lhs[0]`", "Correct the line"),
    ({**FD, "rhs": None}, "got `null` - at `$.rhs`", "Correct the line"),
    ({**FD, "error": "0"}, "got `str` - at `$.error`", "Correct the line"),
    ({**FD, "error": 1.5}, "<= 1.0 - at `$.error`", "Correct the line"),
    ({**FD, "measure": "g3"}, "Invalid enum value 'g3' - at `$.measure`", "Correct the line"),
    ({**OC, "direction": "up"}, "Invalid enum value 'up' - at `$.direction`", "Correct the line"),
    ({**LOD, "form": "=>"}, "Invalid enum value '=>' - at `$.form`", "Correct the line"),
    ({**LOD, "lhs": [["zip", "up"]]}, "Invalid enum value 'up' - at `$.lhs[0][1]`", "Correct the line"),
    ({**POD, "lhs": [["zip", "!="]]}, "Invalid enum value '!=' - at `$.lhs[0][1]`", "Correct the line"),
    ({**POD, "rhs": ["state", ">"]}, "Invalid enum value '>' - at `$.rhs[1]`", "Correct the line"),
    ({**POD, "lhs": [["zip"]]}, "length 2 - at `$.lhs[0]`", "Correct the line"),
    ({**POD, "lhs": [["state", "<"]]}, "a column stands twice in state< => state<=", "once"),
    ({**DC, "predicates": []}, "length >= 1 - at `$.predicates`", "Correct the line"),
    ({**DC, "predicates": [["zip", "=", "u.zip"]]}, "at `$.predicates[0][0]`", "Correct the line"),
    ({**DC, "predicates": [["t.zip", "==", "u.zip"]]}, "Invalid enum value '==' - at `$.predicates[0][1]`", "Correct"),
    ({**FD, "rhs": "stat"}, "no column 'stat' - at `$.rhs`", "Did you mean 'state'?"),
    ({**FD, "lhs": ["zip", "zp"]}, "no column 'zp' - at `$.lhs[1]`", "Did you mean 'zip'?"),
    ({"kind": "key", "columns": ["x"]}, "no column 'x' - at `$.columns[0]`", "Known: state, zip."),
    ({**OC, "left": "Zip"}, "no column 'Zip' - at `$.left`", "Did you mean 'zip'?"),
    ({**POD, "rhs": ["x", "<"]}, "no column 'x' - at `$.rhs[0]`", "Known"),
    ({**LOD, "rhs": [["x", "asc"]]}, "no column 'x' - at `$.rhs[0][0]`", "Known"),
    ({**DC, "predicates": [["t.zip", "=", "u.x"]]}, "no column 'x' - at `$.predicates[0][2]`", "Known"),
    ({**FD, "id": "0" * 12}, "the id '000000000000' is not that of zip -> state", "remove its id"),
    ('{"kind": "fd", "lhs": ["zip"', "this is not JSON", "cut off"),
    ("zip -> state", "this is not JSON", "cut off"),
    ("[1]", "Expected `object`, got `array` - at `$`", "Correct the line"),
    (HEADER, "missing required field `kind` - at `$`", "fd, key, oc"),
]


@pytest.mark.parametrize(("line", "problem", "hint"), LINE_2)
def test_a_bad_rule_line_is_located(line: object, problem: str, hint: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        loads(content(HEADER, line), "rules.jsonl")
    assert caught.value.message.startswith("rules.jsonl, line 2: ")
    assert problem in caught.value.message
    assert hint in str(caught.value.hint)


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    with pytest.raises(RuleFileError, match="line 5: "):
        loads(content("", HEADER, "", FD, {**FD, "rhs": "x"}), "rules.jsonl")


def test_bytes_that_are_no_utf8() -> None:
    with pytest.raises(RuleFileError, match="rules, line 2: this is not JSON"):
        loads(content(HEADER) + b'{"kind": "fd", "lhs": ["\xff"], "rhs": "state"}\n', "rules")


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (FD, "the header is missing"),
        ({**HEADER, "lawful": 2}, "has version 2 - at `$.lawful`"),
        ({**HEADER, "lawful": "1"}, "got `str` - at `$.lawful`"),
        ({**HEADER, "rows": -1}, "at `$.rows`"),
        ({**HEADER, "columns": ["zip"]}, "at `$.columns[0]`"),
        ({**HEADER, "columns": [{"name": "zip"}]}, "field `type` - at `$.columns[0]`"),
        ({**HEADER, "columns": HEADER["columns"] * 2}, "Column 'zip' stands twice"),
        ({**HEADER, "kinds": ["od"]}, "at `$.kinds[0]`"),
        ({**HEADER, "completed": True}, "unknown field `completed` - at `$`"),
        ({**HEADER, "incomplete": "why"}, "at `$.incomplete`"),
        ({key: value for key, value in HEADER.items() if key != "complete"}, "field `complete` - at `$`"),
        ("", "the header is missing"),
        ("PAR1", "this is not JSON"),
    ],
)
def test_a_bad_header_is_located(header: object, problem: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        loads(content(header), "rules.jsonl")
    assert caught.value.message.startswith("rules.jsonl, line 1: ")
    assert problem in caught.value.message
    assert caught.value.hint


def test_incomplete_without_a_reason_stays_incomplete() -> None:
    assert not loads(content({**HEADER, "complete": False})).complete


def test_save_replaces_the_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "rules.jsonl"
    path.write_text("old")
    found = RuleSet([parse("a -> b")])
    found.save(path)
    assert path.read_bytes() == dumps(found)
    assert os.listdir(tmp_path) == ["rules.jsonl"]
    assert RuleSet.load(str(path)) == found


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rules.jsonl"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RuleFileError, match=r"rules\.jsonl cannot be written: No space left on device"):
        RuleSet().save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["rules.jsonl"]


def test_save_follows_links_and_writes_into_pipes(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "rules.jsonl"
    link.symlink_to(tmp_path / "there" / "real.jsonl")
    RuleSet([Fd(("a",), "b")]).save(link)
    assert link.is_symlink()
    assert len(RuleSet.load(tmp_path / "there" / "real.jsonl")) == 1
    RuleSet().save("/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("name", ["missing/rules.jsonl", "."])
def test_a_place_that_cannot_be_written_or_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(RuleFileError, match="cannot be written") as caught:
        RuleSet().save(tmp_path / name)
    assert caught.value.hint
    with pytest.raises(LawfulError, match="cannot be read"):
        RuleSet.load(tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_a_file_of_many_lines_is_made_piece_by_piece(tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(60)]
    many = RuleSet([Fd((left,), right) for left in names for right in names if left != right])
    made = list(pieces(many))
    assert len(made) > 2, "all of it at once"
    assert b"".join(made) == dumps(many)
    assert [json.loads(text)["id"] for text in dumps(many).splitlines()[1:]] == [rule.id for rule in many]
    many.save(tmp_path / "many.jsonl")
    assert (tmp_path / "many.jsonl").read_bytes() == dumps(many)
    assert RuleSet.load(tmp_path / "many.jsonl") == many


def test_saving_leaves_nothing_with_the_rules() -> None:
    rule = Fd(("b",), "a")
    before = dict(vars(rule))
    dumps(RuleSet([rule], columns=NAMED))
    assert vars(rule) == before
