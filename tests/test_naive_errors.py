"""Errors and interest: two formulations of each figure against each other, and by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings

from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Operand, Pod, Predicate, Rule
from tests.naive import (
    Table,
    coverage,
    holds,
    interest,
    pairs_error,
    removal_error,
    removal_formula,
    succinctness,
    table,
)
from tests.strategies import random_tables, rules, tables

THREE = tables(max_rows=7, min_cols=3, max_cols=3)
NAMES = ("c0", "c1", "c2")


@settings(max_examples=300, deadline=None)
@given(THREE, rules(NAMES, ("fd", "key", "oc")))
def test_the_formulas_give_the_least_number_of_rows(whole: Table, rule: Rule) -> None:
    for nulls in ("first", "last"):
        assert removal_formula(rule, whole, nulls) == removal_error(rule, whole, nulls)


@settings(max_examples=200, deadline=None)
@given(THREE, rules(NAMES, ("fd", "key")))
def test_the_formulas_know_unknown_nulls(whole: Table, rule: Rule) -> None:
    assert removal_formula(rule, whole, "unknown") == removal_error(rule, whole, "unknown")


@settings(max_examples=150, deadline=None)
@given(tables(max_rows=7, min_cols=3, max_cols=3, types=("integer",)), rules(NAMES))
def test_no_error_means_valid(whole: Table, rule: Rule) -> None:
    assert (pairs_error(rule, whole) == 0) == holds(rule, whole)
    if rule.kind in ("fd", "key", "oc"):
        assert (removal_error(rule, whole) == 0) == holds(rule, whole)


def test_errors_fall_as_the_context_grows() -> None:
    for whole in random_tables(11, 150, min_cols=4, max_cols=4):
        for small, large in ((Fd(("c0",), "c2"), Fd(("c0", "c1"), "c2")), (Key(("c0",)), Key(("c0", "c1")))):
            assert removal_error(large, whole) <= removal_error(small, whole)
        for direction in ("same", "opposite"):
            small_oc, large_oc = (Oc(x, "c2", "c3", direction) for x in (("c0",), ("c0", "c1")))
            assert removal_error(large_oc, whole) <= removal_error(small_oc, whole)
            assert removal_error(small_oc, whole) <= removal_error(Fd(("c0",), "c2"), whole)


def test_errors_by_hand() -> None:
    late = table("a b", "integer", (1, 1), (1, 1), (1, 2), (2, 9), (3, 5))
    assert removal_error(Fd(("a",), "b"), late) == Fraction(1, 5)
    assert pairs_error(Fd(("a",), "b"), late) == Fraction(4, 20)
    assert removal_error(Key(("a", "b")), late) == Fraction(1, 5)
    assert removal_error(Key(()), late) == Fraction(4, 5)
    assert removal_error(Oc((), "a", "b"), late) == Fraction(1, 5)
    assert pairs_error(Oc((), "a", "b"), late) == Fraction(1, 20)
    assert removal_error(Oc((), "a", "b", "opposite"), late) == Fraction(2, 5)


def test_without_pairs_there_is_no_error_and_no_coverage() -> None:
    for rows in ((), ((1, 2),)):
        few = table("a b", "integer", *rows)
        assert removal_error(Fd((), "a"), few) == pairs_error(Fd((), "a"), few) == 0
        assert coverage(Fd((), "a"), few) is None
        assert interest(Key(()), few) is None


def test_removal_is_not_offered_where_it_is_hard() -> None:
    with pytest.raises(ValueError, match="pod"):
        removal_error(Pod((), ("a", "=")), table("a", "integer"))


def test_interest_by_hand() -> None:
    staff = table("posit bin yr", "integer", (1, 1, 1), (2, 2, 1), (3, 3, 1), (1, 1, 2), (2, 2, 2), (3, 3, 2))
    assert coverage(Fd(("posit",), "bin"), staff) == Fraction(1, 3)
    assert interest(Fd(("posit",), "bin"), staff) == Fraction(1, 3)
    assert coverage(Oc(("yr",), "posit", "bin"), staff) == Fraction(1, 2)
    assert interest(Oc(("yr",), "posit", "bin"), staff) == Fraction(1, 3)
    assert coverage(Key(("posit", "yr")), staff) == Fraction(1, 6)
    assert coverage(Fd((), "yr"), staff) == 1
    assert coverage(Lod((("posit", "asc"),), (("bin", "asc"),)), staff) is None
    assert succinctness(Key(())) == 1


def test_coverage_of_a_denial_counts_the_pairs_that_miss_one_predicate() -> None:
    few = table("zip city", "integer", (1, 1), (1, 1), (2, 2))
    denial = Dc(tuple(Predicate(Operand("t", c), op, Operand("u", c)) for c, op in (("zip", "="), ("city", "!="))))  # type: ignore[arg-type]
    assert coverage(denial, few) == Fraction(2 + 4, 6 * 2)
    assert coverage(Pod((("zip", "="),), ("city", "=")), few) == coverage(denial, few)
    assert coverage(Pod((), ("city", "=")), few) == 1


def test_an_unknown_row_shares_its_context_with_itself_only() -> None:
    sparse = table("a", "integer", (None,), (None,), (1,), (1,))
    assert coverage(Key(("a",)), sparse, "first") == Fraction(8, 16)
    assert coverage(Key(("a",)), sparse, "unknown") == Fraction(6, 16)
