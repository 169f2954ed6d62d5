"""Answers from complete lists of rules, against the tables they came from."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from lawful.errors import ColumnError, OptionError, RuleSyntaxError
from lawful.rules import Column, Fd, Figures, Key, Lod, Oc, Rule, RuleSet, parse
from lawful.rules.model import Sort
from tests.naive import Table, discover, holds
from tests.strategies import random_tables

KINDS = ("fd", "key", "oc")


def found(table: Table, **header: object) -> RuleSet:
    given = {"columns": tuple(map(Column, table.names)), "kinds": KINDS, "rows": len(table)} | header
    return RuleSet(sorted(discover(table, ["od", "key"]), key=str), **given)  # type: ignore[arg-type]


def orders(rng: random.Random, names: tuple[str, ...]) -> tuple[tuple[str, Sort], ...]:
    return tuple((rng.choice(names), rng.choice(("asc", "desc"))) for _ in range(rng.choice((0, 1, 1, 2, 2, 3))))


def statement(rng: random.Random, names: tuple[str, ...]) -> Rule:
    """A statement of any kind that is answered; columns may stand in it more than once."""
    some = tuple(rng.choices(names, k=rng.randint(0, 3)))
    match rng.choice(("fd", "key", "oc", "lod", "lod", "lod", "lod")):
        case "fd":
            return Fd(some, rng.choice(names))
        case "key":
            return Key(some)
        case "oc":
            return Oc(some, rng.choice(names), rng.choice(names), rng.choice(("same", "opposite")))
        case _:
            return Lod(orders(rng, names), orders(rng, names), rng.choice(("->", "<->", "~")))


def asked(seed: int, tables: int, each: int, **shape: int) -> Iterator[tuple[Table, RuleSet, Rule]]:
    rng = random.Random(seed)
    for table in random_tables(seed, tables, **shape):
        rules = found(table)
        yield from ((table, rules, statement(rng, table.names)) for _ in range(each))


def alone(rules: tuple[Rule, ...], whole: RuleSet) -> RuleSet:
    """These rules and nothing else known."""
    return RuleSet(rules, columns=whole.columns, kinds=KINDS, incomplete="the proof alone")


def test_every_answer_is_that_of_the_table() -> None:
    counts = {True: 0, False: 0}
    for table, rules, said in asked(1, 1200, 10, max_cols=4):
        answer = rules.holds(said)
        assert answer.holds is holds(said, table), (table, said)
        assert bool(answer) is answer.holds and answer.known and answer.reason is None
        counts[bool(answer)] += 1
    assert min(counts.values()) > 1000


def test_wider_lists() -> None:
    for table, rules, said in asked(2, 40, 40, min_rows=3, min_cols=5, max_cols=6):
        assert rules.holds(said).holds is holds(said, table), (table, said)


def test_a_proof_needs_no_other_rule() -> None:
    proved = 0
    for _, rules, said in asked(3, 300, 10, max_cols=4):
        answer = rules.holds(said)
        assert set(answer.rules) <= set(rules)
        if answer:
            again = alone(answer.rules, rules).holds(said)
            assert again and set(again.rules) == set(answer.rules)
            proved += bool(answer.rules)
    assert proved > 500


def test_what_is_missing_is_false_and_needed() -> None:
    refuted = 0
    for table, rules, said in asked(4, 300, 10, max_cols=4):
        answer = rules.holds(said)
        if answer:
            assert answer.missing is None
        else:
            assert answer.missing is not None and not holds(answer.missing, table)
            assert rules.holds(answer.missing).missing == answer.missing
            assert not answer.rules
            refuted += isinstance(said, Lod)
    assert refuted > 500


PAY = [
    *("grade -> pay", "grade, year -> tax", "key(grade, year)"),
    *("{}: grade ~ pay", "{}: year ~ tax desc", "{pay}: grade ~ tax"),
]


def pay_rules(**header: object) -> RuleSet:
    columns = tuple(Column(name, "integer") for name in ("year", "grade", "pay", "tax"))
    return RuleSet([parse(text) for text in PAY], **{"columns": columns, "kinds": KINDS} | header)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("[grade] -> [pay]", "[grade] -> [pay]: yes, by grade -> pay; {}: grade ~ pay"),
        ("[grade desc] -> [pay desc]", "[grade] -> [pay]: yes, by grade -> pay; {}: grade ~ pay"),
        ("[grade] -> [pay desc]", "[grade] -> [pay desc]: no, as {}: grade ~ pay desc does not hold"),
        ("[pay] -> [grade]", "[pay] -> [grade]: no, as pay -> grade does not hold"),
        ("[grade] <-> [pay]", "[grade] <-> [pay]: no, as pay -> grade does not hold"),
        ("[grade] ~ [pay]", "[grade] ~ [pay]: yes, by {}: grade ~ pay"),
        ("[year, grade] -> [grade]", "[year, grade] -> [grade]: no, as {}: year ~ grade does not hold"),
        ("[grade, grade] -> [grade, pay]", "[grade, grade] -> [grade, pay]: yes, by grade -> pay"),
        ("[grade] -> []", "[grade] -> []: yes, as in every table"),
        ("[] -> []", "[] -> []: yes, as in every table"),
        ("[] -> [year]", "[] -> [year]: no, as [] -> year does not hold"),
        ("[] ~ [year]", "[] ~ [year]: yes, as in every table"),
        ("[year] ~ [year desc]", "[year] ~ [year desc]: no, as [] -> year does not hold"),
        ("{}: year ~ year desc", "{}: year ~ year desc: no, as [] -> year does not hold"),
        ("{grade}: pay ~ pay desc", "{grade}: pay ~ pay desc: yes, by grade -> pay"),
        ("{tax}: year ~ pay", "{tax}: year ~ pay: no"),
        ("{year}: tax ~ grade desc", "{year}: grade ~ tax desc: no"),
        ("{pay, year}: tax ~ grade", "{year, pay}: grade ~ tax: yes, by {pay}: grade ~ tax"),
        ("grade, tax -> pay", "grade, tax -> pay: yes, by grade -> pay"),
        ("tax -> pay", "tax -> pay: no"),
        ("key(tax, year, grade)", "key(year, grade, tax): yes, by key(year, grade)"),
        ("key(grade)", "key(grade): no"),
    ],
)
def test_by_hand(text: str, answer: str) -> None:
    assert str(pay_rules().holds(text)) == answer
    assert pay_rules().holds(parse(text)) == pay_rules().holds(text)


def test_a_list_rule_of_the_list_is_its_own_proof() -> None:
    lod = parse("[a, b desc] -> [c]")
    rules = RuleSet([lod])
    assert rules.holds("[a desc, b] -> [c desc]").rules == (lod,)
    assert rules.holds("[a, b] -> [c]").holds is None


def test_a_column_that_is_not_there() -> None:
    with pytest.raises(ColumnError, match=r"no column 'grad'\. Did you mean 'grade'\?"):
        pay_rules().holds("[grad] -> [pay]")
    with pytest.raises(ColumnError, match="no column 'Tax'"):
        pay_rules().holds("key(year, Tax)")


def test_a_column_without_order() -> None:
    columns = [Column("a", "integer"), Column("map", "nested"), Column("blob", "binary")]
    rules = RuleSet([parse("a -> map")], columns=tuple(columns), kinds=KINDS, options={"order": {"blob": ["x", "y"]}})
    assert rules.holds("a -> map")
    assert rules.holds("[a] -> [blob]").holds is False
    assert rules.holds("{map}: a ~ blob").holds is False
    for text in ("[a] -> [map]", "{}: a ~ map"):
        with pytest.raises(ColumnError, match="'map' of type nested has no order"):
            rules.holds(text)


@pytest.mark.parametrize("text", ["a< => b<=", "not(t.a = u.a)"])
def test_kinds_that_are_not_answered(text: str) -> None:
    with pytest.raises(OptionError, match=f"of kind {parse(text).kind}"):
        RuleSet([parse(text)]).holds(text)


def test_text_that_is_no_rule() -> None:
    with pytest.raises(RuleSyntaxError):
        pay_rules().holds("[grade -> pay")


def test_wide_tables() -> None:
    rng = random.Random(5)
    for table in random_tables(6, 2, min_rows=2, max_rows=3, min_cols=66, max_cols=66, types=("integer",)):
        columns = tuple(map(Column, table.names))
        small = discover(table, ["od", "key"], max_size=2)
        rules = RuleSet(list(small), columns=columns, kinds=KINDS, incomplete="max_size", complete_to=2)
        for _ in range(300):
            a, b = rng.choices(table.names, k=2)
            said = Lod(((a, "asc"),), ((b, rng.choice(("asc", "desc"))),), rng.choice(("->", "<->", "~")))
            assert rules.holds(said).holds is holds(said, table)
        for _ in range(100):
            said = statement(rng, table.names[60:])
            assert rules.holds(said).holds in (None, holds(said, table))


@cache
def many_rules(columns: int, buckets: int, count: int = 50_000, seed: int = 7) -> RuleSet:
    """The fewer buckets, the more of the rules speak of the same columns."""
    rng = random.Random(seed)
    names = [f"c{i}" for i in range(columns)]
    made: dict[Rule, None] = {}
    while len(made) < count:
        left, right = rng.choice([(a, b) for b in range(buckets) for a in range(b)])
        context = tuple(names[i] for i in sorted(rng.sample(range(buckets, columns), rng.randint(4, 6))))
        if rng.random() < 0.4:
            made[Fd(context, names[right])] = None
        else:
            made[Oc(context, names[left], names[right], rng.choice(("same", "opposite")))] = None
    return RuleSet(list(made), columns=tuple(map(Column, names)), kinds=("fd", "oc"))


@pytest.mark.parametrize(("columns", "buckets"), [(40, 2), (120, 20)])
@pytest.mark.parametrize("incomplete", [None, "time limit"])
def test_many_rules_answer_at_once(columns: int, buckets: int, incomplete: str | None) -> None:
    rules = replace(many_rules(columns, buckets), incomplete=incomplete)
    lists = [[f"c{i}" for i in range(at, at + size)] for at, size in ((0, 2), (1, 3), (10, 3), (5, 6))]
    said = [Lod(_ascending(x), _ascending(y)) for x in lists for y in lists]
    rules.holds(said[0])  # builds the index
    for each in said:
        assert min(_seconds(rules, each) for _ in range(3)) < 0.05


def _seconds(rules: RuleSet, said: Rule) -> float:
    started = time.perf_counter()
    rules.holds(said)
    return time.perf_counter() - started


def _ascending(names: list[str]) -> tuple[tuple[str, Sort], ...]:
    return tuple((name, "asc") for name in names)


def test_the_index_does_not_travel() -> None:
    import pickle

    rules = many_rules(20, 6, 200)
    plain = len(pickle.dumps(rules))
    assert not rules.holds("[c0] -> [c1]")
    assert len(pickle.dumps(rules)) == plain
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_measured_rules_answer_as_unmeasured_ones_do() -> None:
    measured = [replace(parse(text), figures=Figures(error=0.0, measure="removal")) for text in PAY]
    rules = RuleSet(measured, columns=pay_rules().columns, kinds=KINDS)
    assert rules.holds("[grade] -> [pay]") == pay_rules().holds("[grade] -> [pay]")
