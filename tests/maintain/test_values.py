"""Values of batches meet values of the state: equal ones whatever their spelling, and refusals that name the misfit."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful as lw
from lawful.errors import LawfulError
from lawful.maintain import State
from lawful.maintain.dictionary import UNKNOWN, Dictionary, kept

Make = Callable[..., State]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Makes states in folders of their own."""

    def made(source: Any, **options: Any) -> State:
        return lw.maintain.create(tmp_path / f"state{len(list(tmp_path.iterdir()))}", source, **options)

    return made


def column(values: list[Any], type: pa.DataType | None = None) -> pa.Table:
    return pa.table({"n": pa.array(range(len(values)), pa.int64()), "v": pa.array(values, type)})


def agreeing(state: State) -> int:
    """How many pairs of rows have the same v."""
    return state.agree_sets().supersets(["v"]).pairs


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (pa.array([Decimal("1.5")], pa.decimal128(3, 1)), pa.array([Decimal("1.50000")], pa.decimal128(12, 5))),
        (pa.array([Decimal(10) ** 50], pa.decimal256(60, 0)), pa.array([Decimal(10) ** 50], pa.decimal256(70, 2))),
        (pa.array([1], pa.int8()), pa.array([1], pa.int64())),
        (pa.array([1], pa.uint32()), pa.array([1], pa.int16())),
        (pa.array([0.5], pa.float32()), pa.array([0.5])),
        (pa.array([0.0]), pa.array([-0.0])),
        (pa.array([float("nan")]), pa.array([-float("nan")])),
        (pa.array(["x"]), pa.array(["x"], pa.large_string())),
        (pa.array(["x"]), pa.array(["x"]).dictionary_encode()),
        (pa.array([b"x"]), pa.array([b"x"], pa.large_binary())),
        (pa.array([[1, 2]]), pa.array([[1, 2]])),
        (pa.array([None], pa.string()), pa.nulls(1)),
        (pa.array([None], pa.int64()), pa.array([None], pa.float64())),
        (pa.array([datetime(2020, 1, 1)], pa.timestamp("us")), pa.array([datetime(2020, 1, 1)], pa.timestamp("s"))),
    ],
    ids=str,
)
def test_equal_values_are_equal(make: Make, first: pa.Array, second: pa.Array) -> None:
    state = make(pa.table({"n": [0], "v": first}))
    state.apply(inserts=pa.table({"n": [1], "v": second}))
    assert agreeing(state) == 1
    state.apply(deletes=pa.table({"n": [0], "v": second}))
    assert state.row_ids().tolist() == [1]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (pa.array([1]), pa.array(["1"]), "is string; in the state it is integer"),
        (pa.array([1]), pa.array([1.0]), "is float; in the state it is integer"),
        (pa.array([1]), pa.array([2**63], pa.uint64()), "row 1, column 'v': 9223372036854775808 does not fit"),
        (
            pa.array([datetime(2020, 1, 1)], pa.timestamp("us")),
            pa.array([1], pa.timestamp("ns")),
            "row 1, column 'v': .* does not fit",
        ),
        (
            pa.array([datetime(2020, 1, 1)], pa.timestamp("us")),
            pa.array([datetime(2020, 1, 1)], pa.timestamp("us", "UTC")),
            "is timestamp with a zone; in the state it is timestamp",
        ),
    ],
    ids=str,
)
def test_misfits_are_named(make: Make, first: pa.Array, second: pa.Array, said: str) -> None:
    state = make(pa.table({"n": [0], "v": first}))
    with pytest.raises(LawfulError, match=said):
        state.apply(inserts=pa.table({"n": [1], "v": second}))
    assert state.version == 1 and len(state) == 1


def test_text_is_read_as_the_state_reads_it(make: Make, tmp_path: Path) -> None:
    """A batch alone would make other types of its columns."""
    (tmp_path / "first.csv").write_text("zip,born,paid,who\n01067,2020-01-31,1.5,?\n")
    (tmp_path / "next.csv").write_text("who,paid,born,zip\nx,1.50,2020-01-31,1067\n?,2,,01067\n")
    state = make(tmp_path / "first.csv", null_values=("?",))
    state.apply(inserts=tmp_path / "next.csv")
    rows = state.to_arrow().to_pylist()
    assert [row["zip"] for row in rows] == ["01067", "1067", "01067"]
    assert [row["paid"] for row in rows] == [Decimal("1.5"), Decimal("1.5"), Decimal(2)]
    assert [row["who"] for row in rows] == [None, "x", None]
    (tmp_path / "rows.jsonl").write_text('{"zip": "7", "born": "2021-01-01", "paid": 3, "who": "y"}\n')
    state.apply(inserts=tmp_path / "rows.jsonl")
    assert state.to_arrow().to_pylist()[3]["paid"] == Decimal(3)


def test_chosen_columns(make: Make) -> None:
    table = pa.table({"a": [1, 2], "b": [1, 1], "c": [5, 6]})
    state = make(table, columns=("a", "c"))
    state.apply(inserts=table)
    assert state.names == ("a", "c") and len(state) == 4


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_an_encoded_table(make: Make, nulls: str) -> None:
    table = lw.encode(column([3, None, 3, 1]), nulls=nulls, engine="local")
    state = make(table)
    state.apply(inserts=column([None, 1]))
    assert [row["v"] for row in state.to_arrow().to_pylist()] == [3, None, 3, 1, None, 1]
    assert state.agree_sets() == lw.agree_sets(state.to_arrow().drop_columns("row_id"))


def test_what_a_batch_may_not_say(make: Make) -> None:
    table = pa.table({"id": [1, 2, 3, 3], "v": ["a", "b", "c", "d"]})
    state = make(table, row_key="id")
    one = table.slice(0, 1)
    refused: list[tuple[dict[str, Any], str]] = [
        ({"updates": pa.table({"id": [1, 1], "v": ["x", "y"]})}, "updated twice"),
        ({"updates": one, "deletes": [0]}, "both deleted and updated"),
        ({"deletes": [0, 0]}, "named twice"),
        ({"deletes": pa.table({"id": [3]})}, "several rows have the key id=3"),
        ({"deletes": pa.table({"v": ["a"]})}, "has the columns v"),
        ({"deletes": pa.table({"row_id": [9]})}, "no row with id 9"),
        ({"updates": pa.table({"id": [9], "v": ["x"]})}, "no such row: id=9"),
        ({"updates": pa.table({"v": ["x"]})}, "no column 'id'"),
        ({"inserts": 5}, "int is no table"),
    ]
    for words, said in refused:
        with pytest.raises(LawfulError, match=said):
            state.apply(inserts=words.pop("inserts", table), **words)
    assert state.version == 1 and state.check(deep=True).fine
    state.apply(deletes=pa.table({"id": [3]}), delete_all_copies=True)
    state.apply(deletes=pa.table({"row_id": [0]}))
    assert state.row_ids().tolist() == [1]


def test_states_that_refuse(make: Make, tmp_path: Path) -> None:
    only = make(column([1]), deletes=False)
    with pytest.raises(LawfulError, match="for inserts alone"):
        only.apply(deletes=[0])
    only.apply(inserts=column([2]))
    with pytest.raises(LawfulError, match="this state has none"):
        make(column([1])).apply(updates=column([1]))
    with pytest.raises(LawfulError, match="kind 'lod'"):
        make(column([1]), kinds=["lod"])
    with pytest.raises(LawfulError, match="measure"):
        make(column([1]), max_error=0.1)
    with pytest.raises(LawfulError, match="not empty"):
        lw.maintain.create(tmp_path, column([1]))
    with pytest.raises(LawfulError, match="is no state"):
        lw.maintain.open(tmp_path / "nowhere")


def test_rules_of_few_columns(make: Make) -> None:
    draw = np.random.default_rng(5)
    rows = pa.table({name: draw.integers(0, 2 + 2 * place, 40) for place, name in enumerate("abcdef")})
    state = make(rows.slice(0, 20), max_size=3)
    state.apply(inserts=rows.slice(20))
    expected = lw.discover(rows, ["fd", "key"], max_size=3)
    found = state.rules()
    assert [r.to_dict() for r in found] == [r.to_dict() for r in expected]
    assert (found.incomplete, found.complete_to) == (expected.incomplete, expected.complete_to)
    assert state.check(deep=True).fine and 0 < len(found) < len(lw.discover(rows, ["fd", "key"]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_error": 1.5, "measure": "pairs"}, "max_error is 1.5"),
        ({"measure": "rows"}, "measure is 'rows'"),
        ({"max_size": 0}, "max_size is 0"),
        ({"kinds": []}, "No kind of rule"),
    ],
)
def test_options_out_of_range(make: Make, options: dict[str, Any], said: str) -> None:
    with pytest.raises(LawfulError, match=said):
        make(column([1]), **options)


def test_agree_sets_alone(make: Make) -> None:
    state = make(column([1, 2, 2]), kinds="agree")
    delta = state.apply(inserts=column([2]), deletes=[0])
    assert not delta and delta.inserted == 1 and state.kinds == ()
    assert state.agree_sets() == lw.agree_sets(state.to_arrow().drop_columns("row_id"))
    assert state.compact().check(deep=True).fine
    with pytest.raises(LawfulError, match="follows no rules"):
        state.rules()


def test_a_batch_id_names_one_batch(make: Make) -> None:
    state = make(column([1]))
    first = state.apply(inserts=column([2]), batch_id="a")
    again = state.apply(inserts=column([2]), batch_id="a")
    assert not first.repeated and again.repeated and again.version == first.version == state.version
    with pytest.raises(LawfulError, match="Another batch was applied as 'a', as version 2"):
        state.apply(inserts=column([3]), batch_id="a")
    assert first.change is not None and first.change.pairs == 1


def test_a_new_column_across_a_word(make: Make) -> None:
    """Sets of 64 columns fill a word; with the next column they take two."""
    wide = {f"c{c:02}": [0, c % 3, 0] for c in range(64)}
    state = make(pa.table(wide))
    assert state.agree_sets().evidence.layout.words == 1
    delta = state.apply(inserts=pa.table({**wide, "more": ["x", "x", None]}), evolve=True)
    assert state.agree_sets().evidence.layout.words == 2
    assert state.agree_sets() == lw.agree_sets(state.to_arrow().drop_columns("row_id"))
    assert state.check(deep=True).fine and delta.inserted == 3
    assert lw.maintain.open(state.path).rules() == state.rules()
    assert len(state.rules(at=1).columns) == 64


def test_many_batches_are_folded(make: Make) -> None:
    state = make(column(list(range(50))))
    for batch in range(40):
        state.apply(inserts=column([batch, 1000 + batch]))
    files = list((Path(state.path) / "data").glob("rows-*"))
    assert len(files) < 40 and state.check(deep=True).fine
    made = dict(state.history())
    assert {entry.counting for entry in made.values()} == {"anew", "batch"} and made[2].counting == "batch"
    state.apply(deletes=state.row_ids()[1:])
    assert state.history()[-1][1].counting == "anew" and len(state) == 1


def test_another_format_is_refused_by_its_name(make: Make) -> None:
    state = make(column([1]))
    path = Path(state.path) / "versions" / "00000001.json"
    whole = path.read_text()
    path.write_text(whole.replace('"lawful_state": 1', '"lawful_state": 7'))
    with pytest.raises(LawfulError, match="has format 7 of a state; this lawful reads format 1"):
        lw.maintain.open(state.path)
    for damaged in (whole[:-40], whole.replace('"rows": 1', '"rows": 2'), "[]", "{}"):
        path.write_text(damaged)
        with pytest.raises(LawfulError, match="is damaged"):
            lw.maintain.open(state.path)
        assert not state.check().fine
    path.write_text(json.dumps(json.loads(whole)))  # another layout of the same is the same
    assert lw.maintain.open(state.path).version == 1


def test_every_file_is_verified(make: Make) -> None:
    state = make(column([1, 2, 2]))
    for file in sorted((Path(state.path) / "data").iterdir()):
        content = file.read_bytes()
        for damaged in (content[:-1], bytes([content[0] ^ 1]) + content[1:], None):
            file.unlink() if damaged is None else file.write_bytes(damaged)
            found = state.check()
            assert len(found.problems) == 1 and file.name in found.problems[0] and found.whole is None
            with pytest.raises(LawfulError, match=file.name):
                opened = lw.maintain.open(state.path)
                opened.delta(), opened.rules(), opened.agree_sets()
        file.write_bytes(content)
    assert state.check(deep=True).fine


def test_deep_checks_see_wrong_counts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts that went wrong when they were written have good checksums."""
    from lawful.maintain import stepping

    state = make(column([1, 2, 2, 4, 5, 6]))
    with monkeypatch.context() as patch:
        real = stepping.change_of
        patch.setattr(stepping, "change_of", lambda *args: real(args[0], args[1], args[2][:, :0], args[3]))
        state.apply(inserts=column([2]))
    found = state.check()
    assert found.fine and not state.check(deep=True).fine


def test_dictionaries() -> None:
    values = Dictionary(kept(pa.array(["a"])).type, (kept(pa.array(["a", "b"])),))
    assert values.codes(kept(pa.array(["b", "z", "a"]))).tolist() == [2, UNKNOWN, 1]
    more = values.extended(kept(pa.array(["z"])))
    assert more.codes(kept(pa.array(["z", "b"]))).tolist() == [3, 2] and len(values) == 2
    assert more.take(np.array([3, 0, 1], np.int32)).to_pylist() == ["z", None, "a"]
    assert more.codes(kept(pa.array([], pa.string()))).tolist() == []


def test_decimals_are_shown_without_idle_zeros(make: Make) -> None:
    """States keep 38 digits after the point; neither rows, nor witnesses, nor errors show those that mean nothing."""
    prices = pa.array([Decimal("1.50"), None], pa.decimal128(10, 2))
    state = make(pa.table({"id": [1, 2], "price": prices}), kinds=["fd"], row_key=["price"])
    assert state.to_arrow().column("price").type == pa.decimal128(38, 1)
    delta = state.apply(inserts=pa.table({"id": [1], "price": pa.array([Decimal("1.75")], pa.decimal128(10, 2))}))
    assert state.to_arrow().column("price").type == pa.decimal128(38, 2)
    assert state.to_arrow().column("price").to_pylist() == [Decimal("1.5"), None, Decimal("1.75")]
    witness = delta.reason(lw.parse("id -> price")).witness
    assert [row["price"] for row in witness.rows] == ["1.50", "1.75"]  # type: ignore[union-attr]
    with pytest.raises(LawfulError, match=r"no such row: price=9\.5; nothing"):
        state.apply(deletes=pa.table({"price": pa.array([Decimal("9.50")], pa.decimal128(10, 2))}))


def test_wide_decimals_lose_nothing(make: Make) -> None:
    wide = [Decimal("9" * 38 + ".5"), Decimal("1e-38")]
    state = make(pa.table({"v": pa.array(wide, pa.decimal256(76, 38))}))
    assert state.to_arrow().column("v").to_pylist() == wide
    assert make(pa.table({"v": pa.nulls(2, pa.decimal128(9, 2))})).to_arrow().column("v").to_pylist() == [None, None]
