"""Agree sets: counts over all pairs, what is asked of them, and the multiset that follows a table."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lawful as lw
from lawful.engine.local import LocalEngine
from lawful.errors import ColumnError, OptionError
from lawful.evidence import multiset
from lawful.evidence.agree import AgreeSets, agree_layout
from lawful.evidence.batch import CompareBatch, Held, Showing, codes_of, stretches, within
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset, maximal_sets
from lawful.evidence.packing import Packing
from lawful.families.agreeing import agree_sets_of, rules_of
from tests import naive
from tests.engines.laws import assert_merge_laws
from tests.engines.pickled import PickledEngine
from tests.strategies import as_arrow, rank_matrices, tables, wide_tables


def encoded(table: naive.Table) -> lw.Encoded:
    return lw.encode(as_arrow(table), engine="local")


def counted(sets: AgreeSets) -> dict[frozenset[str], int]:
    return {frozenset(columns): count for columns, count in sets}


@given(st.one_of(tables(), wide_tables()), st.integers(0, 9))
def test_counts_of_all_pairs(table: naive.Table, seed: int) -> None:
    expected = Counter(naive.agree_sets(table))
    ours = agree_sets_of(encoded(table), LocalEngine(1))
    assert counted(ours) == dict(expected)
    assert ours == agree_sets_of(encoded(table), PickledEngine(seed, lossy=True))
    assert ours.pairs == len(table) * (len(table) - 1) // 2


@given(tables(max_cols=4), st.data())
def test_questions(table: naive.Table, data: st.DataObject) -> None:
    ours = agree_sets_of(encoded(table), LocalEngine(1))
    chosen = data.draw(st.sets(st.sampled_from(table.names)))
    without = data.draw(st.sets(st.sampled_from(table.names)))
    expected = {s: n for s, n in naive.agree_sets(table).items() if chosen <= s and not without & s}
    part = ours.supersets(chosen, without)
    assert counted(part) == expected
    assert ours.count(chosen) == naive.agree_sets(table).get(frozenset(chosen), 0)
    if without:
        fd = lw.Fd(tuple(sorted(chosen)), min(without))
        if fd.rhs not in fd.lhs:
            assert ours.error(fd) == float(naive.pairs_error(fd, table))
    key = lw.Key(tuple(sorted(chosen)))
    assert ours.error(key) == float(naive.pairs_error(key, table))
    with pytest.raises(OptionError, match="only some"):
        part.error(key)


@given(tables(max_rows=7), st.sampled_from(["0", "0.01", "0.1", "0.3", "0.7"]))
def test_rules_are_those_of_the_definition(table: naive.Table, error: str) -> None:
    agree = agree_sets_of(encoded(table), LocalEngine(1))
    measure: Any = "pairs" if float(error) else None
    expected = naive.discover(table, ["fd", "key"], max_error=Fraction(error), measure=measure)
    found = rules_of(agree, ["fd", "key"], LocalEngine(1), max_error=float(error))
    assert len(found) == len(set(found)) and frozenset(found) == expected


@given(tables(max_rows=7), st.sampled_from([0.0, 0.1, 0.4]))
def test_rules_and_figures_are_those_of_discovery(table: naive.Table, error: float) -> None:
    source = encoded(table)
    agree = agree_sets_of(source, LocalEngine(1))
    found = lw.discover(source, ["fd", "key"], max_error=error, measure="pairs" if error else None)
    ours = rules_of(agree, ["fd", "key"], LocalEngine(1), max_error=error)
    assert [rule.to_dict() for rule in ours] == [rule.to_dict() for rule in found]


def test_what_cannot_be_asked() -> None:
    sets = lw.agree_sets(as_arrow(naive.table("a b", "integer", (1, 2), (1, 3))))
    assert repr(sets) == "<AgreeSets: 1 distinct agree set of 1 pairs of 2 rows>"
    assert sets.to_arrow().to_pylist() == [{"columns": ["a"], "pairs": 1}]
    assert sets.error("a -> b") == 1.0 and sets.error("key(b)") == 0.0
    with pytest.raises(ColumnError, match="no column 'c'"):
        sets.supersets(["c"])
    with pytest.raises(OptionError, match="kind dc"):
        sets.error("not(t.a = u.a)")
    with pytest.raises(OptionError, match="nulls"):
        lw.agree_sets(as_arrow(naive.table("a", "integer", (None,), (1,))), nulls="unknown")


def packed(ranks: Any) -> Packing:
    return Packing.of(agree_layout(len(ranks)), ranks.max(axis=1, initial=0))


@given(rank_matrices(max_cols=40), rank_matrices(min_cols=40, max_cols=40), st.integers(1, 5))
def test_a_batch_against_a_table(first: Any, second: Any, step: int) -> None:
    both = second[: len(first)]
    packing = packed(np.hstack([first, both]))
    job = CompareBatch(packing, first)
    parts = [job.run(Held(both), (i, min(i + step, both.shape[1]))) for i in range(0, both.shape[1], step)]
    assert_merge_laws(job, parts[:3])
    expected = Counter(
        tuple(np.flatnonzero(first[:, i] == both[:, j])) for i in range(first.shape[1]) for j in range(both.shape[1])
    )
    found = job.zero()
    for part in parts:
        found = job.merge(found, part)
    assert found.pairs == sum(expected.values()) and len(found) == len(expected)
    assert np.array_equal(packing.signatures(codes_of(packing, found.signatures)), found.signatures)
    whole = within(packing, np.hstack([first, both]))
    assert whole == found.merge(within(packing, first)).merge(within(packing, both))


def test_units_stay_below_the_counters() -> None:
    assert list(stretches(5, 1 << 30)) == [(0, 2), (2, 4), (4, 5)]
    assert list(stretches(0, 3)) == []


@given(rank_matrices(min_rows=2, max_cols=36))
def test_pairs_that_show_a_set(ranks: Any) -> None:
    packing = packed(ranks)
    sets = within(packing, ranks).signatures
    ids = np.arange(ranks.shape[1]) * 10
    showing = Showing(packing, sets)
    showing.look(ranks, ids, ranks, ids, np.ones(ranks.shape[1], np.bool_))
    assert showing.missing == 0
    for number, (t, u) in enumerate(showing.pairs // 10):
        assert t != u
        assert np.array_equal(within(packing, ranks[:, [t, u]]).signatures[0], sets[number])


@given(st.lists(st.dictionaries(st.integers(0, 2**70 - 1), st.integers(1, 5), max_size=60), max_size=8), st.data())
def test_the_multiset_follows(steps: list[dict[int, int]], data: st.DataObject) -> None:
    layout, truth = agree_layout(70), Counter[int]()
    sets = Multiset(layout)
    for step in steps:
        gone = {s: -data.draw(st.integers(1, truth[s])) for s in list(truth)[:20] if data.draw(st.booleans())}
        change = Counter(step)
        for one, less in gone.items():
            change[one] += less
        before = set(truth)
        for one, more in change.items():
            truth[one] += more
        truth = Counter({s: n for s, n in truth.items() if n})
        turned = sets.add(evidence(layout, change))
        assert {as_number(row) for row in turned.born} == set(truth) - before
        assert {as_number(row) for row in turned.died} == before - set(truth)
        assert sets.evidence() == evidence(layout, truth)
    some = [data.draw(st.integers(0, 2**70 - 1)) & data.draw(st.integers(0, 2**70 - 1)) for _ in range(3)] + [0]
    rights = np.array([-1, 3, 69, 0])
    held, broken = sets.masses(np.array([words(s) for s in some], np.uint64), rights)
    assert held.tolist() == [sum(n for s, n in truth.items() if s & x == x) for x in some]
    assert broken.tolist() == [
        sum(n for s, n in truth.items() if s & x == x and (a < 0 or not s >> a & 1))
        for x, a in zip(some, rights.tolist(), strict=True)
    ]
    with pytest.raises(ValueError, match="taken away"):
        sets.add(evidence(layout, Counter({(1 << 70) - 1: -99})))


@given(st.sets(st.integers(0, 2**6 - 1)), st.sampled_from([1, 3, 1000]))
def test_maximal(members: set[int], piece: int) -> None:
    sets = np.array([words(s, 1) for s in members], np.uint64).reshape(-1, 1)
    inside = {a for a, b in combinations(sorted(members), 2) if a & b == a}
    inside |= {b for a, b in combinations(sorted(members), 2) if a & b == b}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiset, "_PIECE", piece)
        assert [int(s) for s in maximal_sets(sets)[:, 0]] == sorted(members - inside)


def words(number: int, size: int = 2) -> list[int]:
    return [number >> 64 * w & (1 << 64) - 1 for w in range(size)]


def as_number(row: Any) -> int:
    return sum(int(word) << 64 * w for w, word in enumerate(row))


def evidence(layout: Any, counts: Counter[int]) -> Evidence:
    rows = np.array([words(s) for s in counts], np.uint64).reshape(-1, 2)
    return Evidence.of(layout, rows, np.array(list(counts.values()), np.int64), closed=False)
