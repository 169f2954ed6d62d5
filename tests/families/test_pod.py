"""Discovery of pointwise order dependencies finds exactly the minimal ones, with their figures, on every engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful
from lawful.engine import LocalEngine
from lawful.errors import OptionError
from lawful.rules.model import OUTCOMES, Operator, Pod, Rule
from lawful.search import covers
from tests.engines.pickled import PickledEngine
from tests.families.finding import discover_encoded, encoded, found, lines, of_ranks
from tests.families.marking import SIGNS, Question, expected, judge, judge_figures, questions, signatures
from tests.families.test_bod import same_rules, some_tables
from tests.made import as_arrow
from tests.naive import Table, coverage, table
from tests.naive.marks import canonical_pod
from tests.naive.pointwise import LEFT, RIGHT
from tests.profiles import examples


def test_exactly_the_minimal_dependencies() -> None:
    for asked in questions("pod", 1, 1500, max_cols=4):
        judge("pod", asked)


def test_exactly_the_minimal_dependencies_of_more_columns() -> None:
    for asked in questions("pod", 13, 60, min_cols=5, max_cols=5):
        judge("pod", asked)


def test_exactly_the_minimal_approximate_dependencies() -> None:
    """With an error, ``=`` may fail where ``<=`` after more marks is accepted: those next to equalities are tried."""
    for asked in questions("pod", 2, 1200, near=True, max_cols=4):
        judge("pod", asked)


def test_figures() -> None:
    for near in (False, True):
        for asked in questions("pod", 6, 60, near=near, max_cols=3):
            judge_figures(found(encoded(asked.table, asked.nulls), ("pod",), **asked.options), asked)


def test_figures_by_hand() -> None:
    """Of 6 ordered pairs 3 rise in salary; 2 of them rise in rate, 4 pairs do not fall and 4 do not rise."""
    rates = table("salary rate", "integer", (10, 1), (20, 2), (30, 2))
    told = {str(rule): rule.figures for rule in found(encoded(rates), ("pod",))}
    rising = told["rate< => salary<"]
    assert (rising.error, rising.measure) == (0.0, "pairs")
    assert rising.coverage == rising.interest == (3 + 2) / 12
    assert rising.surprise == pytest.approx(np.log10(1 + 6 * (2 / 6) * (3 / 6)))
    constant = found(encoded(table("a", "integer", (1,), (1,))), ("pod",))[0]
    assert (str(constant), constant.figures.coverage, constant.figures.interest) == ("[] => a=", 1.0, 1.0)


def test_every_engine_gives_the_same_lines() -> None:
    for i, asked in enumerate(questions("pod", 7, 120, near=True, min_rows=2, max_cols=4)):
        options = asked.options | ({"max_error": 0.0} if i % 3 else {})
        here = encoded(asked.table, asked.nulls)
        wanted = lines(found(here, ("pod",), **options))
        for engine in (LocalEngine(2), PickledEngine(i, lossy=True)):
            with engine:
                assert lines(found(here, ("pod",), engine=engine, **options)) == wanted, (engine.name, asked)


def test_rows_in_any_order_give_the_same_lines() -> None:
    for asked in questions("pod", 8, 60, min_rows=2, max_cols=4):
        rows = list(asked.table.rows)
        Random(1).shuffle(rows)
        both = [encoded(t, asked.nulls) for t in (asked.table, asked.table.with_rows(rows))]
        assert lines(found(both[0], ("pod",))) == lines(found(both[1], ("pod",)))


def test_columns_in_another_order_state_the_same_dependencies() -> None:
    for asked in questions("pod", 9, 60, min_rows=2, min_cols=2, max_cols=4):
        whole = asked.table
        turned = replace(
            whole, names=whole.names[::-1], types=whole.types[::-1], rows=tuple(row[::-1] for row in whole.rows)
        )
        ids = [{rule.id for rule in found(encoded(t, asked.nulls), ("pod",))} for t in (whole, turned)]
        assert ids[0] == ids[1]


def test_values_through_the_front_door() -> None:
    for asked in questions("pod", 10, 100, min_rows=1, max_cols=3):
        whole = replace(asked.table, unordered=frozenset())
        order = {name: [str(value) for value in values] for name, values in whole.orders.items()}
        ours = lawful.discover(
            as_arrow(whole), ["pod"], nulls=asked.nulls, order=order, engine="local", workers=1, **asked.options
        )
        same_rules(ours, expected("pod", Question(whole, asked.nulls, asked.options)), asked)


def test_a_least_coverage_keeps_what_reaches_it_and_says_so() -> None:
    for whole, draw in some_tables(11, 60, min_rows=2, max_cols=3):
        least = draw.choice([0.05, 0.1, 0.25, 0.5, 1.0])
        wanted = expected("pod", Question(whole, "first", {}))
        rules = found(encoded(whole), ("pod",), min_coverage=least)
        same_rules(rules, {r for r in wanted if (coverage(r, whole) or 0) >= Fraction(str(least))}, whole)
        assert not rules.complete and "coverage" in str(rules.incomplete)


def test_top_is_the_first_by_interest() -> None:
    for whole, draw in some_tables(12, 40, min_rows=2, max_cols=4):
        n, near = draw.randint(1, 6), draw.choice([0.0, 0.3])
        every = found(encoded(whole), ("pod",), max_error=near)
        assert lines(found(encoded(whole), ("pod",), max_error=near, top=n)) == lines(every.top(n))


# Small, wide and long


@pytest.mark.parametrize("rows", [0, 1])
def test_fewer_than_two_rows(rows: int) -> None:
    rules = found(encoded(table("a b", "integer", *[(1, 2)] * rows)), ("pod",))
    assert (len(rules), rules.complete, rules.note) == (0, True, "fewer than two rows")


def test_two_rows_of_two_columns() -> None:
    for second in [(0, 0), (0, 1), (1, 0), (1, 1), (None, 0), (None, None)]:
        for nulls in ("first", "last"):
            for near in (0.0, 0.49, 0.5):
                judge("pod", Question(table("a b", "integer", (0, 0), second), nulls, {"max_error": near}))  # type: ignore[arg-type]


def test_one_column() -> None:
    """Only a constant has a dependency: nothing else can stand on the left."""
    for values, rules in [((1, 1, 1), ["[] => a="]), ((1, 2, 3), []), ((1, 1, 2), []), ((None, None), ["[] => a="])]:
        one = table("a", "integer", *[(value,) for value in values])
        assert [*map(str, judge("pod", Question(one, "first", {})))] == rules
        judge("pod", Question(one, "first", {"max_error": 0.5}))


def test_no_column_at_all() -> None:
    rules = found(of_ranks(np.zeros((0, 3), np.int32)), ("pod",))
    assert (len(rules), rules.complete) == (0, True)


def test_only_columns_without_order() -> None:
    rules = lawful.discover(pa.table({"a": [b"x", b"y", b"y"], "b": [b"p", b"q", b"r"]}), ["pod"], engine="local")
    assert {*map(str, rules)} == {"b= => a="}


def minimal_pods(ranks: Any, names: Sequence[str], max_error: Fraction = Fraction(0)) -> set[Rule]:
    """The minimal dependencies between ordered columns, from the signatures of all pairs: every one is counted, and
    those stay that are accepted while none with a weaker left-hand or a stronger right-hand side is."""
    signs, counts = signatures(ranks)
    allowed, minimal = max_error * int(counts.sum()), set[Rule]()
    true = {(c, op): np.isin(signs[:, c], SIGNS[op]) for c in range(len(ranks)) for op in LEFT}
    for right, rhs in enumerate(names):
        left = [c for c in range(len(names)) if c != right]
        accepted = set()
        for side in product((None, *LEFT), repeat=len(left)):
            apply = np.ones(len(signs), np.bool_)
            for c, op in zip(left, side, strict=True):
                apply = apply & true[c, op] if op else apply
            for op in RIGHT:
                if counts[apply & ~true[right, op]].sum() <= allowed and (op != "<=" or not set(side) <= {None, "="}):
                    accepted.add((side, op))
        for side, op in accepted:
            if not any(other != (side, op) and _says_more(other, (side, op)) for other in accepted):
                marks = tuple((names[c], mark) for c, mark in zip(left, side, strict=True) if mark)
                minimal.add(canonical_pod(Pod(marks, (rhs, op)), names))
    return minimal


Marks = tuple[Sequence[Operator | None], Operator]


def _says_more(one: Marks, other: Marks) -> bool:
    """Whether one rule asks no more on the left than the other and gives no less on the right."""
    left = zip(one[0], other[0], strict=True)
    weaker = all(a is None or (b is not None and OUTCOMES[b] <= OUTCOMES[a]) for a, b in left)
    return weaker and OUTCOMES[one[1]] <= OUTCOMES[other[1]]


def test_seventy_columns_of_two_at_most() -> None:
    """By pairs of columns: what holds of two columns does not depend on the others."""
    ranks = np.random.default_rng(1).integers(0, 3, (70, 12))
    ranks[3], ranks[5], ranks[69] = 0, ranks[4], 12 - np.arange(12)
    names, wanted = [f"c{c}" for c in range(70)], {Pod((), ("c3", "="))}
    for one, other in combinations(range(70), 2):
        both = minimal_pods(ranks[[one, other]], [names[one], names[other]])
        wanted |= {rule for rule in both if len(rule.columns) == 2}
    with LocalEngine(2) as engine:
        same_rules(found(of_ranks(ranks), ("pod",), max_size=2, engine=engine), wanted, "seventy columns")


def test_a_table_longer_than_a_block() -> None:
    """1,300 rows in several blocks, counts and all."""
    rng = np.random.default_rng(1)
    ranks = rng.integers(0, 12, (3, 1300))
    ranks[2] = ranks[0] + ranks[1] + (rng.random(1300) < 0.001)
    for near in (0.0, 0.05):
        wanted = minimal_pods(ranks, ["c0", "c1", "c2"], Fraction(str(near)))
        with PickledEngine(3) as pickled, LocalEngine(2) as threads:
            for engine in (None, threads, pickled):
                same_rules(found(of_ranks(ranks), ("pod",), engine=engine, max_error=near), wanted, near)


def test_the_judge_of_long_tables_is_the_definition() -> None:
    rng = np.random.default_rng(2)
    for _ in range(examples(30)):
        ranks = of_ranks(rng.integers(0, 3, (3, 6))).ranks
        whole = Table(("c0", "c1", "c2"), ("integer",) * 3, tuple(map(tuple, ranks.T.tolist())))
        for near in (0.0, 0.2):
            asked = Question(whole, "first", {"max_error": near})
            assert minimal_pods(ranks, whole.names, Fraction(str(near))) == expected("pod", asked)


# Bad questions, and ends before the end


def test_unknown_nulls_mean_nothing_here() -> None:
    with pytest.raises(OptionError, match="nulls='unknown' has no meaning") as caught:
        found(encoded(table("a", "integer", (1,), (None,)), "unknown"), ("pod",))
    assert caught.value.hint


def test_no_error_by_removal() -> None:
    with pytest.raises(OptionError, match="no error by removal"):
        found(encoded(table("a", "integer", (1,), (2,))), ("pod",), measure="removal")


def test_an_interrupt_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(covers, "FIRST", 20)
    monkeypatch.setattr(covers, "_OPERATIONS", 1.0)
    here = of_ranks(np.random.default_rng(5).integers(0, 3, (5, 12)))
    for near in (0.0, 0.05):
        whole, some = found(here, ("pod",), max_error=near), 0
        for steps in (1, 4, 8, 16, 32):
            left = [steps]

            def listen(step: object, left: list[int] = left) -> None:
                left[0] -= 1
                if left[0] == 0:
                    raise KeyboardInterrupt

            part, ending = discover_encoded(here, ("pod",), listener=listen, max_error=near)
            assert (ending.code, part.incomplete, part.complete) == (130, "interrupted", False)
            assert set(part) <= set(whole)
            some += 0 < len(part) < len(whole)
        assert some, "a search was ended midway"
