"""List rules as fds and ocs, and the search for sets within sets."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.rules import Fd, Lod, Oc, parse
from lawful.rules.contexts import Contexts, bits, union
from lawful.rules.parts import as_list, parts
from tests.naive import holds
from tests.rules.test_logic import statement
from tests.strategies import random_tables


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a, b] -> [c, d]", "a, b -> c; a, b -> d; {}: a ~ c; {c}: a ~ d; {a}: b ~ c; {a, c}: b ~ d"),
        ("[a] -> [b desc]", "a -> b; {}: a ~ b desc"),
        ("[a] <-> [b]", "a -> b; b -> a; {}: a ~ b"),
        ("[a] ~ [b]", "{}: a ~ b"),
        ("[a] -> [a, b]", "a -> b"),
        ("[a, b] -> [b, a]", "{}: a ~ b"),
        ("[a, b] -> [a desc]", "[] -> a"),
        ("[b, a] -> [a desc]", "b -> a; {}: b ~ a desc"),
        ("[a, a] -> [b, b]", "a -> b; {}: a ~ b"),
        ("[] -> [a]", "[] -> a"),
        ("[] ~ [a]", ""),
        ("[a] -> [a]", ""),
        ("[] <-> []", ""),
    ],
)
def test_parts_by_hand(text: str, expected: str) -> None:
    lod = parse(text)
    assert isinstance(lod, Lod)
    assert "; ".join(map(str, parts(lod))) == expected


def test_the_parts_together_say_what_the_list_rule_says() -> None:
    rng = random.Random(1)
    for table in random_tables(7, 400, max_cols=4):
        for said in (statement(rng, table.names) for _ in range(10)):
            if isinstance(said, Lod):
                assert holds(said, table) == all(holds(part, table) for part in parts(said)), (table, said)


def test_an_fd_or_oc_as_a_list_rule_and_back() -> None:
    for text in ("a, b -> c", "[] -> c", "{a, b}: c ~ d", "{}: c ~ d desc"):
        rule = parse(text)
        assert isinstance(rule, (Fd, Oc))
        assert parts(as_list(rule)) == (rule,)
    assert str(as_list(Fd(("a", "b"), "c"))) == "[a, b] -> [a, b, c]"
    assert str(as_list(Oc(("a",), "b", "c", "opposite"))) == "[a, b] ~ [a, c desc]"


@given(st.lists(st.integers(0, 2**9 - 1), max_size=40), st.integers(0, 2**9 - 1), st.sampled_from([0, 60, 500]))
def test_a_set_within_another(known: list[int], asked: int, shift: int) -> None:
    contexts = Contexts()
    for columns in known:
        contexts.add(columns << shift, Fd(tuple(map(str, bits(columns))), "x"))
    inside = [columns for columns in known if columns & ~asked == 0]
    found = contexts.within(asked << shift | 1 << 700)
    assert (found is None) is (not inside)
    if inside:
        assert isinstance(found, Fd)
        assert union(map(int, found.lhs)) == min(inside, key=lambda c: (c.bit_count(), list(bits(c))))


@given(st.sets(st.integers(0, 300)))
def test_bits(places: set[int]) -> None:
    assert list(bits(union(places))) == sorted(places)
