"""The definitions against small tables worked out by hand."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given

from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Operand, Operator, Pod, Predicate, Rule
from tests.naive import Table, agree_sets, cmp, holds, pairs_error, ranks, table, violations
from tests.strategies import rules, tables

NAN = float("nan")
PAY = table("grade pay tax", "integer", (1, 10, 5), (2, 20, 5), (2, 30, 4))


def same(left: str, op: Operator) -> Predicate:
    return Predicate(Operand("t", left), op, Operand("u", left))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (1, 2, "<"),
        (Decimal("1.5"), Decimal("1.50"), "="),
        (2**53, float(2**53), "="),
        (2**53 + 1, float(2**53), ">"),
        (-0.0, 0.0, "="),
        (NAN, NAN, "="),
        (NAN, float("inf"), ">"),
        (False, True, "<"),
        ("10", "9", "<"),
        ("Z", "a", "<"),
        ("\uffff", "\U0001f600", "<"),
        (datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))), "="),
    ],
)
def test_values_compare_by_their_type(a: object, b: object, expected: str) -> None:
    assert cmp(a, b) == expected  # type: ignore[arg-type]
    assert cmp(b, a) == {"<": ">", ">": "<", "=": "="}[expected]  # type: ignore[arg-type]


def test_null_has_one_place() -> None:
    assert [cmp(None, 1, "first"), cmp(1, None, "first"), cmp(None, None, "first")] == ["<", ">", "="]
    assert [cmp(None, 1, "last"), cmp(1, None, "last"), cmp(None, None, "last")] == [">", "<", "="]
    assert [cmp(None, 1, "unknown"), cmp(1, None, "unknown"), cmp(None, None, "unknown")] == ["?"] * 3


def test_an_order_by_meaning_replaces_the_order_of_the_type() -> None:
    levels = table("level", "string", ("mid",), ("high",), ("low",), orders={"level": ("low", "mid", "high")})
    assert ranks(levels) == [[1, 2, 0]]
    assert ranks(table("level", "string", *levels.rows)) == [[2, 0, 1]]
    with pytest.raises(ValueError, match="not in"):
        ranks(levels.with_rows([("huge",), ("low",)]))


def test_ranks_are_dense_and_give_null_its_own() -> None:
    sparse = table("a b", "integer", (None, 7), (5, 7), (9, None), (5, 7))
    assert ranks(sparse, "first") == [[0, 1, 2, 1], [1, 1, 0, 1]]
    assert ranks(sparse, "last") == [[2, 0, 1, 0], [0, 0, 1, 0]]
    assert ranks(table("a", "integer", (3,), (1,), (3,), unordered=frozenset("a"))) == [[0, 1, 0]]


BROKEN: list[tuple[Rule, list[tuple[int, int]]]] = [
    (Fd(("grade",), "tax"), [(1, 2), (2, 1)]),
    (Fd(("pay",), "tax"), []),
    (Fd((), "grade"), [(0, 1), (0, 2), (1, 0), (2, 0)]),
    (Key(("grade",)), [(1, 2), (2, 1)]),
    (Key(()), list(permutations(range(3), 2))),
    (Oc((), "grade", "pay", "same"), []),
    (Oc((), "grade", "tax", "same"), [(0, 2)]),
    (Oc((), "pay", "tax", "same"), [(0, 2), (1, 2)]),
    (Oc(("grade",), "pay", "tax", "same"), [(1, 2)]),
    (Oc((), "pay", "tax", "opposite"), []),
    (Pod((("grade", "<"),), ("pay", "<")), []),
    (Pod((("grade", "<="),), ("pay", "<")), [(2, 1)]),
    (Pod((("grade", "="), ("pay", "<")), ("tax", "=")), [(1, 2)]),
    (Pod((), ("tax", "<=")), [(0, 2), (1, 2)]),
    (Lod((("grade", "asc"),), (("pay", "asc"),)), [(2, 1)]),
    (Lod((("pay", "asc"),), (("grade", "asc"),)), []),
    (Lod((("pay", "asc"),), (("tax", "desc"), ("grade", "asc"))), []),
    (Lod((("pay", "asc"),), (("tax", "desc"), ("grade", "desc"))), [(0, 1)]),
    (Lod((("grade", "asc"),), (("pay", "asc"),), "<->"), [(2, 1)]),
    (Lod((("grade", "asc"),), (("pay", "asc"),), "~"), []),
    (Lod((("pay", "asc"),), (("tax", "asc"),), "~"), [(0, 2), (1, 2), (2, 0), (2, 1)]),
    (Dc((same("grade", "="), same("tax", "!="))), [(1, 2), (2, 1)]),
    (Dc((same("grade", "<="), same("pay", ">"))), [(2, 1)]),
    (Dc((Predicate(Operand("t", "grade"), "<", Operand("u", "tax")), same("pay", ">"))), [(1, 0), (2, 0), (2, 1)]),
    (Dc((Predicate(Operand("t", "grade"), "=", Operand("t", "tax")),)), []),
]


@pytest.mark.parametrize(("rule", "expected"), BROKEN, ids=lambda x: str(x) if not isinstance(x, list) else "")
def test_violations_by_hand(rule: Rule, expected: list[tuple[int, int]]) -> None:
    assert violations(rule, PAY) == expected
    assert holds(rule, PAY) == (not expected)
    assert pairs_error(rule, PAY) == Fraction(len(expected), 6)


def test_a_row_is_never_compared_with_itself_but_may_be_judged_alone() -> None:
    alone = Dc((Predicate(Operand("t", "a"), "=", Operand("t", "b")),))
    assert violations(alone, table("a b", "integer", (1, 1), (1, 2), (3, 4))) == [(0, 1), (0, 2)]
    assert holds(alone, table("a b", "integer", (1, 1))), "a constraint speaks of pairs, and there are none"


def test_where_nulls_are_unknown_they_never_violate() -> None:
    sparse = table("a b", "integer", (1, None), (1, 2), (1, 3), (None, 4), (None, 4))
    assert violations(Fd(("a",), "b"), sparse, "unknown") == [(1, 2), (2, 1)]
    assert violations(Key(("a", "b")), sparse, "unknown") == []
    assert violations(Key(("b",)), sparse, "unknown") == [(3, 4), (4, 3)]
    assert violations(Dc((same("a", "="), same("b", "!="))), sparse, "unknown") == [(1, 2), (2, 1)]
    assert len(violations(Fd(("a",), "b"), sparse, "first")) == 6
    with pytest.raises(ValueError, match="unknown nulls"):
        violations(Oc((), "a", "b"), sparse, "unknown")


def test_the_place_of_null_decides() -> None:
    late = table("a b", "integer", (1, 10), (2, 20), (3, None))
    assert not holds(Oc((), "a", "b"), late, "first")
    assert holds(Oc((), "a", "b"), late, "last")


def test_agree_sets_count_unordered_pairs() -> None:
    equal = table("a b", "integer", (1, 1), (1, 2), (1, 1), (None, None), (None, 1))
    assert agree_sets(equal) == Counter({frozenset("a"): 3, frozenset("ab"): 1, frozenset("b"): 2, frozenset(): 4})


@given(
    tables(max_rows=5, min_cols=3, max_cols=3, types=("integer",)),
    rules(("c0", "c1", "c2"), ("fd", "key", "oc", "pod", "dc", "lod")),
)
def test_turning_the_table_over_keeps_every_rule_but_the_swapped_pairs(whole: Table, rule: Rule) -> None:
    """Rows have no order of their own."""
    over = whole.with_rows(whole.rows[::-1])
    last = len(whole) - 1
    assert sorted((last - t, last - u) for t, u in violations(rule, over)) == violations(rule, whole)
