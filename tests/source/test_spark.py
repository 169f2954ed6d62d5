"""Tables that Spark holds, read on its session and in this process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.errors import ColumnError, OptionError, SourceError
from lawful.options import SourceOptions
from lawful.source.spark import SparkSource, open_spark

pytestmark = pytest.mark.spark

HARD = ["a b", "a.b", "`t`", "two\nlines", "ü", "A", "a", 'say "x"']


def opened(source: Any, session: Any = None, **options: Any) -> SparkSource:
    return open_spark(source, SourceOptions(**options), session)


def rows(source: SparkSource) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in source.frame.collect()), key=repr)


def refused(kind: type[Exception], source: Any, session: Any = None, **options: Any) -> str:
    with pytest.raises(kind) as met:
        opened(source, session, **options)
    assert "\n" not in str(met.value)
    assert met.value.hint  # type: ignore[attr-defined]
    assert met.value.__cause__ is None
    return str(met.value)


def test_a_frame_with_hard_names(spark: Any) -> None:
    frame = spark.createDataFrame([tuple(range(8)), tuple(range(8, 16))], HARD)
    source = opened(frame)
    assert source.names == tuple(HARD)
    assert rows(source) == [tuple(range(8)), tuple(range(8, 16))]
    chosen = opened(frame, columns=("a", "a.b", "two\nlines"), limit_rows=1)
    assert chosen.names == ("a.b", "two\nlines", "a")
    assert chosen.frame.count() == 1
    table = lawful.encode(frame, engine="local")
    assert table.names == tuple(HARD)
    assert sorted(table.cells("A", [0, 1])) == [5, 13]
    assert "has no column 'aa'" in refused(ColumnError, frame, columns=("aa",))


def test_names_that_stand_twice_or_not_at_all(spark: Any) -> None:
    frame = spark.range(1).selectExpr("id AS x", "id AS x")
    assert "names two columns 'x'" in refused(SourceError, frame)
    empty = opened(spark.range(1).selectExpr("id AS ` `", "id AS y"))
    assert empty.names == ("column_1", "y")
    assert "column 1 has no name" in empty.warnings[0]
    assert "has no columns" in refused(SourceError, spark.range(1).select())


def test_columns_that_cannot_be_compared(spark: Any) -> None:
    frame = spark.sql(
        "SELECT 1 AS a, INTERVAL '1' YEAR AS y, make_interval(1) AS c, map('k', 1) AS m, INTERVAL '1' DAY AS d"
    )
    source = opened(frame)
    assert source.names == ("a", "m", "d")
    assert [w.split(" is left out")[0] for w in source.warnings] == [
        "'DataFrame': column 'y'",
        "'DataFrame': column 'c'",
    ]
    assert "column 'y' is left out" in refused(ColumnError, frame, strict=True)
    assert opened(frame, columns=("a",), strict=True).warnings == ()
    assert "no column that can be compared" in refused(SourceError, frame, columns=("y",))
    assert lawful.encode(frame, engine="local").names == ("a", "m", "d")


def test_variants_are_compared_as_text(spark: Any) -> None:
    frame = spark.sql("""SELECT parse_json(x) AS v FROM VALUES ('{"b":1,"a":2}'), ('{"a":2, "b":1}'), ('3') t(x)""")
    assert [bytes(v) for (v,) in rows(opened(frame))] == [b"3", b'{"a":2,"b":1}', b'{"a":2,"b":1}']


def test_tables_and_queries(spark: Any, capfd: pytest.CaptureFixture[str]) -> None:
    spark.createDataFrame([(1, "x"), (2, None)], ["a", "b"]).createOrReplaceTempView("pay")
    assert rows(opened("spark:pay", spark)) == [(1, "x"), (2, None)]
    assert rows(opened("spark: SELECT a FROM pay WHERE a > 1", spark)) == [(2,)]
    assert rows(opened("spark:values(1),(2)", spark)) == [(1,), (2,)]
    assert opened("spark:pay", spark).name == "spark:pay"
    assert "names no table" in refused(SourceError, "spark:", spark)
    assert "TABLE_OR_VIEW_NOT_FOUND" in refused(SourceError, "spark:pays", spark)
    assert "PARSE_SYNTAX_ERROR" in refused(SourceError, "spark:SELECT a FORM pay\nWHERE", spark)
    assert "UNRESOLVED_COLUMN" in refused(SourceError, "spark:SELECT\nnothing FROM pay", spark)
    assert "Spark cannot read" in refused(SourceError, "spark:DROP VIEW pay", spark)
    assert "Exception" not in capfd.readouterr().err
    assert rows(opened("spark:pay", spark)) == [(1, "x"), (2, None)]


def test_jdbc(spark: Any, tmp_path: Path) -> None:
    url = f"jdbc:derby:{tmp_path}/base"
    jvm = getattr(spark, "_jvm", None)  # Connect has none
    if jvm is not None:
        jvm.java.lang.System.setProperty("derby.stream.error.file", str(tmp_path / "derby.log"))
    frame = spark.createDataFrame([(1, "x"), (2, None)], ["a", "b"])
    frame.write.format("jdbc").options(url=f"{url};create=true", dbtable="APP.pay").save()
    whole = f"{url};user=me;password=hidden"
    for table in ("APP.pay", "(SELECT * FROM APP.pay)", "(SELECT * FROM APP.pay) AS p"):
        source = opened(whole, spark, table=table)
        assert rows(source) == [(1, "x"), (2, None)]
        assert source.name == url
    assert rows(opened(whole, spark, table="APP.pay", columns=("b",))) == [("x",), (None,)]
    table = lawful.encode(whole, table="APP.pay", engine="spark")
    assert (table.name, table.rows, table.names) == (url, 2, ("a", "b"))
    assert "needs a table" in refused(OptionError, whole, spark)
    for message in (
        refused(SourceError, whole, spark, table="none"),
        refused(SourceError, f"jdbc:derby:{tmp_path}/other;user=me;password=hidden", spark, table="pay"),
        refused(SourceError, "jdbc:nonsense://me:hidden@host/base?password=hidden", spark, table="pay"),
    ):
        assert "hidden" not in message and "Spark cannot read 'jdbc:" in message
        assert "An error occurred while calling" not in message


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("jdbc:postgresql://me:pw@host:5432/db?password=pw", "jdbc:postgresql://host:5432/db"),
        ("jdbc:oracle:thin:me/pw@//host:1521/db", "jdbc:oracle:thin://host:1521/db"),
        ("jdbc:sqlserver://host;user=me;password=pw", "jdbc:sqlserver://host"),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str) -> None:
    from lawful.source.spark import _reason, _shown

    assert _shown(url) == shown
    problem = RuntimeError(
        "An error occurred while calling o45.load.\n"
        f": java.sql.SQLException: no route by {url} (user=me, password=pw, pwd=pw)\n\tat x"
    )
    reason = _reason(problem, url)
    assert reason.startswith("no route by") and "pw" not in reason.replace("pwd=", "")


def test_frames_of_connect_are_known_by_name() -> None:
    from lawful.source.spark import is_spark_frame

    class DataFrame:
        __module__ = "pyspark.sql.connect.dataframe"

    assert is_spark_frame(DataFrame())
    assert not is_spark_frame("spark:x")


def test_files_read_by_tasks_and_here_alike(spark: Any, tmp_path: Path) -> None:
    for year in ("2020", "2021"):
        folder = tmp_path / f"year={year}"
        folder.mkdir()
        (folder / "a.csv").write_text('name;pay\n"Ann;\n""A""";1,5\n\nBo\n"";\n')
    tables = [lawful.encode(tmp_path, engine=engine, bad_rows="skip") for engine in ("spark", "local")]
    cells = [{name: t.cells(name, range(t.rows)) for name in t.names} for t in tables]
    assert cells[0] == cells[1]
    assert cells[0]["year"] == [2020, 2020, 2021, 2021]
    assert tables[0].warnings == tables[1].warnings
    assert "2 bad records are left out, the first at" in tables[0].warnings[0]
    assert "line 5" in tables[0].warnings[0]
