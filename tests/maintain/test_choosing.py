"""Indexes chosen for rules: all are served, now and when refined, and the scores decide which one is taken."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lawful.kernels.chains import AGAINST, ANY, CLUSTERED, TOGETHER
from lawful.kernels.conjunction import AT_LEAST, AT_MOST, EQUAL, LESS, MORE, UNEQUAL
from lawful.maintain.chains import ChainIndex
from lawful.maintain.choosing import Marks, Planned, Policy, choose, marks_of
from lawful.maintain.indexes import Indexes
from lawful.maintain.scoring import Sample, Table
from lawful.rules.model import Pod
from tests.profiles import examples

SHARPER = {AT_MOST: (LESS, EQUAL), AT_LEAST: (MORE, EQUAL), UNEQUAL: (LESS, MORE), ANY: tuple(range(6))}
ALLOWED = {EQUAL: "=", UNEQUAL: "<>", LESS: "<", AT_MOST: "<=", MORE: ">", AT_LEAST: ">=", ANY: "<=>"}
POLICIES = (Policy(), Policy(by="shares"), Policy(threshold=0.0, alpha=2.0, sample=3), Policy(threshold=2.0))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Table, Marks]:
    """A table of ranks and rules about it, the empty table and constant columns among them."""
    columns, rows, rules = draw(st.integers(1, 5)), draw(st.integers(0, 20)), draw(st.integers(0, 8))
    tops = draw(st.lists(st.sampled_from([1, 2, 5, 50]), min_size=columns, max_size=columns))
    draws = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    ranks = np.array([draws.integers(0, top, rows) for top in tops], np.int32).reshape(columns, rows)
    return ranks, draws.choice([*range(6), ANY, ANY, ANY], (rules, columns)).astype(np.int8)


def refined(marks: Marks, draws: np.random.Generator) -> Marks:
    """The same rules, some marks sharper, some columns more."""
    marks = marks.copy()
    for rule, column in np.argwhere(draws.random(marks.shape) < 0.5):
        if (found := SHARPER.get(int(marks[rule, column]))) is not None:
            marks[rule, column] = draws.choice(found)
    return marks


def served(plans: tuple[Planned, ...], marks: Marks) -> NDArray[np.bool_]:
    return np.logical_or.reduce([np.zeros(len(marks), np.bool_), *(plan.serves(marks) for plan in plans)])


@pytest.mark.parametrize("policy", POLICIES, ids=["scores", "shares", "no threshold", "all equalities"])
@settings(max_examples=examples(50))
@given(cases())
def test_every_rule_is_served_now_and_refined(policy: Policy, case: tuple[Table, Marks]) -> None:
    ranks, marks = case
    sample = Sample.of(ranks, policy.sample)
    some = (marks != ANY).any(axis=1)
    plans = choose(marks, sample, policy)
    assert len(set(plans)) == len(plans)
    assert np.array_equal(served(plans, marks), some)
    assert served(plans, refined(marks, np.random.default_rng(len(marks))))[some].all()
    every_pair = [(a, b) for a in range(len(ranks)) for b in range(a + 1, len(ranks))]
    assert np.array_equal(served(choose(marks, sample, policy, every_pair), marks), some)


@settings(max_examples=examples(50))
@given(cases())
def test_what_an_index_is_asked_leaves_out_no_violating_pair(case: tuple[Table, Marks]) -> None:
    """Of the rows with all marks against a probe none is missing from what the assigned index finds."""
    ranks, marks = case
    indexes = Indexes.of(marks, ranks, Policy(by="shares"))
    which = indexes.assigned(marks)
    for rule, number in zip(marks, which.tolist(), strict=True):
        assert (number < 0) == (rule == ANY).all()
        for u in range(ranks.shape[1] if number >= 0 else 0):
            outcomes = np.array(list("<=>"))[1 + np.sign(ranks - ranks[:, u : u + 1])].T
            violating = [t for t, row in enumerate(outcomes) if all(map(str.__contains__, map(ALLOWED.get, rule), row))]  # type: ignore[arg-type]
            assert set(violating) <= asked(indexes, number, rule, ranks, u)


def asked(indexes: Indexes, number: int, rule: Marks, ranks: Table, u: int) -> set[int]:
    plan, index = indexes.planned[number], indexes.built[number]
    first, second = (int(op[0]) for op in plan.asked(rule[None]))
    a, b = ranks[plan.a], ranks[plan.b]
    return {
        t
        for op in ((LESS, MORE) if first == UNEQUAL else (first,))
        for other in ((LESS, MORE) if second == UNEQUAL else (second,))
        for t in index.fetch(a, b, int(a[u]), int(b[u]), op, other).tolist()
    }


def test_marks_of_pods() -> None:
    pods = [Pod((("a", "="), ("c", "<=")), ("b", "<")), Pod((), ("c", "=")), Pod((("b", ">"),), ("a", "<="))]
    assert marks_of(pods, {"a": 0, "b": 1, "c": 2}).tolist() == [
        [EQUAL, AT_LEAST, AT_MOST],
        [ANY, ANY, UNEQUAL],
        [MORE, LESS + 2, ANY],
    ]


def line(*columns: list[int]) -> Table:
    return np.array(columns, np.int32)


def test_scores_by_hand() -> None:
    sample = Sample.of(line([0, 1, 2, 3], [3, 2, 1, 0], [0, 0, 0, 1], [5, 5, 5, 5]), 99)
    assert sample.equality.tolist() == [0.0, 0.0, 0.5, 0.75]
    assert sample.repeated(2, 0) == 0.0 and sample.repeated(2, 3) == 0.5
    assert sample.correlation[0, 1] == pytest.approx(-1) and sample.correlation[0, 2] == pytest.approx(0.7745966692)
    assert (sample.correlation[3] == 1).all()
    assert [sample.sign(0, b, 0.2) for b in (1, 2)] == [AGAINST, TOGETHER]
    assert sample.sign(0, 2, 0.8) is None
    assert sample.rank(0, 1) == 1.0


def test_shares_of_pairs() -> None:
    """Of 12 ordered pairs 6 rise in the first column; of those 3 rise in the second, none falls."""
    shares = Sample.of(line([0, 1, 2, 3], [0, 0, 0, 1]), 99).shares
    assert shares[0, LESS, 1, LESS] == pytest.approx(3 / 12, abs=0.02)
    assert shares[0, LESS, 1, MORE] == 0.0
    assert shares[0, EQUAL, 1, ANY] == 0.0
    assert shares[0, LESS, 1, ANY] == shares[0, MORE, 1, ANY] == 0.5
    assert shares[1, UNEQUAL, 0, ANY] == shares[1, LESS, 0, ANY] + shares[1, MORE, 0, ANY]


def rule(**marks: int) -> list[int]:
    return [marks.get(name, ANY) for name in "abcd"]


def marked(*rules: list[int]) -> Marks:
    return np.array(rules, np.int8)


DRAWN = np.random.default_rng(5)
A = DRAWN.integers(0, 4000, 4000)
TABLE = line(A, A // 3 + DRAWN.integers(0, 40, 4000), 5000 - A // 2, DRAWN.integers(0, 5, 4000))  # type: ignore[arg-type]


def test_an_equality_of_many_values_comes_first() -> None:
    marks = marked(rule(a=EQUAL, b=LESS, c=MORE), rule(a=EQUAL, d=LESS))
    assert choose(marks, Sample.of(TABLE, 2048)) == (Planned(0, 0, CLUSTERED),)
    first, *rest = choose(marks, Sample.of(TABLE, 2048), Policy(threshold=0.0))
    assert first.sign == AGAINST and (first.a, first.b) == (1, 2) and rest == [Planned(0, 3, CLUSTERED)]


def test_chains_of_the_pair_that_serves_most_for_its_correlation() -> None:
    sample = Sample.of(TABLE, 2048)
    both = rule(a=LESS, b=LESS, d=MORE)
    assert choose(marked(both), sample) == (Planned(0, 1, TOGETHER),)
    assert choose(marked(rule(a=LESS, d=LESS)), sample) == (Planned(0, 3, None),)
    assert choose(marked(rule(a=MORE, c=MORE)), sample) == (Planned(0, 2, AGAINST),)
    assert choose(marked(rule(a=MORE, c=MORE)), sample, Policy(alpha=1.5)) == (Planned(0, 2, None),)
    assert choose(marked(both), sample, barred=[(1, 0)]) != (Planned(0, 1, TOGETHER),)
    assert choose(marked(rule(a=LESS, b=LESS)), sample, barred=[(1, 0)]) == (Planned(0, 1, TOGETHER),)


def test_an_equality_of_few_values_gets_a_second_column() -> None:
    sample = Sample.of(TABLE, 2048)
    assert choose(marked(rule(d=EQUAL, b=UNEQUAL)), sample) == (Planned(3, 1, CLUSTERED),)
    assert choose(marked(rule(c=UNEQUAL)), sample) == (Planned(2, 2, CLUSTERED),)


def test_shares_prefer_what_leaves_few_rows() -> None:
    """Rows less in one column are hardly ever more in the other; the column of five values tells nothing."""
    marks = marked(rule(a=LESS, b=MORE, d=LESS))
    table = np.stack([TABLE[0], TABLE[0] // 3, TABLE[2], TABLE[3]])
    assert choose(marks, Sample.of(table, 2048), Policy(by="shares")) == (Planned(0, 1, TOGETHER),)


def grown_table(rows: int) -> Table:
    """Two columns that run together until row 2,000, and are unrelated from there on."""
    draws = np.random.default_rng(3)
    a, b, c = draws.integers(0, 10_000, (3, rows)).astype(np.int32)
    b[:2000], c = a[:2000], c % 3
    return np.stack([a, b, c])


def test_a_rank_that_grew_is_mended_and_a_worn_index_replaced() -> None:
    ranks = grown_table(12_000)
    marks = marked(rule(a=LESS, b=MORE, c=LESS))[:, :3]
    policy = Policy(spread=200)
    indexes = Indexes.of(marks, ranks[:, :2000], policy)
    assert indexes.planned == (Planned(0, 1, TOGETHER),) and indexes.ranks.tolist() == [1]
    for stop in range(2020, 2401, 20):
        indexes = indexes.extended(ranks[:, :stop], stop - 20)
    assert indexes.ranks[0] > 4
    mended = indexes.renewed(marks, ranks[:, :2400])
    assert mended.planned == indexes.planned and mended.built[0].rank == mended.built[0].least <= indexes.ranks[0]
    replaced = mended.extended(ranks, 2400).renewed(marks, ranks)
    assert replaced.worn == {(0, 1)} and (0, 1) not in [plan[:2] for plan in replaced.planned]
    assert replaced.serving(marks).all() and len(replaced.built[0]) == 12_000


def test_worn_chains_stay_where_nothing_else_serves() -> None:
    ranks = grown_table(12_000)
    marks = marked(rule(a=LESS, b=MORE))[:, :3]
    indexes = Indexes.of(marks, ranks, Policy(spread=200))
    assert indexes.worn == {(0, 1)} and isinstance(indexes.built[0], ChainIndex)
    assert indexes.renewed(marks, ranks).planned == indexes.planned


def test_indexes_follow_the_rules() -> None:
    """A rule that came gets an index; those of other rules stay, and are not built again, until they are given up."""
    ranks = TABLE[:, :500]
    indexes = Indexes.of(marked(rule(a=LESS, b=MORE)), ranks)
    more = indexes.renewed(marked(rule(a=LESS, b=MORE), rule(c=LESS, d=MORE)), ranks)
    assert len(more) == 2 and more.built[0] is indexes.built[0] and more.nbytes > indexes.nbytes
    assert more.assigned(marked(rule(c=LESS, d=MORE), rule(a=LESS), rule())).tolist() == [1, -1, -1]
    assert more.renewed(marked(rule(c=LESS, d=MORE)), ranks).built == more.built
    assert more.trimmed(marked(rule(c=LESS, d=MORE))).built == more.built[1:]
    assert len(more.trimmed(marked(rule()))) == 0
