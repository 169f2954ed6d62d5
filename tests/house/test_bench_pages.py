"""Pages of figures keep the experiments that are not measured again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.papers import __main__ as papers
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.pages import PAGES, Page
from bench.papers.parts import parts_of, together
from tests.house.tree import ROOT


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_that_are_there(name: str) -> None:
    """Each has its experiments, in order, and is what comes of its parts."""
    page, file = PAGES[name], ROOT / "docs" / "benchmarks" / PAGES[name].file
    parts = parts_of(file)
    if file.exists():
        assert [known for known in page.experiments if known in parts] == list(parts) and parts
        head, _, rest = file.read_text("utf-8").partition("<!-- experiment: ")
        tail = rest.partition("<!-- end of the experiments -->\n\n")[2]
        assert together(head, page.experiments, parts, tail) == file.read_text("utf-8")


def test_one_experiment_leaves_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"a": "first", "b": "first"}

    def drawn(name: str) -> Iterator[Figure]:
        if said[name] == "wrong":
            raise ValueError("no figure")
        yield Figure(name, f"{name} {said[name]}", "Shape.", "x", (Panel("y", (Curve("c", ((1, 2.0),)),)),))

    monkeypatch.setattr(papers, "_setting", lambda: "Measured.\n")
    monkeypatch.setattr(papers, "draw", lambda *_: None)
    page = Page("p.md", "# P\n", {"a": lambda _: drawn("a"), "b": lambda _: drawn("b")}, "## Not done\n", ())

    def titles() -> list[str]:
        lines = (tmp_path / "p.md").read_text().splitlines()
        return [line.removeprefix("## ") for line in lines if line.startswith("## ")]

    assert papers.run(page, ["b"], False, tmp_path) == 0 and titles() == ["b first", "Not done"]
    assert papers.run(page, ["a"], False, tmp_path) == 0 and titles() == ["a first", "b first", "Not done"]
    said["b"] = "second"
    assert papers.run(page, ["b"], False, tmp_path) == 0 and titles() == ["a first", "b second", "Not done"]
    said["a"] = "wrong"
    assert papers.run(page, ["a"], False, tmp_path) == 1 and titles() == ["a: failed", "b second", "Not done"]
    assert (tmp_path / "p.md").read_text().count("Measured.") == 2
