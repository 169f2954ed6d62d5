from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from lawful.options import SourceOptions
from lawful.ranks.encode import encode_here
from lawful.ranks.profiling import Profile, profile_of
from lawful.source.frames import FrameSource


def _profile(table: pa.Table, **options: Any) -> Profile:
    return profile_of(encode_here(FrameSource("frame", table), SourceOptions(**options)))


def test_constants_keys_and_ends() -> None:
    found = _profile(
        pa.table(
            {
                "constant": ["x"] * 3,
                "unique": [3, 1, 2],
                "nulls": pa.nulls(3, pa.int64()),
                "some": [None, 1.5, 1.5],
                "long": ["é" * 50] * 3,
                "bytes": [b"\x00\xff", b"a", b"a"],
            }
        )
    )
    columns = {c.name: c for c in found.columns}
    assert [n for n, c in columns.items() if c.constant] == ["constant", "nulls", "long"]
    assert [n for n, c in columns.items() if c.unique] == ["unique"]
    assert (columns["unique"].least, columns["unique"].greatest) == ("1", "3")
    assert (columns["nulls"].least, columns["nulls"].nulls) == (None, 3)
    assert columns["long"].least == "é" * 39 + "…"
    assert (columns["bytes"].ordered, columns["bytes"].least) == (False, None)
    assert (found.rows, found.bytes) == (3, 72)


def test_no_rows() -> None:
    found = _profile(pa.table({"a": pa.array([], pa.string()), "b": pa.array([], pa.decimal256(50, 1))}))
    assert [(c.constant, c.unique, c.least, c.distinct) for c in found.columns] == [(False, False, None, 0)] * 2
    assert found.hints == ()


def test_texts_that_look_like_null() -> None:
    table = pa.table({"a": ["?"] * 2 + ["x"] * 98, "b": ["NA", "?"] + ["y"] * 98, "c": ["-"] + ["z"] * 99})
    hints = _profile(table).hints
    assert hints == (
        "'-' stands 1 times in c: --null-value '-' reads it as null.",
        "'?' stands 3 times in a, b: --null-value '?' reads it as null.",
        "'NA' stands 1 times in b: --null-value NA reads it as null.",
    )
    assert _profile(table, null_values=("?", "NA", "-")).hints == ()
    rare = pa.table({"a": ["?"] + ["x"] * 101})
    assert _profile(rare).hints == ()


def test_as_plain_data() -> None:
    found = _profile(pa.table({"a": pa.array([1, None], pa.timestamp("ns")), "b": [[1], None]})).to_dict()
    assert json.loads(json.dumps(found))["columns"][0]["least"] == "1970-01-01 00:00:00.000000001"
    assert found["columns"][1]["type"] == "nested"
