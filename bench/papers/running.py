"""One discovery for a point of a figure: CPU seconds, and how many rules, if it ended within the time limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.measure import spend
from bench.order_calls import Discovery
from bench.peers import MOST_COLUMNS, Peer, insist_equal, installed, statements_of

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

TIME_LIMIT = "2m"
BRIEF = 2.0
"""CPU seconds below which a point is measured again, twice: the least counts."""
PATIENCE = 10.0
"""CPU seconds of a peer after which it is not asked for larger tables."""


@dataclass(frozen=True)
class Point:
    """What one discovery cost and found; ``incomplete`` says why rules are missing, if they are."""

    cpu: float
    wall: float
    rules: int
    incomplete: str | None
    complete_to: int | None

    @property
    def figure(self) -> float | None:
        """The CPU seconds, if all was found."""
        return None if self.incomplete else self.cpu


def discovered(table: Encoded, kinds: tuple[str, ...] = ("od",), **options: Any) -> Point:
    """Least of three calls, or one where that takes long."""
    call = Discovery(table, kinds, {"time_limit": TIME_LIMIT, **options})
    spent, rules = spend(call)
    runs = [spent]
    while len(runs) < 3 and spent.cpu < BRIEF:
        runs.append(spend(call)[0])
    cpu, wall = min(run.cpu for run in runs), min(run.wall for run in runs)
    return Point(cpu, wall, len(rules), rules.incomplete, rules.complete_to)


class Fastod:
    """The peer for growing tables: None from the table on that follows one on which it took long."""

    def __init__(self) -> None:
        self._patient = installed()

    def __call__(self, table: Encoded) -> float | None:
        if not self._patient or len(table.columns) > MOST_COLUMNS:
            return None
        peer = Peer("Fastod", table)
        spent, _ = spend(peer.run)
        rules = Discovery(table)()
        insist_equal(statements_of(rules, table.names), peer.statements(), "FASTOD")
        self._patient = spent.cpu < PATIENCE
        return spent.cpu


def part(table: Encoded, columns: Sequence[int] | None = None, rows: int | None = None) -> Encoded:
    """Some columns and the first rows of an encoded table, ranked anew."""
    chosen = range(len(table.columns)) if columns is None else columns
    ranks = np.empty((len(chosen), table.rows if rows is None else min(rows, table.rows)), np.int32)
    found = []
    for at, column in enumerate(chosen):
        kept, ranks[at] = np.unique(table.ranks[column, : ranks.shape[1]], return_inverse=True)
        old = table.columns[column]
        null = None
        if old.null_rank is not None and old.null_rank in kept:
            null = int(np.searchsorted(kept, old.null_rank))
        found.append(replace(old, distinct=len(kept) - (null is not None), null_rank=null))
    return replace(table, columns=tuple(found), rows=ranks.shape[1], held=ranks, store=None, origins=())
