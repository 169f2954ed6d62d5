"""Hypothesis strategies: tables, tables that change, rules. ``tests/made.py`` makes the tables, also from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from lawful.rules import model
from lawful.rules.model import KINDS, OPERATORS, Dc, Fd, Key, Lod, Oc, Operand, Operator, Pod, Predicate, Rule
from tests.cells import CELLS, text_columns
from tests.made import as_arrow, make_table, random_tables
from tests.naive import TYPES, Table, Value, ranks

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "CELLS",
    "NAMES",
    "Delta",
    "as_arrow",
    "deltas",
    "make_table",
    "random_tables",
    "rank_matrices",
    "rules",
    "splits",
    "tables",
    "text_columns",
    "wide_tables",
]

NAMES = ("a", "b", *'t.x u ` a`b été -> not and key x,y desc "q" => 1st a.b.c # | []'.split(), "zip code", " x")
"""Column names that the text form of a rule must survive."""


# Tables


@st.composite
def tables(
    draw: st.DrawFn,
    min_rows: int = 0,
    max_rows: int = 8,
    min_cols: int = 1,
    max_cols: int = 5,
    types: Sequence[str] = TYPES,
    nulls: bool = True,
    ties: bool = True,
    duplicates: bool = True,
    constants: bool = True,
    keys: bool = True,
) -> Table:
    """Tables of few rows and columns; each flag says whether columns, or rows, are made so on purpose."""
    rows = draw(st.integers(min_rows, max_rows))
    kinds = draw(st.lists(st.sampled_from(list(types)), min_size=min_cols, max_size=max_cols))
    made = {"ties": ties, "skewed": ties, "coarse": ties, "sum": ties, "constant": constants, "key": keys}
    off = {shape for shape, on in made.items() if not on}
    rng = draw(st.randoms(use_true_random=False))
    return make_table(rng, rows, kinds, nulls=nulls, duplicates=duplicates, without=off)


def wide_tables(min_cols: int = 65, max_cols: int = 130, max_rows: int = 4) -> st.SearchStrategy[Table]:
    """More columns than a machine word has bits, and few rows."""
    return tables(0, max_rows, min_cols, max_cols, types=("integer", "string"))


@st.composite
def rank_matrices(
    draw: st.DrawFn, min_rows: int = 0, max_rows: int = 12, min_cols: int = 1, max_cols: int = 5
) -> npt.NDArray[np.int32]:
    """Dense ranks, int32 of shape (columns, rows)."""
    import numpy as np

    table = draw(tables(min_rows, max_rows, min_cols, max_cols, types=("integer",), nulls=False))
    return np.array(ranks(table), dtype=np.int32).reshape(len(table.names), len(table))


# Tables that change


@dataclass(frozen=True)
class Delta:
    """Rows that come and rows that go; ``deletes`` are positions in the table before the delta, ascending."""

    inserts: tuple[tuple[Value, ...], ...] = ()
    deletes: tuple[int, ...] = ()

    def applied(self, table: Table) -> Table:
        """Deletes first, then inserts at the end."""
        gone = set(self.deletes)
        kept = [row for i, row in enumerate(table.rows) if i not in gone]
        return table.with_rows((*kept, *self.inserts))


@st.composite
def splits(
    draw: st.DrawFn, whole: st.SearchStrategy[Table] | None = None, max_batches: int = 4
) -> tuple[Table, list[Table]]:
    """A table cut into a base and batches to insert, any of them perhaps empty; end to end they are the table."""
    table = draw(tables() if whole is None else whole)
    cuts = draw(st.lists(st.integers(0, len(table)), min_size=1, max_size=max_batches).map(sorted))
    parts = [table.with_rows(table.rows[a:b]) for a, b in zip([0, *cuts], [*cuts, len(table)], strict=True)]
    return parts[0], parts[1:]


@st.composite
def deltas(
    draw: st.DrawFn, whole: st.SearchStrategy[Table] | None = None, max_deltas: int = 4
) -> tuple[Table, list[Delta]]:
    """A base and what then happens to it: inserts, deletes and both, old rows returning among them."""
    table = draw(tables(min_rows=2, max_rows=12) if whole is None else whole)
    cut = draw(st.integers(0, len(table)))
    base = now = table.with_rows(table.rows[:cut])
    found = []
    for _ in range(draw(st.integers(1, max_deltas))):
        rows = draw(st.lists(st.sampled_from(table.rows), max_size=4)) if table.rows else []
        gone = draw(st.sets(st.integers(0, len(now) - 1), max_size=4)) if len(now) else set()
        found.append(Delta(tuple(rows), tuple(sorted(gone))))
        now = found[-1].applied(now)
    return base, found


# Rules


def rules(names: Sequence[str] = NAMES, kinds: Sequence[str] = KINDS) -> st.SearchStrategy[Rule]:
    """Rules of the kinds given over at least two names, not always in canonical form."""
    made = {"fd": _fds, "key": _keys, "oc": _ocs, "lod": _lods, "pod": _pods, "dc": _dcs}
    return st.one_of([made[kind](list(names)) for kind in kinds])


def _some(names: list[str], least: int = 0, most: int = 4) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(names), min_size=least, max_size=min(most, len(names)), unique=True)


def _fds(names: list[str]) -> st.SearchStrategy[Rule]:
    return _some(names, 1).map(lambda chosen: Fd(tuple(chosen[1:]), chosen[0]))


def _keys(names: list[str]) -> st.SearchStrategy[Rule]:
    return _some(names).map(lambda chosen: Key(tuple(chosen)))


def _ocs(names: list[str]) -> st.SearchStrategy[Rule]:
    directions: st.SearchStrategy[model.Direction] = st.sampled_from(["same", "opposite"])
    return st.builds(lambda x, d: Oc(tuple(x[2:]), x[0], x[1], d), _some(names, 2), directions)


def _lods(names: list[str]) -> st.SearchStrategy[Rule]:
    sorts: st.SearchStrategy[model.Sort] = st.sampled_from(["asc", "desc"])
    forms: st.SearchStrategy[model.Form] = st.sampled_from(["->", "<->", "~"])
    lists = _some(names, 1).flatmap(lambda x: st.tuples(*(st.tuples(st.just(name), sorts) for name in x)))
    return st.builds(Lod, lists, lists, forms)


def _pods(names: list[str]) -> st.SearchStrategy[Rule]:
    left: st.SearchStrategy[Operator] = st.sampled_from(["<", "<=", "=", ">=", ">"])
    right: st.SearchStrategy[Operator] = st.sampled_from(["<", "<=", "="])
    marks = _some(names, 1).flatmap(lambda x: st.tuples(st.just(x), st.tuples(*(left for _ in x[1:])), right))
    return marks.map(lambda m: Pod(tuple(zip(m[0][1:], m[1], strict=True)), (m[0][0], m[2])))


def _dcs(names: list[str]) -> st.SearchStrategy[Rule]:
    """Mostly of one column in two rows, else two columns in two rows, or in one row by ``=`` and ``!=``."""

    def predicate(left: str, right: str, op: Operator, row: model.Row) -> Predicate:
        single = row == "t" and left != right
        limited: Operator = "!=" if op in ("!=", "<", ">") else "="
        return Predicate(Operand("t", left), limited if single else op, Operand("t" if single else "u", right))

    rows: st.SearchStrategy[model.Row] = st.sampled_from(["t", "u"])
    name, op = st.sampled_from(names), st.sampled_from(OPERATORS)
    own = st.builds(lambda one, o: predicate(one, one, o, "u"), name, op)
    both = st.one_of(own, own, st.builds(predicate, name, name, op, rows))
    listed = st.lists(both, min_size=1, max_size=4, unique_by=lambda p: (p.left, p.right))
    return listed.map(lambda predicates: Dc(tuple(predicates)))
