"""The reference is whole: commands and flags are on the page of the command line, names and options on Python's."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import TypeAlias

import pytest

import lawful as lw
from lawful.cli import main
from tests.house.test_readme import failures, fenced
from tests.house.tree import ROOT, texts

FRAMED = re.compile(r"^│ (.*) │$", re.M)
NAME = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
Said: TypeAlias = dict[tuple[str, ...], str]
EVERYWHERE = {"--help", "--version"}
SHARED = "profile"
"""The command under which the page explains the flags that commands share."""


def help_of(*words: str) -> str:
    """What a command says of itself."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main([*words, "--help"])
    return said.getvalue()


def commands(text: str) -> list[str]:
    """The commands that a help lists."""
    listed = text.partition("─ Commands ─")[2].partition("╰")[0]
    return [found.group(1) for line in FRAMED.findall(listed) if (found := re.match(r"([a-z]+)  ", line))]


def flags(text: str) -> list[tuple[str, ...]]:
    """The flags that a help lists, each with all its long names."""
    rows = (re.split(r"  +", line)[0] for line in FRAMED.findall(text) if re.match(r"(\*  )?-|[A-Z-]+ --", line))
    found = (tuple(NAME.findall(row)) for row in rows)
    return [names for names in found if names and not EVERYWHERE & set(names)]


def sections(page: str) -> dict[str, str]:
    """The sections of the page of the command line, by the commands in their headings."""
    found: dict[str, str] = {}
    for part in re.split(r"^## ", page, flags=re.M)[1:]:
        heading, _, text = part.partition("\n")
        for name in re.findall(r"`lawful ([a-z]+)", heading):
            found[name] = found.get(name, "") + text
    return found


def helps() -> Said:
    """What each command says of itself, and each command within one."""
    outer = {(name,): help_of(name) for name in commands(help_of())}
    inner = [(*words, name) for words, said in outer.items() for name in commands(said)]
    return outer | {words: help_of(*words) for words in inner}


def untold(page: str, said: Said) -> Iterator[str]:
    """Commands without a section, commands within one that it does not name, flags that no section of theirs tells."""
    told = sections(page)
    for (name, *inner), text in said.items():
        section = told.get(name, "")
        if not section or any(not re.search(rf"`{one}[ `]", section) for one in inner):
            yield " ".join([name, *inner])
        listed = set(NAME.findall(section + told[SHARED]))
        yield from (" ".join([name, *inner, names[0]]) for names in flags(text) if not listed & set(names))


@pytest.fixture(scope="module")
def said() -> Said:
    """All helps, in lines long enough for each flag to stand on one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "400")
        return helps()


@pytest.fixture
def page() -> str:
    return (ROOT / "docs/cli.md").read_text(encoding="utf-8")


def test_each_command_and_flag_is_on_the_page(page: str, said: Said) -> None:
    assert list(untold(page, said)) == []


def test_the_page_tells_of_no_flag_that_is_not_there(page: str, said: Said) -> None:
    known = {name for text in said.values() for names in flags(text) for name in names} | EVERYWHERE
    assert {"--kinds", "--write-bad-rows", "--no-header"} < known
    assert set(NAME.findall(page)) - known == set()


def test_what_is_not_told_is_seen(page: str, said: Said) -> None:
    short = page.replace("--write-bad-rows", "").replace("## `lawful doctor`", "## Doctor").replace("`compact", "`")
    found = list(untold(short, said))
    assert {"check --write-bad-rows", "doctor", "doctor --spark", "state compact"} == set(found)


def options(function: object) -> list[str]:
    """The names of a function's parameters, but for those that catch the rest."""
    found = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    return [one.name for one in found if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]


def members(kind: type) -> list[str]:
    """Public methods and properties that a class defines itself."""
    return [name for name, one in vars(kind).items() if name[0] != "_" and (callable(one) or hasattr(one, "__get__"))]


def test_each_name_is_on_the_page() -> None:
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    named = {name for code in re.findall(r"`([^`\n]+)`", text) for name in re.findall(r"\w+", code)}
    wanted = {name: [name] for name in lw.__all__}
    wanted |= {f"{one.__name__}(…)": options(one) for one in (lw.discover, lw.encode, lw.profile, lw.check, lw.split)}
    wanted |= {kind.__name__: members(kind) for kind in (lw.RuleSet, lw.Review, lw.CheckResult)}
    missing = {whose: sorted(set(names) - named) for whose, names in wanted.items()}
    assert {whose: names for whose, names in missing.items() if names} == {}


def shown(text: str) -> Iterator[list[str]]:
    """The commands that the shell blocks of a page show, in words."""
    for block in fenced(text, "(?:sh|console)"):
        for line in re.findall(r"^(?:\$ )?((?:lawful|[a-z]+ [^$#]*\| lawful) .*)", block.replace("\\\n", " "), re.M):
            words = shlex.split(line, comments=True)
            yield list(takewhile(lambda word: word not in "|>", words[words.index("lawful") + 1 :]))


def wrong(text: str, said: Said) -> Iterator[str]:
    """Shown commands that are none, or have flags that are not theirs."""
    for words in shown(text):
        name = tuple(words[:2]) if tuple(words[:2]) in said else tuple(words[:1])
        known = {flag for flags_of_one in flags(said.get(name, "")) for flag in flags_of_one} | EVERYWHERE
        used = {found.group() for word in words if (found := NAME.match(word))}
        if used - known or (name not in said and not used):
            yield " ".join(words)


def test_each_command_that_a_page_shows_is_one(said: Said) -> None:
    pages = {path: text for path, text in texts(ROOT, ".md") if path.startswith("docs/") or path == "README.md"}
    assert sum(len(list(shown(text))) for text in pages.values()) > 50
    assert {path: lines for path, text in pages.items() if (lines := list(wrong(text, said)))} == {}


def test_a_wrong_command_is_seen(said: Said) -> None:
    lines = ["lawful profil a.csv", "lawful ask r 'a -> b' --kinds fd", "cat a | lawful profile - --json > b  # --x"]
    text = "```sh\n" + "\n".join(lines) + "\n```\n"
    assert list(wrong(text, said)) == ["profil a.csv", "ask r a -> b --kinds fd"]


def test_the_commands_of_the_readme_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    assert failures(text) == ""
    carried_out = {words[0]: main(words) for words in shown(text)}
    assert carried_out == dict.fromkeys(("discover", "check", "ask", "report"), 0)
