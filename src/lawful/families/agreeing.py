"""Functional dependencies and keys from agree sets: what determines A must not lie within a set that lacks A.

For exact rules only the maximal agree sets that lack A matter; the columns outside of such a set are an edge, and the
minimal sets of columns that hit all edges are the left-hand sides. With a budget of pairs that may stay unhit, every
distinct set matters, with its count.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.engine.port import Engine
from lawful.errors import LimitError, OptionError
from lawful.evidence.agree import AgreeSets, agree_layout
from lawful.evidence.evidence import Counts, Evidence
from lawful.evidence.multiset import Multiset, ordered_sets
from lawful.evidence.signature import Layout, Signatures
from lawful.evidence.space import own_space
from lawful.families.comparing import compare_all
from lawful.families.denials import flags
from lawful.families.running import Run, hit
from lawful.limits import Budget
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Fd, Figures, Key, Measure, Rule
from lawful.search.ending import Deadline, Ending
from lawful.search.literals import EQUAL, Literals, pod_literals
from lawful.search.problem import Passing, Question, Words

KEY = -1
"""The right-hand side of a key: the row itself."""


def agree_sets_of(
    table: Encoded, engine: Engine, *, budget: Budget | None = None, listener: Listener = silent
) -> AgreeSets:
    """The counted agree sets of all pairs of rows: O(rows² * columns) in vector instructions, as jobs of an engine."""
    if table.nulls == "unknown":
        raise OptionError(
            "With nulls='unknown' nobody knows whether two nulls agree.", hint="Set nulls to first or last."
        )
    width = len(table.columns)
    space = own_space(table, [False] * width)
    budget = budget or Budget.of(None)
    if table.rows < 2:
        return AgreeSets(table.names, table.rows, Evidence.none(agree_layout(width), True, closed=False))
    both = compare_all(space, engine, counted=True, budget=budget, deadline=Deadline(None), listener=listener)
    assert both.counts is not None
    once = Evidence(agree_layout(width), both.signatures, both.counts // 2, closed=False)
    return AgreeSets(table.names, table.rows, once)


@dataclass(frozen=True)
class Wanted:
    """What is looked for: right-hand columns (`KEY`: keys) of a table so wide, how many pairs may break a rule, and how
    many columns it may name."""

    width: int
    rights: tuple[int, ...]
    budget: int = 0
    most_columns: int | None = None

    @classmethod
    def of(cls, kinds: Sequence[str], width: int, rows: int, max_error: float, max_size: int | None = None) -> Wanted:
        """For all columns; the budget is a share of the unordered pairs of so many rows."""
        rights = (*(range(width) if "fd" in kinds else ()), *((KEY,) if "key" in kinds else ()))
        return cls(width, rights, int(Fraction(str(max_error)) * (rows * (rows - 1) // 2)), max_size)


def question(wanted: Wanted, layout: Layout, right: int) -> Question:
    """What a left-hand side of one column, or a key, has to hit: the sets that lack the column, or all."""
    width = wanted.width
    literals = pod_literals(layout, right, tuple((c,) for c in range(width)), width)
    passing = None if right == KEY else Passing(right, EQUAL)
    fixed = () if right == KEY else (right,)
    return Question(literals, passing, wanted.budget, wanted.most_columns, fixed)


def left_sides(
    wanted: Wanted, sets: Signatures, counts: Counts | None, rights: Sequence[int], engine: Engine
) -> list[Words]:
    """Per right-hand side the minimal sets of columns, as words in the form of agree sets, ascending.

    ``sets`` holds at least the maximal agree sets that lack each of the columns; all of them with ``counts`` where
    there is a budget. A limit raises: a maintained answer is whole or it is none.
    """
    layout = agree_layout(wanted.width)
    evidence = Evidence(layout, sets, counts, closed=False)
    asked = [question(wanted, layout, right) for right in rights]
    found, ending = hit(evidence, asked, Run(engine, Budget.of(None), Deadline(None)))
    raise_ended(ending)
    return [as_columns(q.literals, words) for q, words in zip(asked, found, strict=True)]


def raise_ended(ending: Ending) -> None:
    """The error of a search that was ended, if it was."""
    if ending.reason is None:
        return
    if ending.code == 3:
        raise LimitError(f"{ending.reason}.", hint=ending.hint)
    stop = KeyboardInterrupt()
    stop.__dict__["number"] = ending.code - 128
    raise stop


def as_columns(literals: Literals, words: Words) -> Words:
    """Sets of literals, one a group, as sets of columns."""
    bits = flags(words, len(literals))
    wide = np.zeros((len(bits), 64 * literals.layout.words), np.uint8)
    wide[:, list(literals.groups)] = bits
    packed = np.packbits(wide, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return ordered_sets(packed.reshape(len(bits), literals.layout.words))


@dataclass(frozen=True, eq=False)
class Sides:
    """Rules as arrays: left-hand sides uint64[r, w], right-hand columns int64[r] (`KEY`: none), and of pairs, each
    counted once, how many agree on the left, int64[r], and how many of these break the rule, int64[r]."""

    sets: Words
    rights: NDArray[np.int64]
    within: Counts
    breaking: Counts

    def __len__(self) -> int:
        return len(self.sets)

    def take(self, places: Any) -> Sides:
        """Some of the rules."""
        return Sides(self.sets[places], self.rights[places], self.within[places], self.breaking[places])


def as_rules(sides: Sides, names: Sequence[str], rows: int, measure: Measure | None) -> list[Rule]:
    """The rules with their figures, in the order of the rule file: fds before keys, by size, then by columns."""
    bits = flags(sides.sets, len(names))
    sizes = bits.sum(axis=1) + (sides.rights != KEY)
    members = [tuple(np.flatnonzero(row).tolist()) for row in bits]
    order = sorted(
        range(len(sides)), key=lambda r: (sides.rights[r] == KEY, sizes[r], members[r], int(sides.rights[r]))
    )  # fmt: skip
    pairs = rows * (rows - 1) // 2
    return [
        _rule(
            tuple(names[c] for c in members[r]),
            int(sides.rights[r]),
            names,
            figures_of(int(sides.within[r]), int(sides.breaking[r]), int(sizes[r]), rows, pairs, measure),
        )
        for r in order
    ]


def _rule(left: tuple[str, ...], right: int, names: Sequence[str], figures: Figures) -> Rule:
    return Key(left, figures) if right == KEY else Fd(left, names[right], figures)


def figures_of(within: int, breaking: int, columns: int, rows: int, pairs: int, measure: Measure | None) -> Figures:
    """The figures of a rule over so many columns, by the pairs that agree on its left and those that break it."""
    if not pairs:
        return Figures(0.0, measure or "removal")
    coverage = (rows + 2 * within) / rows**2
    return Figures(
        breaking / pairs, measure or "removal", coverage, coverage * (min(1.0, 2 / columns) if columns else 1.0)
    )


def measure_of(kinds: Iterable[str], max_error: float, measure: str | None) -> str | None:
    """What errors count. Pairs of rows are counted, never rows to remove: a positive bound needs that said, but with
    kinds that know no other measure."""
    if max_error > 0 and measure is None and set(kinds) <= {"pod", "dc"}:
        return "pairs"
    if max_error > 0 and measure != "pairs":
        raise OptionError(
            "A state counts pairs of rows, not rows to remove.",
            hint='Say measure="pairs" (--measure pairs) with a positive max_error.',
        )
    return measure


def rules_of(agree: AgreeSets, kinds: Iterable[str], engine: Engine, *, max_error: float = 0.0) -> list[Rule]:
    """The minimal fds and keys of a table from its agree sets; with ``max_error`` by the share of pairs."""
    width, evidence = len(agree.names), agree.evidence
    wanted = Wanted.of(tuple(kinds), width, agree.rows, max_error)
    counts = evidence.counts if max_error > 0 else None
    found = left_sides(wanted, evidence.signatures, counts, wanted.rights, engine)
    sets = np.concatenate([np.zeros((0, evidence.layout.words), np.uint64), *found])
    rights = np.repeat(np.array(wanted.rights, np.int64), [len(part) for part in found])
    sides = Sides(sets, rights, *Multiset(evidence.layout, evidence).masses(sets, rights))
    return as_rules(sides, agree.names, agree.rows, "pairs" if max_error > 0 else None)
