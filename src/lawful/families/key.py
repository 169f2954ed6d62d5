"""Keys alone, without exceptions: agree sets of some pairs of rows, then what hits all that they leave out.

The walk of ``families/bod.py`` finds keys too, beside fds and ocs, with exceptions, and by coverage.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lawful.engine.port import Engine
from lawful.families.answer import Answer
from lawful.families.bod import by_distinct, no_key, trivial
from lawful.families.telling import Measured, as_flags, context_keys, named
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, Step, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Key
from lawful.search.duplicates import extra_rows
from lawful.search.ending import Deadline, Ending, ended_in_order
from lawful.search.keys import FindKeys, Passes, Words, first_agreements

if TYPE_CHECKING:
    from lawful.search.journal import Journal

_RULE = 600
"""Bytes that a rule takes once it is more than a row of words, while it is being made."""


def keys_alone(options: DiscoverOptions) -> bool:
    """Whether the search of this module answers what is asked for."""
    return options.wanted() == ("key",) and options.max_error == 0 and options.min_coverage == 0


def discover_keys(
    table: Encoded,
    engine: Engine,
    options: DiscoverOptions,
    *,
    budget: Budget,
    journal: Journal | None = None,
    listener: Listener = silent,
) -> Answer:
    """All minimal keys. A search that was ended tells no size up to which it misses none: it does not go by size."""
    if table.rows < 2:
        return trivial(table, options)
    extra = extra_rows(table.ranks)
    if extra:
        return Answer((), Ending(), None, remarks=no_key(extra))
    run = _Run(table, engine, budget, Deadline(options.seconds()), listener, journal)
    places = by_distinct(table)
    found, ending = run.search(places, len(places) if options.max_size is None else options.max_size)
    return Answer(tuple(_rules(found, places, table, options)), ending, None)


@dataclass(frozen=True)
class _Run:
    """What a search has to do with."""

    table: Encoded
    engine: Engine
    budget: Budget
    deadline: Deadline
    listener: Listener
    journal: Journal | None

    def search(self, places: tuple[int, ...], most: int) -> tuple[Words, Ending]:
        """The minimal keys of at most so many columns that were found, and how the search ended."""
        passes = Passes(len(places), np.zeros((0, max(-(-len(places) // 64), 1)), np.uint64), self.engine.parallelism)
        with ended_in_order() as ended:
            ranks = self.table.ranks.view()
            ranks.flags.writeable = False
            passes.agree, exhaustive = first_agreements(ranks, places)
            state = None if self.journal is None else self.journal.kept()
            if state is None:
                passes.begin()
            else:
                passes.resume(state)
            try:
                self._go_through(passes, FindKeys(places, most, exhaustive))
            finally:
                if self.journal is not None and not passes.done:
                    self.journal.keep(passes.state, now=True)
        return passes.found(), ended.ending

    def _go_through(self, passes: Passes, job: FindKeys) -> None:
        shared: Any = self.engine.share(self.table)
        with closing(self.engine.stream(job, shared, passes.units())) as parts:  # type: ignore[type-var]
            for branch, part in parts:
                passes.take_in(branch, part)
                if self.journal is not None:
                    self.journal.keep(passes.state)
                self.listener(_step(passes, self.deadline.started))
                self.budget.check("searching", passes.count * _RULE)
                if not passes.done:
                    self.deadline.check()


def _step(passes: Passes, started: float) -> Step:
    nodes = int(passes.counters[0])
    figures = {
        "pass": str(passes.number),
        "rules": f"{passes.count:,}",
        "open": f"{len(passes.waiting) + len(passes.flying):,}",
        "nodes/s": f"{nodes / max(time.perf_counter() - started, 1e-9):,.0f}",
        "memory": f"{passes.bytes >> 20:,} MiB",
    }
    return Step("searching", nodes, None, figures)


def _rules(found: Words, places: tuple[int, ...], table: Encoded, options: DiscoverOptions) -> Iterator[Key]:
    """The keys with their figures, in the order of the rule file; no two rows share a context."""
    there = as_flags([found], places)
    sizes = there.sum(axis=1)
    order = np.lexsort((*context_keys(there), sizes))
    figures, same = Measured(table.rows, options), table.rows
    of_size = [figures[same, 0, size] for size in range(len(places) + 1)]
    yield from map(Key, named(there[order], table.names), map(of_size.__getitem__, sizes[order].tolist()))
