"""Which version a batch made is known from few files, also when the index of batch ids is old, damaged or gone."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lawful as lw
from lawful.errors import LawfulError, StateError
from lawful.maintain import batches, manifest
from lawful.maintain.folder import StateFolder


def one(number: int) -> pa.Table:
    return pa.table({"n": [number], "v": [number % 3]})


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A state of eleven versions, ten of them made by batches; its index knows the first eight or so."""
    monkeypatch.setattr(batches, "YOUNG", 4)
    made = lw.maintain.create(tmp_path / "state", one(0))
    for number in range(1, 11):
        lw.maintain.open(made.path).apply(inserts=one(number), batch_id=f"b{number}")
    assert StateFolder(made.path).batches.exists()
    return lw.maintain.open(made.path)


def repeated(path: str) -> list[int]:
    """The versions that the batches made, each of them given once more, by someone who has just come."""
    told = [lw.maintain.open(path).apply(inserts=one(number), batch_id=f"b{number}") for number in range(1, 11)]
    assert all(delta.repeated for delta in told)
    return [delta.version for delta in told]


def reads(state: Any, monkeypatch: pytest.MonkeyPatch, batch: str, number: int) -> int:
    """How many manifests are read for a batch."""
    seen = 0
    real = manifest._decoded

    def counted(*args: Any) -> Any:
        nonlocal seen
        seen += 1
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(manifest, "_decoded", counted)
        state.apply(inserts=one(number), batch_id=batch)
    return seen


def test_few_manifests_are_read(state: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest, the one before, the one that the index ends with, and those after it: never all of them."""
    assert reads(state, monkeypatch, "b1", 1) <= 8
    assert reads(state, monkeypatch, "new", 99) <= 4  # what this state has read is not read again
    for number in range(100, 120):
        assert reads(lw.maintain.open(state.path), monkeypatch, f"new{number}", number) <= 8
    assert len(StateFolder(state.path).versions()) == 32


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff", b'{"version":3,"manifest":"x","ids":{"b1":2}}'])
def test_an_index_that_is_damaged_or_gone(state: Any, content: bytes | None) -> None:
    index = StateFolder(state.path).batches
    index.unlink() if content is None else index.write_bytes(content)
    assert repeated(state.path) == list(range(2, 12))
    assert index.read_bytes() != content and state.check(deep=True).fine


def test_a_changed_index_is_not_believed(state: Any) -> None:
    index = StateFolder(state.path).batches
    index.write_text(index.read_text().replace('"b1":', '"c1":'))
    assert repeated(state.path) == list(range(2, 12))
    assert not lw.maintain.open(state.path).apply(inserts=one(50), batch_id="c1").repeated


def test_versions_that_were_taken_back(state: Any, tmp_path: Path) -> None:
    """The index, and a state that is open, speak of versions that are no more, or are other ones now."""
    state.apply(inserts=one(11), batch_id="b11")
    shutil.copytree(state.path, tmp_path / "other")
    for version in range(4, 13):
        StateFolder(state.path).manifest(version).unlink()
    assert not state.apply(inserts=one(7), batch_id="b7").repeated
    assert (state.version, state.apply(inserts=one(7), batch_id="b7").repeated) == (4, True)
    fresh = lw.maintain.open(state.path)
    for number in (1, 2, 3, 4, 5, 6, 8, 9, 10, 11):
        assert fresh.apply(inserts=one(number), batch_id=f"b{number}").repeated == (number < 3)
    assert sorted(fresh.to_arrow().column("n").to_pylist()) == list(range(12))
    assert repeated(state.path) == [2, 3, 5, 6, 7, 8, 4, 9, 10, 11]


def test_an_index_for_which_there_is_no_room(state: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: StateFolder, content: bytes) -> None:
        raise self.unwritable(OSError(28, "No space left on device"))

    StateFolder(state.path).batches.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(StateFolder, "note_batches", full)
        assert lw.maintain.open(state.path).apply(inserts=one(1), batch_id="b1").repeated


def test_a_url_is_no_folder() -> None:
    with pytest.raises(StateError, match="is a URL") as said:
        lw.maintain.create("s3://bucket/state", one(0))
    assert isinstance(said.value, LawfulError) and "mounted" in (said.value.hint or "")
