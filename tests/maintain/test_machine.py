"""A state follows a table through random batches; after each it is what the definition, and a fresh build, say."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import lawful as lw
from lawful.errors import LawfulError
from lawful.maintain import State, batches, counting
from lawful.maintain import state as state_module
from tests import naive
from tests.engines.pickled import PickledEngine
from tests.naive import Table
from tests.profiles import examples
from tests.strategies import as_arrow, tables

Row = tuple[Any, ...]


class Following(RuleBasedStateMachine):
    """Rows are kept by id beside the state; values come from a pool that only partly was there at the beginning."""

    error, measure = "0", None

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="lawful-test-"))
        self.checks = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize(pool=tables(min_rows=1, max_rows=8, max_cols=4), data=st.data(), key=st.booleans())
    def begin(self, pool: Table, data: st.DataObject, key: bool) -> None:
        self.pool = pool
        first = data.draw(st.lists(st.sampled_from(pool.rows), max_size=6))
        self.key = pool.names[:1] if key else ()
        options = {"row_key": self.key, "max_error": float(self.error), "measure": self.measure}
        self.options: dict[str, Any] = options
        self.state: State = lw.maintain.create(self.folder / "state", as_arrow(pool.with_rows(first)), **options)
        self.rows: dict[int, Row] = dict(enumerate(first))
        self.next = len(first)
        self.applied: dict[str, tuple[list[Row], list[int], int]] = {}

    def table(self, rows: list[Row]) -> Any:
        return as_arrow(self.pool.with_rows(rows))

    def came(self, rows: list[Row]) -> None:
        for row in rows:
            self.rows[self.next] = row
            self.next += 1

    def same(self, left: Row, right: Row) -> bool:
        return all(naive.cmp(a, b) == "=" for a, b in zip(left, right, strict=True))

    def copies(self, row: Row) -> list[int]:
        return [i for i, other in self.rows.items() if self.same(other, row)]

    @rule(data=st.data())
    def insert(self, data: st.DataObject) -> None:
        rows = data.draw(st.lists(st.sampled_from(self.pool.rows), max_size=4))
        delta = self.state.apply(inserts=self.table(rows))
        assert (delta.inserted, delta.deleted) == (len(rows), 0)
        self.came(rows)

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def delete_by_value(self, data: st.DataObject) -> None:
        ids = data.draw(st.lists(st.sampled_from(sorted(self.rows)), max_size=4, unique=True))
        named = [self.rows[i] for i in ids]
        self.state.apply(deletes=self.table(named))
        for row in named:
            del self.rows[min(self.copies(row))]

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def delete_all_copies(self, data: st.DataObject) -> None:
        row = self.rows[data.draw(st.sampled_from(sorted(self.rows)))]
        self.state.apply(deletes=self.table([row]), delete_all_copies=True)
        for i in self.copies(row):
            del self.rows[i]

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), again=st.booleans())
    def replace(self, data: st.DataObject, again: bool) -> None:
        """By id; what goes may come back in the same batch."""
        ids = data.draw(st.lists(st.sampled_from(sorted(self.rows)), max_size=3, unique=True))
        rows = data.draw(st.lists(st.sampled_from(self.pool.rows), max_size=3))
        rows += [self.rows[i] for i in ids] if again else []
        delta = self.state.apply(inserts=self.table(rows), deletes=ids, batch_id=f"b{self.state.version}")
        assert (delta.inserted, delta.deleted) == (len(rows), len(ids))
        for i in ids:
            del self.rows[i]
        self.came(rows)
        self.applied[delta.batch_id] = rows, ids, delta.version
        told = self.state.apply(inserts=self.table(rows), deletes=ids, batch_id=delta.batch_id)
        assert told.repeated and told.version == delta.version
        assert (told.added, told.removed, told.reasons) == (delta.added, delta.removed, delta.reasons)

    @precondition(lambda self: self.applied)
    @rule(data=st.data())
    def apply_an_old_batch_again(self, data: st.DataObject) -> None:
        """Also by a state that was just opened, and knows of batch ids what the folder says."""
        batch_id = data.draw(st.sampled_from(sorted(self.applied)))
        rows, ids, version = self.applied[batch_id]
        state = self.state if data.draw(st.booleans()) else lw.maintain.open(self.folder / "state")
        told = state.apply(inserts=self.table(rows), deletes=ids, batch_id=batch_id)
        assert told.repeated and told.version == version and state.version == self.state.version
        with pytest.raises(LawfulError, match="Another batch was applied"):
            state.apply(inserts=self.table([*rows, self.pool.rows[0]]), deletes=ids, batch_id=batch_id)

    @rule()
    def delete_everything(self) -> None:
        self.state.apply(deletes=self.state.row_ids())
        self.rows.clear()

    @precondition(lambda self: self.key)
    @rule(data=st.data())
    def update(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.pool.rows))
        old = [i for i, other in self.rows.items() if self.same(other[:1], row[:1])]
        if len(old) == 1:
            self.state.apply(updates=self.table([row]))
            del self.rows[old[0]]
            self.came([row])
        else:
            with pytest.raises(LawfulError, match="no such row" if not old else "several rows"):
                self.state.apply(updates=self.table([row]))
            before = len(self.rows)
            self.state.apply(updates=self.table([row]), ignore_missing=True, delete_all_copies=True)
            for i in old:
                del self.rows[i]
            self.came([row] if old else [])
            assert len(self.state) == before - len(old) + bool(old)

    @rule(data=st.data())
    def delete_what_is_not_there(self, data: st.DataObject) -> None:
        row = data.draw(st.sampled_from(self.pool.rows))
        many = [row] * (len(self.copies(row)) + 1)
        version = self.state.version
        with pytest.raises(LawfulError, match="nothing was applied"):
            self.state.apply(inserts=self.table([row]), deletes=self.table(many))
        with pytest.raises(LawfulError, match="no row with id"):
            self.state.apply(deletes=[self.next])
        assert self.state.version == version

    @rule()
    def compact(self) -> None:
        self.state.compact()

    @rule()
    def open_again(self) -> None:
        self.state = lw.maintain.open(self.folder / "state")

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "state"):
            return
        table = self.pool.with_rows([self.rows[i] for i in sorted(self.rows)])
        assert self.state.row_ids().tolist() == sorted(self.rows)
        assert len(self.state) == len(table)
        sets = self.state.agree_sets()
        assert Counter({frozenset(columns): n for columns, n in sets}) == naive.agree_sets(table)
        expected = naive.discover(table, ["fd", "key"], max_error=Fraction(self.error), measure=self.measure)
        found = self.state.rules()
        assert frozenset(found) == expected and len(found) == len(expected)
        self.checks += 1
        fresh = lw.maintain.create(self.folder / f"fresh{self.checks}", as_arrow(table), **self.options)
        assert [r.to_dict() for r in fresh.rules()] == [r.to_dict() for r in found]
        assert fresh.agree_sets() == sets
        self.explained(table)

    def explained(self, now: Table) -> None:
        """Every rule that came or went has its errors, and a witness breaks the rule it is shown for."""
        delta = self.state.delta()
        for changed in (*delta.added, *delta.removed):
            reason = delta.reason(changed)
            assert reason.after == float(naive.pairs_error(changed, now))
            if self.error == "0":
                assert (reason.witness is not None) == ((reason.before > 0) != (reason.after > 0))
                assert changed in delta.added or reason.before == 0
                assert changed in delta.removed or reason.after == 0
        if not (delta.inserted or delta.deleted):
            assert not delta

    @invariant()
    def witnesses_are_rows(self) -> None:
        if not hasattr(self, "state"):
            return
        there = set(self.state.row_ids().tolist())
        delta = self.state.delta()
        for changed in (*delta.added, *delta.removed):
            reason = delta.reason(changed)
            if reason.witness is not None and reason.after:
                assert set(reason.witness.ids) <= there
                left = changed.lhs if isinstance(changed, lw.Fd) else changed.columns
                a, b = reason.witness.rows
                assert all(a[name] == b[name] for name in left)
                assert not isinstance(changed, lw.Fd) or a[changed.rhs] != b[changed.rhs]
            elif reason.witness is not None:
                assert not set(reason.witness.ids) <= there


class FollowingWithExceptions(Following):
    error, measure = "0.2", "pairs"  # type: ignore[assignment]


class FollowingInJobs(Following):
    """Every comparison of rows as pickled units of jobs; the index of batch ids written again and again."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(counting, "FEW_PAIRS", -1)
        self.patch.setattr(counting, "WORTH_COPYING", 2)
        self.patch.setattr(batches, "YOUNG", 2)
        self.patch.setattr(state_module, "engine_for", lambda *_, **__: PickledEngine(self.checks))

    def teardown(self) -> None:
        self.patch.undo()
        super().teardown()


_LONG = settings(
    max_examples=examples(25), stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
)
TestFollowing = pytest.mark.slow(Following.TestCase)
TestFollowing.settings = _LONG
TestFollowingInJobs = pytest.mark.slow(FollowingInJobs.TestCase)
TestFollowingInJobs.settings = _LONG
TestFollowingWithExceptions = pytest.mark.slow(FollowingWithExceptions.TestCase)
TestFollowingWithExceptions.settings = _LONG
