"""The line finder and Arrow's reader cut delimited text alike."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.errors import SourceError
from lawful.source.delimited import DelimitedReader
from lawful.source.dialect import Dialect
from lawful.source.lookup import line_of_record, lines_of_records
from lawful.source.records import fields, scan

LETTERS = st.text(st.sampled_from('a",\n\r \u00e9'), max_size=30)


def records(text: str, quote: str = '"') -> list[tuple[int, int, int, bool]]:
    return [tuple(r) for r in scan(io.StringIO(text, newline=""), ",", quote)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n", [(1, 1, 2, True), (2, 2, 2, True)]),
        ('a\r\n\r\n"x\r\ny",2', [(1, 1, 1, True), (2, 2, 0, True), (3, 4, 2, True)]),
        ('"a""\n"",b",c\rd', [(1, 2, 2, True), (3, 3, 1, True)]),
        ('x"y,"z"w,"\n', [(1, 1, 3, False)]),
        ('"\n\n"\n\n', [(1, 3, 1, True), (4, 4, 0, True)]),
        ("", []),
    ],
)
def test_records_are_cut(text: str, expected: list[tuple[int, int, int, bool]]) -> None:
    assert records(text) == expected


def test_without_quotes_lines_are_records() -> None:
    assert records('"a\n,b"\n', "") == [(1, 1, 1, True), (2, 2, 2, True)]


def test_fields_of_a_record() -> None:
    assert fields('a,"b ""c""\r\nd",,"e"f,g"h\r\n', ",", '"') == ["a", 'b "c"\r\nd', "", "ef", 'g"h']


@given(text=LETTERS, width=st.integers(1, 3))
def test_arrow_agrees(tmp_path_factory: pytest.TempPathFactory, text: str, width: int) -> None:
    """Same rows, same bad record and line, same last word on an open quote."""
    path = tmp_path_factory.getbasetemp() / "agree.csv"
    header = ",".join("hjk"[:width])
    text = f"{header}\n{text}"
    path.write_bytes(text.encode())
    dialect = Dialect(",", '"', "utf-8", tuple("hjk"[:width]), True)
    cut = list(scan(io.StringIO(text, newline=""), ",", '"'))[1:]
    rows = [r for r in cut if r.width or width == 1]
    good = [r for r in rows if (r.width or 1) == width]
    bad = [r for r in rows if (r.width or 1) != width]
    reader = DelimitedReader(str(path), dialect, tuple("hjk"[:width]))
    if cut and not cut[-1].closed:
        last = "".join(list(io.StringIO(text, newline=""))[cut[-1].line - 1 :])
        if not set("\r\n") & set(fields(last, ",", '"')[-1].rstrip("\r\n")):
            return  # nothing but the rest of its own line is swallowed
        with pytest.raises(SourceError, match=f"line {cut[-1].line}: a quote that opens"):
            list(reader)
        return
    assert sum(b.num_rows for b in reader) == len(good)
    assert reader.bad.count == len(bad)
    if bad:
        assert reader.bad.first is not None
        assert reader.bad.first.line == bad[0].line
    assert [line_of_record(str(path), dialect, i + 1) for i in range(len(good))] == [r.line for r in good]


@given(cells=st.lists(st.text(st.sampled_from('a",\n\r'), max_size=5), min_size=1, max_size=4))
def test_fields_undo_quoting(cells: list[str]) -> None:
    record = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    assert fields(record + "\n", ",", '"') == cells


def test_cells_come_out_as_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('h,j\n"x""y"z,"a\nb"\n,""\n')
    reader = DelimitedReader(str(path), Dialect(",", '"', "utf-8", ("h", "j"), True), ("j", "h"))
    assert [b.to_pydict() for b in reader] == [{"j": ["a\nb", ""], "h": ['x"yz', None]}]


@pytest.mark.parametrize("text", ["a\nx\n\n1,2\ny\n", "\na\n\nb", "a,b\n1,2\n\n3\n4,5\n", 'a,b\n"x\ny",2\n3,4\n'])
@pytest.mark.parametrize("header", [True, False])
def test_lines_of_many_records_are_those_of_each(tmp_path: Path, text: str, header: bool) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    dialect = Dialect(",", '"', "utf-8", ("a", "b") if "a,b" in text else ("a",), header)
    each = {record: line_of_record(str(path), dialect, record) for record in range(1, 6)}
    found = lines_of_records(str(path), dialect, range(1, 6))
    assert found == {record: line for record, line in each.items() if line is not None}
    assert found
