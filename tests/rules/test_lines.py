from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.rules import Dc, Fd, Figures, Pod, Rule, parse
from lawful.rules.lines import encoded, figure
from tests.rules.strategies import rules, tables

IDS = ["219ee0afef88", "a870727db7b6", "9adf2a4ad147", "f756e57e793f", "c433234dfd08", "afda35b68b6c"]
MEASURED = Figures(0.0, "removal", 1 / 3, 1 / 3)


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        (
            Fd(("posit",), "bin", MEASURED),
            '{"kind": "fd", "lhs": ["posit"], "rhs": "bin", "id": "ID", "error": 0.0, "measure": "removal", '
            '"coverage": 0.333333333333, "interest": 0.333333333333}',
        ),
        (
            parse("key(ID, yr)"),
            '{"kind": "key", "columns": ["ID", "yr"], "id": "ID", "error": null, "measure": null, '
            '"coverage": null, "interest": null}',
        ),
        (
            parse("{yr}: bin ~ sal"),
            '{"kind": "oc", "context": ["yr"], "left": "bin", "right": "sal", "direction": "same", "id": "ID", '
            '"error": null, "measure": null, "coverage": null, "interest": null}',
        ),
        (
            parse("[salary] -> [tax]"),
            '{"kind": "lod", "lhs": [["salary", "asc"]], "rhs": [["tax", "asc"]], "form": "->", "id": "ID", '
            '"error": null, "measure": null, "coverage": null, "interest": null}',
        ),
        (
            parse("sal<, txa> => rate<"),
            '{"kind": "pod", "lhs": [["sal", "<"], ["txa", ">"]], "rhs": ["rate", "<"], "id": "ID", '
            '"error": null, "measure": null, "coverage": null, "interest": null, "surprise": null}',
        ),
        (
            replace(parse("not(t.größe = u.größe and t.`a.b` != u.`a.b`)"), figures=Figures(surprise=2.5)),
            '{"kind": "dc", "predicates": [["t.größe", "=", "u.größe"], ["t.a.b", "!=", "u.a.b"]], "id": "ID", '
            '"error": null, "measure": null, "coverage": null, "interest": null, "surprise": 2.5}',
        ),
    ],
    ids=["fd", "key", "oc", "lod", "pod", "dc"],
)
def test_the_line_of_each_kind(rule: Rule, line: str) -> None:
    assert encoded(rule.to_dict()).decode() == line.replace('"id": "ID"', f'"id": "{rule.id}"')


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (1 / 3, 0.333333333333),
        (2 / 3, 0.666666666667),
        (0, 0.0),
        (-0.0, 0.0),
        (1e-300 / 3, 3.33333333333e-301),
        (123456789012345.6, 123456789012000.0),
        (Fraction(1, 7), 0.142857142857),
        (float("nan"), None),
        (float("inf"), None),
    ],
)
def test_figures_have_twelve_digits(value: float | None, shown: float | None) -> None:
    assert repr(figure(value)) == repr(shown)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_twice_changes_nothing(value: float) -> None:
    assert figure(figure(value)) == figure(value)
    assert len(f"{figure(value)!r}".split("e")[0].strip("-").replace(".", "").strip("0")) <= 12


@given(st.data())
def test_id_survives_another_order_of_columns(data: st.DataObject) -> None:
    from lawful.rules.canonical import canonical, places

    columns = data.draw(tables())
    rule = data.draw(rules(columns))
    moved = canonical(rule, places(data.draw(st.permutations(columns))))
    assert moved.id == rule.id
    assert replace(moved, figures=Figures(0.5, "pairs", 0.5, 0.5, 0.5)).id == rule.id


def test_ids_are_twelve_hex_digits_fixed_for_good() -> None:
    texts = ["zip -> state", "key()", "{}: born ~ age desc", "[a] -> [b]", "x> => z=", "not(t.zip = u.zip)"]
    assert [parse(text).id for text in texts] == IDS


def test_different_statements_have_different_ids() -> None:
    texts = ["a -> b", "b -> a", "[a] -> [b]", "a= => b=", "not(t.a = u.a and t.b != u.b)", "`a, b` -> c", "a, b -> c"]
    assert len({parse(text).id for text in texts}) == len(texts)


def test_surprise_is_told_of_pod_and_dc_only() -> None:
    kinds = {type(rule): rule for rule in map(parse, ["a -> b", "key(a)", "{}: a ~ b", "[a] -> [b]", "a< => b<"])}
    kinds[Dc] = parse("not(t.a = u.a)")
    assert {kind for kind, rule in kinds.items() if "surprise" in rule.to_dict()} == {Pod, Dc}
