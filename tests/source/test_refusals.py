"""Input that cannot be read as it stands: each error says what, where and what to do."""

from __future__ import annotations

import errno
import gzip
import os
from pathlib import Path

import pytest

import lawful
from lawful.errors import ColumnError, OptionError, SourceError
from lawful.source import location
from tests.source.reading import read, refused, written


def test_a_ragged_row_is_named_by_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'a,b\n1,"x\n\ny"\n\n3\n4,5,6\n7,8\n')
    message = refused(SourceError, path)
    assert f"{str(path)!r}, line 6: 1 field where 2 are expected: '3'. There are 2 such records in all." in message
    assert "--bad-rows skip" in message
    table = lawful.encode(path, engine="local", bad_rows="skip")
    assert table.rows == 2
    assert table.warnings[-1].startswith(f"2 bad records are left out, the first at {str(path)!r}, line 6: 1 field")


def test_ragged_rows_of_several_files_are_counted_together(tmp_path: Path) -> None:
    for name in "ab":
        written(tmp_path / f"{name}.csv", "x,y\n1,2\n\n3,4,5\n")
    message = refused(SourceError, tmp_path)
    assert "a.csv', line 4: 3 fields where 2 are expected: '3,4,5'. There are 2 such" in message


def test_a_ragged_row_beyond_the_limit_of_python_s_reader(tmp_path: Path) -> None:
    """Fields longer than 131,072 letters, and a bad record as long."""
    long = "x" * 300_000
    path = written(tmp_path / "a.csv", f'a,b\n1,"{long}\n"\n{long}\n')
    message = refused(SourceError, path)
    assert "line 4: 1 field where 2 are expected: 'xxx" in message and len(message) < 500


def test_a_cell_of_the_wrong_type_is_named_by_its_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", f'a,b\n1,"{"x" * 200_000}\n"\n\noops,2\n')
    message = refused(ColumnError, path, types={"a": "integer"})
    assert "'oops'" in message and "line 5" in message


@pytest.mark.parametrize("text", ['a,b\n1,2\n3,"open\n4,5\n', 'a,b\n1,2\n"3,4\n5,6\n', 'a\nx\n"y\nz'])
def test_an_open_quote_is_no_cell(tmp_path: Path, text: str) -> None:
    for bad_rows in ("error", "skip"):
        message = refused(SourceError, written(tmp_path / "a.csv", text), bad_rows=bad_rows)
        assert "line 3: a quote that opens in this record is never closed" in message


def test_an_open_quote_in_the_header(tmp_path: Path) -> None:
    assert "line 1: a quote that opens" in refused(SourceError, written(tmp_path / "a.csv", 'a,"b\n1,2\n'))


@pytest.mark.parametrize(
    ("data", "encoding", "said"),
    [
        (b"a,b\n1,2\n\xe9,3\n", None, "is not utf-8: line 3 holds the byte 0xe9"),
        (b"a,b\r1,2\r\xe9,3\r", None, "is not utf-8: line 3 holds the byte 0xe9"),
        (b"n\xe4me,b\n1,2\n", None, "is not utf-8: line 1 holds the byte 0xe4"),
        (b"a,b\n1,\xc3", None, "is not utf-8: it ends within a character, on line 2"),
        (b"a,b\n1,\xc3\xa9\n", "ascii", "is not ascii: line 2 holds the byte 0xc3"),
        (b"a,b\n1,\x81\n", "cp1252", "is not cp1252: line 2 holds the byte 0x81"),
    ],
)
def test_wrong_bytes_are_named_by_their_line(tmp_path: Path, data: bytes, encoding: str | None, said: str) -> None:
    assert said in refused(SourceError, written(tmp_path / "a.csv", data), encoding=encoding)


@pytest.mark.parametrize(("wrong", "encoding"), [(b"\xe9", None), (b"\x81", "cp1252")])
def test_wrong_bytes_beyond_the_sample(tmp_path: Path, wrong: bytes, encoding: str | None) -> None:
    path = written(tmp_path / "a.csv", b"a,b\n" + b"1,2\n" * 100_000 + wrong + b",2\n")
    assert "line 100002 holds the byte" in refused(SourceError, path, encoding=encoding)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"\n\r\n  \n", "has blank lines only"),
        ("a.csv.gz", b"", "is empty"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is not text: it holds zero bytes"),
        ("a.csv", gzip.compress(b"a,b\n"), "is compressed, which its name does not say"),
        ("a.csv", b"a,b,a\n1,2,3\n", "names two columns 'a': column 1 and column 3"),
        ("a.csv", b"column_2,\n1,2\n", "names two columns 'column_2'"),
        ("a.parquet", b"", "is damaged or not what its name says"),
        ("a.parquet", b"a,b\n1,2\n", "is damaged or not what its name says"),
        ("a.orc", b"a,b\n1,2\n", "is damaged or not what its name says"),
        ("a.arrow", b"a,b\n1,2\n", "is damaged or not what its name says"),
        ("a.arrow", b"ARROW1\0\0", "is damaged or not what its name says"),
        ("a.jsonl", b"", "has no columns"),
    ],
)
def test_files_that_are_no_table(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    path = written(tmp_path / name, data)
    message = refused(SourceError, path)
    assert said in message and str(path) in message


def test_a_truncated_or_false_gz(tmp_path: Path) -> None:
    data = gzip.compress(os.urandom(1 << 20).hex().encode())
    cut = tmp_path / "a.csv.gz"
    cut.write_bytes(gzip.compress(b"a,b\n")[:-4] + b"")
    assert "is damaged" in refused(SourceError, cut)
    cut.write_bytes(data[: len(data) // 2])
    assert "is damaged" in refused(SourceError, cut, header=False)
    cut.write_bytes(b"a,b\n1,2\n")
    assert "is damaged" in refused(SourceError, cut)


def test_a_missing_file_has_neighbours(tmp_path: Path) -> None:
    written(tmp_path / "salaries.csv", "a\n1\n")
    message = refused(SourceError, tmp_path / "salarys.csv")
    assert "There is no file" in message and f"Did you mean {str(tmp_path / 'salaries.csv')!r}?" in message
    (tmp_path / "link.csv").symlink_to(tmp_path / "gone.csv")
    assert f"It is a link to {str(tmp_path / 'gone.csv')!r}" in refused(SourceError, tmp_path / "link.csv")
    assert "does not exist either" in refused(SourceError, tmp_path / "none" / "a.csv")
    assert "No file matches" in refused(SourceError, str(tmp_path / "*.parquet"))


def test_folders_without_files(tmp_path: Path) -> None:
    written(tmp_path / ".hidden.csv", "a\n1\n")
    written(tmp_path / "_SUCCESS", "")
    written(tmp_path / "_temporary" / "a.csv", "a\n1\n")
    assert "holds no files" in refused(SourceError, tmp_path)
    assert "There is no file" in refused(SourceError, f"{tmp_path}/none/")


def test_an_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path / "a.csv", "a\n1\n")

    def deny(name: str) -> None:
        raise PermissionError(errno.EACCES, "opening failed in a library", name)

    monkeypatch.setattr(location.pa, "OSFile", deny)
    assert f"{str(path)!r} cannot be read: Permission denied." in refused(SourceError, path)


@pytest.mark.parametrize("name", ["", "  ", "x" * 5000, "a,b\n1,2\n" * 100, "a\0b", "~nobody-of-this-name/a.csv"])
def test_names_that_no_file_can_have(name: str) -> None:
    message = refused(SourceError, name)
    assert "file" in message and len(message) < 500


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "salary,b\n1,2\n")
    assert "has no column 'salry'. Did you mean 'salary'?" in refused(ColumnError, path, columns=["salry"])
    assert "No column is chosen" in refused(ColumnError, path, columns=[])
    assert "chosen twice" in refused(OptionError, path, columns=["b", "b"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"format": "excel"}, "format is 'excel'"),
        ({"delimiter": "ab"}, "delimiter is 'ab'"),
        ({"delimiter": ""}, "delimiter is ''"),
        ({"delimiter": "\n"}, "delimiter is '\\n'"),
        ({"delimiter": '"'}, "cannot be both delimiter and quote"),
        ({"quote": "\r"}, "quote is '\\r'"),
        ({"quote": ","}, "cannot be both delimiter and quote"),
        ({"encoding": "utf-99"}, "encoding is 'utf-99'"),
        ({"encoding": "hex"}, "encoding is 'hex'"),
        ({"encoding": "a\0b"}, "encoding is 'a\\x00b'"),
        ({"limit_rows": -1}, "limit_rows is -1"),
        ({"bad_rows": "keep"}, "bad_rows is 'keep'"),
    ],
)
def test_options_out_of_range(tmp_path: Path, options: dict[str, object], said: str) -> None:
    assert said in refused(OptionError, written(tmp_path / "a.csv", 'a,b\n"1",2\n'), **options)


def test_files_of_different_shapes(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a.csv", "x,y\n1,2\n"), tmp_path / "b.csv"
    for text in ("x,z\n1,2\n", "x,z"):
        written(b, text)
        assert f"{str(b)!r} lacks column 'y'" in refused(SourceError, [a, b])
    written(b, "x,y,z\n1,2,3\n")
    assert f"{str(b)!r} has a further column 'z'" in refused(SourceError, [a, b])
    written(b, "1,2,3\n")
    assert "column 'column_3'" in refused(SourceError, [a, b], header=False)
    c = written(tmp_path / "c.json", "{}")
    assert f"{str(c)!r} is json, {str(a)!r} is csv" in refused(SourceError, [a, c])


def test_folders_that_tell_different_columns(tmp_path: Path) -> None:
    written(tmp_path / "year=1" / "a.csv", "x\n1\n")
    written(tmp_path / "month=1" / "a.csv", "x\n1\n")
    assert "['year']" in refused(SourceError, tmp_path)


@pytest.mark.parametrize("thing", [None, 3, {"a": [1]}, b"a.csv", object(), [{"a": 1}], [1], (b"a.csv",)])
def test_things_that_are_no_table(thing: object) -> None:
    assert "is no table" in refused(SourceError, thing)


def test_no_file_named() -> None:
    assert "No file was named" in refused(SourceError, [])


def test_spark_only_names_say_so() -> None:
    for source in ("spark:t", "jdbc:h2:mem:x;password=hidden", "jdbc:postgresql://me:hidden@host/db?password=hidden"):
        message = refused(OptionError, source)
        assert "is read through Spark" in message and "hidden" not in message


def test_nothing_is_left_open(tmp_path: Path) -> None:
    """Neither by reading nor by refusing; a collector that waits would hide it, so it is asked to wait."""
    import gc

    good = written(tmp_path / "a.csv", "a,b\n1,2\n")
    bad = written(tmp_path / "b.csv", "a,b\n1,2,3\n")
    lines = written(tmp_path / "c.jsonl", '{"a":1}\n{\n')
    gc.collect()
    gc.disable()
    try:
        before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
        for _ in range(20):
            read(good)
            for path in (bad, lines):
                with pytest.raises(SourceError):
                    read(path)
        after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    finally:
        gc.enable()
    assert after - before < 10
