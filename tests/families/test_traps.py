"""Mistakes that programs and papers on order dependencies have made, each as a test."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.rules.model import Fd, Key, Oc
from tests.families.finding import POLICIES, encoded, found, of_ranks, policy
from tests.made import as_arrow
from tests.naive import Table, discover, table


def texts(rules: Any, kind: str) -> list[str]:
    return [str(rule) for rule in rules if rule.kind == kind]


@pytest.fixture(params=POLICIES)
def way(request: pytest.FixtureRequest) -> Any:
    """Every policy in turn."""
    with policy(request.param):
        yield request.param


def test_a_direction_that_holds_early_does_not_hide_the_other(way: str) -> None:
    """The two directions of a pair are two candidates: the opposite one holds everywhere, the same one within g."""
    here = table("g a b", "integer", (1, 1, 5), (1, 2, 5), (2, 2, 4), (2, 2, 3))
    rules = found(encoded(here))
    assert set(rules) == discover(here, ["od", "key"])
    assert [text for text in texts(rules, "oc") if "a ~ b" in text] == ["{}: a ~ b desc", "{g}: a ~ b"]


def test_both_directions_at_once_do_not_stop_at_the_first_failure(way: str) -> None:
    """A swap in one direction is found before, with or after one in the other: neither is taken for valid."""
    for rows in [
        [(1, 1), (2, 2), (3, 1)],
        [(1, 2), (2, 1), (3, 2)],
        [(1, 1), (2, 2), (3, 3)],
        [(1, 3), (2, 2), (3, 1)],
    ]:
        here = table("a b", "integer", *rows)
        assert texts(found(encoded(here)), "oc") == [str(r) for r in discover(here, ["oc"])]


def test_an_order_compatibility_is_no_order_dependency(way: str) -> None:
    """{}: a ~ b says that some order has both sorted; b is not determined by a."""
    here = table("a b", "integer", (1, 1), (1, 2), (2, 2), (2, 3))
    rules = found(encoded(here), ("od",))
    assert [*map(str, rules)] == ["{}: a ~ b"]
    assert not rules.holds("[a] -> [b]").holds


def test_the_empty_context_is_a_context(way: str) -> None:
    here = table("a b c", "integer", (1, 5, 1), (1, 6, 2), (1, 7, 3))
    assert [*map(str, found(encoded(here)))] == [
        "[] -> a", "b -> c", "c -> b", "key(b)", "key(c)", "{}: b ~ c",
    ]  # fmt: skip


def test_a_context_that_determines_every_column_may_still_be_no_key(way: str) -> None:
    """Only copies are left together: everything is determined, nothing is a key, and the walk ends."""
    here = table("a b", "integer", (1, 1), (1, 1), (2, 1), (2, 1), (3, 2))
    rules = found(encoded(here))
    assert texts(rules, "key") == []
    assert texts(rules, "fd") == ["a -> b"]
    assert rules.warnings == ("No key: 2 rows are copies of another one.",)


def test_a_column_is_never_compared_with_itself_nor_with_its_context(way: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(15):
        for rule in found(of_ranks(rng.integers(0, 2, (4, 5)))):
            if isinstance(rule, Fd):
                assert rule.rhs not in rule.lhs
            elif isinstance(rule, Oc):
                assert len({rule.left, rule.right, *rule.context}) == 2 + len(rule.context)


def test_a_context_that_determines_a_side_is_dropped_though_the_order_holds(way: str) -> None:
    """Within g the columns run together, but g determines a: the pair is no rule, in no larger context either."""
    here = table("g a b", "integer", (1, 1, 2), (1, 1, 3), (2, 2, 1), (2, 2, 4))
    rules = found(encoded(here))
    assert not [rule for rule in rules if isinstance(rule, Oc) and "g" in rule.context]
    assert set(rules) == discover(here, ["od", "key"])


def test_a_row_is_not_paired_with_itself(way: str) -> None:
    """Reflexive pairs agree on all columns: they would break every key."""
    rules = found(of_ranks(np.arange(9)[None, :]))
    assert [*map(str, rules)] == ["key(c0)"]
    assert rules[0].figures.error == 0
    near = found(of_ranks(np.array([[0, 0, 1, 2]])), ("key",), max_error=0.2, measure="pairs")
    assert [(str(rule), rule.figures.error) for rule in near] == [("key(c0)", 2 / 12)]


def test_pairs_that_agree_on_nothing_count(way: str) -> None:
    """They refute constants and the order of pairs in the empty context."""
    here = table("a b", "integer", (1, 2), (2, 1), (3, 0), (4, 9))
    assert texts(found(encoded(here)), "oc") == []
    assert texts(found(encoded(here)), "fd") == ["a -> b", "b -> a"]


@pytest.mark.parametrize("width", [31, 32, 33, 63, 64, 65])
def test_sets_of_columns_beyond_a_word(way: str, width: int) -> None:
    """The last column is determined by the two before it, all others are constant."""
    ranks = np.zeros((width, 12), np.int64)
    ranks[-3], ranks[-2] = np.divmod(np.arange(12), 4)
    ranks[-1] = (ranks[-3] + ranks[-2]) % 2
    a, b, c = (f"c{i}" for i in range(width - 3, width))
    rules = found(of_ranks(ranks))
    assert [rule for rule in rules if isinstance(rule, Fd) and rule.lhs] == [Fd((a, b), c)]
    assert [rule for rule in rules if isinstance(rule, Key)] == [Key((a, b))]


def test_what_is_nearly_determined_prunes_nothing() -> None:
    """b is determined by a but for one row in ten, so {a, b} is no copy of {a}: rules with both remain to be found."""
    rng = np.random.default_rng(3)
    for measure in ("removal", "pairs"):
        for _ in range(40):
            ranks = of_ranks(rng.integers(0, 3, (4, 9))).ranks
            here = Table(("c0", "c1", "c2", "c3"), ("integer",) * 4, tuple(map(tuple, ranks.T.tolist())))
            expected = discover(here, ["od", "key"], max_error=Fraction(1, 4), measure=measure)  # type: ignore[arg-type]
            assert set(found(of_ranks(ranks), max_error=0.25, measure=measure)) == expected


def test_pairs_are_counted_over_all_ordered_ones() -> None:
    """One violating pair of five rows: 2 of 20 ordered pairs for an fd, 1 of 20 for an oc."""
    here = encoded(table("a b", "integer", (1, 1), (1, 2), (2, 3), (3, 4), (4, 5)))
    near = {str(rule): rule.figures.error for rule in found(here, ("fd",), max_error=0.1, measure="pairs")}
    assert near["a -> b"] == 0.1
    assert "a -> b" not in {*map(str, found(here, ("fd",), max_error=0.0999, measure="pairs"))}
    swap = encoded(table("a b", "integer", (1, 2), (2, 1), (3, 3), (4, 4), (5, 5)))
    along = {str(rule): rule.figures.error for rule in found(swap, ("oc",), max_error=0.05, measure="pairs")}
    assert along == {"{}: a ~ b": 0.05}
    assert len(found(swap, ("oc",), max_error=0.0499, measure="pairs")) == 0


def test_nulls_are_equal_and_come_first_or_last(way: str) -> None:
    here = table("a b", "integer", (None, 1), (None, 1), (1, 2), (2, 3))
    arrow = as_arrow(here)
    for nulls, oc in (("first", ["{}: a ~ b"]), ("last", [])):
        rules = lawful.discover(arrow, ["od", "key"], nulls=nulls, engine="local")
        assert texts(rules, "oc") == oc
        assert texts(rules, "fd") == ["a -> b", "b -> a"]
        assert set(rules) == discover(here, ["od", "key"], nulls=nulls)  # type: ignore[arg-type]


def test_values_are_ordered_by_what_they_mean(way: str) -> None:
    """Text by its bytes, so "10" before "9"; numbers by value; NaN last and equal to itself; -0.0 is 0.0."""
    nan = float("nan")
    here = table(
        "text number float", "string integer float",
        ("10", 10, -0.0), ("10", 10, 0.0), ("9", 9, nan), ("9", 9, nan), ("A", 65, float("inf")),
    )  # fmt: skip
    rules = lawful.discover(as_arrow(here), ["od"], engine="local")
    assert set(rules) == discover(here, ["od"])
    assert "{}: text ~ number" not in {*map(str, rules)}
    assert "float -> text" in {*map(str, rules)}


def test_rows_in_any_order_give_the_same_rules(way: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        ranks = rng.integers(0, 3, (4, 14))
        assert found(of_ranks(ranks)) == found(of_ranks(ranks[:, rng.permutation(14)]))
