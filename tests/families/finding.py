"""Discovering on small tables, in every way that a search can take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
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
from tests.made import as_arrow
from tests.naive import Nulls, Table, ranks

UNLIMITED = Budget(1 << 50)


def encoded(table: Table, nulls: Nulls = "first") -> Encoded:
    """The table by the naive ranks, so that nothing but the search is judged; null has the first rank or the last."""
    held = np.array(ranks(replace(table, unordered=frozenset()), "last" if nulls == "last" else "first"), np.int32)
    held = held.reshape(len(table.names), len(table))
    columns = tuple(_column(table, name, held[i]) for i, name in enumerate(table.names))
    return Encoded("made", columns, len(table), _Values(table, held), nulls, held=held)


def _column(table: Table, name: str, held: Any) -> Column:
    kind, listed = ColumnType(table.type_of(name)), tuple(map(str, table.orders.get(name, ())))  # type: ignore[arg-type]
    return Column(name, kind, *_counts(table, name, held), table.ordered(name), listed=listed)


@dataclass(frozen=True)
class _Values:
    """The distinct values of a table, made when asked for."""

    table: Table
    ranks: Any

    def take(self, column: int, places: Any) -> Any:
        """The values at some places of the order."""
        name = self.table.names[column]
        values = dict(zip(self.ranks[column].tolist(), self.table.column(name), strict=True))
        known = [value for _, value in sorted(values.items()) if value is not None]
        return pa.array([known[place] for place in places], as_arrow(self.table).schema.field(name).type)


def _counts(table: Table, name: str, held: Any) -> tuple[int, int, int | None]:
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
