"""Functional dependencies, keys and order compatibilities: one walk through the lattice of contexts for all three.

Every context settles which columns it determines and which pairs of columns run together in its groups (the two
kinds of FASTOD's canonical form, in both directions). A key is a context that determines the row itself: one column
more, on right-hand sides only.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from lawful.engine.port import Engine
from lawful.errors import ColumnError
from lawful.families.answer import Answer
from lawful.families.telling import rules_of
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Fd, Figures, Key, Rule
from lawful.search.duplicates import extra_rows
from lawful.search.ending import Ending
from lawful.search.lattice import Words
from lawful.search.validators import Near
from lawful.search.walk import Plan, Walk, walk


def discover_bod(
    table: Encoded,
    engine: Engine,
    options: DiscoverOptions,
    *,
    budget: Budget,
    journal: Any = None,
    listener: Listener = silent,
) -> Answer:
    """All minimal rules of the kinds fd, key and oc that ``options`` ask for."""
    if table.rows < 2:
        return trivial(table, options)
    extra = extra_rows(table.ranks) if "key" in options.wanted() else 0
    remarks = no_key(extra) if extra and options.max_error == 0 else ()
    this = Walk(table, plan_of(table, options, extra), allow=lambda more: budget.check("searching", more))
    if journal is not None:
        journal.replay(this)
    ending = walk(this, engine, budget=budget, seconds=options.seconds(), listener=listener, journal=journal)
    finished = this.lattice.finished
    return Answer(
        rules_of(this, options),
        ending,
        None if ending.reason is None else _complete_to(options, finished),
        remarks=remarks,
        counters=tuple(int(c) for c in this.counters),
        contexts=this.lattice.tried,
    )


def plan_of(table: Encoded, options: DiscoverOptions, extra: int) -> Plan:
    """The walk that finds what is asked for. Columns with many values come first: they split partitions fastest."""
    wanted = options.wanted()
    width = len(table.columns)
    places = by_distinct(table)
    ordered = tuple(table.columns[c].ordered for c in places)
    if "oc" in wanted and "fd" not in wanted and sum(ordered) < 2:
        raise ColumnError("No two columns have an order, so there is no oc.", hint="Give a column one with --order.")
    near = _near(table, options)
    key = "key" in wanted and (near is not None or extra == 0)
    directions = width * (width - 1) if "oc" in wanted else 0
    size = options.max_size
    return Plan(
        places=places,
        ordered=ordered,
        cand_fd=_ones(width + key, (width + 64) // 64),
        cand_oc=_ones(directions, (directions + 63) // 64),
        deepest=width if size is None else size if key else size - 1,
        deepest_oc=(width if size is None else size - 2) if directions else -1,
        follow=size is None,
        least=ceil(Fraction(str(options.min_coverage)) * table.rows**2),
        near=near,
    )


def _near(table: Encoded, options: DiscoverOptions) -> Near | None:
    if options.max_error == 0:
        return None
    by_pairs = options.measure == "pairs"
    whole = table.rows * (table.rows - 1) if by_pairs else table.rows
    return Near(by_pairs, int(Fraction(str(options.max_error)) * whole))


def _ones(count: int, words: int) -> Words:
    """The first ``count`` bits of some words set."""
    bits = np.zeros(words * 64, np.uint8)
    bits[:count] = 1
    return np.packbits(bits, bitorder="little").view("<u8").astype(np.uint64)


def _complete_to(options: DiscoverOptions, finished: int) -> int | None:
    """Contexts of up to ``finished`` columns are settled: with them fds of one column more, and keys of as many."""
    size = finished if "key" in options.wanted() else finished + 1
    return size if size > 0 else None


def by_distinct(table: Encoded) -> tuple[int, ...]:
    """The columns, those with many values first."""
    return tuple(sorted(range(len(table.columns)), key=lambda c: (-table.columns[c].ranks, c)))


def no_key(extra: int) -> tuple[str, ...]:
    """What is remarked when so many rows are copies."""
    return (f"No key: {extra:,} {'row is a copy' if extra == 1 else 'rows are copies'} of another one.",)


def trivial(table: Encoded, options: DiscoverOptions) -> Answer:
    """Fewer than two rows: there are no pairs to break a rule."""
    figures = Figures(error=0.0, measure=options.measure or "removal")  # type: ignore[arg-type]
    rules: list[Rule] = []
    if "fd" in options.wanted():
        rules += [Fd((), name, figures) for name in table.names]
    if "key" in options.wanted():
        rules.append(Key((), figures))
    return Answer(tuple(rules), Ending(), None, note="fewer than two rows")
