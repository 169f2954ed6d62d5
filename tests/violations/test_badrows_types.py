"""Bad rows of every type of column are written, in each of the three formats."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import lawful as lw
from lawful.violations.badrows import write_bad_rows

COLUMNS = {
    "k": pa.array([1, 1]),
    "list": pa.array([[1], None]),
    "struct": pa.array([{"a": 1}, None]),
    "map": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int64())),
    "bytes": pa.array([b"\xff", None]),
    "texts": pa.array([b"ab", None]),
    "fixed": pa.array([b"ab", None], pa.binary(2)),
    "moment": pa.array([1, None], pa.timestamp("ns", "UTC")),
    "far": pa.array([10**8, None], pa.date32()),
    "day": pa.array([date(2024, 1, 31), None]),
    "span": pa.array([1, None], pa.duration("us")),
    "view": pa.array(["x", None], pa.string_view()),
    "price": pa.array([Decimal("1.50"), None], pa.decimal128(9, 2)),
}


@pytest.fixture
def result() -> lw.CheckResult:
    return lw.check(pa.table(COLUMNS), [f"k -> {name}" for name in COLUMNS if name != "k"])


def test_csv(result: lw.CheckResult, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    assert write_bad_rows(result, str(path)) == 2
    first, second = csv.read_csv(path, convert_options=csv.ConvertOptions(strings_can_be_null=True)).to_pylist()
    assert (first["list"], first["struct"], first["map"]) == ("[1]", '{"a": 1}', '{"a": 1}')
    assert (first["bytes"], first["texts"], first["fixed"], first["view"]) == ("ff", "ab", "ab", "x")
    assert all(second[name] is None for name in COLUMNS if name != "k")


@pytest.mark.parametrize("ending", ["jsonl", "ndjson"])
def test_json_lines(result: lw.CheckResult, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"bad.{ending}"
    assert write_bad_rows(result, str(path)) == 2
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["list"], first["struct"], first["price"], first["day"]) == ("[1]", '{"a": 1}', 1.5, "2024-01-31")
    assert first["moment"] == "1970-01-01 00:00:00.000000001Z"
    assert all(second[name] is None for name in COLUMNS if name != "k")
    assert len(first["lawful_rules"]) == len(COLUMNS) - 1


def test_parquet(result: lw.CheckResult, tmp_path: Path) -> None:
    path = tmp_path / "bad.parquet"
    assert write_bad_rows(result, str(path)) == 2
    assert parquet.read_table(path).column("bytes").to_pylist() == [b"\xff", None]
