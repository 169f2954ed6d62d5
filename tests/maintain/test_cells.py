"""Every cell of the table in docs/state.md: kind, exact or not, what happens, and where. It works, or says why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import lawful as lw
from lawful.errors import LawfulError
from lawful.maintain import counting
from lawful.options import EngineOptions

KINDS = ("fd", "key", "oc", "od", "pod", "dc")
HAPPENING = ("batch", "insert", "delete")
PAGE = Path(__file__).parents[2] / "docs" / "state.md"
REFUSED = {
    "error": "without exceptions alone",
    "deletes": "made for inserts alone",
    "counts": "need counts",
}
"""What the table calls a refusal, and what the message says."""


def table(start: int, stop: int) -> pa.Table:
    numbers = list(range(start, stop))
    return pa.table({"a": [n % 4 for n in numbers], "b": [n // 3 for n in numbers], "c": [str(n % 5) for n in numbers]})


def documented() -> Iterator[tuple[str, str, str, str, str]]:
    """(kind, exactness, deletes or none, what happens, where) with what the page says of it."""
    lines = re.findall(r"^\| `(\w+)` \| (exact|approximate) \| (yes|no) \| (.+) \|$", PAGE.read_text("utf-8"), re.M)
    for kind, exactness, deletes, cells in lines:
        said = [cell.strip() for cell in cells.split("|")]
        assert len(said) == len(HAPPENING)
        for happening, words in zip(HAPPENING, said, strict=True):
            yield kind, exactness, deletes, happening, words


CELLS = list(documented())


def test_the_page_has_every_cell() -> None:
    expected = {
        (kind, exactness, deletes, happening)
        for kind in KINDS
        for exactness in ("exact", "approximate")
        for deletes in ("yes", "no")
        for happening in HAPPENING
    }
    assert {cell[:4] for cell in CELLS} == expected and len(CELLS) == len(expected)


def walk(cell: tuple[str, ...], folder: Path, running: EngineOptions) -> None:
    kind, exactness, deletes, happening, words = cell
    asked: dict[str, Any] = {"kinds": (kind,), "deletes": deletes == "yes", "running": running}
    wanted: dict[str, Any] = {"kinds": (kind,)}
    if exactness == "approximate":
        error = {"max_error": 0.1, "measure": "pairs"}
        asked, wanted = asked | error, wanted | error
    change: dict[str, Any] = {"insert": {"inserts": table(8, 14)}, "delete": {"deletes": [1, 5]}}.get(happening, {})
    left = {
        "batch": table(0, 12),
        "insert": pa.concat_tables([table(0, 12), table(8, 14)]),
        "delete": table(0, 12).take([i for i in range(12) if i not in (1, 5)]),
    }[happening]

    def done() -> list[dict[str, Any]]:
        state = lw.maintain.create(folder, table(0, 12), **asked)
        if change:
            state.apply(**change, running=running)
        assert state.check(deep=True).fine
        return [rule.to_dict() for rule in state.rules()]

    if words == "works":
        fresh = lw.discover(left, **wanted)
        found = done()
        if deletes == "no" and kind in ("pod", "dc"):
            bare = dict.fromkeys(("coverage", "interest", "surprise"))
            assert found == [rule.to_dict() | bare for rule in fresh]
        else:
            assert found == [rule.to_dict() for rule in fresh]
    else:
        assert words.startswith("refused: ")
        with pytest.raises(LawfulError, match=REFUSED[words.removeprefix("refused: ")]):
            done()


@pytest.mark.parametrize("cell", CELLS, ids="-".join)
def test_in_process(cell: tuple[str, ...], tmp_path: Path) -> None:
    walk(cell, tmp_path / "state", EngineOptions())


@pytest.mark.spark
def test_on_spark(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells, every comparison of rows as a job."""
    monkeypatch.setattr(counting, "FEW_PAIRS", -1)
    running = EngineOptions(engine="spark", work_dir=str(tmp_path / "work"))
    for number, cell in enumerate(CELLS):
        walk(cell, tmp_path / f"state{number}", running)
