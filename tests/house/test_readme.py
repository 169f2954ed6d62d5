"""The README is short, its two commands are there, and its examples do what they show."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shutil
import traceback
from pathlib import Path

import pytest

from tests.house.tree import ROOT

LONGEST = 150
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def fenced(text: str, language: str) -> list[str]:
    """The fenced blocks of a language, in order."""
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```", text, re.S | re.M)


def command(text: str, name: str) -> str:
    """The fenced block that follows the comment ``<!-- name -->``, or nothing."""
    found = re.search(rf"<!-- {name} -->.*?^```[^\n]*\n(.*?)^```", text, re.S | re.M)
    return found.group(1).strip() if found else ""


def failures(text: str) -> str:
    """What goes wrong when the Python blocks run in order in one namespace, here; the empty string when nothing does.

    A block with prompts is compared with the output it shows; one without is run, and may print what it likes.
    """
    names: dict[str, object] = {"__name__": "__main__"}
    blocks = enumerate(fenced(text, "python"), 1)
    return "".join(
        (_compared if ">>> " in block else _ran)(block, f"block {number}", names) for number, block in blocks
    )


def _compared(block: str, title: str, names: dict[str, object]) -> str:
    said = io.StringIO()
    test = doctest.DocTestParser().get_doctest(block, names, title, "README.md", 0)
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.write, clear_globs=False)
    names.update(test.globs)
    return said.getvalue()


def _ran(block: str, title: str, names: dict[str, object]) -> str:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, f"README.md, {title}", "exec"), names)
    except Exception:
        return traceback.format_exc()
    return ""


@pytest.fixture
def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def test_it_is_short(readme: str) -> None:
    assert readme.count("\n") < LONGEST


@pytest.mark.parametrize("name", ["run", "test"])
def test_the_two_commands_are_there(readme: str, name: str) -> None:
    assert command(readme, name), f"README.md has no fenced block after the comment <!-- {name} -->"


def test_its_examples_run(readme: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (ROOT / "examples").exists():
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    assert failures(readme) == ""


def test_a_wrong_example_is_seen() -> None:
    right = "```python\n>>> x = 1\n>>> x\n1\n```\n```python\nassert x == 1\nprint('fine')\n```\n"
    assert failures(right) == ""
    assert "Expected:\n    3" in failures("```python\n>>> 1 + 1\n3\n```\n")
    assert "ZeroDivisionError" in failures("```python\n1 / 0\n```\n")


def test_a_missing_command_is_seen() -> None:
    text = "<!-- run -->\n```sh\nmake demo\n```\n"
    assert (command(text, "run"), command(text, "test")) == ("make demo", "")
