"""Minimal hitting sets are those of brute force, however the search is cut: bounds, budgets and groups included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.engine import Engine, LocalEngine
from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import UNKNOWN, Comparison, Layout
from lawful.search import covers
from lawful.search.covers import Branch, Branches, SearchBranch
from lawful.search.literals import Literals, dc_literals, pod_literals
from lawful.search.problem import Passing, Question
from tests.engines.conftest import Small
from tests.engines.pickled import PickledEngine
from tests.evidence.outcomes import Outcomes, packed, random_outcomes
from tests.profiles import examples

Sets = set[frozenset[int]]
NOTHING = Small((), np.zeros((0, 0), np.int32))

STATES: dict[str, list[tuple[int, ...]]] = {
    "dc ordered": [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)],
    "dc equality": [(), (0,), (1,)],
    "pod ordered": [(), (0,), (1,), (2,), (3,), (0, 1)],
    "pod equality": [(), (0,)],
}
"""What may be chosen of the literals of one comparison."""

EXCLUDES: dict[str, list[set[int]]] = {
    "dc ordered": [{0}, {1}, {2}],
    "dc equality": [{0}, {1}],
    "pod ordered": [{2}, {0}, {1, 2}, {0, 1}],
    "pod equality": [{0}],
}
"""The outcomes that each of the literals excludes: of marks, <= is greater, < is equal and greater."""


def searched(evidence: Evidence, questions: Sequence[Question], engine: Engine | None = None) -> tuple[list[Sets], int]:
    """The sets found for each question, and how many sets were found in all, those found twice counted twice."""
    engine = engine or LocalEngine(1)
    branches, job = Branches.of(questions, len(evidence)), SearchBranch(evidence, tuple(questions))
    with closing(engine.stream(job, engine.share(NOTHING), branches.units())) as parts:  # type: ignore[arg-type]
        for branch, part in parts:
            branches.take_in(branch, part, engine.parallelism)
    assert branches.done
    return [set(map(members, branches.sets(q).tolist())) for q in range(len(questions))], branches.rules


def members(words: Sequence[int]) -> frozenset[int]:
    number = sum(word << 64 * w for w, word in enumerate(words))
    return frozenset(bit for bit in range(64 * len(words)) if number >> bit & 1)


def by_force(question: Question, names: Sequence[str], rows: Sequence[Outcomes], weights: Sequence[int]) -> Sets:
    """Every choice of literals that leaves little enough unhit and of which no weaker one does: by trying all."""
    literals, passing = question.literals, question.passing
    matter = [
        (row, weight)
        for row, weight in zip(rows, weights, strict=True)
        if passing is None or row[passing.group] == UNKNOWN or not passing.outcomes >> row[passing.group] & 1
    ]

    def excluded(choice: Sequence[tuple[int, ...]]) -> list[set[int]]:
        return [set().union(*(EXCLUDES[n][p] for p in places)) for n, places in zip(names, choice, strict=True)]

    def works(choice: Sequence[tuple[int, ...]]) -> bool:
        named = {c for places, columns in zip(choice, literals.columns, strict=True) if places for c in columns}
        if question.most_columns is not None and len(named | set(question.fixed)) > question.most_columns:
            return False
        outside = list(zip(literals.groups, excluded(choice), strict=True))
        unhit = [weight for row, weight in matter if not any(_hit(row[g], out) for g, out in outside)]
        return sum(unhit) <= question.budget

    good = {choice: excluded(choice) for choice in product(*(STATES[n] for n in names)) if works(choice)}
    return {
        frozenset(literals.first[i] + p for i, places in enumerate(choice) for p in places)
        for choice, own in good.items()
        if not any(all(map(set.issuperset, own, less)) for other, less in good.items() if other != choice)
    }


def _hit(outcome: int, excluded: set[int]) -> bool:
    return bool(excluded) if outcome == UNKNOWN else outcome in excluded


def random_rows(draw: Random, layout: Layout, count: int) -> list[Outcomes]:
    """Outcomes that often look alike but for a comparison or two, as those of rows do."""
    rows = [random_outcomes(draw, layout) for _ in range(min(count, 3))]
    while len(rows) < count:
        some, other = draw.choice(rows), random_outcomes(draw, layout)
        rows.append(tuple(o if draw.random() < 0.4 else s for s, o in zip(some, other, strict=True)))
    return list(dict.fromkeys(rows))


Problem = tuple[Evidence, list[Question], list[list[str]], list[Outcomes], list[int]]


def dc_problem(draw: Random, **more: Any) -> Problem:
    size, columns = draw.randint(1, 4), draw.randint(1, 4)
    layout = Layout(tuple(Comparison(c, c, o, n, n) for c, o, n in _drawn(draw, size, 0.3)))
    places = tuple(tuple(draw.sample(range(columns), min(columns, draw.choice([1, 1, 2])))) for _ in range(size))
    names = ["dc ordered" if c.ordered else "dc equality" for c in layout.comparisons]
    return _with_rows(draw, layout, [(dc_literals(layout, places, columns), None, ())], [names], **more)


def pod_problem(draw: Random, **more: Any) -> Problem:
    size = draw.randint(1, 4)
    layout = Layout(tuple(Comparison(c, c, o) for c, o, _ in _drawn(draw, size, 0)))
    about = []
    for right in range(size):
        passing = Passing(right, draw.choice([1, 3, 2]) if layout.comparisons[right].ordered else 2)
        about.append((pod_literals(layout, right, tuple((c,) for c in range(size)), size), passing, (right,)))
    kinds = ["pod ordered" if c.ordered else "pod equality" for c in layout.comparisons]
    return _with_rows(draw, layout, about, [kinds[:r] + kinds[r + 1 :] for r in range(size)], **more)


def _drawn(draw: Random, size: int, nullable: float) -> list[tuple[int, bool, bool]]:
    return [(c, draw.random() < 0.7, draw.random() < nullable) for c in range(size)]


def _with_rows(
    draw: Random, layout: Layout, about: Sequence[tuple[Literals, Passing | None, tuple[int, ...]]], names: Any,
    budget: bool = False, sized: bool = False,
) -> Problem:  # fmt: skip
    rows = random_rows(draw, layout, draw.choice([0, 1, 2, 5, 12, 40]))
    weights = [draw.randint(1, 5) for _ in rows]
    allowed = draw.randint(0, max(sum(weights) // 2, 1)) if budget else 0
    most = draw.randint(1, 3) if sized else None
    questions = [Question(literals, passing, allowed, most, fixed) for literals, passing, fixed in about]
    return Evidence.of(layout, packed(layout, rows), np.array(weights, np.int64)), questions, names, rows, weights


def judge(problem: Problem, engine: Engine | None = None) -> int:
    """Asserts that what is found is what brute force finds, each set once; how many sets there are."""
    evidence, questions, names, rows, weights = problem
    found, count = searched(evidence, questions, engine)
    expected = [by_force(q, n, rows, weights) for q, n in zip(questions, names, strict=True)]
    assert found == expected, (questions, rows, weights)
    assert count == sum(map(len, expected)), "a set is found once"
    return count


MADE: list[Callable[..., Problem]] = [dc_problem, pod_problem]


@pytest.mark.parametrize("budget", [False, True], ids=["exact", "budget"])
@pytest.mark.parametrize("sized", [False, True], ids=["any size", "sized"])
@pytest.mark.parametrize("make", MADE)
def test_minimal_sets_are_those_of_brute_force(make: Callable[..., Problem], sized: bool, budget: bool) -> None:
    draw = Random(1)
    found = [judge(make(draw, budget=budget, sized=sized)) for _ in range(examples(150))]
    assert sum(found) > examples(150)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tasks that see a node or a few, room for two sets, and nodes with room for one literal."""
    for name, value in {"FIRST": 1, "_OPERATIONS": 1.0, "ROOM": 2, "DEPTH": 1}.items():
        monkeypatch.setattr(covers, name, value)
    cut = covers._cut
    monkeypatch.setattr(covers, "_cut", lambda branch, i, n, most: cut(branch, i, n, 1 + (i + len(branch)) % 3))
    yield


@pytest.mark.parametrize("budget", [False, True], ids=["exact", "budget"])
@pytest.mark.parametrize("make", MADE)
def test_branches_may_be_cut_anywhere(tiny: None, make: Callable[..., Problem], budget: bool) -> None:
    draw = Random(2)
    for _ in range(examples(25)):
        problem = make(draw, budget=budget)
        for engine in (None, LocalEngine(2), PickledEngine(draw.randrange(99)), PickledEngine(1, lossy=True)):
            judge(problem, engine)


def wide_problem(columns: int) -> tuple[Evidence, list[Question]]:
    """Two comparisons matter, the last two of many; all others are always equal."""
    layout = Layout(tuple(Comparison(c, c, True) for c in range(columns)))
    quiet = (1,) * (columns - 2)
    evidence = Evidence.of(layout, packed(layout, [(*quiet, 0, 2), (*quiet, 2, 0)]))
    return evidence, [Question(dc_literals(layout, tuple((c,) for c in range(columns)), columns), most_columns=2)]


@pytest.mark.parametrize("columns", [2, 21, 22, 42, 43, 64, 65, 130])
def test_literals_beyond_words(columns: int) -> None:
    """Literals 63, 64, 127, 128 and sets of columns of one, two and three words."""
    evidence, questions = wide_problem(columns)
    first = 3 * (columns - 2)
    less, greater, left_less, left_greater = first, first + 2, first + 3, first + 5
    own = [{less, greater}, {left_less, left_greater}, {less, left_less}, {greater, left_greater}]
    constants = [{3 * c + 1} for c in range(columns - 2)]
    assert searched(evidence, questions)[0] == [set(map(frozenset, own + constants))]


def test_more_edges_than_words_have_bits(tiny: None) -> None:
    draw = Random(3)
    layout = Layout(tuple(Comparison(c, c, True) for c in range(5)))
    rows = draw.sample(list(product((0, 1, 2), repeat=5)), 190)
    evidence = Evidence.of(layout, packed(layout, rows), np.ones(len(rows), np.int64))
    question = Question(dc_literals(layout, tuple((c,) for c in range(5)), 5))
    found, _ = searched(evidence, [question])
    assert found == [by_force(question, ["dc ordered"] * 5, rows, [1] * len(rows))]


def test_signatures_that_look_alike_to_the_literals_are_one() -> None:
    draw = Random(4)
    layout = Layout(tuple(Comparison(c, c, True) for c in range(3)))
    rows = list(product((0, 1, 2), repeat=3))
    evidence = Evidence.of(layout, packed(layout, rows), np.array([draw.randint(1, 9) for _ in rows]))
    edges = Question(pod_literals(layout, 1, ((0,), (1,), (2,)), 3)).edges(evidence)
    assert len(edges.weights) == 9
    assert edges.weights.sum() == evidence.pairs
    assert edges.weights.tolist() == sorted(edges.weights.tolist(), reverse=True)


def interest(sets: frozenset[int], question: Question, rows: Sequence[Outcomes], weights: Sequence[int]) -> float:
    """Of a denial constraint over columns of their own, by its definition."""
    bounds = pairwise(question.literals.first)
    excluded = [{literal - first for literal in sets if first <= literal < last} for first, last in bounds]
    named = [g for g, out in enumerate(excluded) if out]
    near = 0
    for left_out in named:
        others = [g for g in named if g != left_out]
        near += sum(w for row, w in zip(rows, weights, strict=True) if not any(row[g] in excluded[g] for g in others))
    return near / (len(named) * sum(weights)) * min(1.0, 2 / len(named)) if named else 0.0


def test_a_least_interest_leaves_out_less_interesting_sets_only() -> None:
    """What reaches it is all there, what is there is minimal, and some is left out."""
    draw, left_out = Random(5), 0
    for _ in range(examples(60)):
        layout = Layout(tuple(Comparison(c, c, draw.random() < 0.7) for c in range(4)))
        rows = random_rows(draw, layout, 30)
        weights = [draw.randint(1, 9) for _ in rows]
        evidence = Evidence.of(layout, packed(layout, rows), np.array(weights))
        budget = draw.choice([0, 0, sum(weights) // 10])
        question = Question(dc_literals(layout, ((0,), (1,), (2,), (3,)), 4), budget=budget, pairs=sum(weights))
        every, least = searched(evidence, [question])[0][0], draw.random() / 3
        branches, job = Branches.of([question], len(evidence)), SearchBranch(evidence, (question,))
        branches.least_interest = least
        for unit in branches.units():
            assert isinstance(unit, Branch)
            branches.take_in(unit, job.run(None, unit), 1)
        found = set(map(members, branches.sets(0).tolist()))
        assert {s for s in every if interest(s, question, rows, weights) >= least} <= found <= every
        left_out += len(every - found)
    assert left_out > 0


def test_the_state_of_a_search_is_told() -> None:
    evidence, questions = wide_problem(4)
    branches, job = Branches.of(questions, 2), SearchBranch(evidence, tuple(questions))
    assert (branches.open, branches.done, branches.nodes, branches.rules, branches.bytes) == (1, False, 0, 0, 0)
    assert branches.sets(0).shape == (0, 1)
    for unit in branches.units():
        assert isinstance(unit, Branch)
        assert (len(unit), branches.open) == (1, 1)
        branches.take_in(unit, job.run(None, unit), 1)
    assert (branches.open, branches.done, branches.rules) == (0, True, 6)
    assert branches.nodes > 6
    assert branches.bytes == 6 * 8
