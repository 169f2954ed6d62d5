"""A killed writer, a full disk, two writers: the last version stays readable, and the batch can be applied again."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import lawful as lw
from lawful.errors import StateError
from lawful.maintain.folder import StateFolder
from tests.house.tree import ROOT
from tests.maintain.killed import rows
from tests.profiles import examples

COMMAND = [sys.executable, "-m", "tests.maintain.killed"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A state of two versions."""
    folder = tmp_path_factory.mktemp("base") / "state"
    state = lw.maintain.create(folder, rows(0))
    state.apply(rows(1), rows(0), batch_id="batch 1")
    return folder


def started(folder: Path, batch: int, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, str(folder), str(batch)],
        cwd=ROOT,
        env={**os.environ, **environment},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def content(folder: Path) -> tuple[int, list[int], list[str]]:
    """Version, ids in the table and rules of a state, which is whole."""
    state = lw.maintain.open(folder)
    assert state.check(deep=True).fine
    table = state.to_arrow()
    return state.version, table.column("id").to_pylist(), [str(rule) for rule in state.rules()]


def expected(batch: int) -> list[int]:
    return rows(batch).column("id").to_pylist()


@pytest.mark.slow
def test_killed_at_any_moment(base: Path, tmp_path: Path) -> None:
    """The moments are spread over the time that a batch takes, from the first sign of life to the end."""
    draw = random.Random(20_111)
    folder = tmp_path / "state"
    shutil.copytree(base, folder)
    took, batch, torn, seen = 0.5, 2, 0, set()
    for _ in range(examples(24)):
        process = started(folder, batch)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        begun = time.perf_counter()
        try:
            process.wait(draw.uniform(0, 1.2 * took))
            took = 0.5 * took + 0.5 * (time.perf_counter() - begun)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        version, ids, _ = content(folder)
        done = version == batch + 1
        seen.add((process.returncode, done))
        assert (version, ids) == ((batch + 1, expected(batch)) if done else (batch, expected(batch - 1)))
        torn += not done
        delta = lw.maintain.open(folder).apply(rows(batch), rows(batch - 1), batch_id=f"batch {batch}")
        assert delta.repeated == done
        assert content(folder)[:2] == (batch + 1, expected(batch))
        batch += 1
    assert torn and {code for code, _ in seen} <= {0, -9}


def test_killed_between_any_two_files(base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is on disk after each step of a commit is the old version, or after the last step the new one."""

    class Killed(BaseException):
        pass

    before = content(base)
    for step in range(1, 20):
        folder = tmp_path / f"state{step}"
        shutil.copytree(base, folder)
        calls = 0

        def count(real: object, *args: object, **more: object) -> object:
            nonlocal calls
            calls += 1
            if calls == step:  # noqa: B023, called within this turn
                raise Killed
            return real(*args, **more)  # type: ignore[operator]

        with monkeypatch.context() as patch:
            for name in ("fsync", "replace"):
                real = getattr(os, name)
                patch.setattr(os, name, lambda *a, _real=real, **k: count(_real, *a, **k))
            state = lw.maintain.open(folder)
            try:
                state.apply(rows(2), rows(1), batch_id="batch 2")
            except Killed:
                pass
            else:
                break
        version = lw.maintain.open(folder).version
        assert version in (2, 3)
        assert content(folder) == before or version == 3
        lw.maintain.open(folder).apply(rows(2), rows(1), batch_id="batch 2")
        assert content(folder)[:2] == (3, expected(2))
        left = [p.name for p in (folder / "data").iterdir() if p.name.startswith(".")]
        assert left == []
    assert step == 13  # three steps for each of four files, and none of them twice


def test_a_beginning_that_was_killed(tmp_path: Path) -> None:
    """Without a manifest there is no state, and its remains are in nobody's way."""
    state = lw.maintain.create(tmp_path / "state", rows(0))
    left = set((tmp_path / "state" / "data").iterdir())
    (tmp_path / "state" / "versions" / "00000001.json").unlink()
    with pytest.raises(StateError, match="is no state"):
        lw.maintain.open(state.path)
    again = lw.maintain.create(tmp_path / "state", rows(1))
    assert content(tmp_path / "state")[:2] == (1, expected(1)) and again.version == 1
    assert not left & set((tmp_path / "state" / "data").iterdir())


@pytest.mark.parametrize("room", ["0", "100", "1500", "3000"])
def test_a_full_disk(base: Path, tmp_path: Path, room: str) -> None:
    folder = tmp_path / "state"
    shutil.copytree(base, folder)
    before = content(folder)
    process = started(folder, 2, LAWFUL_TEST_ROOM=room)
    out, err = process.communicate()
    assert process.returncode == 7, err
    assert "cannot be written" in out and "nothing of this batch was applied" in out
    assert content(folder) == before
    assert not [p for p in (folder / "data").iterdir() if p.name.startswith(".")]
    lw.maintain.open(folder).apply(rows(2), rows(1), batch_id="batch 2")
    assert content(folder)[:2] == (3, expected(2))


@pytest.mark.slow
def test_a_full_disk_and_a_kill_at_any_moment(base: Path, tmp_path: Path) -> None:
    """Room drawn at random, from none to enough, and in half of the turns a kill on top."""
    draw = random.Random(11_819)
    folder = tmp_path / "state"
    shutil.copytree(base, folder)
    largest = max(file.stat().st_size for file in (folder / "data").iterdir())
    batch, refused = 2, 0
    for turn in range(examples(8)):
        room = draw.randrange(largest + largest // 4)
        process = started(folder, batch, LAWFUL_TEST_ROOM=str(room))
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        if turn % 2:
            time.sleep(draw.uniform(0, 0.1))
            process.kill()
        _, err = process.communicate()
        version, ids, _ = content(folder)
        done = version == batch + 1
        assert process.returncode in ((0,) if done and not turn % 2 else (0, -9) if done else (7, -9)), err
        refused += process.returncode == 7
        assert ids == expected(batch if done else batch - 1)
        again = lw.maintain.open(folder).apply(rows(batch), rows(batch - 1), batch_id=f"batch {batch}")
        assert again.repeated == done and content(folder)[:2] == (batch + 1, expected(batch))
        batch += 1
    assert refused


def test_a_failed_batch_leaves_the_open_state_as_it_was(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    shutil.copytree(base, folder)
    state = lw.maintain.open(folder)
    sets = state.agree_sets()

    def full(self: StateFolder, version: int, content: bytes) -> None:
        raise self.unwritable(OSError(28, "No space left on device"))

    with monkeypatch.context() as patch:
        patch.setattr(StateFolder, "commit", full)
        with pytest.raises(StateError, match="No space left"):
            state.apply(rows(2), rows(1))
    assert state.version == 2 and state.agree_sets() == sets
    state.apply(rows(2), rows(1))
    assert content(folder)[:2] == (3, expected(2))


def test_two_writers(base: Path, tmp_path: Path) -> None:
    """The second one is refused at once; readers are not; and the lock goes with its holder."""
    folder = tmp_path / "state"
    shutil.copytree(base, folder)
    first, second = lw.maintain.open(folder), lw.maintain.open(folder)
    with StateFolder(folder).lock():
        with pytest.raises(StateError, match="Another process is writing"):
            first.apply(rows(2))
        assert second.refresh().version == 2 and len(second.rules())
    first.apply(rows(2), batch_id="x")
    assert second.apply(rows(2), batch_id="x").repeated
    second.apply(rows(3))
    assert first.refresh().version == second.version == 4
    assert first.agree_sets() == second.agree_sets()


def test_readers_are_never_blocked(base: Path, tmp_path: Path) -> None:
    """Versions that come, and are folded together, while others read: every answer is that of one version."""
    folder = tmp_path / "state"
    shutil.copytree(base, folder)
    over, wrong = threading.Event(), []

    def look() -> None:
        while not over.is_set():
            try:
                state = lw.maintain.open(folder)
                sets, count = state.agree_sets(), len(state)
                if sets.pairs != count * (count - 1) // 2:
                    wrong.append(f"{sets!r} in version {state.version}")
            except Exception as error:
                wrong.append(repr(error))

    reader = threading.Thread(target=look)
    reader.start()
    writer = lw.maintain.open(folder)
    for batch in range(2, 12):
        writer.apply(rows(batch, 20))
        writer.compact()
    over.set()
    reader.join()
    assert wrong == []
