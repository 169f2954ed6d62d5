"""List rules enumerated from fds and ocs, against the definition tried on the table."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

import pytest

from lawful.errors import OptionError
from lawful.rules import Column, Figures, Lod, RuleSet, parse
from lawful.rules.canonical import in_file_order
from lawful.rules.listing import list_form, list_rules
from tests.naive import discover, holds, table
from tests.rules.test_logic import found
from tests.strategies import random_tables


def test_exactly_the_rules_of_the_definition() -> None:
    listed = 0
    for each in random_tables(1, 700, max_cols=4):
        rules = list_form(found(each))
        assert set(rules) == discover(each, ["lod"]), each
        assert list(rules) == in_file_order(rules, each.names)
        listed += len(rules)
    assert listed > 500


def test_wider_tables() -> None:
    for each in random_tables(2, 12, min_rows=3, min_cols=5, max_cols=5):
        assert set(list_form(found(each))) == discover(each, ["lod"]), each


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4])
def test_up_to_a_size_from_rules_up_to_that_size(size: int) -> None:
    for each in random_tables(3 + size, 60, min_cols=2, max_cols=5):
        small = list(discover(each, ["od"], max_size=size))
        columns = tuple(map(Column, each.names))
        rules = RuleSet(small, columns=columns, kinds=("fd", "oc"), incomplete="max_size", complete_to=size)
        assert set(list_form(rules, max_size=size)) == discover(each, ["lod"], max_size=size), each


def test_keys_do_no_harm() -> None:
    for each in random_tables(4, 100, max_cols=4):
        assert list_form(found(each)) == list_form(found(each).filter("od"))


def test_from_part_of_the_rules_only_what_they_prove() -> None:
    rng, listed = random.Random(5), 0
    for each in random_tables(5, 300, min_cols=2, max_cols=4):
        kept = set(rng.sample(whole := list(found(each)), len(whole) * 2 // 3))
        part = found(each).filter("od").filter(predicate=kept.__contains__)
        for rule in list_form(part):
            assert holds(rule, each) and part.holds(rule)
            listed += 1
    assert listed > 100


QUARTERS = table("month quarter left", "integer", (1, 1, 3), (2, 1, 2), (3, 1, 1), (4, 2, 3))


def test_by_hand() -> None:
    assert list(map(str, list_form(found(QUARTERS)))) == [
        "[month] -> [quarter]",
        "[month] -> [quarter, left desc]",
        "[quarter, month desc] -> [left]",
        "[quarter, left desc] -> [month]",
        "[left, month] -> [quarter]",
    ]
    assert list(map(str, list_form(found(QUARTERS), max_size=2))) == ["[month] -> [quarter]"]


def long_list(columns: int) -> RuleSet:
    """A counter that all other columns run along with: it orders every list of them."""
    names = ["n", *(f"c{i}" for i in range(1, columns))]
    listed = [parse(text) for name in names[1:] for text in (f"n -> {name}", f"{{}}: n ~ {name}")]
    return RuleSet(listed, columns=tuple(map(Column, names)), kinds=("fd", "oc"))


def test_a_long_list_comes_one_by_one() -> None:
    first = list(islice(list_rules(long_list(80)), 1000))
    assert len(set(first)) == 1000
    assert str(first[2]) == "[n] -> [c1, c2, c3]"
    assert list_form(long_list(80), limit=3) == tuple(first[:3])
    assert list_form(long_list(80), limit=0) == ()
    assert len(list_form(long_list(5))) == 4 + 12 + 24 + 24


def test_figures() -> None:
    unmeasured = found(QUARTERS)
    assert {rule.figures for rule in list_form(unmeasured)} == {Figures()}
    exact = unmeasured.with_rules(replace(rule, figures=Figures(error=0.0, coverage=0.5)) for rule in unmeasured)
    assert {rule.figures for rule in list_form(exact)} == {Figures(error=0.0, measure="pairs")}


def test_rules_with_errors_list_nothing() -> None:
    near = [replace(rule, figures=Figures(error=0.1)) for rule in found(QUARTERS)]
    assert list_form(found(QUARTERS).with_rules(near)) == ()


def test_columns_without_order_are_left_out() -> None:
    columns = (Column("month", "integer"), Column("quarter", "nested"), Column("left", "integer"))
    blind = replace(QUARTERS, unordered=frozenset({"quarter"}))
    rules = RuleSet(list(discover(blind, ["od"])), columns=columns, kinds=("fd", "oc"))
    assert set(list_form(rules)) == discover(blind, ["lod"])


@pytest.mark.parametrize("kind", ["fd", "oc"])
def test_both_kinds_are_needed(kind: str) -> None:
    lacking = "oc" if kind == "fd" else "fd"
    with pytest.raises(OptionError, match=f"have no {lacking}"):
        list_rules(found(QUARTERS).filter(kind))


def test_sizes_below_nothing() -> None:
    with pytest.raises(OptionError, match="max_size"):
        list_form(found(QUARTERS), max_size=-1)
    with pytest.raises(OptionError, match="limit"):
        list_form(found(QUARTERS), limit=-1)


def test_a_rule_and_its_reverse_are_one() -> None:
    for each in random_tables(6, 100, max_cols=4):
        for rule in list_form(found(each)):
            assert isinstance(rule, Lod) and rule.lhs[0][1] == "asc"
            assert found(each).holds(rule)
