"""What `check` says of rules of every kind, against the definitions."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import lawful as lw
from lawful.rules.model import Dc, Operand, Predicate, Rule
from tests.engines.laws import assert_merge_laws
from tests.engines.pickled import PickledEngine
from tests.naive import Nulls, Table, table
from tests.profiles import examples
from tests.strategies import rules, tables
from tests.violations.checking import EXACT, assert_as_defined, checked, comparable

NAMES = ("c0", "c1", "c2")
THREE = tables(max_rows=6, min_cols=3, max_cols=3)
NUMBERS = tables(max_rows=6, min_cols=3, max_cols=3, types=("integer", "decimal", "float"))
PLACED = st.sampled_from(["first", "last"])


@settings(max_examples=examples(60))
@pytest.mark.parametrize("kind", ["fd", "key", "oc", "lod", "pod"])
@given(data=st.data(), whole=THREE, nulls=PLACED)
def test_every_kind(kind: str, data: st.DataObject, whole: Table, nulls: Nulls) -> None:
    rule = data.draw(rules(NAMES, [kind]))
    assert_as_defined(checked(whole, [rule], nulls)[0], whole, nulls)


@settings(max_examples=examples(150))
@given(THREE | NUMBERS, rules(NAMES, ["dc"]), PLACED)
def test_constraints(whole: Table, rule: Rule, nulls: Nulls) -> None:
    assume(comparable(whole, rule))
    assert_as_defined(checked(whole, [rule], nulls)[0], whole, nulls)


@settings(max_examples=examples(150))
@given(THREE | NUMBERS, rules(NAMES, ["fd", "key", "dc"]))
def test_unknown_nulls(whole: Table, rule: Rule) -> None:
    assume(comparable(whole, rule))
    assert_as_defined(checked(whole, [rule], "unknown")[0], whole, "unknown")


def _operands() -> st.SearchStrategy[Operand]:
    rows: st.SearchStrategy[lw.rules.model.Row] = st.sampled_from(["t", "u"])
    return st.builds(Operand, rows, st.sampled_from(NAMES))


@settings(max_examples=examples(200))
@given(
    NUMBERS,
    st.lists(
        st.builds(Predicate, _operands(), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), _operands()),
        min_size=1, max_size=6,
    ),
    st.sampled_from(["first", "last", "unknown"]),
)  # fmt: skip
def test_any_conjunction(whole: Table, predicates: list[Predicate], nulls: Nulls) -> None:
    """Predicates as nobody would write them: contradictions, doubles, single rows by order, many orders."""
    rule = Dc(tuple(predicates))
    assert_as_defined(checked(whole, [rule], nulls)[0], whole, nulls)


@settings(max_examples=examples(60))
@given(THREE, st.lists(rules(NAMES, ["fd", "key", "oc", "lod", "pod"]), min_size=1, max_size=5), st.integers(0, 99))
def test_engines_agree(whole: Table, asked: list[Rule], seed: int) -> None:
    from lawful.options import CheckOptions
    from lawful.violations.asked import asked_rules
    from lawful.violations.checking import check_all
    from tests.made import as_arrow

    encoded = lw.encode(as_arrow(whole))
    with PickledEngine(seed, lossy=True) as engine:
        found = check_all(encoded, engine, asked_rules(asked), CheckOptions())
    assert repr(found.checks) == repr(lw.check(encoded, asked).checks), "NaN is itself"
    for check in found:
        assert_as_defined(check, whole)


@settings(max_examples=examples(20))
@given(THREE, st.lists(rules(NAMES, ["fd", "key", "oc", "lod", "pod"]), max_size=4))
def test_merge_laws(whole: Table, asked: list[Rule]) -> None:
    from lawful.engine.local import InMemory
    from lawful.violations.counting import HoldAgainst, Question
    from lawful.violations.denial import denials
    from lawful.violations.portions import keys_of
    from tests.families.finding import encoded

    small = encoded(whole)
    job = HoldAgainst(f"laws-{Random().random()}", 3, 100)
    shared = InMemory(small.columns, small.ranks)
    units = [
        Question(i, rule.kind, shape, small.rows, portion, 3 if keys_of(shape) else 1)
        for i, rule in enumerate(asked)
        for shape in [denials(rule, small, lambda a, b: (0, 0))]
        for portion in range(3 if keys_of(shape) else 1)
    ]
    assert_merge_laws(job, [job.run(shared, unit) for unit in units])


@settings(max_examples=examples(100))
@given(tables(max_rows=7, min_cols=3, max_cols=3), st.lists(rules(NAMES), min_size=1, max_size=5), st.integers(0, 99))
def test_rules_in_portions(whole: Table, asked: list[Rule], seed: int) -> None:
    """Tables so long that rules are worked on in portions, and large portions by pairs of blocks."""
    from lawful.options import CheckOptions
    from lawful.violations import finishing
    from lawful.violations.asked import asked_rules
    from lawful.violations.checking import check_all
    from tests.made import as_arrow

    asked = [rule for rule in asked if comparable(whole, rule)]
    assume(asked)
    with pytest.MonkeyPatch.context() as patch, PickledEngine(seed) as engine:
        patch.setattr(finishing, "PORTION", 2)
        found = check_all(lw.encode(as_arrow(whole)), engine, asked_rules(asked), CheckOptions(max_witnesses=4))
    for check in found:
        assert_as_defined(check, whole, most=4)
    at_once = lw.check(as_arrow(whole), asked, max_witnesses=4, engine="local")
    for check, same in zip(found, at_once, strict=True):
        assert [w.rows for w in check.witnesses] == [w.rows for w in same.witnesses]
        if check.rule.kind in EXACT:
            assert np.array_equal(check.gone, same.gone) or not (len(check.gone) or len(same.gone))


def test_by_hand() -> None:
    staff = table("zip state pay", "string string integer", ("a", "x", 1), ("a", "x", 2), ("a", "y", 3), ("b", "z", 3))
    zips, key, pay = checked(staff, [lw.parse("zip -> state"), lw.parse("key(pay)"), lw.parse("{}: zip ~ pay")])
    assert (zips.pairs, zips.rows, zips.error, zips.measure) == (4, 3, 0.25, "removal")
    assert zips.errors == {"pairs": 4 / 12, "removal": 0.25}
    assert zips.witnesses[0].sides == {"t": ("1", ("a", "x")), "u": ("3", ("a", "y"))}
    assert (key.pairs, key.rows, key.error) == (2, 2, 0.25)
    assert (pay.status, pay.error, pay.witnesses) == ("holds", 0.0, ())


def test_a_list_rule_comes_with_what_it_stands_for() -> None:
    staff = table("a b", "integer", (1, 2), (1, 3), (2, 1))
    (found,) = checked(staff, [lw.parse("[a] -> [b]")])
    assert [(str(part.rule), part.pairs) for part in found.parts] == [("a -> b", 2), ("{}: a ~ b", 2)]
    assert (found.pairs, found.measure) == (3, "pairs")


def test_a_rule_about_one_row_blames_that_row() -> None:
    spans = table("start end", "integer", (1, 2), (5, 3), (4, 4))
    (found,) = checked(spans, [lw.parse("not(t.start > t.end)")])
    assert (found.pairs, found.rows) == (2, 1)
    assert found.repair is not None and (found.repair.rows, found.repair.exact) == (1, True)
    assert [w.sides for w in found.witnesses] == [{"t": ("2", (5, 3))}]


def test_a_constraint_that_is_an_fd_is_mended_as_one() -> None:
    rows = [(n % 3, n % 5, n % 7) for n in range(60)]
    same = {
        "not(t.a = u.a and t.b != u.b)": "a -> b",
        "a= => b=": "a -> b",
        "not(t.a = u.a and t.b = u.b)": "key(a, b)",
        "not(t.a = u.a and t.b > u.b and t.c < u.c)": "{a}: b ~ c",
        "not(t.a = u.a and t.b > u.b and t.c > u.c)": "{a}: b ~ c desc",
        "b> => c<=": "{}: b ~ c desc",
        "b< => c<=": "{}: b ~ c",
        "not(t.b < u.b)": "[] -> b",
    }
    for other, one in same.items():
        fine, found = checked(table("a b c", "integer", *rows), [lw.parse(one), lw.parse(other)])
        assert found.repair is not None and found.repair.exact and found.repair == fine.repair


def test_few_rows() -> None:
    for rows in ((), ((1, 2),)):
        for check in checked(table("a b", "integer", *rows), list(map(lw.parse, ("a -> b", "key()", "a< => b<")))):
            assert (check.status, check.error, check.pairs) == ("holds", 0.0, 0)


@pytest.mark.parametrize(("most", "shown"), [(0, 0), (1, 1), (7, 7), (100, 45)])
def test_no_more_witnesses_than_asked_for(most: int, shown: int) -> None:
    same = table("a", "integer", *[(1,)] * 10)
    (found,) = checked(same, [lw.parse("key(a)")], max_witnesses=most)
    assert (found.pairs, len(found.witnesses)) == (90, shown)


def test_the_order_by_meaning_counts() -> None:
    import pyarrow as pa

    sizes = pa.table({"size": ["S", "M", "L"], "price": [1, 2, 3]})
    assert lw.check(sizes, "{}: size ~ price")[0].pairs == 3
    assert lw.check(sizes, "{}: size ~ price", order={"size": ["S", "M", "L"]})[0].holds
