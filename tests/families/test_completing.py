"""Sampling and completion finds what all pairs show; what cannot be counted is refused, or said to be an estimate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful
from lawful.engine.local import LocalEngine
from lawful.errors import OptionError
from lawful.evidence.sampling import RANDOM, WAYS, Draw, SamplePairs
from lawful.evidence.space import dc_space
from lawful.families import comparing, marked
from lawful.families.comparing import Choice, choose, packing_of
from lawful.families.discovery import discover_all
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from tests.engines.pickled import PickledEngine

TEXTS = "abcdef"


def _tables(seed: int, count: int) -> Iterator[tuple[Encoded, dict[str, Any], str]]:
    """Random tables with the options to search them by: ties, nulls, text, constants, copies."""
    draw = np.random.default_rng(seed)
    for _ in range(count):
        rows, kind = int(draw.integers(2, 14)), str(draw.choice(["dc", "pod"]))
        columns: dict[str, list[Any]] = {}
        for name in "pqrst"[: int(draw.integers(1, 6))]:
            cells = draw.integers(0, int(draw.integers(1, 6)), rows).tolist()
            if draw.random() < 0.4:
                cells = [TEXTS[cell] for cell in cells]
            gaps = draw.random(rows) < (0.2 if draw.random() < 0.4 else 0.0)
            columns[name] = [None if gap else cell for gap, cell in zip(gaps, cells, strict=True)]
        nulls = str(draw.choice(["first", "last", "unknown"] if kind == "dc" else ["first", "last"]))
        options: dict[str, Any] = {"cross_columns": kind == "dc" and bool(draw.random() < 0.3)}
        if draw.random() < 0.3:
            options["max_size"] = int(draw.integers(1, 4))
        yield lawful.encode(pa.table(columns), nulls=nulls), options, kind


def _found(table: Encoded, engine: Any, **options: Any) -> list[str]:
    rules, _ = discover_all(table, engine, DiscoverOptions(**options), budget=Budget.of(None))
    return [str(rule) for rule in rules]


@pytest.mark.parametrize("engine", [lambda: LocalEngine(2), lambda: PickledEngine(5)], ids=["local", "pickled"])
def test_both_ways_find_the_same(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with engine() as running:
        for table, options, kind in _tables(7, 150):
            found = []
            for full, many in ((True, 1e9), (False, 1e9), (False, 0)):
                monkeypatch.setattr(marked, "choose", lambda *_, full=full: Choice(full, "so it is"))
                monkeypatch.setattr(comparing, "MANY_PAIRS", many)
                found.append(_found(table, running, kinds=(kind,), sample=1, efficiency=1.0, **options))
            assert found[0] == found[1] == found[2], (table, options)


def test_all_pairs_are_compared_where_suggested_rules_are_hard_to_try(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    draw = np.random.default_rng(3)
    table = pa.table({name: draw.permutation(30) for name in "abcdefgh"})
    expected = [str(rule) for rule in lawful.discover(table, ["dc"], engine="local")]
    monkeypatch.setattr(marked, "choose", lambda *_: Choice(False, "so it is"))
    monkeypatch.setattr(comparing, "MANY_PAIRS", 0)
    with caplog.at_level("INFO", "lawful.discover"):
        assert [str(rule) for rule in lawful.discover(table, ["dc"], engine="local", sample=1)] == expected
    assert "all pairs after all" in caplog.text


def test_a_longer_table(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    base = draw.integers(0, 300, 3_000)
    table = pa.table(
        {
            "group": base % 40,
            "level": base,
            "noise": draw.integers(0, 50, 3_000),
            "pay": base * 10 + draw.integers(0, 3, 3_000),
            "name": [f"n{value % 7}" for value in base],
        }
    )
    for kind in ("dc", "pod"):
        found = []
        for full in (True, False):
            monkeypatch.setattr(marked, "choose", lambda *_, full=full: Choice(full, "so it is"))
            found.append([str(rule) for rule in lawful.discover(table, [kind], engine="local")])
        assert len(found[0]) > 5 and found[0] == found[1]


def test_a_draw_is_of_pairs_of_different_rows() -> None:
    table = lawful.encode(pa.table({"a": [1, 1, 2, 2, 3], "b": [1, 2, 3, 4, 5]}))
    space = dc_space(table, DiscoverOptions(kinds=("dc",)))
    job = SamplePairs(packing_of(space), True, 1)
    for column in (RANDOM, 0, 1):
        for way in range(WAYS):
            for seed in range(20):
                found = job.run(table, Draw(column, way, seed, 5))
                same = (found.layout.outcome(found.signatures, 0) == 1) & (
                    found.layout.outcome(found.signatures, 1) == 1
                )
                assert not same.any()
                if (column, way) == (0, 0):
                    assert (found.layout.outcome(found.signatures, 0) == 1).all() and found.pairs == 4
                if column == 0 and way > 0:
                    assert (found.layout.outcome(found.signatures, 0) != 1).all()


def test_stopped_by_time_what_is_proven_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    table = pa.table({name: draw.integers(0, 30, 3_000) for name in "abcdef"})
    expected = {str(rule) for rule in lawful.discover(table, ["dc"], engine="local")}
    monkeypatch.setattr(marked, "choose", lambda *_: Choice(False, "so it is"))
    for limit in ("0.05s", "0.2s", "0.4s"):
        rules = lawful.discover(table, ["dc"], engine="local", time_limit=limit)
        assert {str(rule) for rule in rules} <= expected
        assert rules.complete or "time limit" in str(rules.incomplete)


def test_counts_of_long_tables_are_refused_or_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "FEW_PAIRS", 10)
    monkeypatch.setattr(comparing, "MOST_PAIRS", 100)
    table = pa.table({"a": list(range(200)), "b": [n // 2 for n in range(200)], "c": [n % 3 for n in range(200)]})
    with pytest.raises(OptionError, match="max_error for dc needs every pair of rows counted") as refused:
        lawful.discover(table, ["dc"], max_error=0.01)
    assert "up to 14 rows" in str(refused.value.hint)
    rules = lawful.discover(table, ["dc"], max_error=0.01, estimate=True)
    assert len(rules) and not rules.complete
    assert any("estimates" in warning for warning in rules.warnings)


def test_top_of_a_long_table_is_told_to_be_estimated(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"a": list(range(50)), "b": [n // 2 for n in range(50)], "c": [n % 3 for n in range(50)]})
    monkeypatch.setattr(marked, "choose", lambda *_: Choice(False, "so it is"))
    plain = lawful.discover(table, ["pod"])
    assert all(rule.figures.error == 0 and rule.figures.interest is None for rule in plain)
    assert not plain.warnings
    best = lawful.discover(table, ["pod"], top=3)
    assert len(best) == 3 and all(rule.figures.interest is not None for rule in best)
    assert any("estimates" in warning for warning in best.warnings)


def test_the_choice_is_made_from_the_table_alone() -> None:
    table = lawful.encode(pa.table({"a": list(range(100))}))
    space = dc_space(table, DiscoverOptions(kinds=("dc",)))
    assert choose(space, 100, False).full
    assert not choose(space, 1_000_000, False).full
    assert not choose(space, 1_000_000, True).full


def test_the_best_of_a_bounded_search_are_the_best_of_all() -> None:
    draw = np.random.default_rng(11)
    for _ in range(25):
        rows, width = int(draw.integers(4, 40)), int(draw.integers(2, 6))
        table = pa.table({f"c{c}": draw.integers(0, int(draw.integers(2, 8)), rows) for c in range(width)})
        rules = lawful.discover(table, ["dc"], engine="local")
        for top in (1, 4):
            best = lawful.discover(table, ["dc"], engine="local", top=top)
            assert [str(rule) for rule in best] == [str(rule) for rule in rules.top(top)]
