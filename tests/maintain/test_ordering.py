"""Where order matters: values that come between others, nulls, new columns, large batches; and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lawful as lw
from lawful.cli.app import dispatch
from lawful.engine.local import LocalEngine
from lawful.errors import LawfulError, LimitError
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset
from lawful.evidence.relaying import odd, one_image, relaid
from lawful.evidence.signature import Comparison, Layout
from lawful.families import comparing
from lawful.maintain import counting
from lawful.maintain.counting import change_of, counted_anew
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.ranking import rank_tables
from lawful.maintain.rows import Part
from lawful.options import EngineOptions
from tests.engines.pickled import PickledEngine
from tests.maintain.test_counting import batches
from tests.naive import cmp

KINDS = ["fd", "key", "oc", "pod", "dc"]


def told(rules: Any) -> list[dict[str, Any]]:
    return [rule.to_dict() for rule in rules]


def pays(*rows: tuple[Any, ...]) -> pa.Table:
    return pa.Table.from_pylist([dict(zip("abc", row, strict=True)) for row in rows], pays_schema())


def pays_schema() -> pa.Schema:
    return pa.schema([("a", pa.int64()), ("b", pa.float64()), ("c", pa.string())])


BASE = ((1, 1.5, "x"), (5, 5.5, "z"), (None, 9.0, None))
CAME = ((3, 2.5, "y"), (4, None, "xa"), (-7, -1.0, ""))


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_values_between_others(tmp_path: Path, nulls: str) -> None:
    state = lw.maintain.create(tmp_path / "s", pays(*BASE), KINDS, deletes=True, nulls=nulls)
    state.apply(pays(*CAME))
    assert told(state.rules()) == told(lw.discover(pays(*BASE, *CAME), KINDS, nulls=nulls))
    state = lw.maintain.open(tmp_path / "s").compact()
    state.apply(pays((2, 2.0, "xb")), deletes=[0, 3])
    left = pays(*BASE[1:], *CAME[1:], (2, 2.0, "xb"))
    assert told(state.rules()) == told(lw.discover(left, KINDS, nulls=nulls))


def test_an_encoded_table_with_nulls_last(tmp_path: Path) -> None:
    encoded = lw.encode(pays(*BASE), nulls="last")
    state = lw.maintain.create(tmp_path / "s", encoded, KINDS, deletes=True)
    state.apply(pays(*CAME))
    assert told(state.rules()) == told(lw.discover(pays(*BASE, *CAME), KINDS, nulls="last"))


def test_updates(tmp_path: Path) -> None:
    state = lw.maintain.create(tmp_path / "s", pays(*BASE), KINDS, deletes=True, row_key=["a"])
    state.apply(updates=pays((5, 0.5, "w")))
    assert told(state.rules()) == told(lw.discover(pays(BASE[0], BASE[2], (5, 0.5, "w")), KINDS))


@pytest.mark.parametrize("deletes", [True, False])
def test_new_columns(tmp_path: Path, deletes: bool) -> None:
    state = lw.maintain.create(tmp_path / "s", pays(*BASE), KINDS, deletes=deletes)
    wide = pays(*CAME).append_column("d", pa.array([2, 1, 1], pa.int64()))
    state.apply(wide, evolve=True)
    whole = pa.concat_tables([pays(*BASE).append_column("d", pa.nulls(3, pa.int64())), wide])
    fresh = lw.discover(whole, KINDS)
    assert [str(rule) for rule in state.rules()] == [str(rule) for rule in fresh]
    assert not deletes or told(state.rules()) == told(fresh)
    assert lw.maintain.open(tmp_path / "s").check(deep=True).fine


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create = lw.maintain.create
    state = create(tmp_path / "s", pays(*BASE), ["pod", "dc"])
    for change in ({"deletes": [0]}, {"updates": pays(BASE[0])}):
        with pytest.raises(LawfulError, match=r"made for inserts alone.*\n?"):
            state.apply(**change)
    with pytest.raises(LawfulError, match="an order that was given by a list"):
        create(tmp_path / "l", pa.table({"a": ["lo", "hi"]}), ["pod"], order={"a": ["lo", "hi"]})
    with pytest.raises(LawfulError, match="No two columns have an order"):
        create(tmp_path / "o", pa.table({"a": [1, 2]}), ["oc"])
    with pytest.raises(LawfulError, match="whether two nulls are equal"):
        create(tmp_path / "n", pays(*BASE), ["dc"], nulls="unknown")
    monkeypatch.setattr(comparing, "MOST_PAIRS", 8)
    with pytest.raises(LimitError, match="at most 4 rows; here are 6"):
        state.apply(pays(*CAME))
    assert len(state) == 3 and lw.maintain.open(tmp_path / "s").version == 1
    state.apply(pays(CAME[0]))
    with pytest.raises(LimitError, match="at most 4 rows; here are 6"):
        create(tmp_path / "t", pays(*BASE, *CAME), ["dc"])
    create(tmp_path / "t", pays(*BASE, *CAME), ["fd"])


@pytest.mark.parametrize("kind", ["dc", "pod"])
def test_too_many_signatures(tmp_path: Path, kind: str) -> None:
    state = lw.maintain.create(tmp_path / "s", pays(*BASE), [kind])
    with pytest.raises(LimitError, match="over the budget"):
        state.apply(pays(*CAME), running=EngineOptions(memory="1 MiB"))
    state.apply(pays(*CAME))
    assert state.version == 2


def test_a_state_of_inserts_alone_keeps_the_set(tmp_path: Path) -> None:
    """A segment of rows like those there are holds no signatures."""
    state = lw.maintain.create(tmp_path / "s", pays(*BASE), ["pod"])
    state.apply(pays(*BASE))
    state.apply(pays(*BASE))
    counts = [int(batch.sum()) for batch in kept(tmp_path / "s")]
    assert counts[2] == 0 and all((batch == 1).all() for batch in kept(tmp_path / "s"))


def kept(folder: Path) -> list[Any]:
    found = []
    for path in sorted((folder / "data").glob("rows-*.arrow")):
        batch = pa.ipc.open_file(pa.memory_map(str(path))).get_batch(0)
        found.append(batch.column("marks.counts").values.to_numpy())
    return found


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,10\n2,20\n3,30\n")
    (tmp_path / "b.csv").write_text("a,b\n2,25\n")
    where, base, more = (str(tmp_path / name) for name in ("s", "a.csv", "b.csv"))
    assert dispatch(["state", "init", where, base, "--kinds", "pod,dc,od", "--deletes"]) == 0
    assert dispatch(["state", "apply", where, "--insert", more]) == 0
    assert dispatch(["state", "apply", where, "--delete", more]) == 0
    assert told(lw.maintain.open(where).rules()) == told(lw.discover(base, ["pod", "dc", "od"], engine="local"))
    capsys.readouterr()
    assert dispatch(["state", "init", where + "2", base, "--kinds", "pod"]) == 0
    with pytest.raises(LawfulError, match="made for inserts alone"):
        dispatch(["state", "apply", where + "2", "--delete", more])
    with pytest.raises(LawfulError, match="exclude each other"):
        dispatch(["state", "init", where + "3", base, "--kinds", "pod", "--deletes", "--no-deletes"])


@given(batches(), st.integers(0, 9), st.booleans(), st.booleans(), st.data())
def test_the_change_is_the_difference(batch: Any, seed: int, long: bool, pickled: bool, data: st.DataObject) -> None:
    """Whichever row of a pair is taken first, in one go and as jobs."""
    rows, gone, new = batch
    ordered = data.draw(st.lists(st.booleans(), min_size=rows.width, max_size=rows.width))
    layout = Layout(tuple(Comparison(c, c, o) for c, o in enumerate(ordered)))
    after = rows.changed(gone.ids, Part(np.arange(new.shape[1]) + 100, new))
    nothing = Evidence.none(layout, True, closed=False)
    with LocalEngine(1) as here:
        before, expected = (counted_anew(each, nothing, here, layout) for each in (rows, after))
    with pytest.MonkeyPatch.context() as patch, PickledEngine(seed) if pickled else LocalEngine(1) as engine:
        if long:
            patch.setattr(counting, "FEW_PAIRS", -1)
        change = odd(one_image(change_of(rows, gone, new, engine, layout)))
    held = Multiset(layout, before)
    held.add(change)
    assert held.evidence() == expected
    bare = Layout(tuple(Comparison(c, c, False) for c in range(rows.width)))
    whole = after.whole().codes
    equal = sum(int((whole[:, a] == whole[:, b]).all()) for a in range(whole.shape[1]) for b in range(a))
    agreed = relaid(expected, bare)
    full = (agreed.layout.outcome(agreed.signatures, 0) == 1) if rows.width else np.zeros(0, np.bool_)
    for column in range(1, rows.width):
        full &= agreed.layout.outcome(agreed.signatures, column) == 1
    assert agreed.counts is not None and int(agreed.counts[full].sum()) == equal


@given(st.lists(st.floats(allow_nan=True), unique_by=repr, max_size=20), st.sampled_from(["first", "last"]))
def test_ranks_of_codes(values: list[float], nulls: str) -> None:
    """Whatever the order in which values came."""
    some = list({repr(value + 0.0): value + 0.0 for value in values}.values())
    (table,) = rank_tables([Dictionary(pa.float64(), (pa.array(some, pa.float64()),))], nulls)
    assert sorted(table.tolist()) == list(range(len(some) + 1))
    assert table[0] == (0 if nulls == "first" else len(some))
    for i, left in enumerate(some):
        for j, right in enumerate(some):
            assert cmp(left, right) == "<=>"[int(np.sign(int(table[i + 1]) - int(table[j + 1]))) + 1]


def test_an_fd_comes_and_goes_without_a_swap(tmp_path: Path) -> None:
    """``{c}: a ~ b`` is no rule while c determines a, and is one as soon as it does not; no swap comes or goes."""
    rows = {"c": [1, 1, 2, 2], "a": [1, 1, 2, 2], "b": [5, 6, 1, 2]}
    state = lw.maintain.create(tmp_path / "s", pa.table(rows), ["oc"], deletes=True)
    oc = lw.parse("{c}: a ~ b")
    assert oc not in state.rules()
    delta = state.apply(pa.table({"c": [2], "a": [3], "b": [3]}))
    assert oc in delta.added and oc in state.rules()
    assert (delta.reason(oc).before, delta.reason(oc).after) == (0, 0)
    delta = state.apply(deletes=[4])
    assert oc in delta.removed and oc not in state.rules()
    assert told(state.rules()) == told(lw.discover(pa.table(rows), ["oc"]))


def test_until_nothing_is_left_and_back(tmp_path: Path) -> None:
    state = lw.maintain.create(tmp_path / "s", pays(*BASE), KINDS, deletes=True)
    for change, left in (({"deletes": [0, 1]}, BASE[2:]), ({"deletes": [2]}, ()), ({"inserts": pays(*CAME)}, CAME)):
        state.apply(**change)
        assert told(state.rules()) == told(lw.discover(pays(*left), KINDS))
        assert state.check(deep=True).fine


def test_insertion_order_is_irrelevant(tmp_path: Path) -> None:
    """The same rows one by one, forwards and backwards."""
    rows = [*BASE, *CAME, *BASE[:2]]
    found = []
    for name, order in (("there", rows), ("back", rows[::-1])):
        state = lw.maintain.create(tmp_path / name, pays(*order[:1]), KINDS, deletes=True)
        for row in order[1:]:
            state.apply(pays(row))
        found.append(told(state.rules()))
    assert found[0] == found[1]


def test_only_what_changed_is_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lawful.families.compatible import Compatible
    from lawful.families.evident import Marked

    asked: list[int] = []
    for kind in (Compatible, Marked):
        plain = kind.answers

        def told_of(self: Any, evidence: Any, numbers: Any, run: Any, plain: Any = plain) -> Any:
            asked.append(len(numbers))
            return plain(self, evidence, numbers, run)

        monkeypatch.setattr(kind, "answers", told_of)
    table = pa.table({"a": [1, 1, 2], "b": [1, 2, 3]})
    lw.maintain.create(tmp_path / "s", table, ["oc", "pod", "dc"], deletes=True)
    first, asked[:] = sum(asked), []
    lw.maintain.open(tmp_path / "s").apply(table.slice(2))  # shows what is equal in all columns
    assert first == 9 and sum(asked) == 3  # b< and a<, and the one of dcs; marks = and <= let equal rows pass
    asked.clear()
    lw.maintain.open(tmp_path / "s").apply(table.slice(2))
    assert sum(asked) == 0
    assert told(lw.maintain.open(tmp_path / "s").rules()) == told(
        lw.discover(pa.concat_tables([table, table.slice(2), table.slice(2)]), ["oc", "pod", "dc"])
    )
