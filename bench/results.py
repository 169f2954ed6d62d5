"""What a suite consists of and what it yields."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import bench
from lawful.errors import OptionError, did_you_mean


@dataclass(frozen=True)
class Row:
    """One comparison. A figure that was not gathered is None, and ``note`` says why."""

    name: str
    ours: float | None = None
    unit: str = "s CPU"
    peer: float | None = None
    peer_name: str = ""
    goal: str = ""
    met: bool | None = None
    """None: there is no goal, or it could not be judged."""
    limit: str = ""
    """What bounds our figure, as a rate."""
    command: str = ""
    note: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    """All else worth keeping: first calls, wall seconds, rows, bytes."""
    failed: bool = False
    """Nothing was measured because something broke, or the answers differed."""

    @property
    def ratio(self) -> float | None:
        """Ours over the peer's: below 1 we are cheaper."""
        return None if self.ours is None or not self.peer else self.ours / self.peer


@dataclass(frozen=True)
class Scale:
    """How much to do. ``smoke`` is the one-minute version: it checks answers and judges no goal."""

    rows: int = 1_000_000
    repeats: int = 3
    smoke: bool = False


SMOKE = Scale(rows=20_000, repeats=1, smoke=True)


@dataclass(frozen=True)
class Suite:
    """Named measurements; a case that breaks leaves a row that says so, and the next one still runs."""

    about: str
    cases: dict[str, Callable[[Scale], Iterator[Row]]]
    data: Callable[[Scale], dict[str, str]] = field(default=lambda scale: {})
    """Name -> checksum of each file that the suite measures on."""


def suite_names() -> list[str]:
    """Every suite: the modules named ``bench/suite_NAME.py``."""
    found = (module.name for module in pkgutil.iter_modules(bench.__path__))
    return sorted(name.removeprefix("suite_") for name in found if name.startswith("suite_"))


def load_suite(name: str) -> Suite:
    """The object ``suite`` of the module ``bench/suite_NAME.py``."""
    if name not in suite_names():
        raise OptionError(f"There is no suite {name!r}.", hint=did_you_mean(name, suite_names()))
    suite: Suite = importlib.import_module(f"bench.suite_{name}").suite
    return suite


def judged(figure: float | None, most: float, scale: Scale) -> bool | None:
    """Whether a figure is at most ``most``; None for a smoke run or without a figure."""
    return None if figure is None or scale.smoke else figure <= most


def at_least(figure: float | None, least: float, scale: Scale) -> bool | None:
    """Whether a figure is at least ``least``; None for a smoke run or without a figure."""
    return None if figure is None or scale.smoke else figure >= least


def peer_module(name: str) -> ModuleType | None:
    """A peer's module, or None where it is not installed; the row then says so."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0]:  # the peer is there and lacks something itself
            raise
        return None
