"""Discovery gives the same rule lines on every engine, and no block of work holds up another."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.engine import Engine, LocalEngine
from lawful.ranks.encoded import Encoded
from tests.engines.pickled import PickledEngine
from tests.families.finding import blocks_of, discover_encoded, encoded, found, lines, of_ranks, policy
from tests.families.marking import judge, questions
from tests.made import as_arrow, random_tables
from tests.naive import discover
from tests.profiles import examples
from tests.search.test_violating import judge as judge_pairs
from tests.search.test_violating import random_asked, random_ranks


def larger() -> Encoded:
    """Some hundred contexts, and more pairs of rows than are remembered."""
    ranks = np.random.default_rng(6).integers(0, 5, (7, 400))
    ranks[4], ranks[5], ranks[6] = ranks[0] + ranks[1], ranks[0] * 5 + ranks[2], ranks[1] // 2 - 2 * ranks[2]
    return of_ranks(ranks)


OPTIONS: list[dict[str, Any]] = [
    {}, {"max_size": 3}, {"min_coverage": 0.01}, {"max_error": 0.05}, {"max_error": 0.02, "measure": "pairs"},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lines_are_equal_in_process(options: dict[str, Any]) -> None:
    expected = lines(found(larger(), engine=LocalEngine(1), **options))
    assert expected
    engines: list[Engine] = [LocalEngine(2), LocalEngine(4), PickledEngine(1), PickledEngine(2, lossy=True)]
    for engine in engines:
        with engine:
            for size in (1, 7, 1000):
                with blocks_of(partial(int, size)):
                    assert lines(found(larger(), engine=engine, **options)) == expected


@pytest.fixture(scope="module")
def on_spark(spark: Any) -> Any:
    from lawful.engine.spark.engine import SparkEngine

    with SparkEngine(spark, workers=2) as engine:
        yield engine


@pytest.mark.spark
def test_small_tables_on_spark(on_spark: Any) -> None:
    """By the definitions, on all pairs and on the data; the workers are other processes, so blocks stay whole there."""
    for i, table in enumerate(random_tables(31, examples(24), min_rows=2, min_cols=2)):
        with policy(("all", "data", "forgetful")[i % 3]):
            rules = found(encoded(table), engine=on_spark)
        assert set(rules) == discover(table, ["od", "key"]), table
        assert rules.engine == "spark"


@pytest.mark.spark
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lines_are_equal_on_spark(on_spark: Any, options: dict[str, Any]) -> None:
    expected = lines(found(larger(), engine=LocalEngine(1), **options))
    rng = Random(3)
    with blocks_of(lambda: rng.randint(20, 60)):
        assert lines(found(larger(), engine=on_spark, **options)) == expected


@pytest.mark.spark
@pytest.mark.parametrize("kind", ["dc", "pod"])
def test_pairs_of_small_tables_on_spark(on_spark: Any, kind: str) -> None:
    """By the definitions: exact and approximate, nulls wherever they may stand, columns compared with each other."""
    for i, asked in enumerate(questions(kind, 32, 15, near=True, min_rows=2, max_cols=3)):
        more: dict[str, Any] = {"max_error": 0.0} if i % 2 else {}
        if kind == "dc" and i % 3 == 0:
            more["cross_columns"] = True
        judge(kind, asked._replace(options=asked.options | more), on_spark)


@pytest.mark.spark
@pytest.mark.parametrize("kind", ["dc", "pod"])
@pytest.mark.parametrize("options", [{}, {"max_error": 0.02}, {"max_size": 2}], ids=str)
def test_lines_from_pairs_of_rows_are_equal_on_spark(on_spark: Any, kind: str, options: dict[str, Any]) -> None:
    """1,300 rows are several blocks; figures are in the lines."""
    ranks = np.random.default_rng(9).integers(0, 6, (5, 1300))
    ranks[3], ranks[4] = ranks[0] + ranks[1], ranks[2] // 2
    expected = lines(found(of_ranks(ranks), (kind,), engine=LocalEngine(1), **options))
    assert expected
    assert lines(found(of_ranks(ranks), (kind,), engine=on_spark, **options)) == expected


@pytest.mark.spark
def test_pairs_that_satisfy_conjunctions_are_found_on_spark(on_spark: Any) -> None:
    draw, rng, seen = Random(33), np.random.default_rng(33), np.zeros(2, int)
    for _ in range(examples(6)):
        ranks = random_ranks(rng, draw.randint(2, 60), 5)
        lists = [random_asked(draw, 5) for _ in range(40)]
        seen += judge_pairs(ranks, lists, on_spark, 3, "spark")
    assert seen.min() > 0


@pytest.mark.spark
def test_an_interrupt_on_spark_keeps_what_was_found(on_spark: Any) -> None:
    left = [3]

    def listen(step: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    whole = found(larger())
    with blocks_of(lambda: 8):
        part, ending = discover_encoded(larger(), engine=on_spark, listener=listen)
    assert (ending.code, part.incomplete) == (130, "interrupted")
    assert set(part) <= set(whole)
    assert found(larger(), max_size=2, engine=on_spark) == found(larger(), max_size=2), "the engine still works"


@pytest.mark.spark
def test_a_spark_frame_through_the_front_door(spark: Any) -> None:
    table = next(random_tables(8, 1, min_rows=8, min_cols=4, types=("integer", "string"), nulls=False))
    arrow = as_arrow(table)
    frame = spark.createDataFrame(arrow)
    rules = lawful.discover(frame, ["od", "key"])
    assert rules.engine == "spark"
    assert lines(rules) == lines(lawful.discover(arrow, ["od", "key"], engine="local"))
    marked = lawful.discover(frame, ["pod", "dc"], cross_columns=True)
    assert lines(marked) == lines(lawful.discover(arrow, ["pod", "dc"], cross_columns=True, engine="local"))
