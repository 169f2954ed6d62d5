"""The smallest, the plainest and the widest tables."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.engine import LocalEngine
from lawful.errors import ColumnError
from tests.families.finding import POLICIES, discover_encoded, encoded, found, lines, of_ranks, policy
from tests.naive import Table, discover, table

NOTE = "fewer than two rows"


@pytest.mark.parametrize("rows", [0, 1])
def test_fewer_than_two_rows(rows: int) -> None:
    few = table("a b", "integer", *[(1, 2)] * rows)
    rules = found(encoded(few))
    assert [*map(str, rules)] == ["[] -> a", "[] -> b", "key()"]
    assert (rules.complete, rules.note, rules.rows) == (True, NOTE, rows)
    assert {(rule.figures.error, rule.figures.coverage, rule.figures.interest) for rule in rules} == {(0.0, None, None)}
    assert [*map(str, found(encoded(few), ("oc",)))] == []
    assert set(rules) == discover(few, ["od", "key"])


@pytest.mark.parametrize("near", [{}, {"max_error": 0.5}, {"max_error": 0.3, "measure": "pairs"}], ids=str)
def test_two_rows(near: dict[str, Any]) -> None:
    for second in [(0, 0), (0, 1), (1, 0), (1, 1)]:
        pair = table("a b", "integer", (0, 0), second)
        exactly = near | ({"max_error": Fraction(str(near["max_error"]))} if near else {})
        assert set(found(encoded(pair), **near)) == discover(pair, ["od", "key"], **exactly), second


@pytest.mark.parametrize("rows", [2, 5, 300])
def test_no_column_at_all(rows: int) -> None:
    rules = found(of_ranks(np.zeros((0, rows), np.int32)))
    assert len(rules) == 0
    assert rules.complete
    assert rules.warnings[0].startswith(f"No key: {rows - 1} row")


@pytest.mark.parametrize("name", POLICIES)
def test_one_column(name: str) -> None:
    with policy(name):
        for values in [(1, 1, 1), (1, 2, 3), (1, 1, 2)]:
            one = table("a", "integer", *[(value,) for value in values])
            assert set(found(encoded(one))) == discover(one, ["od", "key"])


@pytest.mark.parametrize("name", POLICIES)
def test_all_constant_and_all_key(name: str) -> None:
    with policy(name):
        same = found(of_ranks(np.zeros((3, 20), np.int64)))
        assert [*map(str, same)] == ["[] -> c0", "[] -> c1", "[] -> c2"]
        assert same.warnings == ("No key: 19 rows are copies of another one.",)
        apart = found(of_ranks(np.stack([np.arange(20), (np.arange(20) * 7) % 20])))
        expected = ["c0 -> c1", "c1 -> c0", "key(c0)", "key(c1)"]
        assert [str(rule) for rule in apart if rule.kind != "oc"] == expected
        assert apart.warnings == ()


def test_no_order_no_oc() -> None:
    unordered = of_ranks(np.array([[0, 1], [1, 0]]), {0: False})
    with pytest.raises(ColumnError, match="No two columns have an order"):
        found(unordered, ("oc",))
    assert {rule.kind for rule in found(unordered, ("od",))} == {"fd"}


# Wide tables


def plain_rules(ranks: Any, size: int, key: bool = True) -> Iterator[str]:
    """All minimal fds, ocs and keys over at most ``size`` columns, from a matrix of all pairs of rows and columns."""
    width, rows = ranks.shape
    upper = np.triu_indices(rows, 1)
    cmp = np.sign(ranks[:, upper[0]].astype(np.int64) - ranks[:, upper[1]])
    equal = cmp == 0
    fds: dict[int, list[set[int]]] = {c: [] for c in range(width)}
    keys: list[set[int]] = []
    ocs: dict[tuple[int, int, int], list[set[int]]] = {}
    for depth in range(size + key):
        for context in combinations(range(width), depth):
            inside = set(context)
            apply = np.logical_and.reduce(equal[list(context)]) if context else np.ones(len(upper[0]), bool)
            here = cmp[:, apply]
            if not here.shape[1] and not any(key <= inside for key in keys):
                keys.append(inside)
                yield f"key {context}"
            determined = (here == 0).all(axis=1)
            if depth < size:
                for c in np.flatnonzero(determined):
                    if c not in inside and not any(lhs <= inside for lhs in fds[c]):
                        fds[c].append(inside)
                        yield f"fd {context} {c}"
            if depth < size - 1:
                free = [c for c in range(width) if c not in inside and not determined[c]]
                up, down = (here[free] > 0).astype(np.int32), (here[free] < 0).astype(np.int32)
                against = (up @ down.T + down @ up.T) > 0
                along = (up @ up.T + down @ down.T) > 0
                for direction, swapped in enumerate((against, along)):
                    for i, j in zip(*np.nonzero(~np.triu(swapped, 1) & np.triu(np.ones_like(swapped), 1)), strict=True):
                        known = ocs.setdefault((free[i], free[j], direction), [])
                        if not any(other <= inside for other in known):
                            known.append(inside)
                            yield f"oc {context} {free[i]} {free[j]} {direction}"


def told(rules: Any) -> set[str]:
    """Rules in the words of ``plain_rules``."""
    at = {name: place for place, name in enumerate(rules.names)}
    spelt = set()
    for rule in rules:
        if rule.kind == "key":
            spelt.add(f"key {tuple(at[c] for c in rule.columns)}")
        elif rule.kind == "fd":
            spelt.add(f"fd {tuple(at[c] for c in rule.lhs)} {at[rule.rhs]}")
        else:
            context, opposite = tuple(at[c] for c in rule.context), int(rule.direction == "opposite")
            spelt.add(f"oc {context} {at[rule.left]} {at[rule.right]} {opposite}")
    return spelt


@pytest.mark.parametrize(
    ("width", "rows", "size"), [(5, 9, 5), (63, 9, 2), (64, 9, 2), (65, 9, 2), (20, 9, 4), (70, 12, 2), (130, 10, 2)]
)
def test_wide_tables(width: int, rows: int, size: int) -> None:
    """Masks of one, two and three words, with places 63, 64, 127 and 128 in use, and the row's own place after them."""
    ranks = of_ranks(np.random.default_rng(width).integers(0, 3, (width, rows))).ranks
    expected = set(plain_rules(ranks, size))
    for name in ("all", "data") if size == 4 else ("all", "data", "mixed"):
        with policy(name, Random(width)), LocalEngine(2) as engine:
            rules = found(of_ranks(ranks), max_size=size, engine=engine)
        assert told(rules) == expected, name


@pytest.mark.parametrize("width", [62, 63, 64, 65, 127, 128])
@pytest.mark.parametrize("name", ["all", "data"])
def test_only_the_last_columns_make_a_key(name: str, width: int) -> None:
    """All columns but the last two are constant: the row's place is the bit after them."""
    ranks = np.zeros((width, 300), np.int32)
    ranks[-2], ranks[-1] = np.divmod(np.random.default_rng(1).permutation(300), 20)
    with policy(name):
        rules = found(of_ranks(ranks), ("fd", "key"))
    expected = {f"[] -> c{c}" for c in range(width - 2)} | {f"key(c{width - 2}, c{width - 1})"}
    assert {*map(str, rules)} == expected


@pytest.mark.parametrize("measure", ["removal", "pairs"])
def test_wide_approximate_tables(measure: str) -> None:
    """With a budget below one row, or one pair, what is nearly right is right."""
    held = of_ranks(np.random.default_rng(3).integers(0, 3, (66, 9)))
    near = found(held, max_size=2, max_error=0.01, measure=measure)
    exact = found(held, max_size=2, measure=measure)
    assert lines(near) == lines(exact)


def test_hundreds_of_columns() -> None:
    """More columns than the first table of contexts has room for."""
    rng = np.random.default_rng(4)
    ranks = np.zeros((1100, 6), np.int32)
    ranks[rng.choice(1100, 30, replace=False)] = rng.integers(0, 2, (30, 6))
    rules, ending = discover_encoded(of_ranks(ranks), ("fd",), max_size=2)
    assert ending.reason is None
    assert told(rules) == {rule for rule in plain_rules(ranks, 2, key=False) if rule.startswith("fd")}


def test_the_plain_check_is_the_definition() -> None:
    """What judges wide tables says of small ones what the naive definitions say."""
    rng = np.random.default_rng(9)
    for _ in range(30):
        ranks = of_ranks(rng.integers(0, 3, (4, 6))).ranks
        naive = Table(tuple(f"c{i}" for i in range(4)), ("integer",) * 4, tuple(map(tuple, ranks.T.tolist())))
        expected = discover(naive, ["od", "key"], max_size=3)
        assert set(plain_rules(ranks, 3)) == told(found(of_ranks(ranks)).with_rules(expected))
