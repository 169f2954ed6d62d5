"""Shorter clauses mean what the longer ones meant, and none is shorter still."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest

from lawful.errors import ColumnError, OptionError
from lawful.rules import Column, Fd, Lod, RuleSet, parse
from lawful.rules.model import Sort
from tests.naive import Table, holds
from tests.rules.test_logic import found
from tests.strategies import random_tables

SORTS: tuple[Sort, Sort] = ("asc", "desc")


def same_sort(table: Table, a: tuple[tuple[str, Sort], ...], b: tuple[tuple[str, Sort], ...]) -> bool:
    return holds(Lod(a, b, "<->"), table)


def same_groups(table: Table, a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    return all(holds(Fd(a, name), table) for name in b) and all(holds(Fd(b, name), table) for name in a)


def shortest_sort(table: Table, given: tuple[tuple[str, Sort], ...]) -> int:
    """The length of the shortest list that sorts alike, by trying every list."""
    for size in range(len(given) + 1):
        for names in permutations(table.names, size):
            for sorts in product(SORTS, repeat=size):
                if same_sort(table, tuple(zip(names, sorts, strict=True)), given):
                    return size
    raise AssertionError("the list itself sorts alike")


def shortest_group(table: Table, given: tuple[str, ...]) -> int:
    sizes = range(len(given) + 1)
    return next(s for s in sizes if any(same_groups(table, c, given) for c in combinations(table.names, s)))


def test_no_clause_is_shorter() -> None:
    rng, shortened = random.Random(1), [0, 0]
    for table in random_tables(11, 250, max_cols=4):
        rules = found(table)
        names = rng.sample(table.names, rng.randint(0, len(table.names)))
        order = tuple((name, rng.choice(SORTS)) for name in names)
        group = tuple(rng.sample(table.names, rng.randint(0, len(table.names))))
        said = rules.simplify(order_by=order, group_by=group)
        assert said.shortest and said.order_by is not None and said.group_by is not None
        assert same_sort(table, order, said.order_by), (table, order, said)
        assert same_groups(table, group, said.group_by), (table, group, said)
        assert len(said.order_by) == shortest_sort(table, order)
        assert len(said.group_by) == shortest_group(table, group)
        shortened[0] += len(said.order_by) < len(order)
        shortened[1] += len(said.group_by) < len(group)
    assert min(shortened) > 30


def test_rules_named_are_all_that_is_needed() -> None:
    rng = random.Random(2)
    for table in random_tables(12, 150, max_cols=4):
        rules = found(table)
        order = tuple((name, rng.choice(SORTS)) for name in rng.sample(table.names, len(table.names)))
        said = rules.simplify(order_by=order, group_by=table.names)
        alone = RuleSet(said.rules, columns=rules.columns, kinds=rules.kinds, incomplete="the proof alone")
        assert said.order_by is not None and said.group_by is not None
        assert alone.holds(Lod(order, said.order_by, "<->"))
        for name in table.names:
            assert name in said.group_by or alone.holds(Fd(said.group_by, name))


def test_one_sort_means_that_groups_stand_together() -> None:
    rng, together = random.Random(3), 0
    for table in random_tables(13, 300, max_cols=4):
        order = tuple((name, rng.choice(SORTS)) for name in rng.sample(table.names, len(table.names)))
        group = tuple(rng.sample(table.names, rng.randint(1, len(table.names))))
        if found(table).simplify(order_by=order, group_by=group).one_sort:
            together += 1
            lists = (tuple((name, "asc") for name in names) for names in permutations(group))
            prefixes = [order[:size] for size in range(len(order) + 1)]
            assert any(same_groups(table, tuple(n for n, _ in p), group) for p in prefixes) or any(
                holds(Lod(order, by, "->"), table) for by in lists
            )
    assert together > 20


DATES = ["date_sk -> year", "date_sk -> month", "month -> quarter", "{}: month ~ quarter", "{}: date_sk ~ year"]
DATES += ["{year}: date_sk ~ month", "key(date_sk)"]


def dates(**header: object) -> RuleSet:
    columns = tuple(Column(name, "integer") for name in ("date_sk", "year", "quarter", "month"))
    given = {"columns": columns, "kinds": ("fd", "key", "oc")} | header
    return RuleSet([parse(text) for text in DATES], **given)  # type: ignore[arg-type]


def test_by_hand() -> None:
    said = dates().simplify(order_by="year, quarter, month", group_by=["year", "quarter", "month"])
    assert said.order_by == (("year", "asc"), ("month", "asc"))
    assert said.group_by == ("year", "month")
    assert said.one_sort
    assert str(said).splitlines() == [
        "GROUP BY year, month",
        "ORDER BY year, month",
        "-- rows sorted so stand in their groups already",
        "-- by month -> quarter",
        "-- by {}: quarter ~ month",
    ]


def test_what_the_rules_do_not_prove_stays() -> None:
    said = dates().simplify(order_by=["year", ("month", "desc"), "quarter"])
    assert said.order_by == (("year", "asc"), ("month", "desc")) and said.group_by is None
    assert dates().simplify(order_by=["quarter", "month desc"]).order_by == (("quarter", "asc"), ("month", "desc"))


def test_a_column_that_stands_twice_sorts_once() -> None:
    assert dates().simplify(order_by="year desc, year asc").order_by == (("year", "desc"),)


def test_the_name_of_a_column_goes_before_its_direction() -> None:
    rules = RuleSet([], columns=[Column("a desc"), Column("a")], kinds=("fd", "oc"))
    assert rules.simplify(order_by=["a desc"]).order_by == (("a desc", "asc"),)
    assert rules.simplify(order_by="a desc").order_by == (("a", "desc"),)
    assert rules.simplify(group_by=["a desc", "a"]).group_by == ("a desc", "a")
    assert str(rules.simplify(group_by="`a desc`")) == "GROUP BY `a desc`"


def test_nothing_to_sort_by() -> None:
    rules = RuleSet([parse("[] -> a")], columns=[Column("a"), Column("b")], kinds=("fd", "oc"))
    said = rules.simplify(order_by=["a"], group_by=["a"])
    assert (said.order_by, said.group_by) == ((), ())
    assert str(said).startswith("GROUP BY () -- all rows are one group\nno ORDER BY: any order of rows will do")


def test_a_search_that_ends_early_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawful.rules.clauses._QUESTIONS", 9)
    said = dates().simplify(order_by="year, quarter, month, date_sk")
    assert not said.shortest and "ended early" in str(said)
    assert dates().holds(Lod((("year", "asc"), ("month", "asc")), said.order_by or (), "->")).holds is not None


def test_a_list_that_misses_rules_shortens_what_it_proves() -> None:
    rules = replace(dates(), incomplete="written by hand")
    assert rules.simplify(order_by="year, quarter, month").order_by == (("year", "asc"), ("month", "asc"))
    assert rules.simplify(order_by="quarter, month").order_by == (("month", "asc"),)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({}, OptionError, "no clause"),
        ({"order_by": "yaer"}, ColumnError, "Did you mean 'year'"),
        ({"group_by": ["yaer"]}, ColumnError, "Did you mean 'year'"),
        ({"order_by": "year,, month"}, OptionError, "order_by cannot be read at character 6"),
        ({"order_by": ["year, month"]}, OptionError, "not one column"),
        ({"order_by": [("year", "up")]}, OptionError, "by 'up'"),
    ],
)
def test_misuse(given: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        dates().simplify(**given)  # type: ignore[arg-type]
