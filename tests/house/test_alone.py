"""The project stands alone: nothing in it speaks of the place it was written at, nor of a tracker or a registry."""

from __future__ import annotations

import re
from pathlib import Path

from tests.house.tree import ROOT, plant, texts

# In pieces, so that this file is held to the rule like any other.
FOREIGN = [
    "(?<![\\w.}])/wo" + "rk/",
    "(?<![\\w.}])/ro" + "ot/",
    "(?<![\\w.}])/ho" + "me/\\w",
    "/User" + "s/\\w",
    "/tmp/ba" + "sh_",
    "bash_" + "jobs",
    r"\.\./sha" + "red",
    r"\.lib" + "rary\\b",
    "pypi\\." + "org",
    "python" + "hosted",
    "/opt/" + "(pypi|wheels)",
    "find-" + "links",
    "index-" + "url",
    "conda\\." + "anaconda",
    "maven\\." + "org",
    "\\bissue" + "s? #?\\d",
    "\\bticket" + " #?\\d",
    "\\bsession" + " notes?\\b",
    "\\b(last|previous|next) (coding|work)" + " session",
    "(?-i:\\b(algorithms|architecture|ecosystem|semantics|surface)" + "\\.md)",
    "\\b(chat" + "gpt|clau" + "de|anthro" + "pic|open" + "ai)\\b",
]
"""Whatever matches one of these, letters of either case alike, points outside the project."""

MATCHES = re.compile("|".join(FOREIGN), re.I)


def foreign(root: Path) -> list[str]:
    """Lines that point outside the project; a page may be named when a page of that very name is here."""
    own = {path.rsplit("/", 1)[-1] for path, _ in texts(root, ".md")}
    return [
        f"{path}:{number}: {found.group()}"
        for path, text in texts(root)
        for number, line in enumerate(text.splitlines(), 1)
        for found in MATCHES.finditer(line)
        if found.group() not in own
    ]


def test_the_project_stands_alone() -> None:
    assert foreign(ROOT) == []


def test_a_foreign_word_is_seen(tmp_path: Path) -> None:
    bad = (
        "see /wo"
        + "rk/x\nfixes issue"
        + " #12\nfrom ../sha"
        + "red/y\nARCHITECTURE.md and semantics"
        + ".md\nteamwork/play\n"
    )
    plant(tmp_path, ARCHITECTURE_md="", notes_md=bad)
    assert [line.split(":")[1] for line in foreign(tmp_path)] == ["1", "2", "3", "4"]
