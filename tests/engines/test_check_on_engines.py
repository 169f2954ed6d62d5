"""Checks say the same on Spark as in process, and a Spark frame is split where a frame in memory would be."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import lawful as lw
from lawful.engine import LocalEngine
from lawful.errors import OptionError
from lawful.options import CheckOptions
from lawful.violations.asked import asked_rules
from lawful.violations.checking import check_all
from tests.made import as_arrow, random_tables
from tests.profiles import examples
from tests.violations.checking import assert_as_defined

pytestmark = pytest.mark.spark

TEXTS = [
    "c0 -> c1", "c0, c2 -> c3", "key(c0, c1)", "{}: c0 ~ c1", "{c2}: c0 ~ c3 desc", "[c0] -> [c1, c2 desc]",
    "c0<, c1<= => c2<=", "not(t.c0 = u.c0 and t.c1 < u.c1 and t.c2 > u.c2)", "not(t.c0 < u.c1 and t.c1 != u.c0)",
    "not(t.c0 > t.c1)", "key()",
]  # fmt: skip


@pytest.fixture(scope="module")
def on_spark(spark: Any) -> Any:
    from lawful.engine.spark.engine import SparkEngine

    with SparkEngine(spark, workers=2) as engine:
        yield engine


def test_small_tables(on_spark: Any) -> None:
    asked = asked_rules(TEXTS)
    types = ("integer", "decimal", "float")
    for whole in random_tables(5, examples(4), min_rows=2, max_rows=12, min_cols=4, max_cols=4, types=types):
        encoded = lw.encode(as_arrow(whole))
        found = check_all(encoded, on_spark, asked, CheckOptions())
        assert found.engine == "spark"
        with LocalEngine(1) as here:
            assert repr(found.checks) == repr(check_all(encoded, here, asked, CheckOptions()).checks), "NaN is itself"
        for check in found:
            assert_as_defined(check, whole)


def test_a_skewed_key_and_no_key(on_spark: Any, spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame whose rows mostly share one key: its group is counted by pairs of blocks, in tasks of their own."""
    from lawful.violations import finishing
    from lawful.violations.blocks import Block
    from tests.naive import violations
    from tests.violations.test_blocks import SKEWED, skewed

    whole = skewed(4)
    encoded, here = lw.encode(spark.createDataFrame(as_arrow(whole)).coalesce(1)), lw.encode(as_arrow(whole))
    tasks: list[Any] = []
    run = type(on_spark).stream

    def counted(self: Any, job: Any, shared: Any, units: Any) -> Any:
        tasks.extend(units)
        return run(self, job, shared, units)

    monkeypatch.setattr(type(on_spark), "stream", counted)
    monkeypatch.setattr(finishing, "PORTION", 20)
    asked = asked_rules(SKEWED[::2])
    found = check_all(encoded, on_spark, asked, CheckOptions(repair=False))
    assert sum(isinstance(getattr(unit, "blocks", None), tuple) for unit in tasks) > 40
    assert all(isinstance(block, Block) for unit in tasks for block in getattr(unit, "blocks", None) or ())
    monkeypatch.setattr(finishing, "PORTION", 1 << 20)
    with LocalEngine(1) as engine:
        at_once = check_all(here, engine, asked, CheckOptions(repair=False))
    for check, one in zip(found, at_once, strict=True):
        assert check.pairs == one.pairs == len(violations(check.rule, whole)), check.rule
        assert (check.rows, check.error, len(check.witnesses)) == (one.rows, one.error, len(one.witnesses))


def test_a_spark_frame_through_the_front_door(spark: Any) -> None:
    whole = next(random_tables(8, 1, min_rows=12, max_rows=12, min_cols=4, max_cols=4, types=("integer",)))
    found = lw.check(spark.createDataFrame(as_arrow(whole)), TEXTS)
    here = lw.check(as_arrow(whole), TEXTS, engine="local")
    figures = [(c.rule, c.pairs, c.rows, c.error, c.repair and c.repair.rows) for c in found]
    exact = [f for f in figures if f[0].kind in ("fd", "key", "oc")]
    assert [f[:4] for f in figures] == [(c.rule, c.pairs, c.rows, c.error) for c in here]
    assert [f[4] for f in exact] == [c.repair and c.repair.rows for c in here if c.rule.kind in ("fd", "key", "oc")]
    assert all(row is None for c in found for w in c.witnesses for row in w.rows), "rows of a frame have no place"
    violated = found.violated[0]
    assert found.violations(violated.rule).column_names == ["c0", "c1", "c2", "c3"]
    assert found.violations(violated.rule, "spark").count() == violated.rows


def test_witnesses_of_a_spark_frame_show_a_key(spark: Any) -> None:
    frame = spark.sql("SELECT id % 2 AS a, id % 3 AS b, id * 7 AS number FROM range(6)")
    (found,) = lw.check(frame, "a -> b")
    assert found.witnesses[0].columns == ("a", "b", "number")
    assert all(number == 7 * ((3 * a + 4 * b) % 6) for w in found.witnesses for a, b, number in (w.t, w.u))


def rows_of(frame: Any) -> list[str]:
    """The rows in no order; NaN is itself."""
    return sorted(map(repr, frame.toArrow().to_pylist()))


@pytest.mark.parametrize("nulls", ["first", "unknown"])
def test_split(spark: Any, nulls: str) -> None:
    rng = Random(9)
    texts = [t for t in TEXTS if nulls == "first" or t.startswith(("c", "key", "not"))]
    texts = [t for t in texts if "=>" not in t and "c0 < u.c1" not in t and "c0 > t.c1" not in t]
    for whole in random_tables(rng.random(), examples(4), min_rows=4, max_rows=12, min_cols=4, max_cols=4):
        arrow = as_arrow(whole)
        frame = spark.createDataFrame(arrow)
        good, bad = lw.split(frame, texts, nulls=nulls)
        here_good, here_bad = lw.split(arrow, texts, nulls=nulls, engine="local")
        assert good.columns == frame.columns and bad.columns == [*frame.columns, "lawful_rules"]
        assert rows_of(good) == rows_of(spark.createDataFrame(here_good) if len(here_good) else good.limit(0))
        ids = [sorted(row["lawful_rules"]) for row in here_bad.to_pylist()]
        assert sorted(row["lawful_rules"] for row in bad.toArrow().to_pylist()) == sorted(ids)
        same = spark.createDataFrame(here_bad).drop("lawful_rules") if len(here_bad) else bad.limit(0)
        assert rows_of(bad.drop("lawful_rules")) == rows_of(same.drop("lawful_rules"))


def test_split_odd_names(spark: Any) -> None:
    frame = spark.sql("SELECT id % 3 AS `a b`, id AS `c d`, 1 AS lawful_rules FROM range(6)")
    good, bad = lw.split(frame, ["`a b` -> `c d`"])
    assert (good.count(), bad.count()) == (0, 6)
    assert bad.columns == ["a b", "c d", "lawful_rules", "lawful_rules_"]
    good, bad = lw.split(frame, ["key(`c d`)"])
    assert (good.count(), bad.count()) == (6, 0)
    assert bad.columns == ["a b", "c d", "lawful_rules", "lawful_rules_"]


def test_split_refuses_what_changes_values(spark: Any) -> None:
    with pytest.raises(OptionError, match="null_values"):
        lw.split(spark.range(3), ["key(id)"], null_values=["1"])
