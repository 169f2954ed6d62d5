"""A date dimension: one row a day, every other column a function of the date."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bench.columns import joined, padded, pick
from bench.draws import Whole, listed
from lawful.errors import OptionError
from lawful.rules.model import Fd, Key, Lod, Oc, Rule

MONTHS = listed("January February March April May June July August September October November December")
DAYS = listed("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
START = np.datetime64("1900-01-01", "D")
JULIAN_START = 2_415_021
"""The Julian day number of the first day."""
MOST = int((np.datetime64("9999-12-31", "D") - START) / np.timedelta64(1, "D")) + 1
"""Rows up to the last day that ISO-8601 writes with four digits for the year."""

LAWS: tuple[Rule, ...] = (
    Key(("date_sk",)),
    Key(("date",)),
    Fd(("month",), "quarter"),
    Fd(("month",), "month_name"),
    Fd(("month_name",), "month"),
    Fd(("day_of_week",), "day_name"),
    Fd(("day_of_week",), "weekend"),
    Fd(("year", "quarter"), "quarter_name"),
    Fd(("year", "day_of_year"), "date"),
    Oc((), "date_sk", "date", "same"),
    Oc((), "date_sk", "month_seq", "same"),
    Oc((), "date", "week_seq", "same"),
    Oc((), "year", "quarter_name", "same"),
    Oc((), "quarter", "month", "same"),
    Oc(("year",), "date", "day_of_year", "same"),
    Oc(("year", "month"), "date", "day", "same"),
    Lod((("date_sk", "asc"),), (("year", "asc"), ("quarter", "asc"), ("month", "asc"), ("day", "asc"))),
    Lod((("year", "asc"), ("day_of_year", "asc")), (("month_seq", "asc"),)),
)


def calendar(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Days from 1900-01-01 on, 17 columns. Nothing is drawn, so the seed changes nothing."""
    if len(at) and int(at[-1]) >= MOST:
        raise OptionError(f"The calendar ends in 9999, after {MOST:,} rows.", hint=f"Ask for at most {MOST} rows.")
    dates = pa.array(START + at, type=pa.date32())
    year, month, quarter = (_whole(of(dates)) for of in (pc.year, pc.month, pc.quarter))
    weekday = at % 7  # 1900-01-01 was a Monday
    return {
        "date_sk": pa.array(JULIAN_START + at),
        "date": dates,
        "year": pa.array(year),
        "quarter": pa.array(quarter),
        "quarter_name": joined((padded(year, 4), padded(quarter, 1)), "Q"),
        "month": pa.array(month),
        "month_name": pick(MONTHS, month - 1),
        "month_seq": pa.array((year - 1900) * 12 + month - 1),
        "week": pa.array(_whole(pc.iso_week(dates))),
        "week_seq": pa.array(at // 7 + 1),
        "day": pa.array(_whole(pc.day(dates))),
        "day_of_year": pa.array(_whole(pc.day_of_year(dates))),
        "day_of_week": pa.array(weekday + 1),
        "day_name": pick(DAYS, weekday),
        "weekend": pa.array(weekday >= 5),
        "leap_year": pc.is_leap_year(dates),
        "month_start": pa.array((START + at).astype("M8[M]").astype("M8[D]"), type=pa.date32()),
    }


def _whole(column: pa.Array) -> Whole:
    numbers: Whole = column.to_numpy(zero_copy_only=False).astype(np.int64)
    return numbers
