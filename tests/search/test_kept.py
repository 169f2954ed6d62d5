"""A search for rules of two rows that was ended goes on from what is on disk, and finds what it would have found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful
from lawful.errors import InputError
from lawful.families import marked
from lawful.families.comparing import Choice
from lawful.progress import Step
from lawful.search import kept

_DRAW = np.random.default_rng(3)
TABLE = pa.table({name: _DRAW.integers(0, 6, 60) for name in "abcde"})


def _lines(rules: lawful.RuleSet) -> list[str]:
    return [str(rule) for rule in rules]


@pytest.fixture(params=[True, False], ids=["all pairs", "sampled"])
def whole(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Both ways to know signatures; everything is written at once."""
    monkeypatch.setattr(marked, "choose", lambda *_: Choice(request.param, "so it is"))
    monkeypatch.setattr(kept, "EVERY", 0.0)
    return bool(request.param)


def _stopping_at(stage: str, after: int) -> Any:
    seen = [0]

    def listen(step: Step) -> None:
        seen[0] += step.stage == stage
        if seen[0] > after:
            raise KeyboardInterrupt

    return listen


def _discover(kinds: list[str], folder: Path, **options: Any) -> lawful.RuleSet:
    return lawful.discover(TABLE, kinds, engine="local", workers=1, work_dir=str(folder), sample=1, **options)


@pytest.mark.parametrize("kind", ["dc", "pod"])
def test_an_interrupted_search_goes_on(kind: str, whole: bool, tmp_path: Path) -> None:
    expected = lawful.discover(TABLE, [kind], engine="local", workers=1, sample=1)
    stage = "searching" if whole else "checking rules"
    stopped = _discover([kind], tmp_path, progress=_stopping_at(stage, 0))
    assert stopped.incomplete == "interrupted" and set(_lines(stopped)) <= set(_lines(expected))
    stages: list[str] = []
    resumed = _discover([kind], tmp_path, resume=True, progress=lambda step: stages.append(step.stage))
    assert resumed.complete and _lines(resumed) == _lines(expected)
    assert not whole or "comparing rows" not in stages
    assert not list(tmp_path.glob("search-*"))


def test_one_kind_of_several_is_resumed(whole: bool, tmp_path: Path) -> None:
    expected = lawful.discover(TABLE, ["od", "pod", "dc"], engine="local", workers=1, sample=1)
    stage = "searching" if whole else "checking rules"
    _discover(["dc"], tmp_path, progress=_stopping_at(stage, 0))
    assert _lines(_discover(["od", "pod", "dc"], tmp_path, resume=True)) == _lines(expected)


def test_other_options_are_another_search(whole: bool, tmp_path: Path) -> None:
    _discover(["dc"], tmp_path, progress=_stopping_at("searching", 0))
    with pytest.raises(InputError, match="can be resumed"):
        _discover(["dc"], tmp_path, resume=True, max_size=2)
    with pytest.raises(InputError, match="can be resumed"):
        lawful.discover(pa.table({"a": [1, 2]}), ["dc"], engine="local", workers=1, work_dir=str(tmp_path), resume=True)
