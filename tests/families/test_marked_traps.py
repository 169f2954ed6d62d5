"""Mistakes that programs and papers on denial constraints and pointwise dependencies have made, each as a test."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

import lawful
from lawful.engine import LocalEngine
from lawful.rules.canonical import canonical, places
from lawful.rules.images import mirror
from lawful.rules.model import OUTCOMES, Dc, Pod, Rule
from tests.engines.pickled import PickledEngine
from tests.families.finding import encoded, found, lines, of_ranks
from tests.families.marking import Question, expected, judge, minimal_dcs, questions
from tests.made import as_arrow
from tests.naive import table
from tests.naive.marks import mirrored
from tests.naive.space import Space
from tests.naive.worlds import Worlds, entails, possible
from tests.profiles import examples

KINDS = ("dc", "pod")


def texts(table: Any, kind: str, **options: Any) -> list[str]:
    return [*map(str, found(table, (kind,), **options))]


def marks(rule: Rule) -> dict[str, frozenset[str]]:
    """The outcomes that each comparison of a rule's conjunction admits, by the column."""
    assert isinstance(rule, Dc | Pod)
    named = rule.lhs if isinstance(rule, Pod) else [(p.left.column, p.op) for p in rule.predicates]
    return {name: OUTCOMES[op] for name, op in named}


def implied(weak: Rule, strong: Rule) -> bool:
    """Whether every pair that satisfies the strong conjunction satisfies the weak one: one box lies in the other."""
    asked, given = marks(weak), marks(strong)
    return all(name in given and given[name] <= outcomes for name, outcomes in asked.items())


@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_says_less_than_another(kind: str) -> None:
    """Weaker conjunctions are the larger boxes; of a dependency the right-hand mark counts the other way round."""
    for asked in questions(kind, 21, 60, min_rows=2, max_cols=4, near=True):
        rules = list(found(encoded(asked.table, asked.nulls), (kind,), **asked.options))
        for one, other in permutations(rules, 2):
            images = [one, mirror(one)] if isinstance(one, Dc) else [one]
            if isinstance(one, Pod) and isinstance(other, Pod):
                same = one.rhs[0] == other.rhs[0] and OUTCOMES[one.rhs[1]] <= OUTCOMES[other.rhs[1]]
                images = ([one, mirror(one)] if one.rhs[1] == "=" else [one]) if same else []
            assert not any(implied(image, other) for image in images), (str(one), str(other), asked)


def test_a_rule_and_its_mirror_image_are_one_and_folded_last() -> None:
    """Each order of a pair counts, so an image is minimal where the rule is, and only one of the two is told."""
    here = table("a b", "integer", (1, 2), (2, 1), (2, 3))
    rules = found(encoded(here), ("dc",))
    at = places(rules.names)
    assert [canonical(mirror(rule), at) for rule in rules] == list(rules)
    assert set(rules) == expected("dc", Question(here, "first", {}))
    for asked in questions("dc", 22, 150, min_rows=2, max_cols=3):
        rules = found(encoded(asked.table, asked.nulls), ("dc",))
        assert len({frozenset({rule, canonical(mirror(rule), places(rules.names))}) for rule in rules}) == len(rules)


def test_contrapositive_twins_are_both_reported() -> None:
    """a> => b<= and b> => a<= forbid the same outcome, but their right-hand columns differ."""
    here = table("a b", "integer", (1, 3), (2, 3), (2, 2), (3, 1))
    both = texts(encoded(here), "pod")
    assert {text for text in both if "<=" in text.split("=>")[1]} == {"a> => b<=", "b> => a<="}


def test_what_no_pair_satisfies_is_not_reported() -> None:
    """Neither all outcomes of a column excluded, nor a column compared twice, nor <= beside >= or !=."""
    for asked in questions("dc", 23, 100, min_rows=2, max_cols=4):
        for rule in found(encoded(asked.table, asked.nulls), ("dc",), max_error=0.3):
            assert isinstance(rule, Dc)
            cells = [(p.left, p.right) for p in rule.predicates]
            assert cells and len(set(cells)) == len(cells), str(rule)


def test_contradictions_by_transitivity_are_not_reported() -> None:
    """Between columns, each comparison may be possible and all together not."""
    some = 0
    for asked in questions("dc", 24, 80, min_rows=2, min_cols=2, max_cols=2, types=("integer",)):
        worlds = Worlds(Space(cross_columns=True).comparisons(asked.table))
        nulls = "first" if asked.nulls == "unknown" else asked.nulls
        rules = found(encoded(asked.table, nulls), ("dc",), cross_columns=True)
        meant = [(worlds.meaning(r.predicates), worlds.meaning([*map(mirrored, r.predicates)])) for r in rules]  # type: ignore[union-attr]
        assert all(possible(own) for own, _ in meant)
        for (own, _), (other, image) in permutations(meant, 2):
            assert not entails(own, other) and not entails(own, image)
        some += len(worlds.parts) == 1 and len(rules) > 4
    assert some > examples(10)


def test_implication_counts_not_subsets() -> None:
    """A key is not(t.a = u.a), with nothing added to it; a constant is not(t.c != u.c), which says < and > too."""
    here = encoded(table("a c", "integer", (1, 5), (2, 5), (3, 5)))
    assert texts(here, "dc") == ["not(t.a = u.a)", "not(t.c != u.c)"]
    assert texts(here, "pod") == ["[] => c=", "a= => c<", "c< => a=", "c< => a<", "c> => a<"]


def test_a_row_is_not_paired_with_itself() -> None:
    """Reflexive pairs are equal on all columns: they would break every key, and would add to every count."""
    held = of_ranks(np.arange(9)[None, :])
    assert texts(held, "dc") == ["not(t.c0 = u.c0)"]
    near = found(of_ranks(np.array([[0, 0, 1, 2]])), ("dc",), max_error=0.2)
    assert [(str(rule), rule.figures.error) for rule in near] == [("not(t.c0 = u.c0)", 2 / 12)]


def test_copies_are_pairs() -> None:
    """Two copies are two ordered pairs that agree on all columns: no constraint is of equalities alone."""
    here = encoded(table("a b", "integer", (1, 1), (1, 1), (2, 3)))
    assert [t for t in texts(here, "dc") if "!=" not in t and "<" not in t and ">" not in t] == []
    copied = {str(r): r.figures.error for r in found(here, ("dc",), max_error=0.34)}
    assert copied["not(t.a = u.a)"] == 2 / 6


def test_pairs_that_agree_on_nothing_count() -> None:
    """They refute constants and what is said of inequalities alone."""
    here = encoded(table("a b", "string", ("x", "p"), ("y", "q"), ("x", "q")))
    assert "not(t.a != u.a and t.b != u.b)" not in texts(here, "dc")
    assert texts(here, "dc") == ["not(t.a = u.a and t.b = u.b)"]


def test_all_constant_and_all_key() -> None:
    same = of_ranks(np.zeros((3, 20), np.int64))
    assert texts(same, "dc") == [f"not(t.c{c} != u.c{c})" for c in range(3)]
    assert texts(same, "pod")[:3] == ["[] => c0=", "[] => c1=", "[] => c2="]
    apart = of_ranks(np.stack([np.arange(20), (np.arange(20) * 7) % 20]))
    assert texts(apart, "dc") == ["not(t.c0 = u.c0)", "not(t.c1 = u.c1)"]


@pytest.mark.parametrize("width", [16, 17, 21, 22, 32, 33, 42, 43, 64, 65, 129])
def test_literals_and_fields_beyond_a_word(width: int) -> None:
    """All columns are constant but the last two, which run together: their comparisons stand at the end of words."""
    ranks = np.zeros((width, 12), np.int64)
    ranks[-2], ranks[-1] = np.arange(12) // 2, np.arange(12) // 3
    a, b = f"c{width - 2}", f"c{width - 1}"
    both = minimal_dcs(ranks[-2:], [a, b])
    assert any(len(rule.columns) == 2 for rule in both)
    rules = found(of_ranks(ranks), ("dc",))
    assert [r for r in rules if {a, b} & set(r.columns)] == [r for r in rules if r in both]
    assert set(rules) - both == {Dc((p,)) for r in rules for p in r.predicates if p.op == "!=" and len(r.columns) == 1}  # type: ignore[union-attr]
    assert len(rules) == len(both) + width - 2
    if width < 66:
        pods = found(of_ranks(ranks), ("pod",), max_size=2)
        assert {str(r) for r in pods if len(r.columns) == 1} == {f"[] => c{c}=" for c in range(width - 2)}


def test_the_error_is_of_ordered_pairs_and_compared_exactly() -> None:
    """One violating ordered pair of 20 is 0.05, no more and no less; 0.1 of 30 pairs is 3."""
    here = table("a b", "integer", (1, 2), (2, 1), (3, 3), (4, 4), (5, 5))
    against = "not(t.a <= u.a and t.b >= u.b)"
    assert {str(r): r.figures.error for r in found(encoded(here), ("dc",), max_error=0.05)}[against] == 0.05
    assert against not in texts(encoded(here), "dc", max_error=0.0499999)
    for n, near in [(6, 0.1), (6, 0.7), (10, 0.3), (5, 0.35), (7, 1 / 7)]:
        for seed in range(3):
            rows = [tuple(row) for row in np.random.default_rng(seed).integers(0, 3, (n, 2)).tolist()]
            for kind in KINDS:
                judge(kind, Question(table("a b", "integer", *rows), "first", {"max_error": near}))


def test_an_error_allows_what_is_nearly_right_in_either_place() -> None:
    """With an error, a stronger right-hand mark and a weaker left-hand one are each tried anew."""
    rng = Random(4)
    for _ in range(examples(40)):
        rows = [(rng.randint(0, 2), rng.randint(0, 2), rng.randint(0, 1)) for _ in range(rng.randint(3, 7))]
        judge("pod", Question(table("a b c", "integer", *rows), "first", {"max_error": 0.2}))


@pytest.mark.parametrize("kind", KINDS)
def test_work_done_twice_counts_once(kind: str) -> None:
    """Tasks that are tried again, or run twice at once, give the same figures."""
    here = of_ranks(np.random.default_rng(6).integers(0, 3, (4, 1200)))
    exact = lines(found(here, (kind,), max_error=0.1))
    for seed in range(4):
        with PickledEngine(seed, lossy=True) as engine:
            assert lines(found(here, (kind,), max_error=0.1, engine=engine)) == exact


def test_nulls_first_last_and_unknown() -> None:
    here = table("a b", "integer", (None, 1), (None, 2), (1, 2), (2, 2))
    told = {nulls: {*texts(encoded(here, nulls), "dc")} for nulls in ("first", "last", "unknown")}  # type: ignore[arg-type]
    assert "not(t.a = u.a)" not in told["first"] | told["last"]
    assert "not(t.a = u.a)" in told["unknown"], "two nulls are not equal"
    assert "not(t.a != u.a and t.b != u.b)" in told["unknown"], "nor do they differ from anything"
    assert "not(t.a < u.a and t.b > u.b)" in told["first"]
    assert "not(t.a < u.a and t.b > u.b)" not in told["last"]


def test_values_are_ordered_by_what_they_mean() -> None:
    """Text by its bytes, so "10" before "9"; numbers by value; NaN last and equal to itself; -0.0 is 0.0."""
    nan = float("nan")
    here = table(
        "text number float", "string integer float",
        ("10", 10, -0.0), ("10", 10, 0.0), ("9", 9, nan), ("9", 9, nan), ("A", 65, float("inf")),
    )  # fmt: skip
    for kind in KINDS:
        options: dict[str, Any] = {"order_strings": True} if kind == "dc" else {}
        rules = lawful.discover(as_arrow(here), [kind], engine="local", **options)
        assert set(rules) == expected(kind, Question(here, "first", options))
    assert "text< => number<" not in texts(encoded(here), "pod")
    assert "text<= => number=" not in texts(encoded(here), "pod")


def test_numbers_are_compared_without_rounding() -> None:
    """2^53 + 1 is not 2^53, not even beside a double."""
    here = table("a b", "integer float", (2**53, 2.0**53), (2**53 + 1, 2.0**53 + 2), (2**53 + 2, 2.0**53 + 4))
    rules = lawful.discover(as_arrow(here), ["dc"], engine="local", cross_columns=True)
    assert set(rules) == expected("dc", Question(here, "first", {"cross_columns": True}))
    assert "not(t.a = u.a)" in {*map(str, rules)}


def test_single_distinct_values_and_single_columns() -> None:
    for rows in (2, 3):
        for value in (0, None):
            one = table("a", "integer", *[(value,)] * rows)
            assert texts(encoded(one), "dc") == ["not(t.a != u.a)"]
            assert texts(encoded(one), "pod") == ["[] => a="]


def test_threads_do_not_change_a_line() -> None:
    here = of_ranks(np.random.default_rng(8).integers(0, 4, (5, 90)))
    for kind in KINDS:
        exact = lines(found(here, (kind,)))
        for workers in (2, 4):
            with LocalEngine(workers) as engine:
                assert lines(found(here, (kind,), engine=engine)) == exact
