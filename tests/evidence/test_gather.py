"""Evidence of blocks of rows is what itertools says of all pairs: set and counts, by every sink, cut in any way."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.engine import LocalEngine
from lawful.evidence import gather
from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import GatherPairs, blocks, by_low_cardinality, once_of, pairs_of
from lawful.evidence.packing import Packing
from lawful.evidence.signature import Comparison, Layout
from lawful.kernels.tiles import BITS, COUNTERS, RUN, TABLE, empty_table, gather_classes, set_bits
from tests.engines.conftest import Named, Small
from tests.engines.pickled import PickledEngine
from tests.evidence.outcomes import every_pair, outcomes, packing, random_layout, random_ranks, told
from tests.profiles import examples

SINKS: dict[str, dict[str, int]] = {
    "direct": {"MOST_BITS": 1 << 28, "MOST_COUNTERS": 1 << 25},
    "table": {"MOST_BITS": 0, "MOST_COUNTERS": 0},
    "growing table": {"MOST_BITS": 0, "MOST_COUNTERS": 0, "ROOM": 2},
}


@pytest.fixture(params=SINKS)
def sink(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name, value in SINKS[request.param].items():
        monkeypatch.setattr(gather, name, value)
    return str(request.param)


def small(ranks: Any) -> Small:
    return Small(tuple(Named(f"c{i}") for i in range(len(ranks))), ranks)


def gathered(ranks: Any, packing: Packing, counted: bool, once: bool, side: int, engine: Any = None) -> Evidence:
    job, engine = GatherPairs(packing, counted, once), engine or LocalEngine(1)
    found: Evidence = engine.reduce(job, engine.share(small(ranks)), blocks(ranks.shape[1], once, side))
    return found


@pytest.mark.parametrize("counted", [False, True], ids=["set", "counted"])
@pytest.mark.parametrize("once", [False, True], ids=["both orders", "once"])
def test_all_pairs_in_blocks_of_any_side(sink: str, counted: bool, once: bool) -> None:
    draw = Random(1)
    for _ in range(examples(60)):
        rows = draw.choice([0, 1, 2, 3, 7, 12])
        ranks, layout = random_ranks(draw, 4, rows), random_layout(draw, 4, draw.choice([1, 4, 45]), crossed=not once)
        found = gathered(ranks, packing(layout, ranks), counted, once, draw.choice([1, 2, 5, 100]))
        expected = outcomes(layout, ranks, every_pair(rows, once))
        assert told(found) == (expected if counted else Counter(dict.fromkeys(expected, 1)))
        assert (found.closed, found.pairs) == (not once, len(every_pair(rows, once)) if counted else None)


def long_ranks(columns: int) -> Any:
    """More rows than a run has places."""
    return np.random.default_rng(columns).integers(0, 4, (columns, RUN + 90)).astype(np.int32)


@cache
def by_numpy(columns: int) -> Counter[tuple[int, ...]]:
    """The outcomes of all unordered pairs of these rows on ordered columns, the lower row first."""
    ranks = long_ranks(columns)
    t, u = np.triu_indices(ranks.shape[1], 1)
    signs = 1 + np.sign(ranks[:, t].astype(np.int64) - ranks[:, u])
    rows, counts = np.unique(signs.T, axis=0, return_counts=True)
    return Counter(dict(zip(map(tuple, rows.tolist()), counts.tolist(), strict=True)))


@pytest.mark.parametrize("columns", [3, 25])
def test_rows_beyond_a_tile_and_a_run(sink: str, columns: int) -> None:
    """With 25 columns there are two lanes, and far more signatures than a table begins with."""
    ranks, expected = long_ranks(columns), by_numpy(columns)
    rows, layout = ranks.shape[1], Layout(tuple(Comparison(c, c, True) for c in range(columns)))
    for side in (rows, 100):
        found = gathered(ranks, packing(layout, ranks), True, True, side)
        assert told(found) == expected
    both = gathered(ranks, packing(layout, ranks), True, False, 10 * rows)
    assert both == found.close()
    assert both.pairs == rows * (rows - 1)


def test_which_sink_counts() -> None:
    layout = Layout(tuple(Comparison(c, c, True) for c in range(5)))
    few = Packing.of(layout, np.full(5, 3))
    wide = Packing.of(Layout(tuple(Comparison(c, c, True) for c in range(30))), np.full(30, 3))
    kinds = [gather.sinks(p, counted, pairs)[0].kind for p, counted, pairs in [
        (few, False, 10.0), (few, True, 10.0), (wide, False, 1e9), (wide, True, 1e9), (few, True, 2.0**32),
    ]]  # fmt: skip
    assert kinds == [BITS, COUNTERS, TABLE, TABLE, TABLE]


def test_equal_rows_count_as_pairs_and_a_row_with_itself_does_not() -> None:
    """Reflexive pairs would add a signature of equals only, and one count for every row."""
    ranks = np.array([[0, 0, 0, 1]], np.int32)
    layout = Layout((Comparison(0, 0, True),))
    assert told(gathered(ranks, packing(layout, ranks), True, False, 3)) == Counter({(1,): 6, (0,): 3, (2,): 3})
    apart = np.arange(600, dtype=np.int32)[None, :]
    assert (1,) not in told(gathered(apart, packing(layout, apart), True, False, 256))


def test_counts_beyond_32_bits_are_kept_in_the_parts() -> None:
    ranks = np.zeros((1, 3), np.int32)
    made = packing(Layout((Comparison(0, 0, True),)), ranks)
    part = gathered(ranks, made, True, False, 3)
    for _ in range(30):
        part = part.merge(part)
    assert part.pairs == 6 << 30


@pytest.mark.parametrize("once", [False, True])
@pytest.mark.parametrize("rows", [0, 1, 2, 9, 10])
def test_blocks_hold_every_pair_once(rows: int, once: bool) -> None:
    for side in (1, 3, 10, 99):
        seen: Counter[tuple[int, int]] = Counter()
        for t, t_end, u, u_end in blocks(rows, once, side):
            inside = [(i, j) for i in range(t, t_end) for j in range(u, u_end) if i < j or (i > j and not once)]
            seen.update(inside)
        assert seen == Counter(every_pair(rows, once))
    half = rows * rows / 2 if once else float(rows * rows)
    assert sum(pairs_of(block, once) for block in blocks(rows, once, 3)) == half


def test_engines_agree() -> None:
    draw = Random(7)
    ranks, layout = random_ranks(draw, 5, 50), random_layout(draw, 5, 6)
    expected = gathered(ranks, packing(layout, ranks), True, True, 50)
    assert told(expected) == outcomes(layout, ranks, every_pair(50, True))
    for engine in (LocalEngine(3), PickledEngine(1), PickledEngine(2, lossy=True)):
        with engine:
            assert gathered(ranks, packing(layout, ranks), True, True, 8, engine) == expected


def test_pairs_within_classes_of_rows() -> None:
    draw = Random(9)
    for _ in range(examples(20)):
        ranks, layout = random_ranks(draw, 4, 12), random_layout(draw, 4, 5)
        made, offs = packing(layout, ranks), np.array([0, 3, 4, 9], np.int64)
        table, lanes = gather.sinks(made, True, 100.0), gather.scratch(made)
        held = gather_classes(ranks, made.fields, lanes, offs, True, *table)
        inside = [(t, u) for t, u in every_pair(12, True) if u < 9 and not any(t < c <= u for c in (3, 4))]
        assert told(gather.emptied(made, True, True, table[0], held)) == outcomes(layout, ranks, inside)


def test_bits_that_are_set_are_told_in_order() -> None:
    bits = np.array([0, 1 << 31 | 1, 0, 6], np.uint32)
    assert set_bits(bits)[:, 0].tolist() == [32, 63, 97, 98]
    assert set_bits(np.zeros(3, np.uint32)).shape == (0, 1)
    assert empty_table(4, 2).codes.shape == (4, 2)


def test_rows_in_another_order_have_the_same_pairs() -> None:
    draw = Random(10)
    for rows in (0, 1, 9):
        ranks = random_ranks(draw, 3, rows)
        order = by_low_cardinality(ranks)
        assert sorted(order.tolist()) == list(range(rows))
        layout = random_layout(draw, 3, 3)
        settled = np.ascontiguousarray(ranks[:, order])
        both = [gathered(held, packing(layout, held), True, False, 4) for held in (ranks, settled)]
        assert told(both[0]) == told(both[1])
    assert len(by_low_cardinality(np.zeros((0, 5), np.int32))) == 0


def test_one_order_of_pairs_is_enough_where_the_other_follows() -> None:
    assert once_of(Layout((Comparison(0, 0, True), Comparison(1, 1, False, True, True))))
    assert not once_of(Layout((Comparison(0, 0, True), Comparison(0, 1, False))))
