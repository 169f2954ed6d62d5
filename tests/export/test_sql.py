"""SQL counts what the definitions count, on the databases at hand, and can be read in every dialect."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from lawful.errors import OptionError
from lawful.rules import RuleSet, parse
from tests.export.conftest import Ask
from tests.export.listed import NAMES, TYPES, rules, staff
from tests.made import as_arrow
from tests.naive import Table, violations
from tests.naive.table import Nulls

sqlglot = pytest.importorskip("sqlglot")


def statements(text: str) -> dict[str, str]:
    """The query of each rule, by its id."""
    found = re.findall(r"^-- ([0-9a-f]{12})  [^\n]*\n([^\n]*);$", text, re.M)
    return dict(found)


def asked(table: Table, rules: RuleSet, nulls: Nulls) -> Iterator[tuple[str, int]]:
    """The id of each rule and the count that the definition gives."""
    return ((rule.id, len(violations(rule, table, nulls))) for rule in rules)


@pytest.mark.parametrize("nulls", ["first", "last"])
@pytest.mark.parametrize("seed", range(6))
def test_duckdb(seed: int, nulls: Nulls) -> None:
    table, listed = staff(seed), rules(options={"nulls": nulls})
    said = listed.export("sql", dialect="duckdb")
    assert said.kept == tuple(listed) and said.left == () and list(said.files) == ["staff.sql"]
    queries = statements(str(said))
    with duckdb.connect() as database:
        database.register("staff", as_arrow(table))
        for name, expected in asked(table, listed, nulls):
            assert database.execute(queries[name]).fetchall() == [(expected,)]
        assert sum(expected > 0 for _, expected in asked(table, listed, nulls)) > 12
        assert len(database.execute(str(said)).fetchall()) == 1  # the whole file runs


def test_unknown_nulls() -> None:
    table, listed = staff(3), rules(options={"nulls": "unknown"})
    said = listed.export("sql")
    assert {rule.kind for rule in said.kept} == {"fd", "key", "dc"}
    assert {one.rule.kind for one in said.left} == {"oc", "lod", "pod"}
    assert "-- Not expressed here, 10 of the rules:\n--   {}: " in str(said)
    queries = statements(str(said))
    with duckdb.connect() as database:
        database.register("staff", as_arrow(table))
        for rule in said.kept:
            expected = len(violations(rule, table, "unknown"))
            assert database.execute(queries[rule.id]).fetchall() == [(expected,)]


def values(table: Table) -> str:
    """The rows as a clause of SQL."""
    rows = (
        ", ".join("NULL" if cell is None else f"'{cell}'" if not isinstance(cell, int) else str(cell) for cell in row)
        for row in table.rows
    )
    return ", ".join(f"({row})" for row in rows)


def made_in_postgres(table: Table) -> str:
    """The statements that make the table there."""
    types = {"integer": "bigint", "decimal": "numeric", "string": "text", "date": "date"}
    fields = ", ".join(f'"{n.replace(chr(34), chr(34) * 2)}" {types[t]}' for n, t in zip(NAMES, TYPES, strict=True))
    return f"CREATE TEMP TABLE staff ({fields}); INSERT INTO staff VALUES {values(table)};\n"


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_postgres(nulls: Nulls, postgres: Ask) -> None:
    listed = rules(options={"nulls": nulls})
    queries = statements(str(listed.export("sql", dialect="postgres")))
    for seed in range(4):
        table = staff(seed)
        script = made_in_postgres(table)
        script += "".join(f"{queries[name]};\n" for name, _ in asked(table, listed, nulls))
        found = [int(line) for line in postgres(script).split()]
        assert found == [expected for _, expected in asked(table, listed, nulls)]


def test_the_constraints_of_postgres_keep_the_rule(postgres: Ask) -> None:
    """A constraint is taken by a table that obeys the rule, and by no other."""
    listed = rules()
    text = str(listed.export("sql", dialect="postgres"))
    found = re.findall(r'^-- As a constraint: (ALTER TABLE [^\n]* "lawful_([0-9a-f]{12})" [^\n]*);$', text, re.M)
    made = {name: statement for statement, name in found}
    assert len(made) >= 2
    taken = set()
    for seed in range(6):
        table = staff(seed, rows=3)
        for rule in (rule for rule in listed if rule.id in made):
            try:
                postgres(made_in_postgres(table) + made[rule.id])
                kept = True
            except AssertionError as refused:
                assert "could not create unique index" in str(refused) or "is violated by some row" in str(refused)
                kept = False
            assert kept is not bool(violations(rule, table)), rule
            taken.add(kept)
    assert taken == {True, False}


@pytest.mark.spark
def test_spark(spark: object) -> None:
    listed, table = rules(), staff(1)
    queries = statements(str(listed.export("sql", dialect="spark")))
    spark.createDataFrame(as_arrow(table)).createOrReplaceTempView("staff")  # type: ignore[attr-defined]
    for rule in listed[::3]:
        ((found,),) = spark.sql(queries[rule.id]).collect()  # type: ignore[attr-defined]
        assert found == len(violations(rule, table))


@pytest.mark.parametrize("dialect", sorted({name.value for name in sqlglot.Dialects} - {"", "dax", "prql"}))
def test_each_dialect_reads_it_back(dialect: str) -> None:
    odd = ['a"b', "a`b", "a]b", "it's", "select", "ä b", "--", "; drop table x", "\\", "<script>"]
    listed = RuleSet([parse(f"{{}}: `{a.replace('`', '``')}` ~ ok") for a in odd], source="x.csv")
    said = listed.export("sql", dialect=dialect)
    assert not said.left
    for rule, sql in zip(said.kept, statements(str(said)).values(), strict=True):
        tree = sqlglot.parse_one(sql, read=dialect)
        assert {column.name for column in tree.find_all(sqlglot.exp.Column)} == set(rule.columns)
        assert {table.name for table in tree.find_all(sqlglot.exp.Table)} == {"x"}


def test_postgres_compares_texts_by_bytes_and_has_constraints() -> None:
    text = str(rules().export("sql", dialect="postgres"))
    assert """t."it's" COLLATE "C" > u."it's" COLLATE "C\"""" in text
    assert '-- As a constraint: ALTER TABLE "staff" ADD CONSTRAINT "lawful_' in text
    assert "UNIQUE NULLS NOT DISTINCT (" in text and "CHECK (NOT (" in text
    assert "UNIQUE (" in str(rules(options={"nulls": "unknown"}).export("sql", dialect="mysql"))
    assert "As a constraint" not in str(rules().export("sql"))


def test_a_name_cannot_leave_its_comment() -> None:
    listed = RuleSet([parse("`a\nDROP TABLE x;` -> b")], source="x\n; DROP TABLE y")
    text = str(listed.export("sql"))
    assert r"  `a\nDROP TABLE x;` -> b" in text and r"of 'x\n; DROP TABLE y'" in text
    with duckdb.connect() as database:
        database.execute('CREATE TABLE data ("a\nDROP TABLE x;" INT, b INT)')
        assert database.execute(text).fetchall() == [(0,)]


def test_misuse(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no export to 'sqll'"):
        rules().export("sqll")
    with pytest.raises(OptionError, match="no dialect 'postgers'") as told:
        rules().export("sql", dialect="postgers")
    assert "postgres" in str(told.value.hint)
    for language in ("dax", "prql"):
        with pytest.raises(OptionError, match=f"no dialect '{language}'"):
            rules().export("sql", dialect=language)
    with pytest.raises(OptionError, match="names no table"):
        rules().export("sql", table="")
    rules().export("sql", path=tmp_path / "x.sql", table="other")
    assert 'FROM "other"' in (tmp_path / "x.sql").read_text()
