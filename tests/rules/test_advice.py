"""What is said of sorts, joins and layouts holds in the table it was said of."""

from __future__ import annotations

from itertools import product

import pyarrow as pa

import lawful as lw
from lawful.rules import Fd, Key, Lod, RuleSet
from tests.naive import holds
from tests.rules.test_logic import found
from tests.strategies import random_tables


def test_sorts_joins_and_layouts_hold_and_none_of_one_column_is_missing() -> None:
    seen = {"sorts": 0, "joins": 0, "layouts": 0}
    for table in random_tables(31, 250, min_rows=2, max_cols=4):
        rules = found(table)
        advice = rules.advise()
        served = [*advice.sorts, *advice.joins]
        for one in served:
            assert holds(one.rule, table), (table, one)
            alone = RuleSet(one.proof, columns=rules.columns, kinds=rules.kinds, incomplete="the proof alone")
            assert alone.holds(one.rule)
        assert all(holds(Key((one.rule.lhs[0][0],)), table) for one in advice.joins)
        varied = [name for name in table.names if not holds(Fd((), name), table)]
        told = {(one.rule.lhs[0][0], one.rule.rhs[0]) for one in served}
        told |= {(o.rule.rhs[0][0], (o.rule.lhs[0][0], o.rule.rhs[0][1])) for o in served if o.rule.form == "<->"}
        for a, b in product(varied, repeat=2):
            for sort in ("asc", "desc"):
                if a != b:
                    assert holds(Lod(((a, "asc"),), ((b, sort),)), table) == ((a, (b, sort)) in told)
        for layout in advice.layouts:
            for by in layout.also:
                assert holds(Lod(layout.by, (by,)), table), (table, layout)
        for name in seen:
            seen[name] += bool(getattr(advice, name))
    assert min(seen.values()) > 30


def test_derivable_columns_are_derivable_and_keys_are_keys() -> None:
    derived = 0
    for table in random_tables(32, 200, min_rows=2, max_cols=4):
        advice = found(table).advise()
        assert all(holds(fd, table) and not holds(Key(fd.lhs), table) for fd in advice.derivable)
        assert all(holds(key, table) for key in advice.keys)
        assert len({fd.rhs for fd in advice.derivable}) == len(advice.derivable)
        derived += len(advice.derivable)
    assert derived > 100


def test_odd_names_stand_in_backticks_in_parts_too() -> None:
    """Else the column ``a, b`` reads like the columns ``a`` and ``b``."""
    table = pa.table({"a, b": [1, 1, 2], "b": [2, 2, 3], "key": [1, 2, 3]})
    advice = lw.discover(table, ["od", "key"], engine="local").advise()
    assert "(`a, b`*, b)" in str(advice) and "(`a, b`, `key`*)" in str(advice)
    assert str(lw.agree_sets(table, engine="local")).splitlines()[-1] == "1  {`a, b`, b}"
