"""Delimited text that is in order, however oddly written."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import lawful
from lawful.source import delimited
from tests.source.reading import read, written

PAY = {"name": ["Ann", "Bo"], "pay": [1, 2]}


@pytest.mark.parametrize(
    "text",
    [
        "name,pay\nAnn,1\nBo,2\n",
        "name,pay\nAnn,1\nBo,2",
        "name,pay\r\nAnn,1\r\nBo,2\r\n",
        "name,pay\rAnn,1\rBo,2\r",
        "\n\nname,pay\n\nAnn,1\n\n\nBo,2\n\n",
        "name;pay\nAnn;1\nBo;2\n",
        "name\tpay\nAnn\t1\nBo\t2\n",
        "name|pay\nAnn|1\nBo|2\n",
        '"name","pay"\n"Ann","1"\n"Bo","2"\n',
        "'name','pay'\n'Ann','1'\n'Bo','2'\n",
        "\ufeffname,pay\nAnn,1\nBo,2\n",
        '\ufeff"name",pay\nAnn,1\nBo,2\n',
    ],
)
@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ""])
def test_ways_to_write_one_table(tmp_path: Path, text: str, ending: str) -> None:
    assert read(written(tmp_path / f"pay{ending}", text)) == PAY


@pytest.mark.parametrize(
    ("encoding", "asked"),
    [
        ("utf-16", None),
        ("utf-32", None),
        ("utf-16-le", "utf-16-le"),
        ("utf-16-be", "utf_16_be"),
        ("cp1252", "Windows-1252"),
        ("latin-1", "latin1"),
        ("utf-8-sig", "utf-8"),
        ("utf-8", "UTF8"),
        ("shift_jis", "shift_jis"),
    ],
)
def test_encodings(tmp_path: Path, encoding: str, asked: str | None) -> None:
    word = "表" if encoding == "shift_jis" else "é"
    path = written(tmp_path / "a.csv", f"näme,b\n{word},1\n".replace("ä", "ä" if word == "é" else "a").encode(encoding))
    assert read(path, encoding=asked) == {"näme" if word == "é" else "name": [word], "b": [1]}


def test_a_byte_order_mark_that_the_encoding_asked_for_would_keep(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "\ufeffa,b\n1,2\n3\n".encode("utf-16-le"))
    assert read(path, encoding="utf-16-le", bad_rows="skip") == {"a": [1], "b": [2]}


def test_null_is_the_unquoted_empty_field(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'a,b,c\n,"",?\nx,y,z\n')
    assert read(path) == {"a": [None, "x"], "b": ["", "y"], "c": ["?", "z"]}
    assert read(path, null_values=["?"])["c"] == [None, "z"]


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_blank_line_is_a_null_in_one_column_only(tmp_path: Path, ending: str) -> None:
    path = written(tmp_path / "a.csv", '\n\nx\n1\n\n2\n""' + ending)
    assert read(path) == {"x": ["1", None, "2", ""]}
    assert read(written(tmp_path / "b.csv", "x,y\n1,2\n\n3,4" + ending)) == {"x": [1, 3], "y": [2, 4]}


def test_quotes(tmp_path: Path) -> None:
    text = 'a,b\n"x,y","say ""hi"""\n"two\nlines",5" pipe\n"in"between,z\n'
    cells = {"a": ["x,y", "two\nlines", "inbetween"], "b": ['say "hi"', '5" pipe', "z"]}
    assert read(written(tmp_path / "a.csv", text)) == cells
    assert read(written(tmp_path / "b.csv", "a,b\n'1,5',it's\n")) == {"a": ["1,5"], "b": ["it's"]}
    assert read(written(tmp_path / "c.csv", 'a,b\n"x,y"\n'), quote="") == {"a": ['"x'], "b": ['y"']}
    assert read(written(tmp_path / "d.csv", "a,b\n~x,y~,1\n"), quote="~") == {"a": ["x,y"], "b": [1]}


def test_delimiters(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", "a;b\n1,5;2,5\n3,5;4,5\n")) == {"a": ["1,5", "3,5"], "b": ["2,5", "4,5"]}
    assert read(written(tmp_path / "a.tsv", "a\tb,c,d\n1,2,3\t4\n")) == {"a": ["1,2,3"], "b,c,d": [4]}
    assert read(written(tmp_path / "b.csv", "a^b\n1^2\n"), delimiter="^") == {"a": [1], "b": [2]}
    assert read(written(tmp_path / "c.csv", "a,b\n1,2\n"), delimiter=";") == {"a,b": ["1,2"]}


def test_a_single_column_needs_no_delimiter(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", "a\nx\ny\n")) == {"a": ["x", "y"]}


def test_names(tmp_path: Path) -> None:
    names = ["a b", "it's", "`t`", 'say "x"', "two\nlines", "ünï ✓", "a.b", "a", " a"]
    header = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    path = written(tmp_path / "a.csv", header + "\n" + ",".join("123456789") + "\n")
    assert read(path) == {name: [i] for i, name in enumerate(names, 1)}
    warnings = lawful.encode(path, engine="local").warnings
    assert [w for w in warnings if "differ only in spaces" in w] == [
        f"{str(path)!r}: the columns 'a' and ' a' differ only in spaces."
    ]


@pytest.mark.parametrize("empty", ["", "  ", '""'])
def test_an_empty_name_is_made_up_and_its_cells_stay_text(tmp_path: Path, empty: str) -> None:
    path = written(tmp_path / "a.csv", f"a,{empty},c\n1,007,3\n")
    assert read(path) == {"a": [1], "column_2": ["007"], "c": [3]}
    assert "column 2 has no name; it is called 'column_2' here" in lawful.encode(path, engine="local").warnings[0]


def test_a_made_up_name_beside_one_that_is_spelled_so(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", "column_1,b\n01,2\n")) == {"column_1": ["01"], "b": [2]}


def test_no_header(tmp_path: Path) -> None:
    for text in ("1,2\n3,4\n", "1,2\n3,4"):
        assert read(written(tmp_path / "a.csv", text), header=False) == {"column_1": [1, 3], "column_2": [2, 4]}
    assert read(written(tmp_path / "b.csv", "1,2"), header=False) == {"column_1": [1], "column_2": [2]}
    assert read(written(tmp_path / "c.csv", "\nx"), header=False) == {"column_1": [None, "x"]}


@pytest.mark.parametrize("text", ["a,b", "a,b\n", "a,b\r\n", '"a","b"', "\ufeffa,b", "\na,b\n\n"])
def test_a_header_only_is_a_table_without_rows(tmp_path: Path, text: str) -> None:
    assert read(written(tmp_path / "a.csv", text)) == {"a": [], "b": []}


def test_a_header_of_numbers_is_pointed_out(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "1,2.5\n3,4\n")
    assert "the header holds numbers only; --no-header" in lawful.encode(path, engine="local").warnings[0]
    assert lawful.encode(path, engine="local", header=False).warnings == ()


def test_many_columns(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "\n".join(",".join(f"{r}{c}" for c in range(300)) for r in "abc"))
    table = lawful.encode(path, engine="local")
    assert (len(table.columns), table.rows) == (300, 2)
    assert table.cells("a299", [0, 1]) == ["b299", "c299"]


def test_columns_and_rows_are_chosen(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,b,c\n1,2,3\n4,5,6\n")
    assert read(path, columns=["c", "a"], limit_rows=1) == {"a": [1], "c": [3]}
    assert read(path, columns=["b"], types={"b": "string"}) == {"b": ["2", "5"]}
    assert read(path, limit_rows=0) == {"a": [], "b": [], "c": []}


@pytest.mark.parametrize("block", [64, 256, 16 << 20])
def test_records_longer_than_a_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(delimited, "BLOCK", block)
    cells = ["x" * n for n in (1, 10_000, 3, 20_000, 5)]
    path = written(tmp_path / "a.csv", "a,b\n" + "".join(f'{i},"{c}\n"\n' for i, c in enumerate(cells)) + "\n1,2,3\n")
    assert read(path, bad_rows="skip") == {"a": list(range(5)), "b": [c + "\n" for c in cells]}
    warning = lawful.encode(path, engine="local", bad_rows="skip").warnings[0]
    assert warning.startswith("1 bad record is left out") and "line 13" in warning


def test_a_cell_of_forty_megabytes(tmp_path: Path) -> None:
    cell = "y" * 40_000_000
    path = written(tmp_path / "a.csv", f'a,b\n1,x\n2,"{cell}"\n3,z\n')
    found = read(path)
    assert found["a"] == [1, 2, 3]
    assert [len(str(b)) for b in found["b"]] == [1, 40_000_000, 1]


def test_a_first_record_longer_than_the_sample(tmp_path: Path) -> None:
    names = [f"column {'x' * 1000} {i}" for i in range(900)]
    path = written(tmp_path / "a.csv", ";".join(names) + "\n" + ";".join("7" * 900) + "\n")
    assert lawful.encode(path, engine="local").names == tuple(names)


def test_gz_of_several_members(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"3,4\n"))
    assert read(path) == {"a": [1, 3], "b": [2, 4]}


def test_files_may_order_and_leave_out(tmp_path: Path) -> None:
    """Other files name the same columns in any order; one without a byte has no rows."""
    written(tmp_path / "a.csv", "")
    written(tmp_path / "b.csv", "x,y\n1,2\n")
    written(tmp_path / "c.csv", "\ufeff y , x\n".replace(" ", "") + "4,3")
    written(tmp_path / "d.csv", "y,x")
    assert read(tmp_path) == {"x": [1, 3], "y": [2, 4]}
