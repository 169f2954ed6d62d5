"""The engines under one contract, and a small table for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from lawful.engine import Engine, LocalEngine
from lawful.ranks.store import Ranks, Store
from tests.engines.pickled import PickledEngine

IN_PROCESS = ["local1", "local4", "pickled0", "pickled1", "pickled2", "lossy0", "lossy1"]
ON_SPARK = [pytest.param("spark", marks=pytest.mark.spark)]


@dataclass(frozen=True)
class Named:
    """The one thing these jobs ask of a column."""

    name: str


@dataclass(frozen=True)
class Small:
    """A table as engines see it."""

    columns: tuple[Any, ...]
    ranks: Ranks
    store: Store | None = None

    @property
    def rows(self) -> int:
        return int(self.ranks.shape[1])


@pytest.fixture(scope="session")
def table() -> Small:
    ranks = np.random.default_rng(7).integers(0, 5, size=(3, 40), dtype=np.int32)
    return Small((Named("a"), Named("b"), Named("c")), ranks)


@pytest.fixture(params=IN_PROCESS + ON_SPARK)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """Every engine in turn."""
    name = request.param
    with engine_named(name, request) as made:
        yield made


def engine_named(name: str, request: pytest.FixtureRequest) -> Any:
    if name == "spark":
        from lawful.engine.spark.engine import SparkEngine

        return SparkEngine(request.getfixturevalue("spark"), workers=2)
    if name.startswith("local"):
        return LocalEngine(int(name.removeprefix("local")))
    return PickledEngine(int(name[-1]), lossy=name.startswith("lossy"))
