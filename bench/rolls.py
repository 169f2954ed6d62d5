"""Two long tables with laws of order: flights in many coded columns of few values, and voters with columns of many."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from bench.columns import joined, padded, pick
from bench.draws import Draws, Whole

AIRPORTS, STATES, CARRIERS = 12, 4, 6
_A_DAY = 5_000
COUNTIES, ZIPS = 25, 8
_A_VOTING_DAY = 5_000
TURN = 300_000
"""The row from which on some laws are others: some distances are measured anew, and ages a year later."""


def coded_flights(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Flights of a quarter, 17 columns of few distinct values, some of one; a quarter has 450,000."""
    draws = Draws(seed)
    date = np.datetime64("2012-01-01", "D") + at // _A_DAY
    month = date.astype("M8[M]")
    origin, dest = draws.whole("origin", at, AIRPORTS), draws.whole("dest", at, AIRPORTS)
    distance = 100 + 90 * abs(origin - dest) + np.where((at >= TURN) & (origin < 3), 10, 0)
    one = np.ones(len(at), np.int64)
    return {
        "year": pa.array(one * 2012),
        "quarter": pa.array(one),
        "month": pa.array(1 + month.astype(np.int64) % 12),
        "day": pa.array((date - month.astype("M8[D]")).astype(np.int64) + 1),
        "weekday": pa.array(1 + (date.astype(np.int64) + 3) % 7),
        "carrier": padded(draws.whole("carrier", at, CARRIERS), 2),
        "origin": padded(origin, 3),
        "origin_state": pa.array(origin * STATES // AIRPORTS),
        "dest": padded(dest, 3),
        "dest_state": pa.array(dest * STATES // AIRPORTS),
        "block": pa.array(6 + draws.whole("block", at, 6)),
        "late": pa.array(draws.whole("late", at, 2)),
        "distance": pa.array(distance),
        "distance_group": pa.array(1 + distance // 250),
        "cancelled": pa.array(0 * one),
        "diverted": pa.array(0 * one),
        "flights": pa.array(one),
    }


def voters(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Voters in the order of their registration, 18 columns, most of them of many distinct values."""
    draws = Draws(seed)
    zip_ = draws.whole("zip", at, COUNTIES * ZIPS)
    county = zip_ // ZIPS
    born = 1920 + draws.whole("born", at, 40)
    age = 2025 - born + (at >= TURN)
    registered = np.datetime64("1970-01-01", "D") + at // _A_VOTING_DAY
    return {
        "voter_id": pa.array(1_000_000 + at),
        "reg_num": joined(("R", padded(at, 8))),
        "registered": pa.array(registered),
        "reg_year": pa.array(1970 + registered.astype("M8[Y]").astype(np.int64)),
        "phone": pa.array(draws.bits("phone", at) >> np.uint64(8)),
        "ncid": joined(("N", padded((draws.bits("ncid", at) >> np.uint64(8)).astype(np.int64), 18))),
        "name": joined((padded((draws.bits("name", at) >> np.uint64(8)).astype(np.int64), 18),)),
        "zip": pa.array(27_000 + zip_),
        "county": padded(county, 3),
        "city": padded(draws.whole("city", zip_, 1 << 30), 10),
        "district": pa.array(draws.whole("district", county, 13)),
        "birth_year": pa.array(born),
        "age": pa.array(age),
        "senior": pa.array(age // 90),
        "gender": pick(["F", "M"], draws.whole("gender", at, 2)),
        "party": pick(["DEM", "REP", "UNA"], draws.whole("party", at, 3)),
        "state": pa.array(["NC"] * len(at)),
        "status": pa.array([1] * len(at)),
    }
