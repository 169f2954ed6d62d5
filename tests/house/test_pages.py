"""Pages of the documentation do what they show: Python with prompts, and commands with what they print, in order."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.cli import main
from tests.house.test_readme import OPTIONS, _compared
from tests.house.tree import ROOT

PAGES = ("asking", "drift", "export", "report", "review")


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of Python with prompts and of commands, each with its language."""
    found = re.findall(r"^```(python|console)\n(.*?)^```", text, re.S | re.M)
    return [(language, block) for language, block in found if language == "console" or ">>> " in block]


def commands(block: str) -> Iterator[tuple[list[str], str]]:
    """The words of each command, and what the page says that it prints."""
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path / "examples"))
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    names: dict[str, object] = {"__name__": "__main__"}
    found = blocks((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"))
    for number, (language, block) in enumerate(found, 1):
        if language == "python":
            assert _compared(block, f"{page}, block {number}", names) == ""
        else:
            _carried_out(block, capsys)


def _carried_out(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    for (program, *words), expected in commands(block):
        assert program == "lawful"
        capsys.readouterr()
        main(words)
        said = capsys.readouterr()
        assert "error: " not in said.err, said.err
        assert doctest.OutputChecker().check_output(expected, said.out, OPTIONS), f"{words} printed\n{said.out}"


def test_commands_are_seen() -> None:
    text = "```console\n$ lawful --version\nlawful 9 $ x\n$ lawful ask 'a b' c\n```\n```python\nx = 1\n```\n"
    ((language, block),) = blocks(text)
    assert language == "console"
    assert list(commands(block)) == [(["lawful", "--version"], "lawful 9 $ x\n"), (["lawful", "ask", "a b", "c"], "")]
