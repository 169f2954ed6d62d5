"""States of exact pods under inserts alone, which follow them by their rows: any length, any cut, any order."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful as lw
from lawful.errors import OptionError
from lawful.families import comparing, inserting
from lawful.options import EngineOptions
from tests.families.test_inserting import cuts, tables
from tests.made import as_arrow
from tests.naive import Table, discover, pairs_error
from tests.profiles import examples


def bare(rules: Any) -> list[str]:
    return sorted(map(str, rules))


def head(table: Table, start: int, stop: int) -> pa.Table:
    return as_arrow(table.with_rows(table.rows[start:stop]))


def explained(delta: Any, now: Table) -> None:
    """A pod that went shows two rows that break it, one that came holds; pairs are not counted."""
    for rule in (rule for rule in delta.added if rule.kind == "pod"):
        reason = delta.reason(rule)
        assert (reason.before, reason.after, reason.witness) == (0.0, 0.0, None)
    for rule in (rule for rule in delta.removed if rule.kind == "pod"):
        reason = delta.reason(rule)
        assert (reason.before, reason.after) == (0.0, None) and "break it" in str(reason)
        assert pairs_error(rule, now.with_rows([now.rows[i] for i in reason.witness.ids])) > 0


@pytest.mark.slow
@pytest.mark.parametrize("glances", [None, 0, 1], ids=["all pairs", "rules", "a glance and rules"])
def test_after_every_batch_rules_are_the_minimal_ones(glances: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if glances is not None:
        monkeypatch.setattr(inserting.Following, "_is_small", lambda *_: False)
        monkeypatch.setattr(inserting, "_COMPARED", 20)
        monkeypatch.setattr(inserting, "_GLANCES", glances)
    for number, (asked, draw) in enumerate(tables(23 + (glances is None) + 2 * (glances == 1), examples(40))):
        whole = Table(asked.table.names, asked.table.types, asked.table.rows)
        stops = cuts(len(whole), draw)
        options = {"nulls": asked.nulls, **asked.options}
        kinds = draw.choice((["pod"], ["pod"], ["fd", "key", "pod"]))
        with tempfile.TemporaryDirectory() as folder:
            state = lw.maintain.create(Path(folder) / "s", head(whole, 0, stops[0]), kinds, **options)
            for start, stop in pairwise([0, *stops]):
                now = whole.with_rows(whole.rows[:stop])
                if start or stop != stops[0]:
                    before = state.rules()
                    delta = state.apply(head(whole, start, stop))
                    assert bare(before.diff(state.rules()).added) == bare(delta.added)
                    if asked.nulls == "first" and not any(None in row for row in whole.rows):
                        explained(delta, now)
                state = lw.maintain.open(Path(folder) / "s")
                assert bare(state.rules()) == bare(discover(now, kinds, nulls=asked.nulls, **asked.options)), number
            assert state.check(deep=True).fine


def columns(rows: int, seed: int) -> dict[str, Any]:
    """A level that pay follows, closely or not at all; few values."""
    draw = np.random.default_rng(seed)
    level = draw.integers(0, 50, rows)
    return {"level": level, "pay": level * 10 + draw.integers(0, 10, rows), "team": draw.integers(0, 4, rows)}


def test_longer_than_what_can_be_counted(tmp_path: Path) -> None:
    """260,000 rows: all pairs of so many are compared for no kind."""
    base, more = pa.table(columns(250_000, 1)), pa.table(columns(10_000, 2))
    state = lw.maintain.create(tmp_path / "s", base, ["pod"])
    assert len(state) > comparing.most_rows() and "level< => pay<" in bare(state.rules())
    assert not state.apply(more)
    delta = state.apply(pa.table({"level": [7], "pay": [80], "team": [3]}))
    assert "level< => pay<" in bare(delta.removed) and "level<= => pay<=" not in bare(state.rules())
    witness = next(delta.reason(rule) for rule in delta.removed if str(rule) == "level< => pay<").witness
    assert 260_000 in witness.ids
    whole = pa.concat_tables([base, more, pa.table({"level": [7], "pay": [80], "team": [3]})])
    assert bare(state.rules()) == bare(lw.discover(whole, ["pod"], engine="local"))
    assert lw.maintain.open(tmp_path / "s").check().fine


def test_rows_in_any_order_and_any_batches() -> None:
    rows = {name: values.tolist() for name, values in columns(60, 3).items()}
    told = set()
    for seed in range(4):
        draw = Random(seed)
        order = draw.sample(range(60), 60)
        whole = pa.table(rows).take(order)
        with tempfile.TemporaryDirectory() as folder:
            stops = cuts(60, draw)
            state = lw.maintain.create(Path(folder) / "s", whole.slice(0, stops[0]), ["pod"])
            for start, stop in pairwise(stops):
                state.apply(whole.slice(start, stop - start))
            told.add(tuple(bare(state.rules())))
    assert len(told) == 1


def test_no_agree_sets_unless_they_are_needed(tmp_path: Path) -> None:
    table = pa.table(columns(20, 1))
    with pytest.raises(OptionError, match="counts no agree sets"):
        lw.maintain.create(tmp_path / "a", table, ["pod"]).agree_sets()
    both = lw.maintain.create(tmp_path / "b", table, ["fd", "pod"])
    both.apply(table)
    assert both.agree_sets().pairs == 40 * 39 // 2


@pytest.mark.parametrize("kinds", [["pod"], ["fd", "pod"]])
def test_a_column_more_and_one_segment(tmp_path: Path, kinds: list[str]) -> None:
    base, wide = pa.table(columns(30, 1)), pa.table({**columns(8, 2), "extra": list(range(8))})
    state = lw.maintain.create(tmp_path / "s", base, kinds)
    state.apply(wide, evolve=True)
    state.compact()
    state.apply(wide.slice(2, 3))
    whole = pa.concat_tables([base.append_column("extra", pa.nulls(30, pa.int64())), wide, wide.slice(2, 3)])
    assert bare(lw.maintain.open(tmp_path / "s").rules()) == bare(lw.discover(whole, kinds, engine="local"))
    assert lw.maintain.open(tmp_path / "s").check(deep=True).fine


@pytest.mark.spark
@pytest.mark.parametrize("full", [True, False], ids=["all pairs", "a sample"])
def test_on_spark(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool) -> None:
    """The first table is searched there; a batch is tried here."""
    monkeypatch.setattr(inserting, "choose", lambda *_, **__: comparing.Choice(full, "so it is"))
    running = EngineOptions(engine="spark", work_dir=str(tmp_path / "work"))
    base, more = pa.table(columns(60, 1)), pa.table(columns(9, 2))
    state = lw.maintain.create(tmp_path / "s", base, ["fd", "pod"], running=running)
    assert bare(state.rules()) == bare(lw.discover(base, ["fd", "pod"], engine="local"))
    state.apply(more, running=running)
    whole = pa.concat_tables([base, more])
    assert bare(state.rules()) == bare(lw.discover(whole, ["fd", "pod"], engine="local"))
