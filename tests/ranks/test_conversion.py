from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from lawful.errors import ColumnError, OptionError
from lawful.options import SourceOptions
from lawful.ranks.encode import encode_here
from lawful.ranks.encoded import Encoded
from lawful.source.frames import FrameSource


def _encoded(values: pa.Array, **options: Any) -> Encoded:
    return encode_here(FrameSource("frame", pa.table({"a": values})), SourceOptions(**options))


CONVERTED: list[tuple[pa.Array, str, list[Any]]] = [
    (pa.array(["1" * 38, " .5 "]), "decimal", [Decimal("1" * 38), Decimal("0.5")]),
    (pa.array([1.5, 0.1, 1e20, -0.0]), "decimal", [Decimal("1.5"), Decimal("0.1"), Decimal(10**20), Decimal(0)]),
    (pa.array([1, None]), "decimal", [Decimal(1), None]),
    (pa.array([Decimal("2.00"), None]), "integer", [2, None]),
    (pa.array([1, 0, None]), "boolean", [True, False, None]),
    (pa.array([True, False]), "integer", [1, 0]),
    (pa.array([2**53, 1]), "float", [2.0**53, 1.0]),
    (pa.array([date(2024, 2, 29)]), "timestamp", [datetime(2024, 2, 29)]),
    (pa.array([date(2024, 2, 29)]), "string", ["2024-02-29"]),
    (pa.array([[1], None]), "string", ["[1]", None]),
    (pa.array(["2024-02-29T01:00:00+01:00"]), "timestamp", [datetime(2024, 2, 29, tzinfo=UTC)]),
    (pa.array(["02/29/2024", "12/31/2023"]), "date", [date(2024, 2, 29), date(2023, 12, 31)]),
    (pa.array(["007", "1"]), "integer", [7, 1]),
    (pa.array(["true", "FALSE"]).dictionary_encode(), "boolean", [True, False]),
]


@pytest.mark.parametrize(("values", "asked", "expected"), CONVERTED, ids=str)
def test_types_asked_for(values: pa.Array, asked: str, expected: list[Any]) -> None:
    table = _encoded(values, types={"a": asked})
    assert (table.column("a").type.name, table.column("a").type.why) == (asked, "asked for")
    assert table.cells("a", range(len(values))) == expected


REFUSED: list[tuple[pa.Array, str, str]] = [
    (pa.array([1.0, 1.5]), "integer", "row 2, column 'a': '1.5' is double and cannot be integer"),
    (pa.array([1.0, float("nan")]), "decimal", "row 2, column 'a': 'nan' is double and cannot be decimal"),
    (pa.array([1.5, 1e300]), "decimal", "row 2, column 'a': '1e+300' is double"),
    (pa.array([0, 2]), "boolean", "row 2, column 'a': '2' is int64 and cannot be boolean"),
    (pa.array([1, 2**53 + 1]), "float", "row 2, column 'a': '9007199254740993'"),
    (pa.array([None, b"\xff"]), "string", "row 2"),
    (pa.array([date(2024, 2, 29)]), "integer", "row 1, column 'a': '2024-02-29' is date32"),
    (pa.array(["9223372036854775807", "9223372036854775808"]), "integer", "row 2"),
    (pa.array(["1", "0." + "1" * 39]), "decimal", "row 2"),
    (pa.array(["2024-01-01T00:00:00.1234567", "1600-01-01T00:00"]), "timestamp", "'1600-01-01T00:00' is no timestamp"),
    (pa.array(["02/29/2024", "12/31/2023", "29.02.2024"]), "date", "row 3"),
    (pa.array(["2024-01-01T00:00", "2024-01-01T01:00", "2024-01-01T00:00Z"]), "timestamp", "row 3"),
]


@pytest.mark.parametrize(("values", "asked", "said"), REFUSED, ids=str)
def test_values_that_cannot_be_what_was_asked_for(values: pa.Array, asked: str, said: str) -> None:
    with pytest.raises(ColumnError) as caught:
        _encoded(values, types={"a": asked})
    assert said in str(caught.value)
    assert "rows hold" not in str(caught.value)
    assert caught.value.hint


def test_a_type_that_is_none() -> None:
    with pytest.raises(OptionError, match=r"'intger', given as the type of column 'a', is not a type. Did you mean"):
        _encoded(pa.array([1]), types={"a": "intger"})


@pytest.mark.parametrize(
    ("values", "order", "ranks"),
    [
        (pa.array(["b", "a", None]), ("b", "a"), [1, 2, 0]),
        (pa.array([0.0, -0.0, 1.5]), ("1.50", "-0"), [1, 1, 0]),
        (pa.array([1.5, 0.25], pa.float32()), ("1.5", "2.5e-1"), [0, 1]),
        (pa.array([2**64 - 1, 1], pa.uint64()), (str(2**64 - 1), "1"), [0, 1]),
        (pa.array([True, False]), ("TRUE", "false"), [0, 1]),
        (pa.array([date(2024, 2, 29), date(2023, 1, 1)]), ("2024-02-29", "2023-01-01"), [0, 1]),
        (pa.array([Decimal("1.50"), Decimal("0.10")]), ("1.5", ".1", "7.123"), [0, 1]),
        (pa.array([1, 0], pa.time32("s")), ("00:00:01", "00:00:00"), [0, 1]),
        (pa.array([b"x", b"y"]), ("y", "x"), [1, 0]),
        (pa.array([[1], [2]]), ("[2]", "[1]"), [1, 0]),
        (
            pa.array([0, 1], pa.timestamp("ms", "Asia/Tokyo")),
            ("1970-01-01T00:00:00.001Z", "1970-01-01 09:00+09"),
            [1, 0],
        ),
        (pa.array(["x", "y"]).dictionary_encode(), ("y", "x"), [1, 0]),
    ],
    ids=str,
)
def test_orders_by_meaning(values: pa.Array, order: tuple[str, ...], ranks: list[int]) -> None:
    table = _encoded(values, order={"a": order})
    assert table.ranks.tolist() == [ranks]
    assert table.column("a").ordered and table.column("a").listed == order


@pytest.mark.parametrize(
    "values", [pa.array([3, 1]), pa.array([date(2024, 1, 1), None]), pa.array([5], pa.duration("s"))]
)
def test_a_value_that_the_order_lacks(values: pa.Array) -> None:
    with pytest.raises(ColumnError, match=r"is not in the order 1, low\."):
        _encoded(values, order={"a": ("1", "low")})
