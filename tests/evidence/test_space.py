"""Which cells are compared, by which operators, and that jobs see these cells compare as their values do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.errors import ColumnError
from lawful.evidence.signature import UNKNOWN
from lawful.evidence.space import Space, dc_space, pod_space
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Operand
from tests.evidence.outcomes import outcome
from tests.families.finding import encoded, of_ranks
from tests.made import as_arrow, random_tables
from tests.naive import NUMERIC, TYPES, Nulls, Table, table
from tests.naive import space as naive
from tests.naive.pairs import outcome as naive_outcome
from tests.profiles import examples

SIGNS = {"<": 0, "=": 1, ">": 2, "?": UNKNOWN}


def asked(kinds: tuple[str, ...] = ("dc",), **options: Any) -> DiscoverOptions:
    return DiscoverOptions(kinds=kinds, **options)


def offered(space: Space) -> list[tuple[Operand, Operand, int]]:
    """The cells compared and by how many operators."""
    sizes = [6 if c.ordered else 2 for c in space.layout.comparisons]
    return [(left, right, size) for (left, right), size in zip(space.operands, sizes, strict=True)]


def check_cells(space: Space, whole: Table, nulls: Nulls) -> None:
    """Every comparison says of every pair of rows what the values say."""
    for (left, right), comparison in zip(space.operands, space.layout.comparisons, strict=True):
        for t, u in product(range(len(whole)), repeat=2):
            found = SIGNS[naive_outcome(whole, t, u, left, right, nulls)]
            expected = found if comparison.ordered or found == UNKNOWN else int(found == 1)
            assert outcome(comparison, space.table.ranks, t, u) == expected, (left, right, t, u, whole, nulls)


def some_tables(seed: int, count: int, **more: Any) -> Iterator[tuple[Random, Table, Nulls]]:
    for i, whole in enumerate(random_tables(seed, examples(count), **more)):
        draw = Random(seed * 1_000_003 + i)
        if draw.random() < 0.3:
            whole = replace(whole, unordered=frozenset(draw.sample(whole.names, draw.randint(1, len(whole.names)))))
        yield draw, whole, draw.choice(["first", "last", "unknown"])  # type: ignore[misc]


@pytest.mark.parametrize("types", [TYPES, sorted(NUMERIC), ("string", "date")], ids=["any", "numbers", "words"])
def test_the_space_and_its_cells_are_those_of_the_definition(types: tuple[str, ...]) -> None:
    crossed = 0
    for draw, whole, nulls in some_tables(1, 150, types=types, min_rows=1):
        told = {"share": draw.choice([0.0, 0.2, 0.5, 1.0]), "means": draw.choice([0.0, 0.1, 0.5, 1.0])}
        options = {"cross_columns": draw.random() < 0.8, "order_strings": draw.random() < 0.5}
        space = dc_space(encoded(whole, nulls), asked(**told, **options))
        exact = {name: Fraction(str(value)) for name, value in told.items()}
        expected = naive.Space(**options, **exact).comparisons(whole)
        assert offered(space) == [(c.left, c.right, len(c.operators)) for c in expected], (told, whole)
        assert space.predicates == sum(len(c.operators) for c in expected)
        check_cells(space, whole, nulls)
        crossed += len(space.operands) > len(whole.names)
    assert crossed > 30


def test_cells_of_a_table_that_was_really_encoded() -> None:
    for _, whole, nulls in some_tables(2, 60, min_rows=2, min_cols=2):
        whole = replace(whole, unordered=frozenset())
        here = lawful.encode(as_arrow(whole), nulls=nulls, engine="local", workers=1)
        space = dc_space(here, asked(cross_columns=True))
        expected = naive.Space(cross_columns=True).comparisons(whole)
        assert offered(space) == [(c.left, c.right, len(c.operators)) for c in expected], whole
        check_cells(space, whole, nulls)


def test_pointwise_dependencies_compare_every_column_strings_too() -> None:
    for _, whole, nulls in some_tables(3, 40):
        nulls = "first" if nulls == "unknown" else nulls
        space = pod_space(encoded(whole, nulls))
        ordered = [whole.ordered(name) for name in whole.names]
        assert [c.ordered for c in space.layout.comparisons] == ordered
        assert space.columns == tuple((c,) for c in range(len(whole.names)))
        check_cells(space, whole, nulls)


def test_strings_have_an_order_by_meaning_or_when_told() -> None:
    words = table("a b", "string", ("x", "low"), ("y", "high"), orders={"b": ("low", "high")})
    here = encoded(words)
    assert [c.ordered for c in dc_space(here, asked()).layout.comparisons] == [False, True]
    assert [c.ordered for c in dc_space(here, asked(order_strings=True)).layout.comparisons] == [True, True]
    assert dc_space(here, asked()).predicates == 2 + 6


def prices(days: int = 12, seed: int = 1) -> Table:
    """Daily prices of two tickers: low, open, close and high share most of their values; the volume is far above."""
    draw = Random(seed)
    rows = []
    for day in range(days):
        for ticker in ("AAA", "BBB"):
            low = draw.randint(90, 110)
            opened, closed = (low + draw.randint(0, 9) for _ in range(2))
            high = max(opened, closed) + draw.randint(0, 3)
            rows.append((ticker, f"2024-{1 + day // 28:02}-{1 + day % 28:02}", opened, high, low, closed, 10**6 + day))
    names = "ticker date open high low close volume"
    return table(names, "string string integer integer integer integer integer", *rows)


def test_the_stock_table_has_the_eighty_two_predicates_of_the_paper() -> None:
    """Two strings by 2, five numbers by 6; each of the six pairs of prices by 6 across two rows and 2 within one.

    The paper takes dates for text; as dates they have an order, and four predicates more.
    """
    stock = prices()
    space = dc_space(encoded(stock), asked(cross_columns=True))
    assert space.predicates == 2 * 2 + 5 * 6 + 6 * (6 + 2) == 82
    assert dc_space(encoded(stock), asked()).predicates == 34
    assert {places for places in space.columns if len(places) > 1} == {
        (a, b) for a in range(2, 6) for b in range(a + 1, 6)
    }
    dated = replace(stock, types=("string", "date", *stock.types[2:]))
    dated = dated.with_rows([(row[0], date.fromisoformat(str(row[1])), *row[2:]) for row in stock.rows])
    assert dc_space(encoded(dated), asked(cross_columns=True)).predicates == 86
    check_cells(space, stock, "first")


def test_thresholds_open_and_close_the_space() -> None:
    """Sharing one of two values, and with means of 1.5 and 5."""
    here = encoded(table("a b", "integer", (1, 1), (2, 9)))
    for share, means, predicates in [
        (0.5, 0.3, 20), (0.5001, 0.3, 12), (0.5, 0.3001, 16), (0.0, 0.0, 20), (1.0, 0.0, 12), (0.0, 1.0, 16),
    ]:  # fmt: skip
        assert dc_space(here, asked(cross_columns=True, share=share, means=means)).predicates == predicates
    apart = encoded(table("a b", "integer", (1, 3), (2, 4)))
    assert dc_space(apart, asked(cross_columns=True, share=0.0)).predicates == 20, "nothing shared is enough"


def test_doubles_far_from_one_have_means() -> None:
    """The sum of three is beyond the largest double."""
    rows = [(1e308, 1e308), (1.5e308, 1e308), (1.7e308, 1.5e308)]
    space = dc_space(encoded(table("a b", "float", *rows)), asked(cross_columns=True))
    assert space.predicates == 20
    tiny = table("a b", "float", (5e-324, 0.0), (0.0, 0.0))
    assert dc_space(encoded(tiny), asked(cross_columns=True)).predicates == 16, "no mean is near to nothing"


def test_columns_of_nulls_are_compared_with_themselves_only() -> None:
    for nulls in ("first", "last", "unknown"):
        empty = table("a b", "integer", (None, None), (None, None))
        space = dc_space(encoded(empty, nulls), asked(cross_columns=True, share=0.0))  # type: ignore[arg-type]
        assert [*map(len, space.columns)] == [1, 1]


def test_names_of_columns_mean_nothing() -> None:
    odd = table(["t.x", "u", " "], "integer", (1, 1, 2), (2, 2, 1))
    space = dc_space(encoded(odd), asked(cross_columns=True))
    assert len(space.operands) == 3 + 3 * 2
    check_cells(space, odd, "first")


def test_no_column_no_space() -> None:
    with pytest.raises(ColumnError, match="no column to compare") as caught:
        dc_space(of_ranks(np.zeros((0, 3), np.int32)), asked())
    assert caught.value.hint == "Choose some with --columns."


def test_extra_rank_rows_leave_the_table_as_it_was() -> None:
    here: Encoded = encoded(table("a b", "integer", (1, 1), (2, 9)))
    space = dc_space(here, asked(cross_columns=True))
    assert here.ranks.shape == (2, 2)
    assert np.array_equal(space.table.ranks[:2], here.ranks)
    assert not space.table.ranks.flags.writeable
