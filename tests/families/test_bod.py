"""Discovery of fd, key and oc finds exactly the minimal rules, whatever the policy, the blocks and the engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from lawful.engine import LocalEngine
from lawful.rules import RuleSet
from lawful.rules.lines import figure
from lawful.rules.model import Rule
from tests.engines.pickled import PickledEngine
from tests.families.finding import POLICIES, encoded, found, lines, policy
from tests.made import random_tables
from tests.naive import Table, coverage, discover, interest, pairs_error, removal_formula
from tests.profiles import examples

KINDS = ("fd", "key", "oc")


def same_rules(ours: RuleSet, expected: Iterable[Rule], about: object) -> None:
    wanted = set(expected)
    missing, extra = sorted(map(str, wanted - set(ours))), sorted(map(str, set(ours) - wanted))
    assert (missing, extra) == ([], []), about
    assert len(ours) == len(wanted), about


def some_tables(seed: int, count: int, **more: Any) -> Iterable[tuple[Table, Random]]:
    for i, table in enumerate(random_tables(seed, examples(count), **more)):
        yield table, Random(seed * 1_000_003 + i)


def test_every_policy_finds_exactly_the_minimal_rules() -> None:
    for table, rng in some_tables(1, 1000):
        expected, here = discover(table, KINDS), encoded(table)
        for name in POLICIES:
            with policy(name, rng):
                same_rules(found(here), expected, (name, table))


def test_every_policy_on_more_rows_than_a_word_has_bits() -> None:
    """With 12 to 16 rows there are more pairs than one word of the store holds."""
    for table, rng in some_tables(2, 60, min_rows=12, max_rows=16, max_cols=4, types=("integer",)):
        expected, here = discover(table, KINDS), encoded(table)
        for name in POLICIES:
            with policy(name, rng):
                same_rules(found(here), expected, (name, table))


def test_every_engine_gives_the_same_lines() -> None:
    for table, rng in some_tables(3, 300, min_rows=2):
        here = encoded(table)
        expected = lines(found(here))
        for name in ("all", "data", "mixed"):
            with policy(name, rng):
                engines = [LocalEngine(1), LocalEngine(2), PickledEngine(rng.randrange(99), lossy=True)]
                for engine in engines:
                    with engine:
                        assert lines(found(here, engine=engine)) == expected, (name, engine.name, table)


@pytest.mark.parametrize(
    "kinds", [("fd",), ("key",), ("oc",), ("fd", "key"), ("key", "oc"), ("od", "key")], ids="+".join
)
def test_kinds_and_sizes(kinds: tuple[str, ...]) -> None:
    for table, rng in some_tables(4, 70, min_cols=2):
        size = rng.choice([1, 2, 3, 4, None])
        with policy(rng.choice(POLICIES), rng):
            ours = found(encoded(table), kinds, max_size=size)
        same_rules(ours, discover(table, kinds, max_size=size), (kinds, size, table))


def test_nulls_last() -> None:
    for table, rng in some_tables(5, 120):
        with policy(rng.choice(POLICIES), rng):
            same_rules(found(encoded(table, "last")), discover(table, KINDS, nulls="last"), table)


def test_columns_without_order() -> None:
    for table, rng in some_tables(6, 150, min_cols=2):
        table = replace(table, unordered=frozenset(rng.sample(table.names, rng.randint(1, len(table.names)))))
        with policy(rng.choice(POLICIES), rng):
            same_rules(found(encoded(table)), discover(table, KINDS), table)


def assert_figures(rules: RuleSet, table: Table, measure: str = "removal") -> None:
    """Errors, coverage and interest by the definitions, to the digits that a rule file has."""
    error = {"pairs": pairs_error, "removal": removal_formula}[measure]
    for rule in rules:
        expected = (error(rule, table), coverage(rule, table), interest(rule, table))
        told = rule.figures
        assert told.measure == measure
        ours = (told.error, told.coverage, told.interest)
        assert list(map(figure, ours)) == [None if x is None else figure(float(x)) for x in expected], (rule, table)


def test_figures() -> None:
    for table, rng in some_tables(7, 120):
        with policy(rng.choice(POLICIES), rng):
            assert_figures(found(encoded(table)), table)


BUDGETS = [0.1, 0.2, 0.25, 0.3, 1 / 3, 0.334, 0.5, 2 / 3, 0.7, 0.99, 1e-9]


@pytest.mark.parametrize("measure", ["removal", "pairs"])
def test_approximate_rules_and_their_figures(measure: str) -> None:
    for table, rng in some_tables(8, 250):
        allowed, size, nulls = rng.choice(BUDGETS), rng.choice([None, None, 1, 2, 3]), rng.choice(["first", "last"])
        ours = found(encoded(table, nulls), max_error=allowed, measure=measure, max_size=size)  # type: ignore[arg-type]
        told: Any = {"max_error": Fraction(str(allowed)), "measure": measure, "max_size": size, "nulls": nulls}
        same_rules(ours, discover(table, KINDS, **told), (allowed, size, nulls, table))
        if nulls == "first":
            assert_figures(ours, table, measure)


def test_approximate_search_on_every_engine() -> None:
    for table, rng in some_tables(9, 60, min_rows=2):
        told: Any = {"max_error": rng.choice(BUDGETS), "measure": rng.choice(["removal", "pairs"])}
        expected = lines(found(encoded(table), **told))
        with policy("mixed", rng), LocalEngine(2) as threads, PickledEngine(rng.randrange(99), lossy=True) as pickled:
            for engine in (threads, pickled):
                assert lines(found(encoded(table), engine=engine, **told)) == expected, (told, table)


def test_an_error_on_the_edge_is_allowed() -> None:
    """29 rows of 100 break [] -> b: 0.29 admits them though 0.29 * 100 is below 29 as floats go."""
    table = Table(("a", "b"), ("integer",) * 2, tuple((0, max(0, i - 70)) for i in range(100)))
    assert 0.29 * 100 < 29
    assert [*map(str, found(encoded(table), ("fd",), max_error=0.29))] == ["[] -> a", "[] -> b"]
    assert [*map(str, found(encoded(table), ("fd",), max_error=0.2899999))] == ["[] -> a"]


def test_min_coverage_is_a_filter() -> None:
    for table, rng in some_tables(10, 150, min_rows=2):
        least = rng.choice([0.1, 0.2, 0.25, 0.3, 0.5, 1 / 3, 0.75, 1.0, 1e-9])
        near: dict[str, Any] = rng.choice([{}, {}, {"max_error": 0.25}, {"max_error": 0.2, "measure": "pairs"}])
        whole = found(encoded(table), **near)
        kept = [rule for rule in whole if coverage(rule, table) >= Fraction(str(least))]  # type: ignore[operator]
        with policy(rng.choice(POLICIES), rng):
            part = found(encoded(table), min_coverage=least, **near)
        same_rules(part, kept, (least, near, table))
        assert lines(part) == lines(whole.with_rules(kept, ordered=True))
        assert (part.complete, part.complete_to) == (False, None)


def test_top_is_the_first_by_interest() -> None:
    for table, rng in some_tables(11, 40, min_rows=2):
        n, near = rng.randint(1, 6), rng.choice([0.0, 0.3])
        whole = found(encoded(table), max_error=near)
        assert lines(found(encoded(table), max_error=near, top=n)) == lines(whole.top(n))
