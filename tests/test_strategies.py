"""The tables, deltas and cells that other tests rely on have the variety they promise."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cells import CELLS
from tests.made import SPELLINGS, VALUES
from tests.naive import TYPES, Table, cmp, ranks
from tests.strategies import (
    Delta,
    as_arrow,
    deltas,
    random_tables,
    rank_matrices,
    splits,
    tables,
    text_columns,
    wide_tables,
)

BULK = list(random_tables(0, 400))


def test_the_same_seed_makes_the_same_tables() -> None:
    assert list(map(repr, random_tables(0, 50))) == list(map(repr, BULK[:50]))
    assert list(map(repr, random_tables(1, 50))) != list(map(repr, BULK[:50]))


def test_random_tables_vary() -> None:
    assert {len(table) for table in BULK} == set(range(9))
    assert {kind for table in BULK for kind in table.types} == set(TYPES)
    orders = [order for table in BULK if len(table) > 4 for order in ranks(table)]
    assert any(max(order) == 0 for order in orders), "a constant"
    assert any(len(set(order)) == len(order) for order in orders), "a key"
    assert any(len(set(order)) < len(order) - 2 for order in orders), "ties"
    assert any(list(map(repr, t.rows)).count(repr(t.rows[0])) > 1 for t in BULK if len(t) and len(t.names) > 3), (
        "duplicates"
    )
    assert any(None in row for table in BULK for row in table.rows)


@pytest.mark.parametrize("kind", TYPES)
def test_the_values_of_a_type_ascend(kind: str) -> None:
    values = VALUES[kind]
    assert all(cmp(a, b) == "<" for a, b in pairwise(values))
    assert all(cmp(a, b) == "=" and repr(a) != repr(b) for a, b in SPELLINGS.get(kind, {}).items())


@given(tables(min_rows=3, nulls=False, ties=False, constants=False, keys=True, duplicates=False, types=("integer",)))
def test_what_is_switched_off_does_not_occur(table: Table) -> None:
    assert not any(None in row for row in table.rows)
    assert len(set(ranks(table)[0])) == len(table), "the first column can only be a key here"


@settings(max_examples=20, deadline=None)
@given(wide_tables())
def test_wide_tables_exceed_a_machine_word(table: Table) -> None:
    assert len(table.names) > 64


@given(rank_matrices())
def test_rank_matrices_are_dense(matrix: object) -> None:
    import numpy as np

    assert isinstance(matrix, np.ndarray)
    assert matrix.dtype == np.int32
    assert all(set(column) == set(range(len(set(column)))) for column in matrix.tolist())


@given(splits())
def test_splits_are_the_table_end_to_end(parts: tuple[Table, list[Table]]) -> None:
    base, batches = parts
    whole = base.with_rows([row for part in (base, *batches) for row in part.rows])
    assert base.names == whole.names
    assert len(whole) == len(base) + sum(map(len, batches))


@given(deltas())
def test_deltas_delete_rows_that_are_there(history: tuple[Table, list[Delta]]) -> None:
    now, changes = history
    for change in changes:
        assert all(0 <= row < len(now) for row in change.deletes)
        after = change.applied(now)
        assert len(after) == len(now) - len(change.deletes) + len(change.inserts)
        now = after


def test_a_delta_deletes_first_and_inserts_at_the_end() -> None:
    table = Table(("a",), ("integer",), ((1,), (2,), (3,)))
    assert Delta(((9,),), (0, 2)).applied(table).rows == ((2,), (9,))


@pytest.mark.parametrize("kind", TYPES)
def test_arrow_keeps_every_value(kind: str) -> None:
    table = Table(("a",), (kind,), tuple((value,) for value in (*VALUES[kind], None)))
    back = as_arrow(table).column("a").to_pylist()
    assert all(cmp(a, b) == "=" for a, b in zip(back, table.column("a"), strict=True))


READ: dict[str, Callable[[str], object]] = {
    "integer": int,
    "decimal": Decimal,
    "float": float,
    "boolean": lambda cell: {"true": 1, "false": 0}[cell.lower()],
}


@settings(max_examples=200, deadline=None)
@given(text_columns())
def test_cells_parse_as_the_type_promised(column: tuple[str, list[str]]) -> None:
    kind, cells = column
    assert cells
    if kind in READ:
        assert [READ[kind](cell) for cell in cells]
    if kind == "integer":
        assert all(-(2**63) <= int(cell) < 2**63 for cell in cells)


@settings(max_examples=50, deadline=None)
@given(
    st.tuples(
        *(CELLS[look] for look in ("date", "date with slashes", "date with dots", "timestamp", "timestamp with zone"))
    )
)
def test_dates_and_timestamps_read_back(cells: tuple[str, str, str, str, str]) -> None:
    iso, slashes, dots, plain, zoned = cells
    assert date.fromisoformat(iso).isoformat() == iso
    assert datetime.strptime(slashes, "%m/%d/%Y") and datetime.strptime(dots, "%d.%m.%Y")
    assert datetime.fromisoformat(plain).tzinfo is None
    assert datetime.fromisoformat(zoned).tzinfo is not None
