"""Discovering pod and dc on small tables: what may be asked, and the judge of what is found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from lawful.engine import Engine
from lawful.rules import RuleSet
from lawful.rules.canonical import in_file_order
from lawful.rules.model import OPERATORS, OUTCOMES, Dc, Operand, Operator, Pod, Predicate, Rule
from tests.families.finding import encoded, found
from tests.families.test_bod import same_rules, some_tables
from tests.naive import Nulls, Table, coverage, discover, interest, pairs_error, surprise
from tests.naive.marks import canonical_dc

ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2, 0.25, 1 / 3, 0.5, 0.7, 0.99)
TIED = "too many worlds"
"""What the definition says of more columns than it can compare with each other."""


class Question(NamedTuple):
    """A table, where its nulls stand, and what is asked of it."""

    table: Table
    nulls: Nulls
    options: dict[str, Any]


def questions(kind: str, seed: int, count: int, *, near: bool = False, **more: Any) -> Iterator[Question]:
    """Tables with some columns that lose their order or are ordered by meaning, nulls anywhere, and options."""
    for whole, draw in some_tables(seed, count, **more):
        options: dict[str, Any] = {"max_error": draw.choice(ERRORS[1:])} if near else {}
        if draw.random() < 0.3:
            options["max_size"] = draw.randint(1, 4)
        if kind == "dc" and draw.random() < 0.3:
            options["order_strings"] = True
        nulls = draw.choice(["first", "last", "unknown"][: 3 if kind == "dc" else 2])
        yield Question(reordered(whole, draw), nulls, options)  # type: ignore[arg-type]


def reordered(whole: Table, draw: Random) -> Table:
    """The table, or one of which some columns have no order, or another one than that of their values."""
    if draw.random() < 0.25:
        whole = replace(whole, unordered=frozenset(draw.sample(whole.names, draw.randint(1, len(whole.names)))))
    if draw.random() < 0.25:
        name = draw.choice(whole.names)
        values = {repr(value): value for value in whole.column(name) if value is not None and value == value}
        if whole.type_of(name) == "string" and values:
            whole = replace(whole, orders={name: tuple(draw.sample(list(values.values()), len(values)))})
    return whole


def expected(kind: str, asked: Question) -> frozenset[Rule]:
    """What the definition finds."""
    exact = {n: Fraction(str(v)) if isinstance(v, float) else v for n, v in asked.options.items()}
    return discover(asked.table, [kind], nulls=asked.nulls, **exact)


def judge(kind: str, asked: Question, engine: Engine | None = None) -> RuleSet:
    """Asserts that exactly the minimal rules are found, in the order of the file."""
    ours = found(encoded(asked.table, asked.nulls), (kind,), engine=engine, **asked.options)
    wanted = expected(kind, asked)
    same_rules(ours, wanted, asked)
    assert list(ours) == in_file_order(wanted, asked.table.names), asked
    return ours


def judge_figures(rules: RuleSet, asked: Question) -> None:
    """Asserts that every figure is what its definition says."""
    for rule in rules:
        assert isinstance(rule, Pod | Dc)
        figures, about = rule.figures, (str(rule), asked)
        assert figures.measure == "pairs"
        assert figures.error == float(pairs_error(rule, asked.table, asked.nulls)), about
        assert figures.coverage == float(coverage(rule, asked.table, asked.nulls) or 0), about
        assert figures.interest == pytest.approx(float(interest(rule, asked.table, asked.nulls) or 0), rel=1e-12), about
        assert figures.surprise == pytest.approx(surprise(rule, asked.table, asked.nulls), rel=1e-9), about


# Longer and wider tables than the definition can look at


SIGNS: dict[Operator, list[int]] = {op: ["<=>".index(outcome) for outcome in OUTCOMES[op]] for op in OPERATORS}


def signatures(ranks: Any) -> tuple[Any, Any]:
    """How rows compare over all ordered pairs, 0, 1 or 2 a column, and how often: int[k, columns] and int[k]."""
    digits = [1 + np.sign(column[:, None].astype(np.int64) - column[None, :]) for column in ranks]
    codes = sum(digit * 3**c for c, digit in enumerate(digits))[~np.eye(ranks.shape[1], dtype=np.bool_)]
    counts = np.bincount(codes, minlength=3 ** len(ranks))
    seen = np.flatnonzero(counts)
    return np.stack([seen // 3**c % 3 for c in range(len(ranks))], axis=1), counts[seen]


def minimal_dcs(ranks: Any, names: Sequence[str], max_error: Fraction = Fraction(0)) -> set[Rule]:
    """The minimal constraints on ordered columns, from the signatures of all pairs: every conjunction is counted, and
    those stay that are accepted while no weaker one is."""
    signs, counts = signatures(ranks)
    allowed = max_error * int(counts.sum())
    true = {(c, op): np.isin(signs[:, c], SIGNS[op]) for c in range(len(ranks)) for op in OPERATORS}
    accepted: dict[tuple[Operator | None, ...], bool] = {}
    for marks in product((None, *OPERATORS), repeat=len(ranks)):
        named = [(c, op) for c, op in enumerate(marks) if op]
        if named:
            accepted[marks] = int(counts[np.logical_and.reduce([true[mark] for mark in named])].sum()) <= allowed
    minimal = [m for m, good in accepted.items() if good and not any(accepted.get(w, False) for w in _weaker(m))]
    made = [[_own(name, op) for name, op in zip(names, marks, strict=True) if op] for marks in minimal]
    return {canonical_dc(predicates, names) for predicates in made}


def _own(name: str, op: Operator) -> Predicate:
    return Predicate(Operand("t", name), op, Operand("u", name))


def _weaker(marks: Sequence[Operator | None]) -> Iterator[tuple[Operator | None, ...]]:
    for i, op in enumerate(marks):
        if op:
            others = [other for other in OPERATORS if OUTCOMES[op] < OUTCOMES[other]]
            yield from ((*marks[:i], weaker, *marks[i + 1 :]) for weaker in (None, *others))
