from __future__ import annotations

import datetime as dt
import math
import random
import struct
import uuid
from decimal import Decimal
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from lawful.ranks.coding import code
from lawful.ranks.columns import typed
from lawful.ranks.keys import Keys, alike, dense, keys_of, listed_keys
from lawful.ranks.runs import _batch, join
from lawful.ranks.stored import values_of
from lawful.ranks.types import ColumnType

NAN = float("nan")
FLOATS = [-math.inf, -1e300, -1.5, -1.0, -0.0, 0.0, 5e-324, 1.0, 1.5, 2.0**60, math.inf, NAN]
DECIMALS = [Decimal(t) for t in "-99999 -1.5 -0.01 0 0.01 1 1.50 99999".split()]
INSTANTS = [-(2**62), -1, 0, 1, 999, 1_000, 10**15, 2**62]
BYTES = sorted(
    [b"", b"\x00", b"\x00\x00", b"a", b"a\x00", b"ab", b"b", b"\x7f", b"\x80", b"\xff", b"a" * 70, b"a" * 70 + b"b"]
)
TEXTS = ["", " ", "A", "Z", "a", "a ", "ab", "b", "ß", "é", "\uffff", "\U0001f600"]


def _ticks(type: pa.DataType, ticks: list[int]) -> pa.Array:
    return pa.array(ticks, pa.int32() if type.bit_width == 32 else pa.int64()).view(type)


def _integers(type: pa.DataType) -> pa.Array:
    info = np.iinfo(type.to_pandas_dtype())
    return pa.array(sorted({info.min, info.min + 1, -1 if info.min else 0, 0, 1, info.max - 1, info.max}), type)


UNITS = ["s", "ms", "us", "ns"]
ASCENDING: list[pa.Array] = [
    *(_integers(t) for t in (pa.int8(), pa.int16(), pa.int32(), pa.int64())),
    *(_integers(t) for t in (pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())),
    pa.array(FLOATS, pa.float64()),
    pa.array([-math.inf, -1.5, -0.0, 0.0, 0.1, 1e30, math.inf, NAN], pa.float32()),
    pa.array(np.array([-math.inf, -1.5, -0.0, 0.0, 0.1, 6e4, math.inf, NAN], np.float16)),
    *(pa.array(DECIMALS, t) for t in (pa.decimal32(9, 2), pa.decimal64(18, 2), pa.decimal128(18, 2))),
    *(pa.array(DECIMALS, t) for t in (pa.decimal128(19, 2), pa.decimal128(38, 10), pa.decimal256(76, 2))),
    pa.array(
        [Decimal(-(10**37)), Decimal(-(2**64)), Decimal(2**63), Decimal(2**64), Decimal(10**37)], pa.decimal128(38)
    ),
    pa.array([Decimal(-(10**75)), Decimal(-1), Decimal(2**200), Decimal(10**75)], pa.decimal256(76)),
    pa.array([False, True]),
    _ticks(pa.date32(), [-(2**31), -719_162, -1, 0, 1, 2**31 - 1]),
    _ticks(pa.date64(), [-86_400_000, 0, 86_400_000]),
    *(_ticks(pa.time32(u), [0, 1, 1000, 80_000]) for u in ("s", "ms")),
    *(_ticks(pa.time64(u), [0, 1, 1000, 80_000_000]) for u in ("us", "ns")),
    *(_ticks(pa.timestamp(u), INSTANTS) for u in UNITS),
    *(_ticks(pa.timestamp(u, "Europe/Berlin"), INSTANTS) for u in UNITS),
    *(_ticks(pa.duration(u), INSTANTS) for u in UNITS),
    *(pa.array(TEXTS, t) for t in (pa.string(), pa.large_string(), pa.string_view())),
    *(pa.array(BYTES, t) for t in (pa.binary(), pa.large_binary(), pa.binary_view())),
    pa.array([b"\x00\x00", b"\x00a", b"\x7f\xff", b"\x80\x00", b"\xff\xff"], pa.binary(2)),
]
READ = [code(pa.chunked_array([values]), ()).values for values in ASCENDING]
"""The same as it is once read: views, half floats and narrow decimals are wider then."""


def _equal_to_the_one_before(values: pa.Array) -> list[bool]:
    """Zeros of both signs are the only equal neighbours in `ASCENDING`."""
    found = values.cast(pa.float64()).to_pylist() if pa.types.is_floating(values.type) else list(range(len(values)))
    return [False, *(a == b for a, b in pairwise(found))]


def _ids(values: pa.Array) -> str:
    return str(values.type)


@pytest.mark.parametrize("values", READ, ids=_ids)
@pytest.mark.parametrize("seed", range(3))
def test_order_and_equality(values: pa.Array, seed: int) -> None:
    expected = (np.cumsum(~np.array(_equal_to_the_one_before(values))) - 1).tolist()
    rng = random.Random(seed)
    at = rng.choices(range(len(values)), k=30) + list(range(len(values)))
    rng.shuffle(at)
    ranks, firsts = dense(keys_of(pa.concat_arrays([values.slice(1, 1), values.take(pa.array(at))]).slice(1)))
    assert ranks.tolist() == [expected[i] for i in at]
    assert [expected[at[i]] for i in firsts] == list(range(expected[-1] + 1))


@pytest.mark.parametrize("values", READ, ids=_ids)
def test_values_come_back_from_keys(values: pa.Array) -> None:
    back = values_of(keys_of(values), values.type)
    assert back.type == values.type
    back.validate(full=True)
    assert back.equals(alike(values)) or np.array_equal(
        np.asarray(back, np.float64), np.asarray(values, np.float64), equal_nan=True
    )
    assert keys_of(back).order().tolist() == keys_of(values).order().tolist()


@pytest.mark.parametrize("values", READ, ids=_ids)
def test_no_values(values: pa.Array) -> None:
    empty = values.slice(0, 0)
    ranks, firsts = dense(keys_of(empty))
    assert (len(ranks), len(firsts)) == (0, 0)
    assert values_of(keys_of(empty), values.type).equals(empty)
    only_nulls = pa.nulls(2, values.type)
    assert len(keys_of(only_nulls.filter(pa.array([False, False])))) == 0


@pytest.mark.parametrize("values", READ, ids=_ids)
def test_keys_depend_on_the_type_alone(values: pa.Array) -> None:
    """A value has the same key whatever stands beside it, or chunks would not agree."""
    whole = _rows(keys_of(values))
    for i in range(len(values)):
        assert _rows(keys_of(values.slice(i, 1))) == whole[i : i + 1]


def _rows(keys: Keys) -> list[dict[str, Any]]:
    parts = [p for p in ("number", "low", "text") if getattr(keys, p) is not None]
    return [{p: getattr(keys, p)[i] for p in parts} for i in range(len(keys))]


@pytest.mark.parametrize("values", READ, ids=_ids)
def test_keys_survive_the_run_file(values: pa.Array) -> None:
    keys = keys_of(values)
    batch = _batch(keys)
    assert _rows(join([batch.slice(0, 1), batch.slice(1)])) == _rows(keys)


def test_all_nan_are_one() -> None:
    payloads = [0x7FF8000000000000, 0x7FF8000000000001, 0xFFF8000000000000, 0xFFFFFFFFFFFFFFFF, 0x7FF0000000000001]
    values = np.array(payloads, np.uint64).view(np.float64)
    ranks, _ = dense(keys_of(pa.array(np.append(values, math.inf))))
    assert ranks.tolist() == [1, 1, 1, 1, 1, 0]
    singles = np.array([0x7FC00000, 0xFFC00001, 0x7F800000], np.uint32).view(np.float32)
    assert dense(keys_of(pa.array(singles)))[0].tolist() == [1, 1, 0]


def test_floats_sort_as_python_sorts_them() -> None:
    rng = random.Random(7)
    bits = [struct.unpack("<d", rng.randbytes(8))[0] for _ in range(5000)]
    ranks, _ = dense(keys_of(pa.array(bits, pa.float64())))
    place = {v: i for i, v in enumerate(sorted({v for v in bits if v == v}))}
    assert ranks.tolist() == [place.get(v, len(place)) for v in bits]


@pytest.mark.parametrize("letters", [b"\x00a", b"\x00\x01\x7f\x80\xff", b"abcdefgh"])
@pytest.mark.parametrize("longest", [3, 12, 20])
def test_many_texts_sort_by_their_bytes(letters: bytes, longest: int) -> None:
    """Long columns are sorted by their first bytes first: ties, ends and zero bytes must not show."""
    rng = random.Random(longest)
    values = [bytes(rng.choices(letters, k=rng.randint(0, longest))) for _ in range(6000)]
    values += [b"prefix--" + v for v in values[:500]]
    ranks, _ = dense(keys_of(pa.array(values, pa.large_binary()).slice(3)))
    place = {v: i for i, v in enumerate(sorted(set(values[3:])))}
    assert ranks.tolist() == [place[v] for v in values[3:]]


def test_empty_texts_in_plenty() -> None:
    assert set(dense(keys_of(pa.array([""] * 5000)))[0].tolist()) == {0}


def _coded_ranks(column: pa.ChunkedArray) -> list[int]:
    """Ranks of all rows, -1 for null."""
    found = code(column, ())
    values = typed(found, ColumnType("nested"), asked=False)
    assert isinstance(values, pa.Array)
    ranks, _ = dense(keys_of(values))
    return [int(ranks[c]) if c >= 0 else -1 for c in found.codes]


@pytest.mark.parametrize("values", ASCENDING, ids=_ids)
def test_columns_with_nulls_in_chunks(values: pa.Array) -> None:
    expected = (np.cumsum(~np.array(_equal_to_the_one_before(values))) - 1).tolist()
    nulls = pa.nulls(2, values.type)
    column = pa.chunked_array([nulls, values.slice(1), values.slice(0, 0), values, nulls])
    assert _coded_ranks(column) == [-1, -1, *expected[1:], *expected, -1, -1]


@pytest.mark.parametrize(
    "index", [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
)
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("text", [pa.string(), pa.large_string(), pa.string_view()])
def test_dictionaries_are_their_values(index: pa.DataType, ordered: bool, text: pa.DataType) -> None:
    def chunk(indices: list[int | None], words: list[str | None]) -> pa.Array:
        return pa.DictionaryArray.from_arrays(pa.array(indices, index), pa.array(words, text), ordered=ordered)

    column = pa.chunked_array([chunk([0, None, 1, 2], ["b", "a", None]), chunk([1, 0, 3, 2], ["a", "c", "b", "a"])])
    assert _coded_ranks(column) == [1, -1, 0, -1, 2, 0, 0, 1]


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1.5, -0.0, 0.0, NAN]),
        pa.array([dt.date(2024, 1, 1), dt.date(2023, 1, 1)]),
        pa.array([Decimal("1.5"), Decimal("2.5")], pa.decimal64(10, 1)),
        pa.array([b"b", b"a"], pa.binary_view()),
        pa.array([True, False]),
    ],
    ids=_ids,
)
def test_dictionaries_and_runs_of_other_types(values: pa.Array) -> None:
    plain = _coded_ranks(pa.chunked_array([values]))
    places = list(range(len(values)))
    dictionary = pa.DictionaryArray.from_arrays(pa.array([*places, None], pa.int8()), values)
    assert _coded_ranks(pa.chunked_array([dictionary])) == [*plain, -1]
    if values.type != pa.binary_view():
        runs = pa.RunEndEncodedArray.from_arrays(pa.array([i * 2 + 2 for i in places], pa.int32()), values)
        assert _coded_ranks(pa.chunked_array([runs])) == [r for r in plain for _ in range(2)]


def test_columns_of_nothing() -> None:
    assert _coded_ranks(pa.chunked_array([pa.nulls(3)])) == [-1, -1, -1]
    for type in (pa.null(), pa.list_(pa.int8()), pa.dictionary(pa.int8(), pa.string()), pa.decimal256(50, 2)):
        assert _coded_ranks(pa.chunked_array([], type)) == []
        assert _coded_ranks(pa.chunked_array([pa.nulls(1, type)])) == [-1]


def test_extension_types_are_their_storage() -> None:
    ids = sorted(uuid.UUID(int=random.Random(i).getrandbits(128)).bytes for i in range(4))
    column = pa.chunked_array([pa.ExtensionArray.from_storage(pa.uuid(), pa.array([*ids[::-1], None], pa.binary(16)))])
    assert _coded_ranks(column) == [3, 2, 1, 0, -1]
    json = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a":1}', "[]", None]))
    assert _coded_ranks(pa.chunked_array([json])) == [1, 0, -1]


@pytest.mark.parametrize(
    ("order", "known"),
    [(["c", "a"], [True, False, True]), (["x"], [False, False, False]), (["c", "b", "a"], [True, True, True])],
)
def test_listed_values_sort_by_their_place(order: list[str], known: list[bool]) -> None:
    keys, found = listed_keys(pa.array(["a", "b", "c"]), pa.array(order))
    assert found.tolist() == known
    assert keys.number is not None
    assert [order[i] for i, k in zip(keys.number, known, strict=True) if k] == [
        v for v, k in zip("abc", known, strict=True) if k
    ]


@pytest.mark.parametrize("values", READ, ids=_ids)
def test_every_ordered_type_can_be_listed(values: pa.Array) -> None:
    kept = alike(values)
    keys, known = listed_keys(kept, kept.take(pa.array(range(len(kept))[::-1])))
    assert known.all()
    assert dense(keys)[0].tolist() == (lambda r: [max(r) - x for x in r])(dense(keys_of(kept))[0].tolist())
