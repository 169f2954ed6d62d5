"""Frames in two: each keeps its kind, its columns and its order, and loses no row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import lawful as lw
from lawful.errors import MissingError, OptionError

RULE = lw.parse("zip -> state")
TABLE = pa.table({"zip": ["a", "b", "a", None, None], "state": ["x", "y", "z", "v", "v"], "n": [5, 4, 3, 2, 2]})


def plain(frame: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = frame.to_dict("records") if isinstance(frame, pd.DataFrame) else pl_rows(frame)
    return rows


def pl_rows(frame: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = frame.to_dicts() if isinstance(frame, pl.DataFrame) else frame.to_pylist()
    return rows


@pytest.mark.parametrize("kind", ["arrow", "batch", "pandas", "polars", "stream"])
def test_kinds(kind: str) -> None:
    frame: Any = {
        "arrow": TABLE, "batch": TABLE.to_batches()[0], "pandas": TABLE.to_pandas(), "polars": pl.from_arrow(TABLE),
        "stream": TABLE.to_reader(),
    }[kind]  # fmt: skip
    good, bad = lw.split(frame, ["zip -> state", "key(n)"])
    expected = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.Table)
    assert isinstance(good, expected) and isinstance(bad, expected)
    assert [row["n"] for row in plain(good)] == [4]
    key = lw.parse("key(n)").id
    assert [(row["n"], list(row["lawful_rules"])) for row in plain(bad)] == [
        (5, [RULE.id]), (3, [RULE.id]), (2, [key]), (2, [key]),
    ]  # fmt: skip


def test_a_pandas_index_stays() -> None:
    frame = TABLE.to_pandas().set_axis([10, 10, 20, 30, 40])
    good, bad = lw.split(frame, RULE)
    assert (good.index.tolist(), bad.index.tolist()) == ([10, 30, 40], [10, 20])


def test_a_file_comes_as_arrow(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("zip,state\n01,x\n02,y\n01,z\n")
    good, bad = lw.split(tmp_path / "t.csv", RULE, engine="local")
    assert good.to_pylist() == [{"zip": "02", "state": "y"}]
    assert [row["state"] for row in bad.to_pylist()] == ["x", "z"]


def test_nothing_bad_and_nothing_good() -> None:
    good, bad = lw.split(TABLE, "key(zip, state, n)", nulls="unknown")
    assert (good.num_rows, bad.num_rows, bad.column_names[-1]) == (5, 0, "lawful_rules")
    good, bad = lw.split(TABLE, "key()")
    assert (good.num_rows, bad.num_rows) == (0, 5)


def test_a_column_of_that_name_stays() -> None:
    taken = TABLE.append_column("lawful_rules", TABLE["n"])
    assert lw.split(taken, RULE)[1].column_names[-2:] == ["lawful_rules", "lawful_rules_"]
    assert lw.check(taken, RULE).bad_rows().column_names[-2:] == ["lawful_rules", "lawful_rules_"]
    assert (
        lw.check(TABLE.append_column("lawful_row", TABLE["n"]), RULE).violations(RULE).column_names[0] == "lawful_row_"
    )


def test_part_of_the_rows_cannot_be_split() -> None:
    with pytest.raises(OptionError, match="limit_rows"):
        lw.split(TABLE, RULE, limit_rows=2)


def test_rows_that_break_one_rule() -> None:
    found = lw.check(TABLE, [RULE, "key(n)"])
    rows = found.violations("zip->state")
    assert rows.to_pylist() == [
        {"lawful_row": 1, "zip": "a", "state": "x", "n": 5}, {"lawful_row": 3, "zip": "a", "state": "z", "n": 3},
    ]  # fmt: skip
    assert found.violations(RULE.id, "pandas")["n"].tolist() == [5, 3]
    assert found.removable("key(n)")["lawful_row"].to_pylist() == [5]
    assert found.violations(lw.parse("key(n)"))["zip"].to_pylist() == [None, None]
    with pytest.raises(OptionError, match="was not checked"):
        found.violations("zip -> n")
    with pytest.raises(OptionError, match="to is 'csv'"):
        found.violations(RULE, "csv")
    with pytest.raises(OptionError, match="not looked for"):
        lw.check(TABLE, "n< => n<" if False else "zip< => n<", repair=False).removable("zip< => n<")


def test_spark_is_asked_for_without_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.engine.spark.session.active", lambda: None)
    with pytest.raises(MissingError, match="no active Spark session"):
        lw.check(TABLE, RULE).violations(RULE, "spark")


def test_typed_values_survive() -> None:
    from datetime import date, datetime
    from decimal import Decimal

    odd = pa.table({
        "k": [1, 1, 2], "d": [Decimal("1.50"), None, Decimal("2.25")], "day": [date(2024, 1, 1)] * 3,
        "at": pa.array([datetime(2024, 1, 1)] * 3, pa.timestamp("us", "UTC")), "b": [True, None, False],
        "x": [1.5, float("inf"), None], "bytes": [b"a", None, b"c"],
    })  # fmt: skip
    rows = lw.check(odd, "k -> d").violations("k -> d")
    assert rows.drop_columns(["lawful_row"]).to_pylist() == odd.slice(0, 2).to_pylist()
