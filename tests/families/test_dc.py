"""Discovery of denial constraints finds exactly the minimal ones, with their figures, on every engine."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful
from lawful.engine import LocalEngine
from lawful.errors import ColumnError, OptionError
from lawful.limits import Budget
from lawful.rules.model import Dc
from lawful.search import covers
from tests.engines.pickled import PickledEngine
from tests.families.finding import discover_encoded, encoded, found, lines, of_ranks
from tests.families.marking import TIED, Question, expected, judge, judge_figures, minimal_dcs, questions
from tests.families.test_bod import same_rules, some_tables
from tests.made import as_arrow
from tests.naive import Table, coverage, table
from tests.profiles import examples

NUMBERS = ("integer", "decimal", "float")
KIN = ("integer", "string", "boolean")


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches in many small steps."""
    monkeypatch.setattr(covers, "FIRST", 20)
    monkeypatch.setattr(covers, "_OPERATIONS", 1.0)


def test_exactly_the_minimal_constraints() -> None:
    for asked in questions("dc", 1, 2000, max_cols=4):
        judge("dc", asked)


def test_exactly_the_minimal_constraints_of_more_columns() -> None:
    for asked in questions("dc", 13, 200, min_cols=5, max_cols=6):
        judge("dc", asked)


def test_exactly_the_minimal_approximate_constraints() -> None:
    for asked in questions("dc", 2, 1200, near=True):
        judge("dc", asked)


@pytest.mark.parametrize("near", [False, True], ids=["exact", "approximate"])
def test_columns_compared_with_each_other(near: bool) -> None:
    crossed = 0
    for i, asked in enumerate(questions("dc", 3, 500, near=near, max_cols=3, min_rows=2, types=KIN)):
        options = {"cross_columns": True, "share": (0.2, 0.0, 0.6)[i % 3], "means": (0.1, 0.0, 0.5)[i // 3 % 3]}
        ours = judge("dc", asked._replace(options=asked.options | options))
        crossed += any(p.left.column != p.right.column for r in ours if isinstance(r, Dc) for p in r.predicates)
    assert crossed > examples(60)


def test_numbers_of_every_type_compared_with_each_other() -> None:
    for asked in questions("dc", 4, 200, max_cols=3, min_rows=2, types=NUMBERS):
        judge("dc", asked._replace(options=asked.options | {"cross_columns": True}))


def test_more_columns_than_are_tied_together() -> None:
    """Two numbers that may be compared, among others that may not."""
    told = 0
    for asked in questions("dc", 5, 30, min_cols=4, max_cols=4, min_rows=2):
        try:
            judge("dc", asked._replace(options=asked.options | {"cross_columns": True}))
            told += 1
        except ValueError as error:
            assert TIED in str(error)
    assert told > examples(15)


def test_figures() -> None:
    for near in (False, True):
        for i, asked in enumerate(questions("dc", 6, 150, near=near, max_cols=4)):
            if i % 3 == 0:
                asked = asked._replace(options=asked.options | {"cross_columns": True})
            judge_figures(found(encoded(asked.table, asked.nulls), ("dc",), **asked.options), asked)


def test_figures_by_hand() -> None:
    """Of 12 ordered pairs 2 agree on zip and 4 on state; 10 differ on zip and 8 on state."""
    here = table("zip state", "string", ("1", "a"), ("1", "b"), ("2", "a"), ("3", "c"))
    near = {str(rule): rule.figures for rule in found(encoded(here), ("dc",), max_error=0.17)}
    broken = near["not(t.zip = u.zip)"]
    assert (broken.error, broken.measure) == (2 / 12, "pairs")
    assert (broken.coverage, broken.interest) == (1.0, 1.0)
    assert broken.surprise == pytest.approx(np.log10(1 + 2))
    assert near["not(t.state = u.state)"].error == 2 / 12
    exact = {str(rule): rule.figures for rule in found(encoded(here), ("dc",))}
    both = exact["not(t.zip = u.zip and t.state = u.state)"]
    assert (both.error, both.coverage, both.interest) == (0.0, 4 / 24, 4 / 24)
    assert both.surprise == pytest.approx(np.log10(1 + 12 * (2 / 12) * (2 / 12)))


def test_every_engine_gives_the_same_lines() -> None:
    for i, asked in enumerate(questions("dc", 7, 250, near=True, min_rows=2, max_cols=4)):
        options = asked.options | {"cross_columns": i % 2 == 0} | ({"max_error": 0.0} if i % 3 else {})
        here = encoded(asked.table, asked.nulls)
        wanted = lines(found(here, ("dc",), **options))
        for engine in (LocalEngine(2), PickledEngine(i, lossy=True)):
            with engine:
                assert lines(found(here, ("dc",), engine=engine, **options)) == wanted, (engine.name, asked)


def test_rows_in_any_order_give_the_same_lines() -> None:
    for asked in questions("dc", 8, 60, min_rows=2):
        rows = list(asked.table.rows)
        Random(1).shuffle(rows)
        both = [encoded(t, asked.nulls) for t in (asked.table, asked.table.with_rows(rows))]
        assert lines(found(both[0], ("dc",))) == lines(found(both[1], ("dc",)))


def test_columns_in_another_order_state_the_same_constraints() -> None:
    for asked in questions("dc", 9, 60, min_rows=2, min_cols=2):
        whole = asked.table
        turned = replace(
            whole, names=whole.names[::-1], types=whole.types[::-1], rows=tuple(row[::-1] for row in whole.rows)
        )
        ids = [{rule.id for rule in found(encoded(t, asked.nulls), ("dc",))} for t in (whole, turned)]
        assert ids[0] == ids[1]


def test_values_through_the_front_door() -> None:
    """Ranks, orders by meaning and comparisons of columns as the whole program makes them."""
    for i, asked in enumerate(questions("dc", 10, 150, min_rows=1, max_cols=3)):
        whole = replace(asked.table, unordered=frozenset())
        options = asked.options | {"cross_columns": i % 2 == 0}
        order = {name: [str(value) for value in values] for name, values in whole.orders.items()}
        ours = lawful.discover(
            as_arrow(whole), ["dc"], nulls=asked.nulls, order=order, engine="local", workers=1, **options
        )
        same_rules(ours, expected("dc", Question(whole, asked.nulls, options)), asked)


def test_a_least_coverage_keeps_what_reaches_it_and_says_so() -> None:
    for whole, draw in some_tables(11, 80, min_rows=2, max_cols=4):
        least = draw.choice([0.05, 0.1, 0.25, 0.5, 1.0])
        wanted = expected("dc", Question(whole, "first", {}))
        rules = found(encoded(whole), ("dc",), min_coverage=least)
        same_rules(rules, {r for r in wanted if (coverage(r, whole) or 0) >= Fraction(str(least))}, whole)
        assert not rules.complete and "coverage" in str(rules.incomplete)


def test_top_is_the_first_by_interest() -> None:
    for whole, draw in some_tables(12, 60, min_rows=2, max_cols=4):
        n, near = draw.randint(1, 6), draw.choice([0.0, 0.3])
        every = found(encoded(whole), ("dc",), max_error=near)
        assert lines(found(encoded(whole), ("dc",), max_error=near, top=n)) == lines(every.top(n))


@pytest.mark.parametrize("more", [{}, {"max_error": 0.1}, {"cross_columns": True}], ids=str)
def test_a_search_for_the_best_finds_them_however_it_is_cut(slowly: None, more: dict[str, Any]) -> None:
    """What is too dull to be among the best is not searched for, which must not cost any of these."""
    for asked in questions("dc", 14, 40, min_rows=4, max_rows=12, min_cols=2, max_cols=4, types=KIN):
        here, options = encoded(asked.table, asked.nulls), asked.options | more
        every = found(here, ("dc",), **options)
        for n, engine in ((1, LocalEngine(1)), (3, LocalEngine(2)), (8, PickledEngine(8, lossy=True))):
            with engine:
                best = found(here, ("dc",), top=n, engine=engine, **options)
            assert lines(best) == lines(every.top(n)), (n, engine.name, asked)


def test_what_is_too_dull_for_the_best_is_not_searched_for(slowly: None) -> None:
    """Fewer rules are found, the best among them."""
    rng, fewer = np.random.default_rng(2), 0
    for _ in range(examples(20)):
        here = of_ranks(rng.integers(0, 4, (5, 30)), {1: False, 3: False})
        every, best = found(here, ("dc",)), found(here, ("dc",), top=1)
        assert lines(best) == lines(every.top(1))
        fewer += best.incomplete is not None and f"of {len(every)} rules" not in best.incomplete
    assert fewer


def test_the_best_are_those_of_enough_coverage(slowly: None) -> None:
    """The only rule of enough coverage has three columns, and less interest than others of two."""
    ranks = np.array([[1, 1, 1, 1, 0], [0, 1, 0, 0, 1], [1, 0, 1, 1, 1]])
    here = of_ranks(ranks, {0: False})
    covering = found(here, ("dc",), min_coverage=0.3)
    assert [*map(str, covering)] == ["not(t.c0 = u.c0 and t.c1 != u.c1 and t.c2 = u.c2)"]
    assert lines(found(here, ("dc",), min_coverage=0.3, top=1)) == lines(covering)


def test_a_size_is_said_to_be_complete_to_it() -> None:
    rules = found(of_ranks(np.random.default_rng(1).integers(0, 3, (4, 9))), ("dc",), max_size=2)
    assert (rules.complete, rules.complete_to) == (False, 2)
    assert rules.incomplete == "only rules over at most 2 columns"


def test_the_header_tells_what_was_compared() -> None:
    here = encoded(table("a b", "integer", (1, 1), (2, 3)))
    assert dict(found(here, ("dc",)).options) == {"nulls": "first"}
    crossed = found(here, ("dc",), cross_columns=True, order_strings=True, share=0.0)
    thresholds = {"share": 0.0, "means": 0.1}
    assert dict(crossed.options) == {"nulls": "first", "order_strings": True, "cross_columns": True} | thresholds
    assert dict(found(here, ("fd",), cross_columns=True).options) == {"nulls": "first"}


def test_constraints_stand_beside_rules_of_other_kinds() -> None:
    here = encoded(table("a b", "integer", (1, 1), (1, 1), (2, 3)))
    rules = found(here, ("dc", "fd", "pod"))
    assert rules.kinds == ("fd", "pod", "dc")
    for kind in rules.kinds:
        assert [r for r in rules if r.kind == kind] == list(found(here, (kind,)))


# Small, wide and long


@pytest.mark.parametrize("rows", [0, 1])
def test_fewer_than_two_rows(rows: int) -> None:
    rules = found(encoded(table("a b", "integer", *[(1, 2)] * rows)), ("dc",), cross_columns=True)
    assert (len(rules), rules.complete, rules.note) == (0, True, "fewer than two rows")


def test_two_rows_of_two_columns() -> None:
    for second in [(0, 0), (0, 1), (1, 0), (1, 1), (None, 0), (None, None)]:
        for nulls in ("first", "last", "unknown"):
            for near in (0.0, 0.49, 0.5):
                options = {"max_error": near, "cross_columns": True}
                judge("dc", Question(table("a b", "integer", (0, 0), second), nulls, options))  # type: ignore[arg-type]


def test_one_column() -> None:
    for values in [(1, 1, 1), (1, 2, 3), (1, 1, 2), (None, 1, 1), (None, None, None)]:
        for nulls in ("first", "unknown"):
            for kind in ("integer", "string"):
                cells = [value if value is None or kind == "integer" else str(value) for value in values]
                one = table("a", kind, *[(cell,) for cell in cells])
                rules = judge("dc", Question(one, nulls, {"cross_columns": True}))  # type: ignore[arg-type]
                assert rules.complete


def test_no_column_to_compare() -> None:
    with pytest.raises(ColumnError, match="no column to compare"):
        found(of_ranks(np.zeros((0, 3), np.int32)), ("dc",))


def test_only_columns_without_order() -> None:
    rules = lawful.discover(pa.table({"a": [b"x", b"y", b"y"], "b": [b"p", b"q", b"r"]}), ["dc"], engine="local")
    assert {*map(str, rules)} == {"not(t.b = u.b)"}


def test_seventy_columns_of_two_at_most() -> None:
    """By pairs of columns: what holds of two columns does not depend on the others."""
    ranks = np.random.default_rng(1).integers(0, 3, (70, 12))
    ranks[3], ranks[5], ranks[69] = 0, ranks[4], 12 - np.arange(12)
    names = [f"c{c}" for c in range(70)]
    wanted = set().union(*(minimal_dcs(ranks[[c]], [names[c]]) for c in range(70)))
    for one, other in combinations(range(70), 2):
        both = minimal_dcs(ranks[[one, other]], [names[one], names[other]])
        wanted |= {rule for rule in both if len(rule.columns) == 2}
    with LocalEngine(2) as engine:
        same_rules(found(of_ranks(ranks), ("dc",), max_size=2, engine=engine), wanted, "seventy columns")


def test_a_table_longer_than_a_block() -> None:
    """1,300 rows in several blocks, counts and all."""
    rng = np.random.default_rng(1)
    ranks = rng.integers(0, 12, (4, 1300))
    ranks[2] = ranks[0] // 3
    ranks[3] = ranks[0] + ranks[1] + (rng.random(1300) < 0.001)
    for near in (0.0, 0.05):
        wanted = minimal_dcs(ranks, ["c0", "c1", "c2", "c3"], Fraction(str(near)))
        with PickledEngine(3) as pickled, LocalEngine(2) as threads:
            for engine in (None, threads, pickled):
                same_rules(found(of_ranks(ranks), ("dc",), engine=engine, max_error=near), wanted, near)


def test_the_judge_of_long_tables_is_the_definition() -> None:
    rng = np.random.default_rng(2)
    for _ in range(examples(30)):
        ranks = of_ranks(rng.integers(0, 3, (3, 6))).ranks
        whole = Table(("c0", "c1", "c2"), ("integer",) * 3, tuple(map(tuple, ranks.T.tolist())))
        for near in (0.0, 0.2):
            asked = Question(whole, "first", {"max_error": near})
            assert minimal_dcs(ranks, whole.names, Fraction(str(near))) == expected("dc", asked)


# Bad questions, and ends before the end


@pytest.mark.parametrize("kinds", [("dc", "fd"), ("dc", "pod"), ("dc", "oc")])
def test_unknown_nulls_mean_nothing_to_other_kinds(kinds: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match="nulls='unknown'"):
        found(encoded(table("a", "integer", (1,), (None,)), "unknown"), kinds)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "removal"}, "no error by removal"),
        ({"share": 1.5}, "share is 1.5"),
        ({"share": -0.1}, "share is -0.1"),
        ({"means": 2.0}, "means is 2.0"),
        ({"means": float("nan")}, "means is nan"),
        ({"sample": 0}, "sample is 0"),
        ({"efficiency": 1.1}, "efficiency is 1.1"),
    ],
    ids=str,
)
def test_thresholds_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        found(encoded(table("a", "integer", (1,), (2,))), ("dc",), **options)
    assert caught.value.hint


def test_an_interrupt_keeps_what_was_found(slowly: None) -> None:
    here = of_ranks(np.random.default_rng(5).integers(0, 3, (6, 60)))
    whole, some = found(here, ("dc",)), 0
    for steps in (1, 2, 4, 8):
        left = [steps]

        def listen(step: object, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt

        part, ending = discover_encoded(here, ("dc",), listener=listen)
        assert (ending.code, part.incomplete, part.complete) == (130, "interrupted", False)
        assert set(part) <= set(whole)
        some += 0 < len(part) < len(whole)
    assert some, "a search was ended midway"


def test_memory_that_does_not_suffice_ends_in_order() -> None:
    here = of_ranks(np.random.default_rng(5).integers(0, 3, (6, 60)))
    rules, ending = discover_encoded(here, ("dc",), budget=Budget(1000))
    assert (ending.code, rules.complete, len(rules)) == (3, False, 0)
    assert "36 predicates" in str(rules.incomplete)
    assert all(option in str(ending.hint) for option in ("--memory", "--columns", "--cross-columns"))


def test_a_time_limit_ends_in_order(slowly: None) -> None:
    here = of_ranks(np.random.default_rng(5).integers(0, 3, (6, 60)))
    rules, ending = discover_encoded(here, ("dc",), time_limit="0.0001s")
    assert (ending.code, rules.complete) == (3, False)
    assert "time limit" in str(rules.incomplete)
    assert set(rules) < set(found(here, ("dc",)))
