"""States of oc, pod and dc: after every batch they are what a discovery over all rows finds."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as random
from hypothesis import strategies as st

import lawful as lw
from lawful.errors import LawfulError
from lawful.maintain import State
from lawful.rules.model import Oc, Rule
from tests import naive
from tests.made import as_arrow
from tests.naive import Table
from tests.profiles import examples
from tests.strategies import Delta, deltas, tables

KINDS = ("fd", "key", "oc", "pod", "dc")
FEW = tables(min_rows=2, max_rows=10, min_cols=2, max_cols=4)
LONG = settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))


def told(rules: Any) -> list[dict[str, Any]]:
    return [rule.to_dict() for rule in rules]


def bare(rules: Any) -> list[str]:
    return [str(rule) for rule in rules]


class Streamed:
    """A state beside the rows that it should have; ``follow`` applies a change and compares all there is."""

    def __init__(self, base: Table, folder: Path, **options: Any) -> None:
        self.now, self.options = base, options
        self.kinds = options.pop("kinds", KINDS)
        self.nulls = options.pop("nulls", "first")
        self.folder = folder
        asked = {"kinds": self.kinds, "nulls": self.nulls, **options}
        self.state: State = lw.maintain.create(folder, as_arrow(base), **asked)
        self.ids = list(range(len(base)))
        self.rows = dict(enumerate(base.rows))
        self.same()

    def follow(self, change: Delta) -> None:
        before = self.now
        gone = [self.ids[at] for at in change.deletes]
        came = [len(self.rows) + k for k in range(len(change.inserts))]
        self.rows |= dict(zip(came, change.inserts, strict=True))
        self.now = change.applied(self.now)
        inserts = as_arrow(self.now.with_rows(change.inserts))
        delta = self.state.apply(inserts, gone if gone else None)
        self.ids = [i for i in self.ids if i not in set(gone)] + came
        self.same()
        self.explained(delta, before)

    def same(self) -> None:
        options = {k: v for k, v in self.options.items() if k not in ("deletes", "row_key")}
        fresh = lw.discover(as_arrow(self.now), kinds=self.kinds, nulls=self.nulls, **options)
        for state in (self.state, lw.maintain.open(self.folder)):
            found = state.rules()
            assert bare(found) == bare(fresh)
            if self.options.get("deletes"):
                assert told(found) == told(fresh)
            else:
                sided = ("fd", "key", "oc")
                assert told(r for r in found if r.kind in sided) == told(r for r in fresh if r.kind in sided)
                assert {r.figures for r in found if r.kind not in sided} <= {lw.rules.model.Figures(0.0, "pairs")}

    def explained(self, delta: Any, before: Table) -> None:
        """Errors before and after, and two rows that break the rule on the side where it does not hold."""
        for rule in (*delta.added, *delta.removed):
            reason = delta.reason(rule)
            assert reason.before == pytest.approx(error(rule, before, self.nulls))
            if reason.after is None:  # pairs were not counted
                assert not self.options.get("deletes") and rule.kind == "pod" and rule in delta.removed
                assert error(rule, self.now, self.nulls) > 0
            else:
                assert reason.after == pytest.approx(error(rule, self.now, self.nulls))
            if not self.options.get("max_error"):
                assert (reason.witness is not None) == ((reason.before > 0) != (reason.after != 0))
            if reason.witness is not None:
                two = self.now.with_rows([self.rows[i] for i in reason.witness.ids])
                assert error(rule, two, self.nulls) > 0
                assert set(reason.witness.ids) <= set(self.ids) or not reason.after


def error(rule: Rule, table: Table, nulls: str) -> float:
    if len(table) < 2:
        return 0.0
    if isinstance(rule, Oc):  # of unordered pairs
        return broken_ocs(rule, table, nulls)
    return float(naive.pairs_error(rule, table))


def broken_ocs(rule: Oc, table: Table, nulls: str) -> float:
    at = {name: c for c, name in enumerate(table.names)}
    a, b = at[rule.left], at[rule.right]
    wrong = {"same": "<>", "opposite": "<<"}[rule.direction]
    broken = 0
    for one in table.rows:
        for two in table.rows:
            equal = all(naive.cmp(one[at[c]], two[at[c]]) == "=" for c in rule.context)
            broken += equal and naive.cmp(one[a], two[a]) + naive.cmp(one[b], two[b]) == wrong
    return broken / (len(table) * (len(table) - 1) / 2)


@pytest.fixture
def folder() -> Any:
    made = Path(tempfile.mkdtemp(prefix="lawful-test-"))
    yield made
    shutil.rmtree(made)


@pytest.mark.slow
@LONG
@random(deltas(FEW), st.sampled_from([KINDS, ("pod",), ("dc",), ("fd", "oc"), ("od",), ("key", "pod")]))
def test_inserts_and_deletes(change: Any, kinds: Any) -> None:
    base, steps = change
    with tempfile.TemporaryDirectory() as folder:
        stream = Streamed(base, Path(folder) / "state", kinds=kinds, deletes=True)
        for step in steps:
            stream.follow(step)
        assert stream.state.check(deep=True).fine
        stream.state.compact()
        stream.same()


@pytest.mark.slow
@LONG
@random(deltas(FEW), st.sampled_from([KINDS, ("pod",), ("fd", "key", "pod"), ("dc", "od")]))
def test_inserts_alone(change: Any, kinds: Any) -> None:
    base, steps = change
    with tempfile.TemporaryDirectory() as folder:
        stream = Streamed(base, Path(folder) / "state", kinds=kinds)
        for step in steps:
            stream.follow(Delta(step.inserts))
        assert stream.state.check(deep=True).fine


@pytest.mark.slow
@LONG
@random(deltas(FEW), st.sampled_from(["0.1", "0.3"]))
def test_with_exceptions(change: Any, most: str) -> None:
    base, steps = change
    asked = {"kinds": ("fd", "key", "pod", "dc"), "deletes": True, "max_error": float(most), "measure": "pairs"}
    with tempfile.TemporaryDirectory() as folder:
        stream = Streamed(base, Path(folder) / "state", **asked)
        for step in steps:
            stream.follow(step)


@pytest.mark.slow
@LONG
@random(deltas(FEW), st.integers(1, 3))
def test_small_rules(change: Any, most: int) -> None:
    base, steps = change
    with tempfile.TemporaryDirectory() as folder:
        stream = Streamed(base, Path(folder) / "state", deletes=True, max_size=most)
        for step in steps:
            stream.follow(step)


@pytest.mark.parametrize("kinds", [["dc"], ["pod"], ["pod", "dc"]])
def test_pods_and_dcs_count_pairs_without_being_told(tmp_path: Path, kinds: list[str]) -> None:
    table = pa.table({"a": [1, 1, 2, 3], "b": [1, 2, 2, 4]})
    state = lw.maintain.create(tmp_path / "state", table, kinds=kinds, deletes=True, max_error=0.2)
    found = lw.discover(table, kinds, max_error=0.2, engine="local")
    assert state.rules().to_dicts() == found.to_dicts()
    assert state.rules().options["measure"] == "pairs"


def test_other_kinds_want_the_measure_said(tmp_path: Path) -> None:
    for kinds in (["fd"], ["fd", "dc"], ["key", "pod"]):
        with pytest.raises(LawfulError, match="counts pairs of rows, not rows to remove"):
            lw.maintain.create(tmp_path / "state", pa.table({"a": [1]}), kinds=kinds, deletes=True, max_error=0.2)
    with pytest.raises(LawfulError):
        lw.maintain.create(tmp_path / "state", pa.table({"a": [1]}), kinds=["dc"], max_error=0.2, measure="removal")
