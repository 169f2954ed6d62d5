"""Pages of the documentation do what they show: Python with prompts, and commands with what they print."""

from __future__ import annotations

import doctest
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.cli import main
from tests.house.test_readme import OPTIONS, failures, fenced
from tests.house.tree import ROOT

PAGES = ("asking", "drift")


def commands(text: str) -> Iterator[tuple[list[str], str]]:
    """The words of each command of a ``console`` block, and what the page says that it prints."""
    for block in fenced(text, "console"):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            yield shlex.split(command), output


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "examples"))
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    assert failures(text) == ""
    capsys.readouterr()
    for (program, *words), expected in commands(text):
        assert program == "lawful"
        main(words)
        said = capsys.readouterr()
        assert said.err == "" or not expected, said.err
        assert doctest.OutputChecker().check_output(expected, said.out, OPTIONS), f"{words} printed\n{said.out}"


def test_a_wrong_output_is_seen() -> None:
    text = "```console\n$ lawful --version\nlawful 9\n$ lawful ask 'a b' c\n```\n"
    assert list(commands(text)) == [(["lawful", "--version"], "lawful 9\n"), (["lawful", "ask", "a b", "c"], "")]
