from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.engine.spark.engine import SparkEngine
from lawful.errors import ColumnError, LimitError
from lawful.options import SourceOptions
from lawful.ranks.encoded import Encoded
from lawful.ranks.spark import stage_frame
from tests.made import as_arrow, random_tables
from tests.naive import TYPES
from tests.ranks.both import assert_same_outcome, shown, split, text_rows, write_csv, write_lines, write_typed

pytestmark = pytest.mark.spark

NAMES = [f"c{i}" for i in range(12)]


@pytest.fixture(scope="module")
def engine(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkEngine]:
    with SparkEngine(spark, 2, str(tmp_path_factory.mktemp("work"))) as made:
        yield made


@pytest.fixture
def new_york(spark: Any) -> Iterator[Any]:
    """A session whose clocks are not those of Greenwich."""
    before = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    yield spark
    spark.conf.set("spark.sql.session.timeZone", before)


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_files(engine: SparkEngine, tmp_path: Path, kind: str) -> None:
    rng = random.Random(kind)
    parts = split(rng, text_rows(rng, len(NAMES), 25), 4)
    table = as_arrow(next(random_tables(7, 1, min_rows=20, max_rows=30, min_cols=8, max_cols=8)))
    write: dict[str, Any] = {
        "csv": lambda path, i: write_csv(path, NAMES, parts[i]),
        "jsonl": lambda path, i: write_lines(path, NAMES, parts[i], rng),
        "parquet": lambda path, i: write_typed(path, table.slice(i * 6, 6), rng),
    }
    paths = [write[kind](tmp_path / f"{i}.{kind}", i) for i in range(4)]
    options = SourceOptions(nulls="last" if kind == "csv" else "first", limit_rows=17 if kind == "jsonl" else None)
    assert isinstance(assert_same_outcome(engine, paths, options, tmp_path / "work"), Encoded)


def test_errors_of_files(engine: SparkEngine, tmp_path: Path) -> None:
    for i, text in enumerate(["a,b\n1,x\n", "a,b\n2,x\n3\n", "a,b\n4,z\n5,z\n"]):
        (tmp_path / f"{i}.csv").write_text(text)
    paths = sorted(tmp_path.glob("*.csv"))
    ragged = assert_same_outcome(engine, paths, SourceOptions(), tmp_path / "w1")
    assert isinstance(ragged, tuple) and "line 3" in ragged[1]
    options = SourceOptions(bad_rows="skip", order={"b": ("w", "x")})
    misfit = assert_same_outcome(engine, paths, options, tmp_path / "w2")
    assert isinstance(misfit, tuple) and misfit[0] is ColumnError
    assert "2.csv', line 2, column 'b': 'z' is not in the order w, x. 2 rows hold" in misfit[1]


FRAME = """
SELECT id,
       CAST(id % 3 AS DECIMAL(30, 2)) / 7 AS decimal,
       CASE WHEN id % 4 > 0 THEN DATE'2024-02-28' + CAST(id % 5 AS INT) END AS day,
       TIMESTAMP'2024-03-10 06:30:00Z' + make_dt_interval(0, id % 6, 0, 0.25) AS instant,
       TIMESTAMP_NTZ'2024-03-10 01:30:00' + make_dt_interval(0, id % 6, 0, 0.25) AS local,
       CASE WHEN id % 5 > 0 THEN CAST(CHAR(200 + id % 3) AS BINARY) END AS bytes,
       ARRAY(id % 2, NULL) AS list,
       STRUCT(id % 2 AS x, CASE WHEN id % 3 > 0 THEN 'é' END AS y) AS pair,
       MAP(CASE WHEN id % 2 = 0 THEN 'k' ELSE 'l' END, id % 3) AS map,
       PARSE_JSON(CASE WHEN id % 2 = 0 THEN '{"b":1,"a":2}' ELSE '{"a": 2, "b": 1}' END) AS variant,
       make_dt_interval(CAST(id % 3 AS INT)) AS lasting,
       id % 2 = 0 AS even,
       CASE WHEN id % 3 > 0 THEN CAST('NaN' AS DOUBLE) ELSE -0.0D END AS double,
       CAST(NULL AS STRING) AS nothing,
       NULL AS void,
       CASE id % 3 WHEN 0 THEN 'NA' WHEN 1 THEN '007' END AS text
FROM range(0, 40, 1, 5)
"""


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_frames(new_york: Any, nulls: str) -> None:
    frame = new_york.sql(FRAME)
    there = lawful.encode(frame, nulls=nulls)
    here = lawful.encode(frame, nulls=nulls, engine="local")
    _assert_same_up_to_order(there, here)
    kinds = {c.name: c.type.name for c in there.columns}
    assert kinds == {
        "id": "integer", "decimal": "decimal", "day": "date", "instant": "timestamp", "local": "timestamp",
        "bytes": "binary", "list": "nested", "pair": "nested", "map": "nested", "variant": "binary",
        "lasting": "duration", "even": "boolean", "double": "float", "nothing": "string", "void": "string",
        "text": "string",
    }  # fmt: skip
    assert there.column("instant").type.zoned and not there.column("local").type.zoned
    assert {c.name: c.distinct for c in there.columns}["variant"] == 1
    assert there.origins == () and there.row_name(0) == "1"


def _assert_same_up_to_order(there: Encoded, here: Encoded) -> None:
    assert there.columns == here.columns
    assert (there.rows, there.warnings) == (here.rows, here.warnings)
    assert sorted(map(tuple, there.ranks.T.tolist())) == sorted(map(tuple, here.ranks.T.tolist()))
    for name in here.names:
        every = range(here.rows)
        assert sorted(shown(there.cells(name, every))) == sorted(shown(here.cells(name, every)))
        by_rank = dict(zip(here.ranks[here.place(name)].tolist(), shown(here.cells(name, every)), strict=True))
        found = dict(zip(there.ranks[there.place(name)].tolist(), shown(there.cells(name, every)), strict=True))
        assert found == by_rank


def test_frames_made_of_random_tables(spark: Any) -> None:
    kinds = [kind for kind in TYPES if kind != "timestamp"]  # which Spark gives the zone of its session
    for table in random_tables(11, 3, min_rows=1, max_rows=30, min_cols=6, max_cols=9, types=kinds):
        frame = spark.createDataFrame(as_arrow(table)).repartition(3)
        _assert_same_up_to_order(lawful.encode(frame), lawful.encode(as_arrow(table)))


@pytest.mark.parametrize(
    "query", ["SELECT * FROM range(5) WHERE false", "SELECT * FROM range(0, 5, 1, 3) WHERE id > 9"]
)
def test_frames_without_rows(spark: Any, query: str) -> None:
    frame = spark.sql(query).selectExpr("id", "CAST(id AS STRING) AS s", "TIMESTAMP'2024-01-01' AS t", "ARRAY(id) AS l")
    table = lawful.encode(frame)
    assert table.ranks.shape == (4, 0)
    assert [c.type.name for c in table.columns] == ["integer", "string", "timestamp", "nested"]
    _assert_same_up_to_order(table, lawful.encode(frame, engine="local"))


def test_errors_of_frames(spark: Any, tmp_path: Path) -> None:
    frame = spark.sql("SELECT CAST(id AS STRING) AS a FROM range(0, 40, 1, 4) UNION ALL SELECT 'x'")
    with pytest.raises(ColumnError, match="column 'a': 'x' is no integer") as caught:
        lawful.encode(frame, types={"a": "integer"})
    assert str(caught.value) == str(_error(frame, {"a": "integer"})).replace("'pyarrow.Table', row 41", "DataFrame")
    with pytest.raises(LimitError, match="over the budget of 1 MiB"):
        stage_frame(frame, str(tmp_path / "work"), SourceOptions(), memory=1 << 20)


def _error(frame: Any, types: dict[str, str]) -> ColumnError:
    with pytest.raises(ColumnError) as caught:
        lawful.encode(frame.toArrow(), types=types)
    return caught.value


def test_text_of_a_frame_asked_to_be_numbers(spark: Any) -> None:
    frame = spark.sql("SELECT CAST(id / 4 AS STRING) AS a, id FROM range(0, 20, 1, 3)")
    table = lawful.encode(frame, types={"a": "decimal"})
    assert table.column("a").type.name == "decimal"
    assert table.ranks[0].tolist() == table.ranks[1].tolist()


def test_frames_with_hard_names(spark: Any) -> None:
    names = ["a b", "a.b", "`t`", "od`d", "two\nlines", "ü", "A", "a", 'say "x"', ""]
    frame = spark.createDataFrame([tuple(range(10)), tuple(range(9, -1, -1))], [f"c{i}" for i in range(10)])
    found = lawful.encode(frame.toDF(*names))
    assert found.names == (*names[:-1], "column_10")
    assert sorted(map(tuple, found.ranks.T.tolist())) == [(0,) * 5 + (1,) * 5, (1,) * 5 + (0,) * 5]
