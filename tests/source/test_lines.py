"""JSON lines: values keep the text they were written in, and a line that is no object is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import lawful
from lawful.errors import ColumnError, SourceError
from lawful.source import lines
from lawful.source.lines import LinesReader
from tests.source.reading import read, refused, written


def cells(path: Path, columns: tuple[str, ...] | None = None) -> list[dict[str, list[object]]]:
    """What the reader gives before any type is found."""
    return [batch.to_pydict() for batch in LinesReader(str(path), "utf-8", columns)]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.50", "1.50"),
        ("1e5", "1e5"),
        ("-0", "-0"),
        ("1" * 6000, "1" * 6000),
        ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
        ("NaN", "NaN"),
        ("-Infinity", "-Infinity"),
        ("true", "true"),
        ("null", None),
        ('""', ""),
        ('"null"', "null"),
        (r'"\u00e9\ud83d\ude00\n\"\/"', 'é😀\n"/'),
        ('{"b": [1.0, {"d":null}], "a" : "é\\n"}', '{"a":"é\\n","b":[1.0,{"d":null}]}'),
        ("[ ]", "[]"),
        ('[true,"x",-1E+2]', '[true,"x",-1E+2]'),
    ],
)
def test_a_value_is_its_text(tmp_path: Path, value: str, text: str | None) -> None:
    assert cells(written(tmp_path / "a.jsonl", '{"v": ' + value + "}\n")) == [{"v": [text]}]


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"b":"x"}\n{"b":"y","a":2}\n',
        '\ufeff{"a":1,"b":"x"}\r\n\r\n  \n{"a":2,"b":"y"}',
        '\n {"a":1,"b":"x"} \n\t{"a":2,"b":"y"}\n\n',
    ],
)
@pytest.mark.parametrize("ending", [".jsonl", ".json", ".ndjson.gz", ""])
def test_ways_to_write_one_table(tmp_path: Path, text: str, ending: str) -> None:
    assert read(written(tmp_path / f"a{ending}", text)) == {"a": [1, 2], "b": ["x", "y"]}


def test_utf_16_is_known_by_its_mark(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.jsonl", '{"ä":"é"}\n'.encode("utf-16"))) == {"ä": ["é"]}


def test_missing_names_are_null_and_late_ones_are_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.jsonl", '{"a":1}\n{}\n{"b":2,"a":null}\n{"c":true}\n')
    expected = {"a": [1, None, None, None], "b": [None, None, 2, None], "c": [None, None, None, True]}
    assert read(path) == expected
    monkeypatch.setattr(lines, "_ROWS", 1)
    assert read(path) == expected
    monkeypatch.setattr(lines, "_LETTERS", 3)
    assert read(path, columns=["c", "a"]) == {"a": expected["a"], "c": expected["c"]}


def test_columns_are_known_from_all_files(tmp_path: Path) -> None:
    written(tmp_path / "a.jsonl", '{"aa":1}\n')
    written(tmp_path / "b.jsonl", '{"bb":2}\n')
    assert read(tmp_path, columns=["bb"]) == {"bb": [None, 2]}
    assert "Did you mean 'bb'?" in refused(ColumnError, tmp_path, columns=["bbb"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"a": 1,}', "not JSON at column 9"),
        ('{"a": 1} x', "not JSON at column 10 (Extra data)"),
        ("{'a': 1}", "not JSON at column 2"),
        ('"a"', "not an object"),
        ("[1]", "not an object"),
        ('{"a":' + "[" * 150 + "]" * 150 + "}", "nested too deeply"),
        ('{"a":' + "[" * 100_000, "nested too deeply"),
        ('{"a":1,"b":2,"a":1}', "the name 'a' stands twice in one object"),
        ('{"a":{"b":1,"b":2}}', "the name 'b' stands twice in one object"),
        (r'{"a":"x\ud800"}', "half a character ('\\ud800') in 'a'"),
        ('{"":1}', "a name is empty"),
        ('{"a":1," ":2}', "a name is empty"),
        (r'{"\udfff":1}', "half a character ('\\udfff')"),
    ],
)
def test_a_line_that_is_no_object(tmp_path: Path, line: str, said: str) -> None:
    path = written(tmp_path / "a.jsonl", '{"a":1}\n\n' + line + "\n5\n")
    message = refused(SourceError, path)
    assert f"{str(path)!r}, line 3: {said}" in message
    assert "There are 2 such records in all." in message
    table = lawful.encode(path, engine="local", bad_rows="skip")
    assert table.cells("a", range(table.rows)) == [1]
    assert "2 bad records are left out" in table.warnings[-1]


@pytest.mark.parametrize("text", ['[{"a":1}]', '[\n{"a":1},\n{"a":2}\n]', "\ufeff \n[1]"])
def test_an_array_is_refused_whole(tmp_path: Path, text: str) -> None:
    assert "holds a JSON array" in refused(SourceError, written(tmp_path / "a.json", text), bad_rows="skip")


def test_wrong_bytes_are_named_by_their_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", b'{"a":1}\n' * 5000 + b'{"a":"\xe9"}\n')
    assert "is not utf-8: line 5001 holds the byte 0xe9" in refused(SourceError, path)


@pytest.mark.parametrize("text", ["", "\n\n", "{}\n{}\n"])
def test_lines_without_names(tmp_path: Path, text: str) -> None:
    assert "has no columns" in refused(SourceError, written(tmp_path / "a.jsonl", text))


def test_a_truncated_gz(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl.gz", '{"a":1}\n' * 10)
    path.write_bytes(path.read_bytes()[:-6])
    assert "is damaged" in refused(SourceError, path)
