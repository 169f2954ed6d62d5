from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pyarrow as pa
import pytest

from lawful.ranks.keys import dense, keys_of
from lawful.ranks.nested import spell

ITEMS = [[1.5, None], None, [], [float("nan")], [-0.0, 0.0]]
SPELT = ["[1.5, null]", "null", "[]", "[nan]", "[0.0, 0.0]"]


@pytest.mark.parametrize(
    "type",
    [pa.list_(pa.float64()), pa.large_list(pa.float32()), pa.list_view(pa.float64()), pa.large_list_view(pa.float16())],
    ids=str,
)
def test_lists(type: pa.DataType) -> None:
    values = pa.array([[2.0], *ITEMS], type)
    assert spell(values)[1:] == SPELT
    assert spell(values.slice(2, 2)) == SPELT[1:3]
    if "view" not in str(type):
        assert spell(values.filter(pa.array([False, True, False, True, False, True]))) == SPELT[::2]


def test_lists_of_one_length() -> None:
    values = pa.array([[1, 2], None, [3, None], [4, 5]], pa.list_(pa.int8(), 2))
    assert spell(values) == ["[1, 2]", "null", "[3, null]", "[4, 5]"]
    assert spell(values.slice(1, 2)) == ["null", "[3, null]"]


def test_structs() -> None:
    values = pa.array([{"a": 1, "b c": None}, None, {"a": None, "b c": 'é"'}])
    assert spell(values) == ['{"a": 1, "b c": null}', "null", '{"a": null, "b c": "é\\""}']
    assert spell(values.slice(1)) == ["null", '{"a": null, "b c": "é\\""}']
    assert spell(pa.array([{}, None], pa.struct([]))) == ["{}", "null"]


def test_maps_have_no_order() -> None:
    values = pa.array(
        [[("z", 1)], [("b", 1), ("a", None)], [("a", None), ("b", 1)], None, []], pa.map_("string", "int8")
    )
    assert spell(values) == ['{"z": 1}', '{"a": null, "b": 1}', '{"a": null, "b": 1}', "null", "{}"]
    for start in range(5):
        assert spell(values.slice(start, 2)) == spell(values)[start : start + 2]


def test_texts_that_look_alike_are_told_apart() -> None:
    pairs = [["a, b"], ["a", "b"], ['a", "b'], ["null"], [None], [""], []]
    assert len(set(spell(pa.array(pairs)))) == len(pairs)
    assert len(set(spell(pa.array([[b"a"], [b"61"], [b""], [None]], pa.list_(pa.binary()))))) == 4


def test_the_types_inside_decide() -> None:
    inside = {
        pa.decimal128(5, 2): ([Decimal("1.5")], "[1.50]"),
        pa.timestamp("ns"): ([1], "[1970-01-01 00:00:00.000000001]"),
        pa.timestamp("s", "Asia/Tokyo"): ([0], "[1970-01-01 00:00:00Z]"),
        pa.timestamp("us"): ([2**62], "[4611686018427387904 timestamp[us]]"),
        pa.date32(): ([dt.date(2024, 2, 29)], "[2024-02-29]"),
        pa.duration("ms"): ([5], "[5 ms]"),
        pa.time64("ns"): ([1], "[00:00:00.000000001]"),
        pa.bool_(): ([True], "[True]"),
        pa.binary(2): ([b"\x00\xff"], "[00ff]"),
        pa.dictionary(pa.int8(), pa.string()): (["x"], '["x"]'),
        pa.string_view(): (["x"], '["x"]'),
        pa.list_(pa.int8()): ([[1]], "[[1]]"),
    }
    for type, (value, spelt) in inside.items():
        assert spell(pa.array([value, None], pa.list_(type))) == [spelt, "null"]


def test_runs_unions_and_intervals() -> None:
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["a", None]))
    assert spell(runs) == ['"a"', '"a"', "null"]
    union = pa.UnionArray.from_sparse(
        pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, None]), pa.array(["a", "b", "c"])]
    )
    assert spell(union) == ["1", "b", "null"]
    months = pa.array([(1, 2, 3), (1, 2, 3), (0, 32, 3)], pa.month_day_nano_interval())
    assert dense(keys_of(months))[0].tolist()[:2] == [1, 1] or dense(keys_of(months))[0].tolist()[:2] == [0, 0]
    assert len(set(spell(months))) == 2
