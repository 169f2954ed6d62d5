"""The change that a batch makes to the agree sets, however it is counted and on whatever engine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lawful as lw
from lawful.engine.local import LocalEngine
from lawful.evidence.batch import runs_of, within
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
        change = change_of(rows, gone, new, engine)
    sets = Multiset(packing.layout, before)
    sets.add(change)
    assert sets.evidence() == expected
    anew = counted_anew(after, before)
    assert {s.tobytes(): n for s, n in zip(anew.signatures, anew.counts.tolist(), strict=True)} == {
        s.tobytes(): n for s, n in zip(change.signatures, change.counts.tolist(), strict=True)
    }


@given(st.lists(st.booleans()))
def test_runs(flags: list[bool]) -> None:
    runs = runs_of(np.array(flags, np.bool_))
    assert [i for a, b in runs for i in range(a, b)] == [i for i, flag in enumerate(flags) if flag]
    assert (runs[1:, 0] > runs[:-1, 1]).all() and (runs[:, 0] < runs[:, 1]).all()


def test_the_cheaper_way() -> None:
    assert not cheaper_anew(1000, 10, 10) and not cheaper_anew(1000, 0, 100)
    assert cheaper_anew(1000, 900, 0) and cheaper_anew(10, 9, 100) and cheaper_anew(10, 10, 0)


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
    assert there.check(deep=True).fine
