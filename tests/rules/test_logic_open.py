"""Lists that may miss rules: they prove what they can, refute what they can, and else say that they do not know."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from lawful.rules import Column, Figures, Rule, RuleSet, parse
from lawful.rules.logic import Answer
from lawful.rules.parts import parts
from tests.naive import Table, discover, holds, removal_error
from tests.rules.test_logic import KINDS, found, pay_rules, statement
from tests.strategies import random_tables


def agreed(table: Table, rules: RuleSet, said: Rule) -> Answer:
    """The answer, once it is clear that it says nothing false and tells why it says nothing."""
    answer = rules.holds(said)
    assert answer.holds in (None, holds(said, table)), (table, said, str(answer))
    assert (answer.reason is None) is answer.known
    assert answer.known or (answer.missing is not None and not answer)
    return answer


def test_any_part_of_a_list() -> None:
    rng, open_answers, proved = random.Random(1), 0, 0
    for table in random_tables(1, 400, max_cols=4):
        whole = found(table)
        kept = set(rng.sample(list(whole), rng.randint(0, len(whole))))
        part = whole.filter(predicate=kept.__contains__)
        for said in (statement(rng, table.names) for _ in range(10)):
            answer = agreed(table, part, said)
            assert len(part) == len(whole) or answer.holds is not False
            open_answers, proved = open_answers + (not answer.known), proved + bool(answer.rules)
    assert open_answers > 500 and proved > 500


def test_lists_complete_to_a_size() -> None:
    rng, refuted, open_answers = random.Random(2), 0, 0
    for table in random_tables(2, 400, min_cols=2, max_cols=4):
        size = rng.randint(1, 3)
        small = list(discover(table, ["od", "key"], max_size=size))
        header: dict[str, Any] = {"columns": tuple(map(Column, table.names)), "kinds": KINDS}
        rules = RuleSet(small, incomplete="max_size", complete_to=size, **header)
        for said in (statement(rng, table.names) for _ in range(10)):
            answer = agreed(table, rules, said)
            refuted, open_answers = refuted + (answer.holds is False), open_answers + (not answer.known)
            if all(len(set(part.columns)) <= size for part in (parts(said) if said.kind == "lod" else [said])):
                assert answer.known
    assert refuted > 300 and open_answers > 300


@pytest.mark.parametrize("kinds", [("fd",), ("oc",), ("key",), ("fd", "key"), ("oc", "key"), ()])
def test_lists_without_some_kinds(kinds: tuple[str, ...]) -> None:
    rng = random.Random(3)
    for table in random_tables(3, 150, max_cols=4):
        rules = found(table).filter(kinds)
        for said in (statement(rng, table.names) for _ in range(8)):
            agreed(table, rules, said)


def test_without_fds_no_oc_is_refuted() -> None:
    answer = pay_rules().filter("oc").holds("{grade}: pay ~ year")
    assert str(answer) == "{grade}: year ~ pay: not known: fd rules were not looked for"
    assert pay_rules().filter("od").holds("key(grade)").reason == "key rules were not looked for"
    assert pay_rules().filter("fd").holds("[tax] -> [pay]").holds is False


@pytest.mark.parametrize("measured", [True, False])
def test_lists_with_approximate_rules(measured: bool) -> None:
    rng, doubtful, refuted = random.Random(4), 0, 0
    most = Fraction(1, 4)
    for table in random_tables(4, 250, min_rows=3, min_cols=2, max_cols=4):
        near = discover(table, ["od", "key"], max_error=most)
        error = {rule: Figures(error=float(removal_error(rule, table))) for rule in near}
        rules = RuleSet(
            [replace(rule, figures=error[rule]) if measured else rule for rule in near],
            columns=tuple(map(Column, table.names)),
            kinds=KINDS,
            options={"max_error": float(most)},
        )
        for said in (statement(rng, table.names) for _ in range(10)):
            answer = agreed(table, rules, said)
            doubtful, refuted = doubtful + (not answer.known), refuted + (answer.holds is False)
    assert doubtful > 100 and refuted > 100


def test_chains_are_followed_where_rules_may_be_missing() -> None:
    listed = [parse(text) for text in ("a -> b", "b -> c", "c, d -> e", "key(c, e)", "{c}: d ~ f")]
    rules = RuleSet(listed, kinds=KINDS, incomplete="time limit")
    assert list(map(str, rules.holds("a -> c").rules)) == ["a -> b", "b -> c"]
    assert list(map(str, rules.holds("a, d -> f").rules)) == ["a -> b", "b -> c", "c, d -> e", "key(c, e)"]
    assert list(map(str, rules.holds("key(a, d)").rules)) == ["a -> b", "b -> c", "c, d -> e", "key(c, e)"]
    assert list(map(str, rules.holds("{a}: f ~ d").rules)) == ["a -> b", "b -> c", "{c}: d ~ f"]
    assert list(map(str, rules.holds("{a}: c ~ d").rules)) == ["a -> b", "b -> c"]
    assert rules.holds("d -> e").reason == "rules may be missing (time limit)"
    assert (
        str(rules.holds("[d] -> [e]")) == "[d] -> [e]: not known, as d -> e is open: rules may be missing (time limit)"
    )


def test_a_rule_with_errors_proves_nothing() -> None:
    near = replace(parse("a -> b"), figures=Figures(error=0.01))
    rules = RuleSet([near], columns=(Column("a"), Column("b"), Column("c")), kinds=KINDS)
    assert str(rules.holds("a -> b")) == "a -> b: not known: a -> b was accepted with errors"
    assert rules.holds("a, c -> b").holds is None
    assert rules.holds("b -> a").holds is False


def test_a_key_over_unknown_nulls_sorts_nothing() -> None:
    rules = RuleSet([parse("key(a)")], columns=(Column("a"), Column("b")), options={"nulls": "unknown"})
    assert rules.holds("key(b, a)")
    assert rules.holds("[a] -> [a, b]").holds is None
    assert RuleSet([parse("key(a)")], columns=(Column("a"), Column("b"))).holds("[a] -> [a, b]")


def test_an_empty_list_that_misses_nothing_refutes() -> None:
    columns = (Column("a"), Column("b"))
    assert RuleSet([], columns=columns, kinds=KINDS).holds("[a] -> [b]").holds is False
    assert RuleSet([], columns=columns).holds("[a] -> [b]").holds is None
