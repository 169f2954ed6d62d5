"""Functional dependencies, keys and order compatibilities: one walk through the lattice of contexts for all three.

Every context settles which columns it determines and which pairs of columns run together in its groups (the two
kinds of FASTOD's canonical form, in both directions). A key is a context that determines the row itself: one column
more, on right-hand sides only.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Any, TypeAlias

import numpy as np

from lawful.engine.port import Engine
from lawful.errors import ColumnError
from lawful.families.answer import Answer
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Direction, Fd, Figures, Key, Measure, Oc, Rule
from lawful.search.duplicates import extra_rows
from lawful.search.ending import Ending
from lawful.search.found import Group
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
        return _trivial(table, options)
    remarks: tuple[str, ...] = ()
    extra = extra_rows(table.ranks) if "key" in options.wanted() else 0
    if extra and options.max_error == 0:
        remarks = (f"No key: {extra:,} {'row is a copy' if extra == 1 else 'rows are copies'} of another one.",)
    this = Walk(table, plan_of(table, options, extra), allow=lambda more: budget.check("searching", more))
    if journal is not None:
        journal.replay(this)
    ending = walk(this, engine, budget=budget, seconds=options.seconds(), listener=listener, journal=journal)
    finished = this.lattice.finished
    return Answer(
        tuple(_rules(this, options)),
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
    places = tuple(sorted(range(width), key=lambda c: (-table.columns[c].ranks, c)))
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


def _trivial(table: Encoded, options: DiscoverOptions) -> Answer:
    """Fewer than two rows: there are no pairs to break a rule."""
    figures = Figures(error=0.0, measure=options.measure or "removal")  # type: ignore[arg-type]
    rules: list[Rule] = []
    if "fd" in options.wanted():
        rules += [Fd((), name, figures) for name in table.names]
    if "key" in options.wanted():
        rules.append(Key((), figures))
    return Answer(tuple(rules), Ending(), None, note="fewer than two rows")


def _rules(this: Walk, options: DiscoverOptions) -> Iterator[Rule]:
    """The findings as rules with their figures, in the order of the rule file."""
    decoded = _Contexts(this)
    wanted = options.wanted()
    fds: list[tuple[Any, ...]] = []
    keys: list[tuple[Any, ...]] = []
    ocs: list[tuple[Any, ...]] = []
    width, size = len(this.plan.places), options.max_size or len(this.plan.places) + 1
    for group in this.findings.fds:
        for (seats, names), place, shared, error in _each(group, decoded):
            if place == width:
                keys.append((len(seats), seats, names, shared, error))
            elif len(seats) < size:
                fds.append((len(seats), seats, this.plan.places[place], names, shared, error))
    pairs = [
        (*sorted((this.plan.places[left], this.plan.places[right])),)
        for left in range(width)
        for right in range(left + 1, width)
    ]
    for group in this.findings.ocs:
        for (seats, names), place, shared, error in _each(group, decoded):
            ocs.append((len(seats), seats, *pairs[place >> 1], place & 1, names, shared, error))
    columns, figures = this.table.names, _Figures(this.table.rows, options)
    if "fd" in wanted:
        for count, _, rhs, names, shared, error in sorted(fds):
            yield Fd(names, columns[rhs], figures(shared, error, count + 1))
    if "key" in wanted:
        for count, _, names, shared, error in sorted(keys):
            if count <= size:
                yield Key(names, figures(shared, error, count))
    for count, _, left, right, opposite, names, shared, error in sorted(ocs):
        direction = _DIRECTIONS[opposite]
        yield Oc(names, columns[left], columns[right], direction, figures(shared, error, count + 2))


_DIRECTIONS: tuple[Direction, Direction] = ("same", "opposite")
_Context: TypeAlias = tuple[tuple[int, ...], tuple[str, ...]]


def _each(group: Group, decoded: _Contexts) -> Iterator[tuple[_Context, int, int, int]]:
    figures = zip(group.places.tolist(), group.shared.tolist(), group.errors.tolist(), strict=True)
    before, context = b"", decoded[b""]
    for words, (place, shared, error) in zip(group.sets, figures, strict=True):
        spelt = words.tobytes()
        if spelt != before:
            before, context = spelt, decoded[spelt]
        yield context, place, shared, error


class _Figures:
    """Figures of rules, each combination made once."""

    def __init__(self, rows: int, options: DiscoverOptions) -> None:
        self._rows = rows
        self._measure: Measure = options.measure or "removal"  # type: ignore[assignment]
        self._whole = rows * (rows - 1) if self._measure == "pairs" else rows
        self._made: dict[tuple[int, int, int], Figures] = {}

    def __call__(self, shared: int, error: int, columns: int) -> Figures:
        key = (shared, error, columns)
        found = self._made.get(key)
        if found is None:
            coverage = shared / self._rows**2
            interest = coverage * (min(1.0, 2 / columns) if columns else 1.0)
            found = Figures(error / self._whole, self._measure, coverage, interest)
            self._made[key] = found
        return found


class _Contexts(dict[bytes, _Context]):
    """Contexts in table order, as places and as names, each decoded once."""

    def __init__(self, this: Walk) -> None:
        super().__init__()
        self._places = this.plan.places
        self._names = this.table.names

    def __missing__(self, words: bytes) -> _Context:
        mask = int.from_bytes(words, "little")
        seats = tuple(sorted(place for i, place in enumerate(self._places) if mask >> i & 1))
        found = self[words] = (seats, tuple(self._names[seat] for seat in seats))
        return found
