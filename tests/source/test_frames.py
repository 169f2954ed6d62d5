"""Tables in memory: whatever shows its rows to Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

import lawful
from lawful.errors import ColumnError, SourceError
from tests.source.reading import read, refused

TABLE = pa.table({"a": [3, None, 1], "b": ["x", "", None]})
CELLS = {"a": [3, None, 1], "b": ["x", "", None]}


class Capsule:
    """The least that a table can be."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


class Method:
    """A table that makes an Arrow table when asked."""

    def to_arrow_table(self) -> pa.Table:
        return TABLE


@pytest.mark.parametrize(
    "frame",
    [
        TABLE,
        TABLE.combine_chunks().to_batches()[0],
        TABLE.to_reader(),
        pa.concat_tables([TABLE.slice(0, 1), TABLE.slice(1)]),
        Capsule(TABLE),
        Method(),
    ],
    ids=["Table", "RecordBatch", "RecordBatchReader", "chunks", "capsule", "method"],
)
def test_arrow(frame: Any) -> None:
    assert read(frame) == CELLS


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [3, None, 1], "b": ["x", "", None], "c": [True, False, True]})
    assert read(frame) == {**CELLS, "c": [True, False, True]}
    objects = pandas.DataFrame({"a": pandas.Series([Decimal("1.5"), None, Decimal("2")], dtype=object)})
    assert read(objects) == {"a": [Decimal("1.5"), None, Decimal("2")]}
    kinds = pandas.DataFrame(
        {
            "cat": pandas.Categorical(["lo", "hi", None]),
            "int": pandas.array([1, None, 2**60 + 1], dtype="Int64"),
            "text": pandas.array(["x", None, "y"], dtype="string"),
            "arrow": pandas.Series([1, None, 3], dtype="int32[pyarrow]"),
        }
    )
    cells = {"cat": ["lo", "hi", None], "int": [1, None, 2**60 + 1], "text": ["x", None, "y"], "arrow": [1, None, 3]}
    assert read(kinds) == cells
    assert read(pandas.DataFrame({"a": []}, dtype="int64")) == {"a": []}


def test_pandas_names() -> None:
    pandas = pytest.importorskip("pandas")
    assert read(pandas.DataFrame([[1, 2]])) == {"0": [1], "1": [2]}
    assert read(pandas.DataFrame([[1, 2]], columns=[("x", "a"), ("x", "b")])) == {"('x', 'a')": [1], "('x', 'b')": [2]}
    twice = pandas.DataFrame([[1, 2]], columns=["a", "a"])
    assert "names two columns 'a': column 1 and column 2" in refused(SourceError, twice)
    assert "names two columns '1'" in refused(SourceError, pandas.DataFrame([[1, 2]], columns=[1, "1"]))
    indexed = pandas.DataFrame({"a": [1]}, index=pandas.Index(["k"], name="id"))
    assert lawful.encode(indexed).warnings == ("The index 'id' is not a column; reset_index() makes it one.",)


@pytest.mark.parametrize("cells", [[1, "x"], [{"a": 1}, 2], [True, 7], [2**70, 1], ["\ud800", "x"], [1j]])
def test_pandas_of_no_one_type(cells: list[Any]) -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"good": range(len(cells)), "bad": pandas.Series(cells, dtype=object)})
    message = refused(ColumnError, frame)
    assert "Column 'bad' of pandas.DataFrame is of no one type" in message
    assert "df['bad'].astype('string')" in message


def test_frames_without_columns() -> None:
    pandas = pytest.importorskip("pandas")
    for frame in (pandas.DataFrame(), pandas.DataFrame(index=range(3)), pa.table({}), Capsule(pa.table({}))):
        assert "has no columns" in refused(SourceError, frame)


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [3, None, 1], "b": ["x", "", None]})
    assert read(frame) == CELLS
    assert read(frame.with_columns(polars.col("b").cast(polars.Categorical))) == CELLS
    assert "LazyFrame is no table" in refused(SourceError, frame.lazy())
    assert "cannot be read as a table" in refused(SourceError, frame["a"])


def test_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect() as base:
        relation = base.sql("SELECT * FROM (VALUES (3, 'x'), (NULL, ''), (1, NULL)) t(a, b)")
        assert read(relation) == CELLS
        broken = base.sql("SELECT CAST(x AS INTEGER) AS a FROM (VALUES ('1'), ('oops')) t(x)")
        assert "oops" in refused(SourceError, broken)


def test_chosen_columns_and_rows() -> None:
    assert read(TABLE, columns=["b"], limit_rows=2) == {"b": ["x", ""]}
    assert read(TABLE, limit_rows=0) == {"a": [], "b": []}
    assert "has no column 'c'" in refused(ColumnError, TABLE, columns=["c"])


def test_names() -> None:
    table = pa.table([[1], [2], [3]], names=["", "a.b", "`x`\n"])
    assert read(table) == {"column_1": [1], "a.b": [2], "`x`\n": [3]}
    assert "names two columns 'a'" in refused(SourceError, pa.table([[1], [2]], names=["a", "a"]))


def test_rows_that_fail_as_they_are_made() -> None:
    def rows() -> Iterator[pa.RecordBatch]:
        yield TABLE.to_batches()[0]
        raise RuntimeError("the connection\nwas lost")

    reader = pa.RecordBatchReader.from_batches(TABLE.schema, rows())
    assert "RecordBatchReader cannot be read as a table" in refused(SourceError, reader)


@pytest.mark.parametrize("thing", [pa.chunked_array([[1, 2]]), Capsule(object())])
def test_streams_that_are_no_table(thing: Any) -> None:
    assert "cannot be read as a table" in refused(SourceError, thing)
