"""Denial constraints: the search against maximal empty boxes, and against every conjunction there is."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from lawful.rules.model import MIRROR, OPERATORS, Dc, Operand, Operator, Predicate
from tests.naive import Nulls, Table, discover, holds, table, violations
from tests.naive.marks import canonical_dc, mirrored
from tests.naive.pairs import signature
from tests.naive.space import Space
from tests.naive.worlds import Worlds, entails, possible, weak_orders
from tests.strategies import random_tables

BOXES: dict[str, Operator] = {"=": "=", "<>": "!=", "<": "<", "<=": "<=", ">": ">", "=>": ">="}
"""The outcomes a column may still have, and the operator that says so."""


def own(name: str, op: Operator) -> Predicate:
    return Predicate(Operand("t", name), op, Operand("u", name))


def by_boxes(whole: Table, nulls: Nulls) -> set[Dc]:
    """Boxes of outcomes, one side a column, that hold no signature and lie within no larger such box."""
    n = len(whole)
    seen = [signature(whole, t, u, nulls) for t in range(n) for u in range(n) if t != u]
    sides = {}
    for name, kind in zip(whole.names, whole.types, strict=True):
        offered = ("=", "<>") if kind == "string" else tuple(BOXES)
        sides[name] = [frozenset("<=>?"), *map(frozenset, offered)]
    boxes = [dict(zip(whole.names, box, strict=True)) for box in product(*sides.values())]
    empty = [box for box in boxes if not any(all(found[a] in box[a] for a in box) for found in seen)]
    largest = [b for b in empty if not any(b != c and all(b[a] <= c[a] for a in b) for c in empty)]
    return {folded({a: BOXES["".join(sorted(b[a]))] for a in b if "?" not in b[a]}) for b in largest}


def folded(marks: dict[str, Operator]) -> Dc:
    first = next((op for op in marks.values() if op not in ("=", "!=")), "=")
    return Dc(tuple(own(a, MIRROR[op] if first in (">", ">=") else op) for a, op in marks.items()))


@pytest.mark.parametrize("nulls", ["first", "last", "unknown"])
def test_minimal_constraints_are_maximal_empty_boxes(nulls: Nulls) -> None:
    for whole in random_tables(1, 100, min_rows=2, max_rows=6, max_cols=3):
        assert discover(whole, ["dc"], nulls=nulls) == by_boxes(whole, nulls)


def test_every_constraint_reported_holds() -> None:
    for whole in random_tables(2, 40, min_rows=2, max_cols=4):
        for rule in discover(whole, ["dc"], order_strings=True):
            assert holds(rule, whole), rule


def test_approximate_constraints_stay_within_the_error_and_weaker_ones_do_not() -> None:
    for whole in random_tables(3, 60, min_rows=2, max_rows=6, max_cols=3):
        allowed = Fraction(1, 8) * len(whole) * (len(whole) - 1)
        for rule in discover(whole, ["dc"], max_error=Fraction(1, 8)):
            assert isinstance(rule, Dc)
            assert len(violations(rule, whole)) <= allowed
            for i in range(len(rule.predicates)):
                fewer = Dc(rule.predicates[:i] + rule.predicates[i + 1 :])
                assert len(violations(fewer, whole)) > allowed


def test_strings_have_an_order_only_when_told() -> None:
    words = table("a b", "string", ("x", "1"), ("y", "2"), ("z", "2"))
    plain = discover(words, ["dc"])
    assert plain == {Dc((own("a", "="),))}
    falls = Dc((own("a", "<="), own("b", ">")))
    assert falls not in plain
    assert falls in discover(words, ["dc"], order_strings=True)
    meaning = Table(words.names, words.types, words.rows, orders={"a": ("x", "y", "z"), "b": ("1", "2")})
    assert falls in discover(meaning, ["dc"])


# Columns compared with each other

PYTHON = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
CELLS = [Operand(row, name) for name in ("c0", "c1") for row in ("t", "u")]


@cache
def true_under(predicate: Predicate) -> frozenset[tuple[int, ...]]:
    """The assignments of 0..3 to the four cells that make the predicate true."""
    left, right = CELLS.index(predicate.left), CELLS.index(predicate.right)
    every = product(range(4), repeat=4)
    return frozenset(values for values in every if PYTHON[predicate.op](values[left], values[right]))


def meaning(predicates: tuple[Predicate, ...]) -> frozenset[tuple[int, ...]]:
    return frozenset.intersection(*map(true_under, predicates))


def test_constraints_over_two_columns_imply_all_valid_ones_and_none_of_each_other() -> None:
    tried = 0
    for whole in random_tables(4, 60, min_rows=2, max_rows=4, min_cols=2, max_cols=2, types=("integer",), nulls=False):
        comparisons = Space(cross_columns=True).comparisons(whole)
        if len(comparisons) < 4 or tried == 8:
            continue
        tried += 1
        found = [rule for rule in discover(whole, ["dc"], cross_columns=True) if isinstance(rule, Dc)]
        means = [(meaning(r.predicates), meaning(tuple(map(mirrored, r.predicates)))) for r in found]
        assert all(own for own, _ in means), "none is impossible"
        assert all(holds(rule, whole) for rule in found)
        for i, (one, _) in enumerate(means):
            assert not any(one <= m for j, pair in enumerate(means) if i != j for m in pair)
        for ops in product(*[(None, *c.operators) for c in comparisons]):
            said = tuple(Predicate(c.left, op, c.right) for c, op in zip(comparisons, ops, strict=True) if op)
            if said and holds(Dc(said), whole) and meaning(said):
                assert any(meaning(said) <= m for pair in means for m in pair)
    assert tried == 8


def test_the_space_has_eighty_two_predicates_for_daily_prices() -> None:
    names = "ticker date open high low close volume".split()
    rows = [(("x", "y")[i % 2], f"2024-01-0{i}", 10 + i, 12 + i, 9 + i, 11 + i, 5000 + 37 * i) for i in range(1, 10)]
    stock = table(names, "string string integer integer integer integer integer".split(), *rows)
    comparisons = Space(cross_columns=True).comparisons(stock)
    assert sum(len(c.operators) for c in comparisons) == 82
    assert all(c.left.row == "t" for c in comparisons)


def test_columns_must_share_values_and_be_of_one_magnitude() -> None:
    def crossed(*rows: tuple[object, object], types: str = "integer", **more: Fraction) -> list[str]:
        found = Space(cross_columns=True, **more).comparisons(table("a b", types, *rows))  # type: ignore[arg-type]
        return ["".join(c.operators) for c in found[2:]]

    orders, equality = "".join(OPERATORS), "=!="
    assert crossed((1, 1), (2, 9)) == [orders, equality]
    assert crossed((1, 3), (2, 4)) == []
    assert crossed((1, 1), (2, 2000)) == [equality, equality]
    assert crossed((1, 1), (2, 2000), means=Fraction(1, 10000)) == [orders, equality]
    assert crossed((1, 1), (2, 3), share=Fraction(3, 5)) == []
    assert crossed(("x", "x"), ("y", "x"), types="string") == [equality, equality]
    assert crossed((1, "1"), (2, "2"), types="integer string") == []
    assert crossed((1, 1.0), (2, float("inf")), types="integer float") == [equality, equality]
    assert crossed((None, None), (None, None)) == []


def test_a_constraint_and_its_mirror_image_have_one_form() -> None:
    names = ("a", "b", "c")
    for whole in random_tables(5, 12, min_rows=3, max_rows=4, min_cols=2, max_cols=2, types=("integer",)):
        for rule in discover(whole, ["dc"], cross_columns=True):
            assert isinstance(rule, Dc)
            assert canonical_dc([mirrored(p) for p in reversed(rule.predicates)], whole.names) == rule
    cross = Predicate(Operand("t", "a"), "<", Operand("u", "b"))
    image = Predicate(Operand("t", "b"), ">", Operand("u", "a"))
    assert canonical_dc([image], names) == Dc((cross,))
    assert canonical_dc([own("a", ">"), cross], names) == Dc((own("a", "<"), image))


def compared(text: str) -> tuple[Predicate, ...]:
    """``"t.a < u.b, t.b = t.a"`` as predicates."""
    parts = [part.split() for part in text.split(",")]
    cells = [[Operand(cell[0], cell[2:]) for cell in (left, right)] for left, _, right in parts]  # type: ignore[arg-type]
    return tuple(Predicate(a, op, b) for (a, b), (_, op, _) in zip(cells, parts, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "follows"),
    [
        ("t.a < u.b, t.b = u.b, t.b <= u.a", "t.a < u.a", True),
        ("t.a <= u.b, t.b = u.b, t.b <= u.a", "t.a < u.a", False),
        ("t.a = u.a, t.a = u.b", "u.a = u.b", True),
        ("t.a <= u.b, t.a >= u.b", "t.a = u.b", True),
        ("t.a <= u.b, t.a != u.b", "t.a < u.b", True),
        ("t.a = t.b", "t.a != u.a", False),
        ("t.c = u.c, t.a < u.b", "t.c <= u.c", True),
        ("t.a < u.b", "t.c <= u.c", False),
    ],
)
def test_the_order_implies_what_follows_in_every_world(one: str, other: str, follows: bool) -> None:
    crossed = table("a b c", "integer integer string", (1, 2, "x"), (2, 1, "y"))
    worlds = Worlds(Space(cross_columns=True).comparisons(crossed))
    assert entails(worlds.meaning(compared(one)), worlds.meaning(compared(other))) == follows


def test_a_contradiction_is_true_in_no_world() -> None:
    crossed = table("a b", "integer", (1, 2), (2, 1))
    worlds = Worlds(Space(cross_columns=True).comparisons(crossed))
    assert not possible(worlds.meaning(compared("t.a = t.b, t.a < u.a, t.b > u.a")))
    assert possible(worlds.meaning(compared("t.a != t.b, t.a < u.a, t.b > u.a")))
    assert [len(weak_orders(n)) for n in range(1, 6)] == [1, 3, 13, 75, 541]


def test_fewer_than_two_rows_have_no_constraints() -> None:
    assert discover(table("a b", "integer", (1, 1)), ["dc"], cross_columns=True) == set()
