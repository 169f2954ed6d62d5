"""Discovering on small tables, in every way that a search can take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.engine import Engine, LocalEngine
from lawful.families.discovery import discover_all
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Column, Encoded
from lawful.ranks.types import ColumnType
from lawful.rules import RuleSet
from lawful.rules.lines import encoded as line_of
from lawful.search import walk, witnesses
from lawful.search.ending import Ending
from lawful.search.lattice import Block, Lattice
from tests.naive import Nulls, Table, ranks

UNLIMITED = Budget(1 << 50)


def encoded(table: Table, nulls: Nulls = "first") -> Encoded:
    """The table by the naive ranks, so that nothing but the search is judged."""
    held = np.array(ranks(table, nulls), np.int32).reshape(len(table.names), len(table))
    columns = [
        Column(name, ColumnType(kind), *_counts(table, name, held[i], nulls), table.ordered(name))  # type: ignore[arg-type]
        for i, (name, kind) in enumerate(zip(table.names, table.types, strict=True))
    ]
    return Encoded("made", tuple(columns), len(table), None, nulls, held=held)  # type: ignore[arg-type]


def _counts(table: Table, name: str, held: Any, nulls: Nulls) -> tuple[int, int, int | None]:
    """Distinct values, nulls, and the rank of null."""
    missing = [row for row, value in enumerate(table.column(name)) if value is None]
    return len(set(held.tolist())) - bool(missing), len(missing), int(held[missing[0]]) if missing else None


def of_ranks(held: Any, ordered: Mapping[int, bool] | None = None) -> Encoded:
    """A table of integers whose ranks are ``held``, made dense."""
    dense = np.array([np.unique(column, return_inverse=True)[1] for column in held], np.int32).reshape(held.shape)
    columns = [
        Column(f"c{i}", ColumnType("integer"), int(column.max(initial=-1)) + 1, 0, None, (ordered or {}).get(i, True))
        for i, column in enumerate(dense)
    ]
    return Encoded("made", tuple(columns), held.shape[1], None, held=dense)  # type: ignore[arg-type]


def discover_encoded(
    table: Encoded,
    kinds: tuple[str, ...] = ("od", "key"),
    *,
    engine: Engine | None = None,
    budget: Budget = UNLIMITED,
    work_dir: str | None = None,
    listener: Listener = silent,
    **options: Any,
) -> tuple[RuleSet, Ending]:
    """The rules and how the search ended; inline when no engine is given."""
    asked = DiscoverOptions(kinds=kinds, **options)
    return discover_all(table, engine or LocalEngine(1), asked, budget=budget, work_dir=work_dir, listener=listener)


def found(table: Encoded, kinds: tuple[str, ...] = ("od", "key"), **more: Any) -> RuleSet:
    return discover_encoded(table, kinds, **more)[0]


def lines(rules: RuleSet) -> bytes:
    """The rule lines of the file."""
    return b"\n".join(line_of(rule.to_dict()) for rule in rules)


Take = Callable[[Lattice, int], Block | None]


@contextmanager
def blocks_of(size: Callable[[], int]) -> Iterator[None]:
    """Every block that is cut has at most so many contexts."""
    take = Lattice.take
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lattice, "take", lambda self, most: take(self, size()))
        yield


@contextmanager
def policy(name: str, rng: Random | None = None) -> Iterator[None]:
    """How a search comes to know: all pairs remembered, the data with many, few or no pairs, in small blocks."""
    sizes = {"single": lambda: 1, "mixed": lambda: (rng or Random(1)).randint(1, 5)}
    with pytest.MonkeyPatch.context() as patch:
        if name != "all":
            patch.setattr(witnesses, "ALL", 0)
        if name in ROOMS:
            patch.setattr(walk, "ROOM", ROOMS[name])
        if name in sizes:
            with blocks_of(sizes[name]):
                yield
        else:
            yield


ROOMS = {"overflow": 70, "forgetful": 1, "mixed": 66}
POLICIES = ("all", "data", "overflow", "forgetful", "single", "mixed")
