from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from lawful.ranks.plain import plain


def _ticks(type: pa.DataType, ticks: list[int | None]) -> pa.Array:
    return pa.array(ticks, pa.int32() if type.bit_width == 32 else pa.int64()).view(type)


CASES: list[tuple[pa.DataType, list[int | None], list[Any]]] = [
    (pa.date32(), [0, None, -719_162, -719_163], [date(1970, 1, 1), None, date(1, 1, 1), "0000-12-31"]),
    (pa.date32(), [2_932_896, 2**31 - 1], [date(9999, 12, 31), "2147483647 date32[day]"]),
    (pa.date64(), [86_400_000, None], [date(1970, 1, 2), None]),
    (pa.timestamp("s"), [0, None, 2**62], [datetime(1970, 1, 1), None, "4611686018427387904 timestamp[s]"]),
    (pa.timestamp("us"), [253_402_300_799_999_999], [datetime(9999, 12, 31, 23, 59, 59, 999_999)]),
    (pa.timestamp("us"), [-62_135_596_800_000_000], [datetime(1, 1, 1)]),
    (pa.timestamp("ns"), [1_000, 1, None], [datetime(1970, 1, 1, 0, 0, 0, 1), "1970-01-01 00:00:00.000000001", None]),
    (pa.timestamp("us", "UTC"), [0, None], [datetime(1970, 1, 1, tzinfo=UTC), None]),
    (pa.timestamp("us", "Asia/Tokyo"), [253_402_300_799_000_000], ["9999-12-31 23:59:59.000000Z"]),
    (pa.time32("ms"), [1, None], [time(0, 0, 0, 1000), None]),
    (pa.time64("ns"), [1_000, 1], [time(0, 0, 0, 1), "00:00:00.000000001"]),
    (pa.duration("ns"), [1_000, 1, None], [timedelta(microseconds=1), "1 ns", None]),
    (pa.duration("s"), [1, 2**62], [timedelta(seconds=1), "4611686018427387904 s"]),
]


@pytest.mark.parametrize(("kind", "ticks", "expected"), CASES, ids=str)
def test_calendar(kind: pa.DataType, ticks: list[int | None], expected: list[Any]) -> None:
    found = plain(_ticks(kind, ticks))
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


def test_other_types_are_as_arrow_has_them() -> None:
    assert plain(pa.array([1, None])) == [1, None]
    assert plain(pa.array([Decimal("1.50")])) == [Decimal("1.50")]
    assert plain(pa.array([b"x", None])) == [b"x", None]


def test_the_same_without_pandas() -> None:
    """Arrow makes other objects of nanoseconds once pandas is there."""
    script = """
import sys
class Without:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "pandas":
            raise ImportError(name)
sys.meta_path.insert(0, Without())
import pyarrow as pa
from lawful.ranks.plain import plain
print(plain(pa.array([1, 1000], pa.timestamp("ns"))), plain(pa.array([1, 1000], pa.duration("ns"))))
"""
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert told.strip() == (
        "['1970-01-01 00:00:00.000000001', datetime.datetime(1970, 1, 1, 0, 0, 0, 1)] "
        "['1 ns', datetime.timedelta(microseconds=1)]"
    )
