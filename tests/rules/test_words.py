"""Every kind of rule in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.rules import parse
from lawful.rules.words import meaning
from tests.rules.strategies import rules, tables


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("zip -> state", "Rows with the same zip have the same state."),
        ("a, b, c -> d", "Rows with the same a, b and c have the same d."),
        ("[] -> year", "Every row has the same year."),
        ("key(first, last)", "No two rows have the same first and last."),
        ("key()", "There is at most one row."),
        ("{}: born ~ age desc", "age never rises while born rises."),
        ("{grade}: years ~ pay", "Among rows with the same grade, pay never falls while years rises."),
        ("[a, b desc] -> [c]", "Rows sorted by a, then b descending are also sorted by c."),
        ("[a] <-> [b]", "Rows sorted by a are also sorted by b, and the other way round."),
        ("[a] ~ [b]", "Rows can be sorted by a and by b at once."),
        ("a<, b= => c<=", "Of any two rows t and u, where a of t is less than that of u and b of t equals that of u, "
         "c of t is at most that of u."),
        ("[] => c=", "Of any two rows t and u, c of t equals that of u."),
        ("not(t.a > t.`b c`)", "In no row a is more than `b c`."),
        ("not(t.a = u.a and t.b != u.c)",
         "For no two rows t and u, a of t equals a of u and b of t differs from c of u."),
    ],
)  # fmt: skip
def test_by_hand(text: str, sentence: str) -> None:
    assert meaning(parse(text)) == sentence


@given(st.data())
def test_any_rule_has_one(data: st.DataObject) -> None:
    rule = data.draw(rules(data.draw(tables())))
    assert meaning(rule).endswith(".")
