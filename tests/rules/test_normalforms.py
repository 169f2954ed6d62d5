"""Normal forms by their definitions, and decompositions that are joined again."""

from __future__ import annotations

import time
from itertools import combinations, pairwise
from typing import Any

import pytest

from lawful.errors import OptionError
from lawful.rules import Column, Fd, RuleSet, parse
from lawful.rules.normalforms import Relation
from tests.naive import Table, holds
from tests.rules.test_logic import found
from tests.strategies import random_tables

Rows = set[frozenset[tuple[str, Any]]]


def distinct(table: Table, names: tuple[str, ...]) -> Table:
    """The columns as a relation: each row once, values told apart as the table's rules tell them."""
    places = [table.names.index(name) for name in names]
    kept: list[tuple[Any, ...]] = []
    for row in table.rows:
        cut = tuple(row[place] for place in places)
        if cut not in kept:
            kept.append(cut)
    return Table(names, tuple(table.types[p] for p in places), tuple(kept))


def coded(table: Table) -> Table:
    """Integers instead of values, so that equal means equal."""
    from tests.naive import ranks

    rows = tuple(zip(*ranks(table), strict=True)) if table.names else ()
    return Table(table.names, ("integer",) * len(table.names), rows)


def joined(table: Table, parts: tuple[Relation, ...]) -> Rows:
    """The natural join of the parts."""
    rows: list[dict[str, Any]] = [{}]
    for part in parts:
        cells = [dict(zip(part.columns, row, strict=True)) for row in distinct(table, part.columns).rows]
        rows = [{**a, **b} for a in rows for b in cells if all(a[n] == b[n] for n in a.keys() & b.keys())]
    return {frozenset(row.items()) for row in rows}


def subsets(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [chosen for size in range(len(names) + 1) for chosen in combinations(names, size)]


def superkey(table: Table, given: tuple[str, ...]) -> bool:
    return all(holds(Fd(given, name), table) for name in table.names)


def candidate_keys(table: Table) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = []
    for given in subsets(table.names):
        if superkey(table, given) and not any(set(key) <= set(given) for key in keys):
            keys.append(given)
    return keys


def form(table: Table) -> str:
    """The highest normal form, by looking at every fd of the relation."""
    keys = candidate_keys(table)
    prime = {name for key in keys for name in key}
    fds = [(x, a) for x in subsets(table.names) for a in table.names if a not in x and holds(Fd(x, a), table)]
    bad = [(x, a) for x, a in fds if not superkey(table, x)]
    if not bad:
        return "BCNF"
    if all(a in prime for _, a in bad):
        return "3NF"
    partial = any(a not in prime and set(x) < set(key) for x, a in bad for key in keys)
    return "1NF" if partial else "2NF"


def test_forms_keys_and_parts_are_those_of_the_table() -> None:
    seen: dict[str, int] = {}
    for table in map(coded, random_tables(21, 220, min_rows=1, min_cols=2, max_cols=4)):
        rules = found(table)
        advice = rules.advise()
        told = advice.normal_form
        seen[told.form] = seen.get(told.form, 0) + 1
        assert set(map(frozenset, told.keys)) == set(map(frozenset, candidate_keys(distinct(table, table.names))))
        assert told.form == form(distinct(table, table.names)), (table, told)
        for parts in (told.third, told.bcnf):
            assert joined(table, parts) == {frozenset(zip(table.names, row, strict=True)) for row in table.rows}
            for part in parts:
                assert superkey(distinct(table, part.columns), part.key)
        assert all(form(distinct(table, part.columns)) == "BCNF" for part in told.bcnf), (table, told)
        assert all(form(distinct(table, part.columns)) in ("3NF", "BCNF") for part in told.third), (table, told)
        assert bool(told.breaking) == (told.form != "BCNF")
    assert min(seen.get(name, 0) for name in ("1NF", "3NF", "BCNF")) > 10


def test_every_fd_is_kept_by_the_parts_or_lost() -> None:
    for table in map(coded, random_tables(22, 150, min_rows=1, min_cols=3, max_cols=4)):
        told = found(table).advise().normal_form
        for parts, lost in ((told.third, ()), (told.bcnf, told.lost)):
            within = [
                Fd(x, a)
                for part in parts
                for x in subsets(part.columns)
                for a in part.columns
                if a not in x and holds(Fd(x, a), table)
            ]
            kept = RuleSet([*within, *lost], columns=tuple(map(Column, table.names)), kinds=("fd",), incomplete="part")
            for x in subsets(table.names):
                for a in table.names:
                    assert a in x or not holds(Fd(x, a), table) or kept.holds(Fd(x, a))


HOSPITAL = ["id -> zip", "zip -> state", "zip -> city", "key(id)", "code -> measure", "id -> code", "id -> score"]
NAMES = ("id", "zip", "city", "state", "code", "measure", "score")


def hospital(**header: object) -> RuleSet:
    given = {"columns": tuple(map(Column, NAMES)), "kinds": ("fd", "key", "oc")} | header
    return RuleSet([parse(text) for text in HOSPITAL], **given)  # type: ignore[arg-type]


def test_by_hand() -> None:
    told = hospital().advise().normal_form
    assert told.form == "2NF" and told.keys == (("id",),)
    assert set(map(str, told.bcnf)) == {"(zip*, city, state)", "(code*, measure)", "(id*, zip, code, score)"}
    assert set(map(str, told.third)) == set(map(str, told.bcnf)) and told.lost == ()


def test_the_street_example_loses_an_fd() -> None:
    texts = ("city, street -> zip", "zip -> city", "key(city, street)")
    rules = RuleSet([parse(text) for text in texts], kinds=("fd", "key"))
    told = rules.advise().normal_form
    assert told.form == "3NF"
    assert list(map(str, told.lost)) == ["city, street -> zip"]
    assert [set(part.columns) for part in told.third] == [{"city", "street", "zip"}]


def test_fds_that_are_passed_over_leave_no_column_behind() -> None:
    told = hospital().advise(min_coverage=0.5)
    assert told.normal_form.form == "BCNF" and told.derivable == ()
    assert [set(part.columns) for part in told.normal_form.third] == [set(NAMES)]
    with pytest.raises(OptionError, match="min_coverage is 2"):
        hospital().advise(min_coverage=2)


def test_gaps_are_told() -> None:
    advice = hospital(kinds=("fd", "key"), incomplete="time limit").advise()
    assert advice.notes == ("oc rules were not looked for", "rules may be missing: time limit")
    assert str(advice).splitlines()[:4] == [*(f"! {note}" for note in advice.notes), "Keys", "  key(id)"]


def test_many_fds_are_cut_and_told() -> None:
    names = [f"c{i}" for i in range(30)]
    fds = [Fd((a, b), c) for a in names for b in names for c in names if len({a, b, c}) == 3 and a < b][:2_500]
    advice = RuleSet(fds, columns=tuple(map(Column, names)), kinds=("fd", "key", "oc")).advise()
    assert "looked at the 2,000 most interesting of 2,500 fds" in advice.notes


def test_without_fds_no_form_is_claimed() -> None:
    advice = hospital(kinds=("key",)).with_rules([parse("key(id)")]).advise()
    assert advice.normal_form.form is None and "Normal form: not known" in str(advice)
    assert "Normal form: not known" in str(RuleSet().advise())
    part = hospital(incomplete="time limit").advise()
    assert "Normal form: 2NF, as far as these rules tell" in str(part)


def test_wide_tables_take_seconds() -> None:
    names = [f"c{place}" for place in range(600)]
    chain = [Fd((a,), b) for a, b in pairwise(names)]
    started = time.perf_counter()
    told = RuleSet(chain, columns=tuple(map(Column, names)), kinds=("fd", "key", "oc")).advise().normal_form
    assert (told.form, told.keys, len(told.third)) == ("2NF", (("c0",),), 599)
    assert len(told.bcnf) == 599 and told.lost == ()
    assert time.perf_counter() - started < 20
