"""Where the people, hospitals and offices of the benchmark tables are: states, cities, counties, zips, area codes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pyarrow as pa

from bench.draws import Draws, Whole, listed

STATES = listed(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY"
)
ZIPS = 400
"""Zips a state."""
CITIES = 60
"""Cities a state."""
AREAS = 6
"""Area codes a state."""
ENDINGS = ("", "ton", "ville", "field", "ham", " Springs", " Falls")


@dataclass(frozen=True)
class Places:
    """Lookup arrays over a state's number (0 … 49) and a zip's number (state x ZIPS + its place in the state)."""

    states: pa.Array
    zips: pa.Array
    cities: pa.Array
    counties: pa.Array
    city_of_zip: Whole
    other_city_of_zip: Whole
    county_of_zip: Whole
    areas: Whole

    def state_at(self, draws: Draws, label: str, at: Whole) -> Whole:
        """A state for each place, some far more often than others."""
        rank = (draws.unit(label, at) ** 1.7 * len(STATES)).astype(np.int64)
        return (rank * 17 + 4) % len(STATES)

    def zip_at(self, draws: Draws, label: str, at: Whole, state: Whole) -> Whole:
        """A zip of the given state for each place; the first zips of a state hold most people."""
        return state * ZIPS + (draws.unit(label, at) ** 2 * ZIPS).astype(np.int64)


@lru_cache(maxsize=4)
def places(seed: int) -> Places:
    """The map under one seed. A zip lies in one state and one county; 1 in 50 belongs to two cities."""
    draws = Draws(seed)
    zips = np.arange(len(STATES) * ZIPS)
    state = zips // ZIPS
    # The blocks of a state are shuffled: with states in order, `zip ~ state` would hold by construction.
    number = (state * 7 + 3) % len(STATES) * 2000 + zips % ZIPS * 5 + draws.whole("zip", zips, 5)
    names = draws.words("city", 1200, ENDINGS)
    town = draws.whole("town", np.arange(len(STATES) * CITIES), len(names))
    first = draws.whole("zip's city", zips, CITIES)
    twin = draws.whole("zip's twin", zips, 50) == 0
    second = np.where(twin, (first + 1) % CITIES, first)
    areas = np.arange(len(STATES) * AREAS)
    return Places(
        states=pa.array(STATES),
        zips=pa.array([f"{n:05d}" for n in number.tolist()]),
        cities=pa.array(names),
        counties=pa.array(draws.words("county", 900)),
        city_of_zip=town[state * CITIES + first],
        other_city_of_zip=town[state * CITIES + second],
        county_of_zip=draws.whole("county", state * 20 + zips % 20, 900),
        areas=201 + areas * 77 % len(areas) * 2 + draws.whole("area", areas, 2),
    )
