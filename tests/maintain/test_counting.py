"""The change that a batch makes to the agree sets, however it is counted and on whatever engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lawful as lw
from lawful.engine import choice
from lawful.engine.local import LocalEngine
from lawful.evidence.batch import runs_of, stretches, within
from lawful.evidence.multiset import Multiset
from lawful.maintain import counting
from lawful.maintain.counting import change_of, cheaper_anew, counted_anew, packing_of
from lawful.maintain.rows import Part, Rows
from lawful.options import EngineOptions
from tests.engines.pickled import PickledEngine
from tests.maintain.killed import rows as many
from tests.strategies import rank_matrices


@st.composite
def batches(draw: st.DrawFn) -> tuple[Rows, Part, Any]:
    """Rows in parts, some of them dead; rows that go; rows that come."""
    codes = draw(rank_matrices(min_cols=1, max_cols=40, max_rows=12))
    total = codes.shape[1]
    first, second = sorted(draw(st.tuples(st.integers(0, total), st.integers(0, total))))
    parts = tuple(Part(np.arange(a, b), codes[:, a:b]) for a, b in ((0, first), (first, second)))
    dead, gone = np.zeros(second, np.bool_), np.zeros(second, np.bool_)
    for row in range(second):
        dead[row], gone[row] = draw(st.sampled_from([(False, False), (False, True), (True, False)]))
    there = Rows(len(codes), parts, np.flatnonzero(dead))
    leaving = np.flatnonzero(gone)
    return there, Part(leaving, codes[:, leaving]), codes[:, second:]


@given(batches(), st.integers(0, 9), st.booleans(), st.booleans())
def test_the_change_is_the_difference(batch: Any, seed: int, long: bool, pickled: bool) -> None:
    """Counted in one go, and as jobs that compare all that is stored and take the dead off."""
    rows, gone, new = batch
    ids = np.arange(new.shape[1]) + 100
    after = rows.changed(gone.ids, Part(ids, new))
    packing = packing_of(rows, new)
    before, expected = (within(packing, part.whole().codes) for part in (rows, after))
    with pytest.MonkeyPatch.context() as patch, PickledEngine(seed) if pickled else LocalEngine(1) as engine:
        if long:
            patch.setattr(counting, "FEW_PAIRS", -1)
            patch.setattr(counting, "WORTH_COPYING", 3)
        change = change_of(rows, gone, new, engine)
        anew = counted_anew(after, before, engine)
    sets = Multiset(packing.layout, before)
    sets.add(change)
    assert sets.evidence() == expected
    assert {s.tobytes(): n for s, n in zip(anew.signatures, anew.counts.tolist(), strict=True)} == {
        s.tobytes(): n for s, n in zip(change.signatures, change.counts.tolist(), strict=True)
    }


@given(st.lists(st.booleans()))
def test_runs(flags: list[bool]) -> None:
    runs = runs_of(np.array(flags, np.bool_))
    assert [i for a, b in runs for i in range(a, b)] == [i for i, flag in enumerate(flags) if flag]
    assert (runs[1:, 0] > runs[:-1, 1]).all() and (runs[:, 0] < runs[:, 1]).all()


def test_the_cheaper_way() -> None:
    assert not cheaper_anew(1000, 10, 10, 0) and not cheaper_anew(1000, 0, 100, 0)
    assert cheaper_anew(1000, 900, 0, 0) and cheaper_anew(10, 9, 100, 0) and cheaper_anew(10, 10, 0, 0)
    assert cheaper_anew(1000, 900, 0, 1_000) and not cheaper_anew(1000, 900, 0, 300_000)
    assert not cheaper_anew(1000, 280, 0, 0) and cheaper_anew(1000, 300, 0, 0)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_inserts_alone_are_followed(rows: int, new: int, held: int) -> None:
    assert not cheaper_anew(rows, 0, new, held)


def test_every_worker_has_some() -> None:
    """However long the table: units cover it, there are enough of them, and none is tiny or huge."""
    for rows, batch, workers in ((0, 5, 2), (100, 5, 2), (10_000_000, 50, 4), (100_000, 10_000, 2), (3, 1 << 40, 1)):
        units = list(stretches(rows, batch, workers))
        assert [b for _, b in units] == [a for a, _ in units[1:]] + [rows] * bool(rows)
        assert all((b - a) * batch <= 1 << 31 or b - a == 1 for a, b in units)
        assert len(units) <= 4 * workers or all((b - a) * batch > 1 << 30 or b - a == 1 << 20 for a, b in units[:-1])
    assert len(list(stretches(10_000_000, 1_000, 4))) >= 16


@pytest.mark.parametrize("size", [5, 60])
@pytest.mark.parametrize("way", ["batch", "anew"])
def test_a_long_batch_and_the_workers(monkeypatch: pytest.MonkeyPatch, size: int, way: str) -> None:
    """Many units, in process on some threads and pickled: the change is the one that a single thread finds."""
    draw = np.random.default_rng(4)
    codes = draw.integers(0, 4, (70, 1_600), np.int32)
    rows = Rows(70, (Part(np.arange(600), codes[:, :600]), Part(np.arange(600, 1_500), codes[:, 600:1_500])),
                np.arange(0, 500, 2))  # fmt: skip
    new = codes[:, 1_500 : 1_500 + size]
    gone = Part(np.arange(1, 2 * size, 2), codes[:, 1 : 2 * size : 2])
    after = rows.changed(gone.ids, Part(np.arange(size) + 1_500, new))
    packing = packing_of(rows, new)
    expected = within(packing, after.whole().codes)
    before = within(packing, rows.whole().codes)
    monkeypatch.setattr(counting, "FEW_PAIRS", -1)
    for engine in (LocalEngine(3), PickledEngine(1)):
        with engine:
            followed = way == "batch"
            change = change_of(rows, gone, new, engine) if followed else counted_anew(after, before, engine)
        sets = Multiset(packing.layout, before)
        sets.add(change)
        assert sets.evidence() == expected


@pytest.mark.parametrize(
    ("options", "spark"), [({}, False), ({"engine": "local", "master": "local[2]"}, False), ({"engine": "spark"}, True),
                           ({"master": "spark://host:7077"}, True)],
)  # fmt: skip
@pytest.mark.parametrize("cluster", [False, True])
def test_where_a_batch_is_compared(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: Any, spark: bool, cluster: bool
) -> None:
    """A master is a wish for Spark; the workers of a cluster look into the state's folder where no other is named."""
    seen: dict[str, Any] = {}

    def engine(self: choice.Place, running: EngineOptions, session: Any, folder: str | None = None) -> LocalEngine:
        seen.update(spark=self.spark, folder=folder)
        return LocalEngine(1)

    monkeypatch.setattr(choice.Place, "session", lambda *_: object())
    monkeypatch.setattr(choice.Place, "engine", engine)
    monkeypatch.setattr(choice, "is_local", lambda _: not cluster)
    state = lw.maintain.create(tmp_path / "state", many(0))
    state.apply(many(1), running=EngineOptions(**options))
    assert seen["spark"] == spark
    assert (seen["folder"] or "").startswith(str(tmp_path / "state" / "work")) == (spark and cluster)
    if spark:
        state.apply(many(2), running=EngineOptions(**options, work_dir=str(tmp_path / "shared")))
        assert seen["folder"].startswith(str(tmp_path / "shared"))
    assert not list(tmp_path.glob("shared/*")) and not list(tmp_path.glob("state/work/*"))


@pytest.mark.parametrize(
    ("gone", "come", "way"),
    [(0, 1, "batch"), (0, 400, "batch"), (4, 0, "batch"), (10, 0, "batch"), (20, 0, "anew"), (38, 0, "anew"),
     (40, 40, "anew"), (30, 4, "anew"), (4, 30, "batch"), (10, 400, "batch"), (30, 400, "anew")],
)  # fmt: skip
def test_a_state_goes_the_cheaper_way(tmp_path: Path, gone: int, come: int, way: str) -> None:
    """By the pairs that each way has to compare; inserts alone are followed however many they are."""
    state = lw.maintain.create(tmp_path / "state", many(0))
    state.apply(many(1, max(come, 1)).slice(0, come), state.row_ids()[:gone])
    assert state.history()[-1][1].counting == way
    fresh = lw.maintain.create(tmp_path / "fresh", state.to_arrow().drop_columns("row_id"))
    assert state.agree_sets() == fresh.agree_sets() and state.rules() == fresh.rules()


@pytest.mark.spark
def test_on_spark(spark: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "FEW_PAIRS", -1)
    running = EngineOptions(engine="spark", work_dir=str(tmp_path / "work"))
    there = lw.maintain.create(tmp_path / "there", many(0), running=running)
    here = lw.maintain.create(tmp_path / "here", many(0))
    for batch in (1, 2):
        found = there.apply(many(batch), many(batch - 1).slice(0, 5), running=running)
        assert str(found) == str(here.apply(many(batch), many(batch - 1).slice(0, 5)))
        assert there.agree_sets() == here.agree_sets() and there.rules() == here.rules()
    told = there.apply(many(3), there.row_ids()[2:], running=running)
    assert str(told) == str(here.apply(many(3), here.row_ids()[2:]))
    assert there.agree_sets() == here.agree_sets() and there.rules() == here.rules()
    assert [made.counting for _, made in there.history()] == ["anew", "batch", "batch", "anew"]
    assert there.check(deep=True).fine and not list((tmp_path / "work").glob("*"))
