"""Values of several columns in one order, and exact means: against Python's own numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lawful.evidence.joint import distinct_values, joint_places, mean
from tests.families.finding import encoded
from tests.made import VALUES, as_arrow, random_tables
from tests.naive import NUMERIC, TYPES, Value, cmp, table
from tests.naive.space import _mean
from tests.profiles import examples

ARROW = {"integer": pa.int64(), "decimal": pa.decimal128(38, 10), "float": pa.float64()}


def check_places(columns: list[list[Value]], arrays: list[pa.Array]) -> None:
    """Places compare as the values do, within columns and between them."""
    places = [found.tolist() for found in joint_places(arrays)]
    told = list(zip(chain(*columns), chain(*places), strict=True))
    for a, place in told:
        for b, other in told:
            assert cmp(a, b) == ("=" if place == other else "<" if place < other else ">"), (a, b)


@pytest.mark.parametrize("kind", TYPES)
def test_columns_of_one_type(kind: str) -> None:
    draw = Random(kind)
    for _ in range(examples(10)):
        columns = [draw.choices(VALUES[kind], k=draw.randint(0, 6)) for _ in range(3)]
        held = [as_arrow(table("a", kind, *[(v,) for v in values])).column(0).combine_chunks() for values in columns]
        check_places(columns, held)


def test_numbers_of_different_types_compare_without_rounding() -> None:
    """2^53 + 1 is not 2^53, which it would be as a double, and 0.1 is below the double 0.1."""
    integers, decimals = [2**53, 2**53 + 1, 0], [Decimal("0.1"), Decimal(2**53), Decimal("-0.5")]
    floats = [0.1, 2.0**53, float("inf"), float("nan"), -0.0]
    columns: list[list[Any]] = [integers, decimals, floats]
    check_places(columns, [pa.array(v, ARROW[k]) for v, k in zip(columns, ARROW, strict=True)])
    draw = Random(1)
    for _ in range(examples(40)):
        mixed = [draw.sample(VALUES[kind], 5) for kind in sorted(NUMERIC)]
        check_places(mixed, [pa.array(v, ARROW[k]) for v, k in zip(mixed, sorted(NUMERIC), strict=True)])


@pytest.mark.parametrize(
    ("one", "other"), [(pa.int32(), pa.int64()), (pa.uint64(), pa.int64()), (pa.float32(), pa.float64())], ids=str
)
def test_widths_of_integers_and_doubles(one: pa.DataType, other: pa.DataType) -> None:
    columns: list[list[Value]] = [[3, 7, 2**31 - 128], [7, 2**31 - 128, 5]]
    columns = [[float(v) for v in held] for held in columns] if pa.types.is_floating(one) else columns  # type: ignore[arg-type]
    check_places(columns, [pa.array(columns[0], one), pa.array(columns[1], other)])


def test_unsigned_integers_beyond_the_signed_ones() -> None:
    check_places([[2**64 - 1, 0], [-1, 0]], [pa.array([2**64 - 1, 0], pa.uint64()), pa.array([-1, 0], pa.int64())])


def test_means_are_exact() -> None:
    for whole in random_tables(3, examples(300), types=sorted(NUMERIC), min_rows=1):
        here = encoded(whole)
        for place, name in enumerate(whole.names):
            assert mean(here, place, distinct_values(here, place)) == _mean(whole.column(name)), whole


@pytest.mark.parametrize(
    "values",
    [[1e308, 1e308, 1e308], [5e-324, 0.0], [0.1] * 3, [1e308, -1e308, 1.0], [2.0**53, 1.0, 1.0], [float("inf"), 1.0],
     [float("-inf"), 1.0], [float("nan"), 1.0], [None, 3.0], [None, None]],
    ids=str,
)  # fmt: skip
def test_means_of_doubles_neither_overflow_nor_round(values: list[Any]) -> None:
    whole = table("a", "float", *[(v,) for v in values])
    here = encoded(whole)
    found = mean(here, 0, distinct_values(here, 0))
    assert found == _mean(whole.column("a"))
    assert found is None or isinstance(found, Fraction)


def test_distinct_values_come_in_the_order_of_ranks_without_null() -> None:
    here = encoded(table("a", "integer", (5,), (None,), (-1,), (5,)))
    assert distinct_values(here, 0).to_pylist() == [-1, 5]
    assert np.array_equal(here.ranks, [[2, 0, 1, 2]])
