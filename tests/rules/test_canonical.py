from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.rules import Lod, Pod, Rule, RuleSet, mirror, parse
from lawful.rules.canonical import canonical, in_file_order, places
from tests.rules.meaning import holds
from tests.rules.strategies import rules, tables

COLUMNS = ["z", "y", "x"]

row_lists = st.lists(st.fixed_dictionaries({name: st.integers(0, 2) for name in COLUMNS}), min_size=2, max_size=4)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("x, z -> y", "z, x -> y"),
        ("key(x, y, x)", "key(y, x)"),
        ("{x, z}: y ~ y", "{z, x}: y ~ y"),
        ("{}: x ~ z desc", "{}: z ~ x desc"),
        ("[x desc, y] -> [z desc]", "[x, y desc] -> [z]"),
        ("[x] -> [z]", "[x] -> [z]"),
        ("[x] <-> [z desc]", "[z] <-> [x desc]"),
        ("[x] ~ [z]", "[z] ~ [x]"),
        ("x<, z> => y<=", "z>, x< => y<="),
        ("x> => z=", "x< => z="),
        ("x>=, y< => z=", "y<, x>= => z="),
        ("x<, y> => z=", "y<, x> => z="),
        ("x= => z<=", "x= => z="),
        ("x= => z<", "x= => z<"),
        ("[] => z<=", "[] => z="),
        ("not(t.x > u.x and t.z = u.z)", "not(t.z = u.z and t.x < u.x)"),
        ("not(u.x = t.z)", "not(t.z = u.x)"),
        ("not(t.x < u.z)", "not(t.z > u.x)"),
        ("not(t.x < t.z)", "not(t.z > t.x)"),
        ("not(u.z = u.x)", "not(t.z = t.x)"),
        ("not(t.z > u.z and t.y < u.y)", "not(t.z < u.z and t.y > u.y)"),
        ("not(t.z > u.z and t.x = t.y)", "not(t.z > u.z and t.y = t.x)"),
        ("not(t.z = u.z and t.z = u.z)", "not(t.z = u.z)"),
    ],
)
def test_canonical_form(written: str, kept: str) -> None:
    assert str(canonical(parse(written), places(COLUMNS))) == kept


def test_the_right_hand_mark_is_never_greater() -> None:
    assert canonical(Pod((("x", ">"),), ("z", ">")), places(COLUMNS)) == Pod((("x", "<"),), ("z", "<"))


@given(rules(COLUMNS), row_lists)
def test_canonical_form_means_the_same(rule: Rule, rows: list[dict[str, int]]) -> None:
    assert holds(canonical(rule, places(COLUMNS)), rows) == holds(rule, rows)


@given(rules(COLUMNS))
def test_canonical_form_is_its_own(rule: Rule) -> None:
    kept = canonical(rule, places(COLUMNS))
    assert canonical(kept, places(COLUMNS)) == kept
    assert kept.figures is rule.figures


@given(rules(COLUMNS), row_lists)
def test_every_way_to_write_a_rule_is_one(rule: Rule, rows: list[dict[str, int]]) -> None:
    image = other_image(rule)
    assert holds(image, rows) == holds(rule, rows)
    assert canonical(image, places(COLUMNS)) == canonical(rule, places(COLUMNS))
    assert image.id == rule.id


def other_image(rule: Rule) -> Rule:
    """The same statement, all that is free written the other way round."""
    match rule.kind:
        case "fd":
            return replace(rule, lhs=rule.lhs[::-1])
        case "key":
            return replace(rule, columns=rule.columns[::-1])
        case "oc":
            return replace(rule, context=rule.context[::-1], left=rule.right, right=rule.left)
        case "pod":
            image = mirror(rule)
            return replace(image, lhs=image.lhs[::-1])
        case "dc":
            image = mirror(rule)
            return replace(image, predicates=image.predicates[::-1])
    assert isinstance(rule, Lod)
    lhs, rhs = (tuple((n, "asc" if d == "desc" else "desc") for n, d in side) for side in (rule.lhs, rule.rhs))
    return Lod(lhs, rhs, "->") if rule.form == "->" else Lod(rhs, lhs, rule.form)


@given(rules(COLUMNS, "pod", "dc"))
def test_mirror_twice_is_the_rule_with_t_on_the_left(rule: Rule) -> None:
    once = mirror(mirror(rule))
    assert mirror(mirror(once)) == once
    assert once.id == rule.id


def test_mirror_of_each_predicate_shape() -> None:
    rule = parse("not(t.x < u.x and t.x <= u.y and t.x = t.y)")
    assert str(mirror(rule)) == "not(t.x > u.x and t.y >= u.x and u.x = u.y)"
    assert str(mirror(parse("x<, y>=, z= => w<"))) == "x>, y<=, z= => w>"


IN_ORDER = """
[] -> z
[] -> x
z -> y
z -> x
y -> z
x -> z
z, y -> x
z, x -> y
key()
key(z)
key(x)
key(z, y)
{}: z ~ y
{}: z ~ y desc
{}: z ~ x
{z}: y ~ x
{y}: z ~ x
{x}: z ~ y desc
[z] -> [y]
[z] <-> [y]
[z] ~ [y]
[z] -> [y desc]
[y] -> [z]
[z] -> [y, x]
[z, y] -> [x]
[] => z=
z= => y=
z= => y<
z< => y=
z< => y<
z< => y<=
z< => x=
z<= => y=
z> => y<
z>= => y<
y< => z<
z=, y= => x=
z<, y< => x=
not(t.z = u.z)
not(t.z != u.z)
not(t.x = u.x)
not(t.z = u.z and t.y = u.y)
not(t.z = u.z and t.y != u.y)
not(t.z = t.y)
not(t.z = u.y)
not(t.z != t.y)
not(t.z < u.z and t.y = u.y)
not(t.y = u.y and t.x = u.x)
""".strip().splitlines()


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_file(seed: int) -> None:
    shuffled = [parse(text) for text in IN_ORDER]
    random.Random(seed).shuffle(shuffled)
    assert [str(rule) for rule in in_file_order(shuffled, COLUMNS)] == IN_ORDER


@given(st.data())
def test_order_and_bytes_do_not_depend_on_where_rules_came_from(data: st.DataObject) -> None:
    from lawful.rules.rulefile import dumps

    columns = data.draw(tables())
    drawn = data.draw(st.lists(rules(columns), max_size=8))
    found = list({rule.id: rule for rule in drawn}.values())
    shuffled = [replace(other_image(rule), figures=rule.figures) for rule in data.draw(st.permutations(found))]
    one, other = (RuleSet(part, columns=[(name, None) for name in columns]) for part in (found, shuffled))
    assert dumps(one).split(b"\n")[1:] == dumps(other).split(b"\n")[1:]
    assert dumps(one.by_interest()).split(b"\n")[1:] == dumps(one).split(b"\n")[1:]
