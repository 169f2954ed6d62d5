"""Keys alone: the minimal ones by the definition, on every engine, however the search is cut."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.engine import Engine, LocalEngine
from lawful.errors import InputError
from lawful.limits import Budget
from lawful.ranks.encoded import Encoded
from lawful.search import journal, keys, witnesses
from tests.engines.laws import assert_merge_laws
from tests.engines.pickled import PickledEngine
from tests.families.finding import discover_encoded, encoded, found, lines, of_ranks
from tests.families.test_bod import assert_figures, same_rules, some_tables
from tests.naive import discover
from tests.profiles import examples

KEY = ("key",)
CUTS = ("all", "rows", "single", "blind", "mixed")


@contextmanager
def cut(name: str, rng: Random | None = None) -> Iterator[None]:
    """All agree sets known or few or none to begin with; branches as large as they are, or of a node or two."""
    draw = rng or Random(1)
    with pytest.MonkeyPatch.context() as patch:
        if name != "all":
            patch.setattr(witnesses, "ALL", 0)
        if name == "blind":
            patch.setattr(keys, "_PAIRS", 0)
        if name in ("single", "mixed"):
            patch.setattr(keys, "_FIRST", 1.0)
            patch.setattr(keys, "_WORK", 1.0 if name == "single" else draw.choice([10.0, 300.0]))
            patch.setattr(keys, "_EDGES", 1)
            patch.setattr(keys, "_SETS", draw.randint(1, 3))
            patch.setattr(keys, "_PROVEN", draw.choice([0, 1, 1000]))
            patch.setattr(keys, "_PAIRS", draw.randint(0, 1))
            patch.setattr(keys, "DEPTH", draw.randint(1, 3))
        yield


def test_exactly_the_minimal_keys() -> None:
    for table, rng in some_tables(21, 400, duplicates=False, max_cols=6):
        expected, here = discover(table, KEY), encoded(table)
        for name in CUTS:
            with cut(name, rng):
                same_rules(found(here, KEY), expected, (name, table))


def test_more_rows_and_columns() -> None:
    for table, rng in some_tables(22, 60, min_rows=10, max_rows=30, min_cols=6, max_cols=9, duplicates=False):
        expected, here = discover(table, KEY), encoded(table)
        for name in CUTS:
            with cut(name, rng):
                same_rules(found(here, KEY), expected, (name, table))


def test_every_engine_gives_the_same_lines() -> None:
    for table, rng in some_tables(23, 60, min_rows=6, max_rows=20, min_cols=3, max_cols=8, duplicates=False):
        here = encoded(table)
        expected = lines(found(here, KEY))
        for name in CUTS:
            with cut(name, rng):
                engines: list[Engine] = [LocalEngine(2), PickledEngine(rng.randrange(99), lossy=True)]
                for engine in engines:
                    with engine:
                        assert lines(found(here, KEY, engine=engine)) == expected, (name, engine.name, table)


@pytest.mark.parametrize("nulls", ["first", "last", "unknown"])
def test_sizes_nulls_and_figures(nulls: Any) -> None:
    for table, rng in some_tables(24, 100, min_rows=2, max_rows=9, max_cols=6):
        size = rng.choice([1, 2, 3, 4, None])
        here = encoded(table, "first" if nulls == "unknown" else nulls)
        with cut(rng.choice(CUTS), rng):
            ours = found(replace(here, nulls=nulls), KEY, max_size=size)
        same_rules(ours, discover(table, KEY, max_size=size, nulls=nulls), (size, nulls, table))
        assert ours.complete_to == size
        if nulls == "first":
            assert_figures(ours, table)


def test_the_lines_are_those_of_the_walk() -> None:
    """Which finds keys beside fds; also the remark on duplicates, and the note on fewer than two rows, are its own."""
    for table, _ in some_tables(25, 150, max_rows=9):
        alone, beside = found(encoded(table), KEY), found(encoded(table), ("fd", "key")).filter("key")
        assert lines(alone) == lines(beside)
        assert (alone.warnings, alone.note, alone.complete) == (beside.warnings, beside.note, beside.complete)


def plain_keys(ranks: Any, most: int) -> set[frozenset[int]]:
    """Minimal keys of up to so many columns, from the number of distinct rows."""
    made: list[frozenset[int]] = []
    for size in range(most + 1):
        for columns in combinations(range(len(ranks)), size):
            one = frozenset(columns)
            if not any(key <= one for key in made) and len(np.unique(ranks[list(columns)], axis=1).T) == ranks.shape[1]:
                made.append(one)
    return set(made)


def named(rules: Any) -> set[frozenset[int]]:
    at = {name: place for place, name in enumerate(rules.names)}
    return {frozenset(at[name] for name in rule.columns) for rule in rules}


@pytest.mark.parametrize("width", [63, 64, 65, 128, 130])
def test_wide_tables(width: int) -> None:
    ranks = of_ranks(np.random.default_rng(width).integers(0, 4, (width, 12))).ranks
    expected = plain_keys(ranks, 2)
    assert expected
    for name in CUTS:
        with cut(name, Random(width)), LocalEngine(2) as engine:
            assert named(found(of_ranks(ranks), KEY, max_size=2, engine=engine)) == expected, name


def longer(rows: int = 3000, width: int = 12) -> Encoded:
    """Keys of four columns and more, most of which a sample of pairs does not tell from others."""
    rng = np.random.default_rng(5)
    return of_ranks(rng.integers(0, rng.integers(3, 40, width)[:, None], (width, rows)))


def test_a_long_table_in_passes() -> None:
    expected = lines(found(longer(), ("fd", "key")).filter("key"))
    assert expected.count(b"\n") > 50
    for name in ("rows", "blind"):
        with cut(name), LocalEngine(2) as engine:
            assert lines(found(longer(), KEY)) == expected
            assert lines(found(longer(), KEY, engine=engine)) == expected


def test_what_a_pass_missed_the_next_one_finds() -> None:
    """A column may be needed for a pair of rows that was not known when a branch was given up."""
    steps: list[dict[str, str]] = []
    with cut("blind"):
        found(longer(), KEY, listener=lambda step: steps.append(step.figures))
    passes = [figures["pass"] for figures in steps]
    assert passes[0] == "1"
    assert int(passes[-1]) > 1


# Endings


def ended(**more: Any) -> tuple[Any, Any]:
    with cut("single"):
        return discover_encoded(longer(), KEY, **more)


def test_endings_keep_what_was_found() -> None:
    whole = set(found(longer(), KEY))
    left = [400]

    def stop(step: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    for more, code in (
        ({"time_limit": "0.2s", "listener": lambda step: time.sleep(0.001)}, 3),
        ({"listener": stop}, 130),
    ):
        part, ending = ended(**more)
        assert (ending.code, part.complete, part.complete_to) == (code, False, None)
        assert set(part) <= whole
        assert 0 < len(part) < len(whole)


def test_a_budget_that_is_spent() -> None:
    rules, ending = discover_encoded(longer(), KEY, budget=Budget(1))
    assert (ending.code, rules.complete) == (3, False)
    assert "Memory" in str(rules.incomplete)


class Killed(BaseException):
    """As sudden as a kill, but for what was already written."""


def test_killed_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "EVERY", -1.0)
    whole = lines(found(longer(400), KEY))
    for round, name in enumerate(("single", "mixed", "blind") * examples(1)):
        folder, rng, runs = tmp_path / str(round), Random(round), 0
        while True:
            left = [rng.randint(1, 40) if runs else 1]

            def listen(step: object, left: list[int] = left) -> None:
                left[0] -= 1
                if left[0] == 0:
                    raise Killed

            with cut(name, rng):
                try:
                    args: Any = {"work_dir": str(folder), "resume": runs > 0, "listener": listen}
                    rules, ending = discover_encoded(longer(400), KEY, **args)
                    break
                except Killed:
                    runs += 1
                    assert len(list(folder.rglob("*.npz"))) == 1
                    name = name if runs < 12 else "rows"
        assert (ending.reason, lines(rules)) == (None, whole)
        assert runs > 0
        assert list(folder.iterdir()) == []
        with pytest.raises(InputError, match="holds no search"):
            discover_encoded(longer(400), KEY, work_dir=str(folder), resume=True)


def test_the_merge_laws() -> None:
    here = longer(50, 6)
    job = keys.FindKeys(tuple(range(6)), 6, False)
    passes = keys.Passes(6, np.zeros((0, 1), np.uint64))
    passes.begin()
    parts = []
    with cut("single"), LocalEngine(1) as engine:
        for branch, part in engine.stream(job, engine.share(here), passes.units()):
            passes.take_in(branch, part)
            parts.append(part)
            if len(parts) == 4:
                break
    assert_merge_laws(job, parts)


# Spark


@pytest.fixture(scope="module")
def on_spark(spark: Any) -> Any:
    from lawful.engine.spark.engine import SparkEngine

    with SparkEngine(spark, workers=2) as engine:
        yield engine


@pytest.mark.spark
def test_on_spark(on_spark: Any) -> None:
    for table, rng in some_tables(26, 6, min_rows=4, max_rows=12, min_cols=4, max_cols=7, duplicates=False):
        with cut(rng.choice(("all", "rows", "blind")), rng):
            same_rules(found(encoded(table), KEY, engine=on_spark), discover(table, KEY), table)


@pytest.mark.spark
def test_a_long_table_on_spark(on_spark: Any) -> None:
    expected = lines(found(longer(), KEY))
    with cut("blind"):
        assert lines(found(longer(), KEY, engine=on_spark)) == expected
