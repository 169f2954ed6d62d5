"""Tables with clocks and prices: flights and daily stock prices."""

from __future__ import annotations

import string

import numpy as np
import pyarrow as pa

from bench.columns import cents, joined, masked, padded, pick
from bench.draws import Draws, Real, Whole, listed
from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Operand, Predicate, Rule

A_DAY = 923
"""Flights a day: 336,895 a year."""
ROUTES = 1200
"""Flight numbers; each flies at most once a day."""
CARRIERS = listed("AQ BV CX DZ EW FJ GL HB JR KX LN MW PZ QD TV YG")
AIRPORTS = 108
"""Airports; flights leave from the first three."""
TICKERS = 100
"""Rows a trading day."""


def _low_above(column: str) -> Dc:
    return Dc((Predicate(Operand("t", "low"), ">", Operand("t", column)),))


FLIGHT_LAWS: tuple[Rule, ...] = (
    Fd((), "year"),
    Fd(("origin", "dest"), "distance"),
    Fd(("carrier", "flight"), "origin"),
    Fd(("carrier", "flight"), "dest"),
    Fd(("month", "carrier", "flight"), "sched_dep_time"),
    Fd(("tailnum",), "carrier"),
    Fd(("sched_dep_time",), "hour"),
    Fd(("sched_dep_time",), "minute"),
    Fd(("hour", "minute"), "sched_dep_time"),
    Fd(("month", "day", "hour"), "time_hour"),
    Key(("month", "day", "carrier", "flight")),
    Oc((), "sched_dep_time", "hour", "same"),
    Lod((("time_hour", "asc"),), (("year", "asc"), ("month", "asc"), ("day", "asc"), ("hour", "asc"))),
)
"""True of one year, 336,895 rows; the year and the laws that leave it out end there."""

STOCK_LAWS: tuple[Rule, ...] = (
    Key(("ticker", "date")),
    _low_above("open"),
    _low_above("close"),
    _low_above("high"),
    Dc((Predicate(Operand("t", "open"), ">", Operand("t", "high")),)),
    Dc((Predicate(Operand("t", "close"), ">", Operand("t", "high")),)),
)


def _clock(minutes: Whole) -> Whole:
    """Minutes since midnight as the number on the clock: 545 is 905."""
    wrapped = minutes % 1440
    return wrapped // 60 * 100 + wrapped % 60


def _codes(seed: int, label: str, count: int, letters: int) -> list[str]:
    """Distinct codes of capital letters."""
    drawn = Draws(seed).whole(label, np.arange(count * 4), 26**letters)
    distinct = list(dict.fromkeys(drawn.tolist()))[:count]
    alphabet = string.ascii_uppercase
    return ["".join(alphabet[code // 26**place % 26] for place in range(letters)) for code in distinct]


def _delays(draws: Draws, at: Whole) -> tuple[Whole, Whole]:
    """Minutes late at departure and arrival: mostly a little early, seldom hours late."""
    late = np.where(draws.whole("late", at, 5) == 0, draws.unit("how late", at) ** 4 * 400, 0.0)
    leaving = np.round(-4 + 4 * draws.bell("leave", at) + late).astype(np.int64)
    return leaving, leaving + np.round(-5 + 14 * draws.bell("arrive", at)).astype(np.int64)


def flight(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Departures of one year after another, 19 columns; 1 in 40 is cancelled and lacks its times."""
    draws = Draws(seed)
    # 7 shares no divisor with ROUTES, so a day's flights are distinct routes.
    day, route = at // A_DAY, (at % A_DAY * 7 + at // A_DAY * 11) % ROUTES
    year, of_year = 2013 + day // 365, day % 365
    date = (year - 1970).astype("M8[Y]").astype("M8[D]") + of_year
    month = date.astype("M8[M]")
    carrier = (draws.unit("carrier", route) ** 2 * len(CARRIERS)).astype(np.int64)
    origin, dest = draws.whole("origin", route, 3), 3 + draws.whole("dest", route, AIRPORTS - 3)
    distance = 90 + draws.whole("distance", origin * AIRPORTS + dest, 2500)
    monthly = route * 12 + month.astype(np.int64) % 12
    sched = 300 + draws.whole("hour", route, 18) * 60 + draws.whole("minute", monthly, 12) * 5
    block = 35 + distance // 8
    leave, arrive = _delays(draws, at)
    gone = draws.whole("cancelled", at, 40) == 0
    airports = _codes(seed, "airports", AIRPORTS, 3)
    plane = carrier * 250 + draws.whole("plane", at, 250)
    return {
        "year": pa.array(year),
        "month": pa.array(month.astype(np.int64) % 12 + 1),
        "day": pa.array((date - month.astype("M8[D]")).astype(np.int64) + 1),
        "dep_time": masked(_clock(sched + leave), gone),
        "sched_dep_time": pa.array(_clock(sched)),
        "dep_delay": masked(leave, gone),
        "arr_time": masked(_clock(sched + block + arrive), gone),
        "sched_arr_time": pa.array(_clock(sched + block)),
        "arr_delay": masked(arrive, gone),
        "carrier": pick(CARRIERS, carrier),
        "flight": pa.array(1 + route * 4 + draws.whole("number", route, 4)),
        "tailnum": joined(("N", padded(10_000 + plane, 5))),
        "origin": pick(airports, origin),
        "dest": pick(airports, dest),
        "air_time": masked(np.maximum(15, block - 18 + arrive - leave), gone),
        "distance": pa.array(distance),
        "hour": pa.array(sched // 60),
        "minute": pa.array(sched % 60),
        "time_hour": pa.array((date.astype("M8[h]") + sched // 60).astype("M8[us]"), type=pa.timestamp("us")),
    }


def _price(draws: Draws, ticker: Whole, day: Whole) -> Real:
    """A share's price at the end of a day: its level, a long and a short wave, and noise."""
    level = 8.0 * np.exp(3.2 * draws.unit("level", ticker))
    turn = 6.28 * draws.unit("turn", ticker)
    waves = 0.5 * np.sin(day / 700.0 + turn) + 0.1 * np.sin(day / 31.0 + turn)
    price: Real = level * np.exp(waves + 0.01 * draws.bell("price", _cell(ticker, day)))
    return price


def _cell(ticker: Whole, day: Whole) -> Whole:
    return day * TICKERS + ticker


def _outward(draws: Draws, label: str, cell: Whole) -> Real:
    spread: Real = 0.02 * draws.unit(label, cell) ** 2
    return spread


def stock(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Prices of 100 shares on each weekday from 1970-01-05 on, 7 columns, prices exact to the cent."""
    draws = Draws(seed)
    ticker, day = at % TICKERS, at // TICKERS
    cell = _cell(ticker, day)
    closing = np.round(_price(draws, ticker, day) * 100)
    opening = np.round(_price(draws, ticker, np.maximum(day - 1, 0)) * 100 * (1 + 0.004 * draws.bell("gap", cell)))
    high = np.ceil(np.maximum(opening, closing) * (1 + _outward(draws, "high", cell)))
    low = np.floor(np.minimum(opening, closing) * (1 - _outward(draws, "low", cell)))
    date = np.datetime64("1970-01-05", "D") + (day // 5 * 7 + day % 5)
    volume = np.exp(11 + 1.5 * draws.unit("size", ticker) + 0.6 * draws.bell("volume", cell)).astype(np.int64)
    return {
        "ticker": pick(_codes(seed, "tickers", TICKERS, 4), ticker),
        "date": pa.array(date, type=pa.date32()),
        "open": _exact(opening),
        "high": _exact(high),
        "low": _exact(low),
        "close": _exact(closing),
        "volume": pa.array(volume // 100 * 100),
    }


def _exact(value: Real) -> pa.Array:
    return cents(value.astype(np.int64))
