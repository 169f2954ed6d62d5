"""Rules between lists: against actual sorting, and against the sets of fds and ocs that they stand for."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest

from lawful.rules.model import Fd, Lod, Oc, Sort
from tests.naive import Table, discover, holds, ranks, table
from tests.strategies import random_tables

List = tuple[tuple[str, Sort], ...]
SORTS: tuple[Sort, ...] = ("asc", "desc")


def lists(names: tuple[str, ...], most: int) -> list[List]:
    return [
        tuple(zip(chosen, sorts, strict=True))
        for size in range(most + 1)
        for chosen in permutations(names, size)
        for sorts in product(SORTS, repeat=size)
    ]


def disjoint(names: tuple[str, ...], most: int) -> list[tuple[List, List]]:
    all_lists = lists(names, most)
    return [(x, y) for x, y in product(all_lists, repeat=2) if not {a for a, _ in x} & {b for b, _ in y}]


def is_sorted(whole: Table, rows: tuple[int, ...], by: List) -> bool:
    rank = dict(zip(whole.names, ranks(whole), strict=True))
    keys = [[rank[name][row] * (1 if sort == "asc" else -1) for name, sort in by] for row in rows]
    return keys == sorted(keys)


def test_a_list_rule_speaks_of_every_way_to_sort_the_table() -> None:
    for whole in random_tables(1, 60, max_rows=4, min_cols=3, max_cols=3):
        orders = list(permutations(range(len(whole))))
        ways = {by: {rows for rows in orders if is_sorted(whole, rows, by)} for by in lists(whole.names, 3)}
        for x, y in disjoint(whole.names, 2):
            assert holds(Lod(x, y), whole) == (ways[x] <= ways[y])
            assert holds(Lod(x, y, "<->"), whole) == (ways[x] == ways[y])
            if len(x) + len(y) == 3:
                assert holds(Lod(x, y, "~"), whole) == (ways[x + y] == ways[y + x])


def through_sets(whole: Table, x: List, y: List) -> bool:
    """Every column of Y determined by X, and every column of X runs along with every one of Y in the context before."""
    if not all(holds(Fd(tuple(a for a, _ in x), b), whole) for b, _ in y):
        return False
    for (i, (a, up)), (j, (b, too)) in product(enumerate(x), enumerate(y)):
        context = tuple(name for name, _ in (*x[:i], *y[:j]))
        if not holds(Oc(context, a, b, "same" if up == too else "opposite"), whole):
            return False
    return True


def test_a_list_rule_is_a_set_of_fds_and_ocs() -> None:
    for whole in random_tables(2, 60, max_rows=6, min_cols=3, max_cols=3):
        for x, y in disjoint(whole.names, 2):
            assert holds(Lod(x, y), whole) == through_sets(whole, x, y)


def test_the_rules_reported_are_those_of_the_definition() -> None:
    for whole in random_tables(3, 60, min_rows=2, max_rows=6, min_cols=3, max_cols=3):
        found = set()
        for x, y in disjoint(whole.names, 2):
            names = [[a for a, _ in by] for by in (x, y)]
            free = all(not holds(Fd(tuple(by[:i]), by[i]), whole) for by in names for i in range(len(by)))
            shorter = any(holds(Lod(x[:i], y), whole) for i in range(len(x)))
            if x and y and free and not shorter and x[0][1] == "asc" and holds(Lod(x, y), whole):
                found.add(Lod(x, y))
        assert discover(whole, ["lod"]) == found


def test_by_hand() -> None:
    quarters = table("month quarter left", "integer", (1, 1, 3), (2, 1, 2), (3, 1, 1), (4, 2, 3))
    assert discover(quarters, ["lod"]) == {
        Lod((("month", "asc"),), (("quarter", "asc"),)),
        Lod((("month", "asc"),), (("quarter", "asc"), ("left", "desc"))),
        Lod((("quarter", "asc"), ("left", "desc")), (("month", "asc"),)),
        Lod((("quarter", "asc"), ("month", "desc")), (("left", "asc"),)),
        Lod((("left", "asc"), ("month", "asc")), (("quarter", "asc"),)),
    }


def test_list_rules_are_exact() -> None:
    with pytest.raises(ValueError, match="lod"):
        discover(table("a", "integer"), ["lod"], max_error=Fraction(1, 10))
