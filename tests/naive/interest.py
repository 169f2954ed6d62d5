"""The figures that rank rules, as exact fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import log10, prod

from lawful.rules.model import NEGATION, Dc, Fd, Key, Lod, Oc, Operand, Pod, Predicate, Rule
from tests.naive.masks import PairMasks
from tests.naive.pairs import signature
from tests.naive.table import Nulls, Table


def coverage(rule: Rule, table: Table, nulls: Nulls = "first") -> Fraction | None:
    """Pairs that share the context (reflexive ones included) over n²; for pod and dc the share of pairs that
    satisfy all predicates but one, averaged over the one left out. None where there are no pairs, and for lists."""
    if len(table) < 2 or isinstance(rule, Lod):
        return None
    match rule:
        case Fd():
            return _shared(table, rule.lhs, nulls)
        case Key():
            return _shared(table, rule.columns, nulls)
        case Oc():
            return _shared(table, rule.context, nulls)
        case Pod() | Dc():
            return _near(table, denied(rule), nulls)


def succinctness(rule: Rule) -> Fraction:
    """2 over the number of columns, at most 1."""
    columns = len(set(rule.columns))
    return min(Fraction(1), Fraction(2, columns)) if columns else Fraction(1)


def interest(rule: Rule, table: Table, nulls: Nulls = "first") -> Fraction | None:
    covered = coverage(rule, table, nulls)
    return None if covered is None else covered * succinctness(rule)


def surprise(rule: Pod | Dc, table: Table, nulls: Nulls = "first") -> float | None:
    """How many pairs would break the rule if its comparisons were independent of each other, as log10(1 + that)."""
    if len(table) < 2:
        return None
    masks = PairMasks(table, nulls)
    shares = [Fraction(masks.conjunction([p]).bit_count(), len(masks.pairs)) for p in denied(rule)]
    return log10(1 + float(prod(shares, start=Fraction(len(masks.pairs)))))


def denied(rule: Pod | Dc) -> tuple[Predicate, ...]:
    """What no pair may satisfy together; of a pod the right-hand mark is negated."""
    if isinstance(rule, Dc):
        return rule.predicates
    marks = (*rule.lhs, (rule.rhs[0], NEGATION[rule.rhs[1]]))
    return tuple(Predicate(Operand("t", c), op, Operand("u", c)) for c, op in marks)


def _shared(table: Table, context: Sequence[str], nulls: Nulls) -> Fraction:
    """A row shares every context with itself, be it unknown."""
    n, shared = len(table), 0
    for t, u in product(range(n), repeat=2):
        found = signature(table, t, u, nulls)
        shared += t == u or all(found[name] == "=" for name in context)
    return Fraction(shared, n * n)


def _near(table: Table, predicates: Sequence[Predicate], nulls: Nulls) -> Fraction:
    masks = PairMasks(table, nulls)
    left_out = [[*predicates[:i], *predicates[i + 1 :]] for i in range(len(predicates))]
    pairs = sum(masks.conjunction(others).bit_count() for others in left_out)
    return Fraction(pairs, len(masks.pairs) * len(predicates))
