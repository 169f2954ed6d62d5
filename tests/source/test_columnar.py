"""Parquet, ORC and Arrow files keep the types they declare."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest

import lawful
from lawful.errors import ColumnError, SourceError
from lawful.options import SourceOptions
from lawful.source.finding import open_files
from tests.source.reading import read, refused

KINDS = ["parquet", "orc", "arrow", "arrows"]


def stored(path: Path, columns: dict[str, Any] | pa.Table, **options: Any) -> Path:
    """A table in the format of the name's ending."""
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(table, path, **options)
    elif path.suffix == ".orc":
        orc.write_table(table, path)
    else:
        writer = pa.ipc.new_stream if path.suffix == ".arrows" else pa.ipc.new_file
        with pa.OSFile(str(path), "wb") as sink, writer(sink, table.schema) as out:
            out.write_table(table)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_types_are_kept(tmp_path: Path, kind: str) -> None:
    columns = {
        "text": ["007", "", None],
        "whole": pa.array([3, None, 1], pa.int32()),
        "exact": pa.array([Decimal("1.50"), Decimal("1.5"), None], pa.decimal128(5, 2)),
    }
    path = stored(tmp_path / f"a.{kind}", columns)
    found = read(path)
    assert found["text"] == ["007", "", None]
    assert found["whole"] == [3, None, 1]
    assert found["exact"][:2] == [Decimal("1.5")] * 2
    assert read(path, columns=["whole"], limit_rows=2) == {"whole": [3, None]}
    bare = path.rename(tmp_path / "bare")
    assert kind == "arrows" or read(bare)["whole"] == [3, None, 1]


@pytest.mark.parametrize("kind", KINDS)
def test_names_with_dots_stand_beside_structs(tmp_path: Path, kind: str) -> None:
    columns = {"a": [{"b": 1, "c": 2}, {"b": 3, "c": 4}], "a.b": [9, 8], "x y`\n": ["p", "q"], "ü": [1, 1]}
    path = stored(tmp_path / f"a.{kind}", columns)
    found = read(path, columns=["a.b", "x y`\n", "ü"])
    assert found == {"a.b": [9, 8], "x y`\n": ["p", "q"], "ü": [1, 1]}
    assert read(path, columns=["a.b"]) == {"a.b": [9, 8]}
    source = open_files(str(path), SourceOptions())
    batches = [b for piece in source.pieces for b in source.read(piece)]
    assert pa.Table.from_batches(batches).to_pydict() == columns


@pytest.mark.parametrize("kind", KINDS)
def test_no_rows(tmp_path: Path, kind: str) -> None:
    path = stored(tmp_path / f"a.{kind}", {"a": pa.array([], pa.int64()), "b": pa.array([], pa.string())})
    assert read(path) == {"a": [], "b": []}


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_no_columns(tmp_path: Path, kind: str) -> None:
    assert "has no columns" in refused(SourceError, stored(tmp_path / f"a.{kind}", pa.table({})))


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_one_name_for_two_columns(tmp_path: Path, kind: str) -> None:
    path = stored(tmp_path / f"a.{kind}", pa.table([[1], [2]], names=["a", "a"]))
    assert "names two columns 'a'" in refused(SourceError, path)


@pytest.mark.parametrize("name", ["", "  "])
def test_a_column_without_a_name(tmp_path: Path, name: str) -> None:
    path = stored(tmp_path / "a.parquet", {"a": [1], name: [2]})
    assert f"Column 2 of {str(path)!r} has no name" in refused(SourceError, path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_truncated_or_corrupt_file(tmp_path: Path, kind: str) -> None:
    path = stored(tmp_path / f"a.{kind}", {"a": [str(i) * 50 for i in range(3000)], "b": list(range(3000))})
    data = path.read_bytes()
    for cut in (len(data) // 2, len(data) - 3 if kind != "arrows" else len(data) // 3, 20):
        path.write_bytes(data[:cut])
        assert "is damaged or not what its name says" in refused(SourceError, path)
    if kind == "parquet":
        path.write_bytes(data[:40] + bytes(200) + data[240:])
        assert "is damaged or not what its name says" in refused(SourceError, path)


def test_files_of_one_shape_in_another_order(tmp_path: Path) -> None:
    stored(tmp_path / "a.parquet", {"x": pa.array([1], pa.int32()), "y": ["p"]})
    stored(tmp_path / "b.parquet", {"y": pa.array(["q"], pa.large_string()), "x": pa.array([2**40], pa.int64())})
    assert read(tmp_path) == {"x": [1, 2**40], "y": ["p", "q"]}


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_different_shapes(tmp_path: Path, kind: str) -> None:
    a, b = stored(tmp_path / f"a.{kind}", {"x": [1]}), tmp_path / f"b.{kind}"
    stored(b, {"x": ["p"]})
    assert f"Column 'x' is string in {str(b)!r} but int64 in {str(a)!r}" in refused(SourceError, [a, b])
    stored(b, {"x": [0.5]})
    assert f"Column 'x' is double in {str(b)!r}" in refused(SourceError, [a, b])
    stored(b, {"x": [1], "z": [2]})
    assert f"{str(b)!r} has a column 'z', {str(a)!r} has not" in refused(SourceError, [a, b])


def test_narrow_integers_widen_to_floating_point(tmp_path: Path) -> None:
    stored(tmp_path / "a.parquet", {"x": pa.array([1], pa.int16())})
    stored(tmp_path / "b.parquet", {"x": [0.5]})
    assert read(tmp_path) == {"x": [1.0, 0.5]}


def test_row_groups_become_pieces_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.source.finding._GROUP_ROWS", 25)
    path = stored(tmp_path / "k=1" / "a.parquet", {"x": list(range(100))}, row_group_size=10)
    source = open_files(str(tmp_path), SourceOptions())
    assert [p.groups for p in source.pieces] == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9,)]
    assert 0 < sum(p.size for p in source.pieces) <= path.stat().st_size
    rows = [x for p in source.pieces for b in source.read(p) for x in b.column("x").to_pylist()]
    assert rows == list(range(100))
    assert read(tmp_path)["x"] == rows


def test_partition_columns_have_one_type(tmp_path: Path) -> None:
    for year in ("9", "10"):
        stored(tmp_path / "n" / f"year={year}" / "a.parquet", {"x": [int(year)]})
    assert read(tmp_path / "n") == {"x": [10, 9], "year": [10, 9]}
    assert read(tmp_path / "n", columns=["year"]) == {"year": [10, 9]}
    assert [c.type.name for c in lawful.encode(tmp_path / "n", engine="local").columns] == ["integer", "integer"]
    for code in ("01", "10"):
        stored(tmp_path / "s" / f"code={code}" / "day=2020-01-01" / "a.orc", {"x": [1]})
    table = lawful.encode(tmp_path / "s", engine="local")
    assert [c.type.name for c in table.columns] == ["integer", "string", "date"]
    assert table.cells("code", [0, 1]) == ["01", "10"]


def test_an_unknown_column(tmp_path: Path) -> None:
    path = stored(tmp_path / "a.parquet", {"salary": [1]})
    assert "has no column 'salry'. Did you mean 'salary'?" in refused(ColumnError, path, columns=["salry"])


def test_nothing_is_left_open(tmp_path: Path) -> None:
    import gc
    import os

    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("counts open files where the system lists them")
    paths = [stored(tmp_path / f"a.{kind}", {"x": ["p", "q"]}) for kind in KINDS]
    for path in paths:
        read(path)
    gc.collect()
    gc.disable()
    try:
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            for path in paths:
                read(path)
        after = len(os.listdir("/proc/self/fd"))
    finally:
        gc.enable()
    assert after - before < 10
