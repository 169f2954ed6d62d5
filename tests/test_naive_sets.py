"""fd, key and oc: discovery against other ways to say the same."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from lawful.rules.model import Fd, Key, Measure, Oc, Rule
from tests.naive import Table, discover, holds, pairs_error, ranks, removal_error, table
from tests.strategies import random_tables


def subsets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [x for size in range(len(names) + 1) for x in combinations(names, size)]


def grouped(whole: Table, lhs: tuple[str, ...]) -> list[list[int]]:
    groups: dict[tuple[int, ...], list[int]] = {}
    columns = [ranks(whole)[whole.names.index(name)] for name in lhs]
    for row in range(len(whole)):
        groups.setdefault(tuple(column[row] for column in columns), []).append(row)
    return list(groups.values())


def by_groups(whole: Table) -> set[Rule]:
    """Minimal fds and keys from the number of groups alone."""
    size = {x: len(grouped(whole, x)) for x in subsets(whole.names)}
    more = {(x, a): tuple(b for b in whole.names if b in (*x, a)) for x in size for a in whole.names if a not in x}
    fds = {(x, a) for x, a in more if size[x] == size[more[x, a]]}
    keys = {x for x in size if size[x] == len(whole)}
    found: set[Rule] = {Fd(x, a) for x, a in fds if not any((y, a) in fds for y in subsets(x) if y != x)}
    return found | {Key(x) for x in keys if not any(y in keys for y in subsets(x) if y != x)}


def by_definition(whole: Table, max_error: Fraction, measure: Measure) -> set[Rule]:
    """Every fd, key and oc there could be, judged one by one, less those with a smaller one of the same kind."""
    error = removal_error if measure == "removal" else pairs_error
    found: set[Rule] = set()
    for x in subsets(whole.names):
        below = [y for y in subsets(x) if y != x]
        if error(Key(x), whole) <= max_error and not any(error(Key(y), whole) <= max_error for y in below):
            found.add(Key(x))
        fd = {a: error(Fd(x, a), whole) <= max_error for a in whole.names if a not in x}
        found |= {Fd(x, a) for a in fd if fd[a] and not any(error(Fd(y, a), whole) <= max_error for y in below)}
        for a, b in combinations(fd, 2):
            for way in ("same", "opposite"):
                valid = [y for y in (*below, x) if error(Oc(y, a, b, way), whole) <= max_error]
                if valid == [x] and not fd[a] and not fd[b]:
                    found.add(Oc(x, a, b, way))
    return found


def test_pairs_and_groups_find_the_same_fds_and_keys() -> None:
    for whole in random_tables(1, 400):
        assert discover(whole, ["fd", "key"]) == by_groups(whole)


@pytest.mark.parametrize("measure", ["removal", "pairs"])
@pytest.mark.parametrize("max_error", [Fraction(0), Fraction(1, 5), Fraction(1, 2)])
def test_discovery_is_the_definition(max_error: Fraction, measure: Measure) -> None:
    for whole in random_tables(2, 25, max_rows=6, max_cols=4):
        found = discover(whole, ["od", "key"], max_error=max_error, measure=measure)
        assert found == by_definition(whole, max_error, measure)


def test_without_duplicates_a_key_determines_all_others() -> None:
    for whole in random_tables(3, 300, min_rows=2):
        if len(grouped(whole, whole.names)) == len(whole):
            for x in subsets(whole.names):
                others = [a for a in whole.names if a not in x]
                assert holds(Key(x), whole) == all(holds(Fd(x, a), whole) for a in others)


def test_duplicate_rows_leave_no_key() -> None:
    assert discover(table("a b", "integer", (1, 2), (1, 2), (2, 3)), ["key"]) == set()


@pytest.mark.parametrize("rows", [(), ((1, "x"),)])
def test_fewer_than_two_rows(rows: tuple[tuple[int, str], ...]) -> None:
    few = table("a b", "integer string", *rows)
    assert discover(few, ["fd", "key", "oc", "lod", "pod", "dc"]) == {Fd((), "a"), Fd((), "b"), Key(())}


def test_a_determined_column_is_in_no_order_compatibility() -> None:
    steps = table("a b c", "integer", (1, 1, 1), (1, 1, 2), (2, 2, 1), (2, 3, 2))
    assert discover(steps, ["oc"]) == {Oc((), "a", "b"), Oc(("a",), "b", "c")}, "{b}: a ~ c follows from b -> a"
    assert Fd(("b",), "a") in discover(steps, ["fd"])


def test_a_column_without_order_takes_part_in_equality_only() -> None:
    plain = table("a b c", "integer", (1, 1, 1), (2, 2, 1), (3, 3, 2), unordered=frozenset("b"))
    assert discover(plain, ["oc"]) == {Oc((), "a", "c")}
    assert Fd(("b",), "a") in discover(plain, ["fd"])


def test_unknown_nulls_make_keys_of_columns_with_many_nulls() -> None:
    sparse = table("a b", "integer", (None, 1), (None, 1), (1, 2), (2, 2))
    assert discover(sparse, ["key"], nulls="unknown") == {Key(("a",))}
    assert discover(sparse, ["key"], nulls="first") == set()
    with pytest.raises(ValueError, match="fd"):
        discover(sparse, ["fd"], nulls="unknown")


def test_max_size_bounds_all_columns_of_a_rule() -> None:
    for whole in random_tables(4, 100, min_cols=4):
        full = discover(whole, ["od", "key"])
        for most in range(5):
            small = {rule for rule in full if len(rule.columns) <= most}
            assert discover(whole, ["od", "key"], max_size=most) == small
