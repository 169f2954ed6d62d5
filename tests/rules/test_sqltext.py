"""The queries count what the definitions count, on DuckDB."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.errors import OptionError
from lawful.rules import Dc, Key, Rule, parse
from lawful.rules.sqltext import Wording, literal, name, row_condition, violations
from tests.made import as_arrow
from tests.naive import Table, table
from tests.naive import violations as pairs
from tests.naive.table import Nulls
from tests.profiles import examples
from tests.strategies import rules, tables


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def counted(database: duckdb.DuckDBPyConnection, rule: Rule, rows: Table, **wording: Any) -> int:
    database.register("data", as_arrow(rows))
    (found,) = database.execute(violations(rule, Wording(orders=rows.orders, **wording))).fetchall()
    return int(found[0])


@pytest.mark.parametrize("nulls", ["first", "last", "unknown"])
def test_every_kind_counts_as_the_definition(database: duckdb.DuckDBPyConnection, nulls: Nulls) -> None:
    kinds = ("fd", "key", "dc") if nulls == "unknown" else ("fd", "key", "oc", "lod", "pod", "dc")

    @settings(max_examples=examples(150))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        rows = data.draw(tables(min_rows=1, max_rows=7, min_cols=2, max_cols=4, types=("integer", "string", "date")))
        rule = data.draw(rules(rows.names, kinds))
        if _comparable(rule, rows):
            assert counted(database, rule, rows, nulls=nulls) == len(pairs(rule, rows, nulls))

    check()


def _comparable(rule: Rule, rows: Table) -> bool:
    if not isinstance(rule, Dc):
        return True
    return all(rows.type_of(p.left.column) == rows.type_of(p.right.column) for p in rule.predicates)


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_kinds_are_broken_often_enough(database: duckdb.DuckDBPyConnection, nulls: Nulls) -> None:
    rng = random.Random(5)
    values = [None, None, 1, 2, 3]
    texts = ["a -> b", "[] -> a", "key(a, b)", "key()", "{c}: a ~ b", "{}: a ~ b desc", "a<=, c= => b<"]
    texts += ["not(t.a <= u.a and t.b >= u.b)", "not(t.a > t.b)", "not(t.a = u.b and t.c != u.c)", "[a, b desc] -> [c]"]
    texts += ["a>, b>= => c=", "[a] <-> [b, c]", "[a desc] ~ [b]", "[] -> [a]", "not(t.a >= u.a)"]
    for text in texts:
        rule, broken = parse(text), 0
        for _ in range(40):
            rows = table("a b c", "integer", *([rng.choice(values) for _ in "abc"] for _ in range(rng.randint(0, 6))))
            expected = len(pairs(rule, rows, nulls))
            assert counted(database, rule, rows, nulls=nulls) == expected, (text, rows)
            broken += expected > 0
        assert broken > 4, text


def test_floats_are_compared_as_rules_compare_them(database: duckdb.DuckDBPyConnection) -> None:
    nan = float("nan")
    rows = table("a b", "float", (nan, 1.0), (nan, 2.0), (0.0, -0.0), (-0.0, 0.0), (5.0, None), (None, nan))
    for text in ("a -> b", "key(a)", "{}: a ~ b", "[a] -> [b]", "a<= => b<=", "not(t.a >= u.a and t.b != u.b)"):
        assert counted(database, parse(text), rows) == len(pairs(parse(text), rows))


def test_an_order_by_meaning(database: duckdb.DuckDBPyConnection) -> None:
    order = {"size": ("S", "it's", "L")}
    rows = table("size fee", ["string", "integer"], ("S", 1), ("it's", 2), ("L", 3), (None, 9), orders=order)
    for text in ("{}: size ~ fee", "[size] -> [fee]", "size< => fee<", "not(t.size < u.size and t.fee > u.fee)"):
        assert counted(database, parse(text), rows) == len(pairs(parse(text), rows)) > 0


ODD = ('say "hi"', "it's", "a b", "select", "`", ";--", "<script>", "日本", "\\", "%s", "a.b", "{0}")


@pytest.mark.parametrize("odd", ODD)
def test_odd_names(database: duckdb.DuckDBPyConnection, odd: str) -> None:
    rows = table([odd, "other"], "integer", (1, 2), (1, 3), (2, 2))
    database.register(odd, as_arrow(rows))
    for rule in (Key((odd,)), parse(f"{{}}: other ~ `{odd.replace('`', '``')}`")):
        (found,) = database.execute(violations(rule, Wording(odd))).fetchall()
        assert found[0] == len(pairs(rule, rows)) > 0


def test_what_a_row_must_not_satisfy() -> None:
    text = row_condition(parse("not(t.a > t.b and t.c = t.d)"), Wording(nulls="unknown"))  # type: ignore[arg-type]
    assert text == '"a" > "b" AND "c" = "d"'
    for text in ("not(t.a > u.a)", "not(t.a > t.b and u.c > u.d)"):
        assert row_condition(parse(text), Wording()) is None  # type: ignore[arg-type]


def test_unknown_nulls_are_refused_where_they_mean_nothing() -> None:
    for text in ("{}: a ~ b", "[a] -> [b]", "a< => b<"):
        with pytest.raises(OptionError, match="no meaning with unknown nulls"):
            violations(parse(text), Wording(nulls="unknown"))


def test_quotes() -> None:
    assert (name('a"b'), literal("it's")) == ('"a""b"', "'it''s'")
