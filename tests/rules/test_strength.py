from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.rules import Dc, Pod, implies, parse, subsumes
from lawful.rules.model import OPERATORS, OUTCOMES
from lawful.rules.strength import box
from tests.rules.meaning import holds
from tests.rules.strategies import rules
from tests.rules.test_canonical import COLUMNS, row_lists

marks = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(OPERATORS)), max_size=4)


@pytest.mark.parametrize(
    ("strong", "weak"),
    [("=", "<="), ("=", ">="), ("<", "<="), ("<", "!="), (">", ">="), (">", "!=")] + [(op, op) for op in OPERATORS],
)
def test_operators_that_imply(strong: str, weak: str) -> None:
    assert implies([("a", strong)], [("a", weak)])
    assert strong == weak or not implies([("a", weak)], [("a", strong)])


def test_no_other_operator_implies_another() -> None:
    assert sum(implies([("a", one)], [("a", other)]) for one, other in product(OPERATORS, OPERATORS)) == 12


@given(marks, marks)
def test_implication_is_containment_of_outcomes(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> None:
    def satisfied(conjunction: list[tuple[str, str]], outcome: dict[str, str]) -> bool:
        return all(outcome[name] in OUTCOMES[op] for name, op in conjunction)

    outcomes = [dict(zip("ab", pair, strict=True)) for pair in product("<=>", repeat=2)]
    assert implies(a, b) == all(satisfied(b, o) for o in outcomes if satisfied(a, o))


def test_marks_and_predicates_speak_of_the_same() -> None:
    predicates = parse("not(u.a > t.a and t.b = u.b)").predicates
    assert box(predicates) == box([("a", "<"), ("b", "=")])


def test_single_row_and_two_row_predicates_are_told_apart() -> None:
    single, double = parse("not(t.a = t.b)"), parse("not(t.a = u.b)")
    assert not implies(single.predicates, double.predicates)
    assert implies(parse("not(t.b > t.a)").predicates, parse("not(t.a <= t.b)").predicates)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("x< => z<", "x<, y= => z<", True),
        ("x< => z<", "x< => z<=", True),
        ("x<= => z<=", "x< => z<=", True),
        ("x< => z<=", "x< => z<", False),
        ("x< => z=", "x>, y< => z=", True),
        ("x< => z=", "x> => z<=", True),
        ("x< => z<", "x> => z<", False),
        ("x< => z<", "x< => y<", False),
        ("not(t.x = u.x)", "not(t.x = u.x and t.y < u.y)", True),
        ("not(t.x <= u.x)", "not(t.x = u.x)", True),
        ("not(t.x < u.x and t.y < u.y)", "not(t.x > u.x and t.y > u.y and t.z = u.z)", True),
        ("not(t.x < u.x and t.y < u.y)", "not(t.x < u.x and t.y > u.y)", False),
        ("not(t.x < u.y)", "not(t.y > u.x and t.z = u.z)", True),
        ("not(t.x = u.x)", "x= => y=", False),
    ],
)
def test_subsumption(a: str, b: str, expected: bool) -> None:
    assert subsumes(parse(a), parse(b)) is expected


@pytest.mark.parametrize("kind", ["pod", "dc"])
@given(st.data())
def test_what_is_subsumed_holds_wherever_the_other_does(kind: str, data: st.DataObject) -> None:
    a, b = data.draw(rules(COLUMNS, kind)), data.draw(rules(COLUMNS, kind))
    assert isinstance(a, (Pod, Dc))
    if subsumes(a, b):
        rows = data.draw(row_lists)
        assert holds(b, rows) or not holds(a, rows)


@given(st.data())
def test_adding_a_predicate_is_always_subsumed(data: st.DataObject) -> None:
    rule, more = data.draw(rules(COLUMNS, "dc")), data.draw(rules(COLUMNS, "dc"))
    both = Dc(rule.predicates + more.predicates)
    assert subsumes(rule, both)
    assert subsumes(more, both)
