"""Groups of rows of a rule, against the rows themselves."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import lawful as lw
from lawful.report.examples import GROUPS, LINES, LOOKED_AT, Start, equal_columns, examples

CELL = st.sampled_from([None, 1, 2, 3])
ROWS = st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=30)
RULES = ("a -> b", "a, b -> c", "[] -> a", "key(a, b)", "{a}: b ~ c", "{}: a ~ c desc", "[a, b] -> [c]",
         "a=, b< => c<", "not(t.a = u.a and t.b < u.b)", "not(t.a > t.b)")  # fmt: skip


@given(ROWS, st.sampled_from(RULES))
def test_groups_are_those_of_the_rows(rows: list[tuple[int | None, ...]], text: str) -> None:
    columns = dict(zip("abc", zip(*rows, strict=True), strict=True))
    table = lw.encode(pa.table({name: pa.array(cells, pa.int64()) for name, cells in columns.items()}))
    rule = lw.parse(text)
    found = examples(Start(table), rule)
    equal = equal_columns(rule)
    assert found.columns[: found.equal] == equal and set(found.columns) == set(rule.columns)
    shown = [tuple(columns[name][row] for name in found.columns) for row in range(len(rows))]
    members = Counter(line[: found.equal] for line in shown)
    combinations = Counter(shown)
    large = [count for count in members.values() if count > 1]
    assert len(found.groups) == min(GROUPS, len(large))
    assert [group.rows for group in found.groups] == sorted((group.rows for group in found.groups), reverse=True)
    assert not large or found.groups[0].rows == max(large)
    keys = [group.lines[0][1][: found.equal] for group in found.groups]
    assert len(set(keys)) == len(keys)
    for key, group in zip(keys, found.groups, strict=True):
        there = {line for line in combinations if line[: found.equal] == key}
        assert (group.rows, group.combinations) == (members[key], len(there))
        assert len(group.lines) == min(LINES, len(there)) == len({cells for _, cells in group.lines})
        assert all(combinations[cells] == count for count, cells in group.lines)  # type: ignore[index]


def test_only_the_first_rows_are_looked_at() -> None:
    count = LOOKED_AT + 100
    table = lw.encode(pa.table({"a": range(count), "b": [1] * count}))
    (group,) = examples(Start(table), lw.parse("b -> b")).groups
    assert group.rows == LOOKED_AT
    assert examples(Start(table), lw.parse("a -> b")).groups == ()


def test_many_columns_of_many_values() -> None:
    """Combinations of ten columns of thousands of values each stay apart."""
    columns = {f"c{n}": [row * (n + 1) for row in range(5_000)] for n in range(10)}
    start = Start(lw.encode(pa.table(columns | {"one": [0] * 5_000})))
    codes = start.combined((*columns, "one"))
    assert codes.tolist() == list(range(5_000))
