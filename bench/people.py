"""Tables about people and hospitals: many text columns, laws that hold inside a state."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from bench.columns import joined, masked, padded, pick
from bench.draws import Draws, Real, Whole
from bench.places import AREAS, STATES, places
from lawful.rules.model import Fd, Key, Oc, Rule

MEASURES = 25
"""Rows a hospital: one for each measure."""
CONDITIONS = ("Heart Attack", "Heart Failure", "Pneumonia", "Surgical Infection Prevention")
KINDS = ("Acute Care Hospitals", "Critical Access Hospitals", "Childrens Hospitals")
OWNERS = (
    "Government - Federal",
    "Government - State",
    "Government - Local",
    "Proprietary",
    "Voluntary non-profit - Church",
    "Voluntary non-profit - Private",
)


def _fds(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    return tuple(Fd(tuple(left.split()), right) for left, rights in pairs for right in rights.split())


TAX_LAWS: tuple[Rule, ...] = (
    *_fds(
        ("area_code", "state"),
        ("zip", "state"),
        ("state salary", "rate"),
        ("state marital_status", "single_exemption married_exemption"),
        ("state has_child", "child_exemption"),
    ),
    Oc(("state",), "salary", "rate", "same"),
)

HOSPITAL_LAWS: tuple[Rule, ...] = (
    *_fds(
        ("provider", "name city state zip county phone kind owner emergency"),
        ("phone", "provider"),
        ("zip", "city state county"),
        ("measure", "measure_name condition"),
        ("measure_name", "measure"),
        ("state measure", "state_average"),
        ("provider measure", "score"),
    ),
    Key(("provider", "measure")),
)


@lru_cache(maxsize=4)
def _schedules(seed: int) -> tuple[Whole, Real]:
    """Per state: 7 salary thresholds, int64 (50, 7), and 8 non-decreasing rates in per cent, float64 (50, 8)."""
    draws = Draws(seed)
    places_of = np.arange(len(STATES) * 8).reshape(-1, 8)
    steps = 15 + draws.whole("rate step", places_of, 110)
    steps[draws.whole("tax form", np.arange(len(STATES)), 10) == 0] = 0
    steps[draws.whole("tax form", np.arange(len(STATES)), 10) == 1, 1:] = 0
    widths = 4000 + draws.whole("bracket", places_of[:, :7], 40) * 500
    return np.cumsum(widths, axis=1), np.cumsum(steps, axis=1) / 100.0


def _rate(seed: int, state: Whole, salary: Whole) -> Real:
    thresholds, rates = _schedules(seed)
    bracket = (salary[:, None] >= thresholds[state]).sum(axis=1)
    rate: Real = rates[state, bracket]
    return rate


def _exemptions(draws: Draws, state: Whole, single: NDArray[np.bool_], child: NDArray[np.bool_]) -> dict[str, pa.Array]:
    base = 1000 + draws.whole("exemption", state, 25) * 150
    return {
        "single_exemption": pa.array(np.where(single, base, 0)),
        "married_exemption": pa.array(np.where(single, 0, base * 2 - 100)),
        "child_exemption": pa.array(np.where(child, 250 + draws.whole("child", state, 30) * 50, 0)),
    }


@lru_cache(maxsize=4)
def _names(seed: int) -> tuple[pa.Array, pa.Array]:
    """400 first names, of which either gender draws 220, and 1,600 last names."""
    draws = Draws(seed)
    return pa.array(draws.words("first name", 400)), pa.array(draws.words("last name", 1600, ("", "", "son", "er")))


def tax(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Tax records, 15 columns: people in states with their own rate schedules and exemptions."""
    draws, land = Draws(seed), places(seed)
    first, last = _names(seed)
    state = land.state_at(draws, "state", at)
    code = land.zip_at(draws, "home", at, state)
    elsewhere = draws.whole("elsewhere", at, 10) == 0
    female = draws.whole("gender", at, 2) == 0
    given = (draws.unit("first", at) ** 2 * 220).astype(np.int64)
    salary = np.round(np.exp(10.55 + 0.55 * draws.bell("salary", at)) / 50).astype(np.int64) * 50
    single = draws.whole("marital", at, 100) < 46
    child = draws.whole("has child", at, 100) < np.where(single, 25, 65)
    number = draws.whole("phone", at, 9_000_000) + 1_000_000
    return {
        "first_name": pick(first, np.where(female, given, 399 - given)),
        "last_name": pick(last, (draws.unit("last", at) ** 2 * len(last)).astype(np.int64)),
        "gender": pick(("M", "F"), female.astype(np.int64)),
        "area_code": pa.array(land.areas[state * AREAS + draws.whole("area", at, AREAS)]),
        "phone": joined((padded(number // 10_000, 3), padded(number % 10_000, 4)), "-"),
        "city": pick(land.cities, np.where(elsewhere, land.other_city_of_zip[code], land.city_of_zip[code])),
        "state": pick(land.states, state),
        "zip": pick(land.zips, code),
        "marital_status": pick(("M", "S"), single.astype(np.int64)),
        "has_child": pa.array(child),
        "salary": pa.array(salary),
        "rate": pa.array(_rate(seed, state, salary)),
        **_exemptions(draws, state, single, child),
    }


def hospital(seed: int, at: Whole) -> dict[str, pa.Array]:
    """Quality measures of hospitals, 15 columns: 25 rows a hospital, a few scores missing."""
    draws, land = Draws(seed), places(seed)
    house, measure = at // MEASURES, at % MEASURES
    state = land.state_at(draws, "house state", house)
    code = land.zip_at(draws, "house", house, state)
    kind = draws.whole("kind", house, len(KINDS))
    condition = pick(CONDITIONS, measure * len(CONDITIONS) // MEASURES)
    saint = pick(_names(seed)[1], draws.whole("patron", house, 1600))
    average = 40 + draws.whole("average", state * MEASURES + measure, 590) / 10.0
    return {
        "provider": padded(house + 10_001, 6),
        "name": joined((saint, pick(("General", "Memorial", "Community"), kind), "Hospital"), " "),
        "city": pick(land.cities, land.city_of_zip[code]),
        "state": pick(land.states, state),
        "zip": pick(land.zips, code),
        "county": pick(land.counties, land.county_of_zip[code]),
        "phone": pa.array(2_000_000_000 + house * 6_700_417 % 8_000_000_000),
        "kind": pick(KINDS, kind),
        "owner": pick(OWNERS, draws.whole("owner", house, len(OWNERS))),
        "emergency": pa.array(draws.whole("emergency", house, 5) > 0),
        "condition": condition,
        "measure": joined(("M", padded(measure + 1, 2)), "-"),
        "measure_name": joined((condition, padded(measure + 1, 2)), " measure "),
        "score": masked(30 + draws.whole("score", at, 71), draws.whole("no score", at, 12) == 0),
        "state_average": pa.array(average),
    }
