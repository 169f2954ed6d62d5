"""What is known of pairs of rows adds up, closes under both orders, and is told to searches as edges."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.evidence.evidence import Evidence, ascending, distinct
from lawful.evidence.signature import UNKNOWN, Layout
from tests.evidence.outcomes import every_pair, outcomes, packed, random_layout, random_outcomes, random_ranks, told
from tests.profiles import examples


def random_evidence(draw: Random, layout: Layout, *, counted: bool = True, closed: bool = True) -> Evidence:
    some = [random_outcomes(draw, layout) for _ in range(draw.randint(0, 9))]
    rows = [draw.choice(some) for _ in range(draw.randint(0, 30))] if some else []
    counts = np.array([draw.randint(1, 9) for _ in rows], np.int64) if counted else None
    return Evidence.of(layout, packed(layout, rows), counts, closed)


@pytest.mark.parametrize("size", [3, 40, 70])
def test_signatures_stand_once_in_ascending_order_with_their_counts(size: int) -> None:
    draw = Random(size)
    for _ in range(examples(20)):
        layout = random_layout(draw, 5, size)
        some = [random_outcomes(draw, layout) for _ in range(4)]
        rows = [draw.choice(some) for _ in range(25)]
        counts = [draw.randint(1, 5) for _ in rows]
        found = Evidence.of(layout, packed(layout, rows), np.array(counts))
        expected: Counter[Any] = Counter()
        for row, count in zip(rows, counts, strict=True):
            expected[row] += count
        assert told(found) == expected
        assert found.pairs == sum(counts)
        listed = [tuple(words) for words in found.signatures.tolist()]
        assert listed == sorted(listed)
        assert np.array_equal(found.signatures, found.signatures[ascending(found.signatures)])


def test_merging_adds_counts_and_keeps_sets() -> None:
    draw = Random(1)
    for _ in range(examples(40)):
        layout = random_layout(draw, 5, draw.choice([3, 45]))
        one, other = (random_evidence(draw, layout) for _ in range(2))
        assert told(one.merge(other)) == told(one) + told(other)
        assert one.merge(other) == other.merge(one)
        bare = Evidence(layout, other.signatures)
        assert set(told(one.merge(bare))) == {*told(one), *told(other)}
        assert one.merge(bare).counts is None
        assert one.merge(Evidence.none(layout, counted=True)) == one


def test_evidence_of_two_kinds_is_not_merged() -> None:
    draw = Random(2)
    here, there = (random_layout(draw, 5, size) for size in (3, 4))
    for one, other in [
        (Evidence.none(here), Evidence.none(there)),
        (Evidence.none(here), Evidence.none(here, closed=False)),
    ]:
        with pytest.raises(ValueError, match="two kinds"):
            one.merge(other)


@pytest.mark.parametrize("counted", [False, True])
def test_closing_adds_the_other_order_of_every_pair(counted: bool) -> None:
    draw = Random(3)
    for _ in range(examples(40)):
        ranks, layout = random_ranks(draw, 4, draw.randint(0, 7)), random_layout(draw, 4, draw.choice([4, 50]))
        once = outcomes(layout, ranks, every_pair(ranks.shape[1], True))
        both = outcomes(layout, ranks, every_pair(ranks.shape[1], False))
        counts = np.array(list(once.values()), np.int64) if counted else None
        found = Evidence.of(layout, packed(layout, list(once)), counts, closed=False)
        assert told(found.close()) == (both if counted else Counter(dict.fromkeys(both, 1)))
        assert found.close().closed and found.close().close() == found.close()


@pytest.mark.parametrize("size", [0, 4, 70])
def test_an_edge_holds_the_literals_of_its_outcomes(size: int) -> None:
    """An unknown outcome holds all literals of its comparison: whatever is asked, the pair does not satisfy it."""
    draw = Random(4)
    for _ in range(examples(10)):
        layout = random_layout(draw, 5, size)
        rows = list({random_outcomes(draw, layout) for _ in range(draw.choice([0, 1, 63, 64, 65, 130]))})
        found = Evidence.of(layout, packed(layout, rows))
        edges = found.edges
        assert edges.shape == (layout.literals, -(-len(found) // 64))
        bits = np.unpackbits(edges.view(np.uint8), axis=1, bitorder="little").astype(bool)
        assert not bits[:, len(found) :].any(), "no bit stands for no signature"
        for e in range(len(found)):
            own = [int(layout.outcome(found.signatures[e : e + 1], g)[0]) for g in range(size)]
            for literal, group in enumerate(layout.group.tolist()):
                place = literal - layout.first_literal[group]
                assert bits[literal, e] == (own[group] in (place, UNKNOWN))


def test_shares_are_of_the_counted_pairs() -> None:
    draw = Random(5)
    for _ in range(examples(30)):
        ranks, layout = random_ranks(draw, 4, 6), random_layout(draw, 4, 4)
        pairs = every_pair(6, False)
        found = outcomes(layout, ranks, pairs)
        shares = Evidence.of(layout, packed(layout, list(found)), np.array(list(found.values()))).shares
        for literal, group in enumerate(layout.group.tolist()):
            place = literal - layout.first_literal[group]
            hits = sum(count for row, count in found.items() if row[group] == place)
            assert shares[literal] == hits / len(pairs)
    assert not Evidence.none(layout, counted=True).shares.any()
    with pytest.raises(ValueError, match="no shares"):
        _ = Evidence.none(layout).shares


def test_equality_looks_at_all_of_it() -> None:
    draw = Random(6)
    layout = random_layout(draw, 5, 5)
    rows = [(*(0 for _ in layout.comparisons),), tuple(1 for _ in layout.comparisons)]
    found = Evidence.of(layout, packed(layout, rows), np.array([2, 3]))
    assert found == Evidence.of(layout, packed(layout, rows[::-1]), np.array([3, 2]))
    assert found != Evidence.of(layout, packed(layout, rows), np.array([3, 2]))
    assert found != Evidence.of(layout, packed(layout, rows))
    assert found != Evidence.of(layout, packed(layout, rows), np.array([2, 3]), closed=False)
    assert found != Evidence.of(layout, packed(layout, rows[:1]), np.array([2]))
    assert (len(found), found.pairs, found.bytes) == (2, 5, 32)
    assert found != "evidence"


def test_of_nothing_nothing_is_distinct() -> None:
    signatures, counts = distinct(np.zeros((0, 2), np.uint64), np.zeros(0, np.int64))
    assert (signatures.shape, len(counts if counts is not None else [1])) == ((0, 2), 0)
    assert len(Evidence.of(random_layout(Random(1), 3, 3), np.zeros((0, 1), np.uint64))) == 0
