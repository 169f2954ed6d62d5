"""Literals of denial constraints and of marks: what each covers, what it is needed for, what may stand beside it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from lawful.evidence.signature import Comparison, Layout
from lawful.rules.model import OUTCOMES, Operator
from lawful.search.literals import EQUAL, GREATER, LESS, OPEN, dc_literals, pod_literals

LAYOUT = Layout((Comparison(0, 0, True), Comparison(1, 1, False), Comparison(2, 2, True)))
COLUMNS = ((0,), (1,), (2,))
BITS = {"<": LESS, "=": EQUAL, ">": GREATER}


def excluded(op: Operator) -> int:
    """The outcomes that do not satisfy an operator, as bits."""
    return sum(bit for outcome, bit in BITS.items() if outcome not in OUTCOMES[op])


def test_a_denial_constraint_has_a_literal_for_each_outcome() -> None:
    literals = dc_literals(LAYOUT, COLUMNS, 3)
    assert (len(literals), literals.words, literals.first) == (8, 1, (0, 3, 5, 8))
    assert literals.covers == literals.owns == (1, 2, 4, 1, 2, 1, 2, 4)


def test_marks_exclude_what_their_operators_do_not_admit() -> None:
    """``<=``, ``>=``, ``<``, ``>``; a strict mark is needed for the equal pairs that the weaker one lets pass."""
    literals = pod_literals(LAYOUT, 1, COLUMNS, 3)
    assert literals.groups == (0, 2)
    marks: list[Operator] = ["<=", ">=", "<", ">"]
    assert literals.covers == (*map(excluded, marks),) * 2
    assert literals.owns == (GREATER, LESS, EQUAL, EQUAL) * 2
    assert pod_literals(LAYOUT, 0, COLUMNS, 3).covers[0] == 1, "without order: unequal, which is what = excludes"


@pytest.mark.parametrize("kind", range(4))
def test_what_may_be_added_in_any_order_is_what_may_stand_together(kind: int) -> None:
    together = [{(0, 1), (0, 2), (1, 2)}, set(), {(0, 1)}, set()][kind]
    size = [3, 2, 4, 1][kind]
    assert OPEN[kind, 0] == (1 << size) - 1
    for one, other in combinations(range(size), 2):
        for here, there in ((one, other), (other, one)):
            assert (OPEN[kind, 1 << here] >> there & 1) == ((one, other) in together)
    for three in combinations(range(size), 2):
        assert OPEN[kind, sum(1 << place for place in three)] == 0, "two of a comparison are enough"


def test_a_set_is_told_as_what_it_excludes() -> None:
    literals = pod_literals(LAYOUT, 1, COLUMNS, 3)
    assert literals.excluded(np.array([0b0011_0100], np.uint64)) == [(0, GREATER | EQUAL), (2, LESS | GREATER)]
    assert literals.excluded(np.array([0], np.uint64)) == []
    wide = Layout(tuple(Comparison(c, c, True) for c in range(30)))
    many = dc_literals(wide, tuple((c,) for c in range(30)), 30)
    assert many.words == 2
    assert many.excluded(np.array([1 << 63, 1 << 1 | 1 << 25], np.uint64)) == [(21, LESS | GREATER), (29, GREATER)]
