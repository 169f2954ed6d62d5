"""A search that was killed goes on from its journal to the very answer it would have given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.errors import InputError, OptionError, SourceError
from lawful.ranks.encoded import Encoded
from lawful.search import journal
from lawful.search.journal import Journal
from tests.conftest import ROOT
from tests.families.finding import blocks_of, discover_encoded, lines, of_ranks, policy
from tests.profiles import NIGHTLY, examples
from tests.search import killed


def table() -> Encoded:
    return of_ranks(np.random.default_rng(3).integers(0, 4, (7, 40)))


class Killed(BaseException):
    """What no handler in the search knows: as sudden as a kill, but for what was already written."""


def killed_after(steps: int) -> Any:
    left = [steps]

    def listen(step: object) -> None:
        left[0] -= 1
        if left[0] <= 0:
            raise Killed

    return listen


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every verdict is written as soon as it is known."""
    monkeypatch.setattr(journal, "EVERY", -1.0)


def begun(folder: Path, steps: int = 12, source: Encoded | None = None, **options: Any) -> None:
    with blocks_of(lambda: 3), pytest.raises(Killed):
        discover_encoded(source or table(), work_dir=str(folder), listener=killed_after(steps), **options)


def content(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Every file under a folder, with when it was written."""
    return {str(p): (p.stat().st_mtime_ns, p.read_bytes()) for p in sorted(folder.rglob("*")) if p.is_file()}


def resumed(folder: Path, source: Encoded | None = None, **options: Any) -> bytes:
    return lines(discover_encoded(source or table(), work_dir=str(folder), resume=True, **options)[0])


@pytest.mark.parametrize("name", ["all", "data", "overflow", "mixed"])
@pytest.mark.parametrize("options", [{}, {"max_size": 3}, {"min_coverage": 0.05}], ids=["all", "size", "coverage"])
def test_killed_again_and_again(tmp_path: Path, name: str, options: dict[str, Any]) -> None:
    """Each run comes a few blocks further; the last one gives the lines of a run that was left alone."""
    whole, rng = lines(discover_encoded(table(), **options)[0]), Random(name)
    for round in range(examples(3)):
        folder = tmp_path / str(round)
        with policy(name, rng), blocks_of(lambda: rng.randint(2, 9)):
            runs, seen = 0, [0]
            while True:
                try:
                    listener = killed_after(rng.randint(1, 14) if runs else 2)
                    args: Any = {"work_dir": str(folder), "listener": listener, "resume": runs > 0}
                    rules, ending = discover_encoded(table(), **args, **options)
                    break
                except Killed:
                    runs += 1
                    held = len(list(folder.rglob("*.npz")))
                    assert held > seen[-1] or held == seen[-1] == 0
                    seen.append(held)
        assert ending.reason is None
        assert lines(rules) == whole
        assert runs > 0
        assert list(folder.iterdir()) == []


def test_kill_dash_nine(tmp_path: Path) -> None:
    """A process of its own is killed at random moments, and resumed until it gets to its end."""
    whole = killed.search(str(tmp_path / "alone"), False)
    rng, kills, finished = Random(5), 0, 0
    deadline = time.monotonic() + (600 if NIGHTLY else 40)
    while kills < examples(12) and time.monotonic() < deadline:
        folder = tmp_path / f"run{finished}"
        started = any(folder.rglob("manifest.json"))
        words = [sys.executable, "-m", "tests.search.killed", str(folder), "resume" if started else "new"]
        process = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)})
        before = written(folder)
        wait_for(lambda: process.poll() is not None or written(folder) > before)  # noqa: B023
        time.sleep(rng.random() * 0.25)
        if process.poll() is None:
            process.kill()
            process.communicate()
            kills += 1
            continue
        assert (process.communicate()[0], process.returncode) == (whole, 0)
        finished += 1
    last = tmp_path / f"run{finished}"
    if any(last.rglob("manifest.json")):
        assert killed.search(str(last), True) == whole
    assert kills >= 5


def written(folder: Path) -> int:
    """Files of journals in a folder; a search that comes to its end removes its own meanwhile."""
    return sum(name.endswith(".npz") for _, _, names in os.walk(folder) for name in names)


def wait_for(happened: Any) -> None:
    give_up = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < give_up
        time.sleep(0.005)


def test_a_finished_search_leaves_nothing_and_cannot_be_resumed(tmp_path: Path) -> None:
    begun(tmp_path)
    resumed(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="holds no search to resume") as caught:
        resumed(tmp_path)
    assert caught.value.hint == "Run without --resume to begin one."


def test_a_search_ended_by_a_limit_can_be_resumed(tmp_path: Path) -> None:
    whole = lines(discover_encoded(table())[0])
    with blocks_of(lambda: 2):
        part, ending = discover_encoded(
            table(), work_dir=str(tmp_path), time_limit="0.02s", listener=lambda step: time.sleep(0.003)
        )
    assert (ending.code, part.complete) == (3, False)
    assert resumed(tmp_path) == whole


def other_value() -> Encoded:
    ranks = table().ranks.copy()
    ranks[6, 39] = (ranks[6, 39] + 1) % 4
    return of_ranks(ranks)


def renamed() -> Encoded:
    here = table()
    return replace(here, columns=(replace(here.columns[0], name="other"), *here.columns[1:]))


def unordered() -> Encoded:
    return of_ranks(table().ranks, {2: False})


@pytest.mark.parametrize("other", [other_value, renamed, unordered], ids=lambda f: f.__name__)
def test_another_table_is_refused_and_nothing_is_touched(tmp_path: Path, other: Any) -> None:
    begun(tmp_path)
    before = content(tmp_path)
    with pytest.raises(InputError, match="its table is another") as caught:
        resumed(tmp_path, other())
    assert caught.value.hint
    assert content(tmp_path) == before
    assert resumed(tmp_path) == lines(discover_encoded(table())[0])


@pytest.mark.parametrize(
    "options", [{"max_size": 3}, {"min_coverage": 0.1}, {"kinds": ("fd",)}, {"kinds": ("key", "fd")}], ids=str
)
def test_other_options_are_refused_and_nothing_is_touched(tmp_path: Path, options: dict[str, Any]) -> None:
    begun(tmp_path)
    before = content(tmp_path)
    with pytest.raises(InputError, match="its search is another"):
        resumed(tmp_path, **options)
    assert content(tmp_path) == before


def test_options_that_only_choose_from_the_answer_may_differ(tmp_path: Path) -> None:
    begun(tmp_path)
    assert resumed(tmp_path, top=3) == lines(discover_encoded(table(), top=3)[0])


def test_another_format_is_refused(tmp_path: Path) -> None:
    begun(tmp_path)
    (manifest,) = tmp_path.rglob("manifest.json")
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"format": 99}))
    before = content(tmp_path)
    with pytest.raises(InputError, match="its format is another"):
        resumed(tmp_path)
    assert content(tmp_path) == before


@pytest.mark.parametrize("text", ["", "{", "[1]", "\x00"])
def test_a_manifest_that_cannot_be_read_is_another_format(tmp_path: Path, text: str) -> None:
    begun(tmp_path)
    (manifest,) = tmp_path.rglob("manifest.json")
    manifest.write_text(text)
    with pytest.raises(InputError, match="its format is another"):
        resumed(tmp_path)


def test_what_was_half_written_is_not_read(tmp_path: Path) -> None:
    begun(tmp_path)
    (folder,) = tmp_path.iterdir()
    last = sorted(folder.glob("*.npz"))[-1]
    half = last.read_bytes()[:100]
    last.unlink()
    (folder / f"{last.name}.part").write_bytes(half)
    (folder / f"{int(last.stem) + 1:08d}.npz.part").write_bytes(b"")
    assert resumed(tmp_path) == lines(discover_encoded(table())[0])


def test_the_search_that_fits_is_found_among_others(tmp_path: Path) -> None:
    """Of several journals in one folder; a new search begins beside them and leaves them be."""
    begun(tmp_path, max_size=3)
    begun(tmp_path)
    begun(tmp_path, source=other_value())
    assert len(list(tmp_path.iterdir())) == 3
    assert resumed(tmp_path, max_size=3) == lines(discover_encoded(table(), max_size=3)[0])
    assert len(list(tmp_path.iterdir())) == 2
    discover_encoded(table(), work_dir=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 2


def test_less_is_left_to_do(tmp_path: Path) -> None:
    """What the journal holds is not tried again."""
    steps: list[int] = []
    begun(tmp_path, steps=20)
    with blocks_of(lambda: 3):
        discover_encoded(table(), work_dir=str(tmp_path), resume=True, listener=lambda step: steps.append(step.done))
    assert steps[0] > 19


def test_a_work_folder_that_cannot_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("here")
    for folder in (blocked, blocked / "below"):
        with pytest.raises(SourceError, match=r"work folder .* cannot be written") as caught:
            discover_encoded(table(), work_dir=str(folder))
        assert "--work-dir" in str(caught.value)
    assert blocked.read_text() == "here"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_work_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(SourceError, match="Permission denied"):
        discover_encoded(table(), work_dir=str(tmp_path))


def test_resuming_needs_a_folder_that_keeps_journals() -> None:
    with pytest.raises(OptionError, match="without a work folder"):
        discover_encoded(table(), resume=True)
    with pytest.raises(OptionError, match="a URL"):
        discover_encoded(table(), resume=True, work_dir="memory://somewhere")
    with pytest.raises(OptionError, match="cannot be resumed"):
        discover_encoded(table(), resume=True, work_dir="here", max_error=0.1)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no search"):
        resumed(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()


def test_nothing_is_written_before_its_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "EVERY", 3600.0)
    made = Journal.begin(str(tmp_path), table(), {})
    made.flush()
    assert [path.name for path in made.folder.iterdir()] == ["manifest.json"]


def test_a_kill_while_the_journal_is_removed_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a journal would be resumed with contexts of which the smaller ones are not known."""
    monkeypatch.setattr(journal.shutil, "rmtree", lambda folder, **_: next(Path(folder).glob("*.npz")).unlink())
    whole = killed.search(str(tmp_path), False)
    assert list(tmp_path.rglob("*.npz")) and not list(tmp_path.rglob("manifest.json"))
    assert killed.search(str(tmp_path), False) == whole
