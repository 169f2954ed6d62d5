"""Pages lead somewhere, their examples do what they show, and decisions are written down in one form."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.house.test_pages import PAGES
from tests.house.test_readme import failures, fenced
from tests.house.tree import ROOT, plant, texts

FENCED = re.compile(r"^(```|~~~).*?^\1", re.S | re.M)
INLINE_CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\[[^\]]*\]\(<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.M)
HEADING = re.compile(r"^#{1,6} +(.+?)\s*$", re.M)
ADR = re.compile(r"^docs/adr/(\d{4})-[a-z0-9-]+\.md$")
ADR_PARTS = ("Status", "Context", "Decision", "Consequences")


def dead_links(root: Path) -> list[str]:
    """Relative links of Markdown pages whose file or heading is not there."""
    return [
        f"{path}: {target}"
        for path, text in texts(root, ".md")
        for target in _targets(text)
        if not _leads_somewhere((root / path), target)
    ]


def _targets(text: str) -> Iterator[str]:
    for found in LINK.finditer(INLINE_CODE.sub("", FENCED.sub("", text))):
        target = found.group(1) or found.group(2)
        if not re.match(r"[a-z][a-z0-9+.-]*:", target, re.I):
            yield target


def _leads_somewhere(page: Path, target: str) -> bool:
    name, _, anchor = unquote(target).partition("#")
    goal = (page.parent / name) if name else page
    if not goal.exists():
        return False
    return not anchor or goal.suffix != ".md" or anchor in _anchors(goal.read_text(encoding="utf-8"))


def _anchors(text: str) -> set[str]:
    headings = HEADING.findall(FENCED.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def adr_faults(root: Path) -> list[str]:
    """Decision records out of form: a title, then Status, Context, Decision, Consequences; numbered 1, 2, 3, …"""
    pages = [(path, text) for path, text in texts(root, ".md") if re.match(r"docs/adr/\d", path)]
    found = [f"{path}: not NNNN-words-like-these.md" for path, _ in pages if not ADR.match(path)]
    numbers = [int(match.group(1)) for path, _ in pages if (match := ADR.match(path))]
    if numbers != list(range(1, len(numbers) + 1)):
        found.append(f"docs/adr: numbers are {numbers}")
    return found + [f"{path}: {fault}" for path, text in pages for fault in _form_faults(text)]


def _form_faults(text: str) -> Iterator[str]:
    if not text.startswith("# "):
        yield "no title"
    headings = [heading for heading in re.findall(r"^## +(\w+)\s*$", text, re.M) if heading in ADR_PARTS]
    if headings != list(ADR_PARTS):
        yield f"sections are {headings}"


def test_links_lead_somewhere() -> None:
    assert dead_links(ROOT) == []


WITH_EXAMPLES = [
    page
    for page in sorted((ROOT / "docs").glob("*.md"))
    if page.stem not in PAGES and fenced(page.read_text("utf-8"), "python")
]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: page.name)
def test_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if (ROOT / "examples").exists():
        shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWFUL_ENGINE", "local")
    assert failures(page.read_text(encoding="utf-8")) == ""


def test_decisions_are_in_form() -> None:
    assert adr_faults(ROOT) == []


def test_a_dead_link_is_seen(tmp_path: Path) -> None:
    live = "# A b\n[x](b.md) [y](a.md#a-b) [v](https://a.b/c) `[q](r.md)`\n```\n[k](l.md)\n```\n"
    page = live + "[z](gone.md) [w](#nope)\n[m]: n.md\n"
    plant(tmp_path, a_md=page, b_md="")
    assert dead_links(tmp_path) == ["a.md: gone.md", "a.md: #nope", "a.md: n.md"]


def test_a_decision_out_of_form_is_seen(tmp_path: Path) -> None:
    good = "# Title\n## Status\n## Context\n## Decision\n## Consequences\n"
    plant(
        tmp_path, **{"docs__adr__0001-good_md": good, "docs__adr__0003-bad_md": "## Status\n", "docs__adr__4_md": good}
    )
    assert adr_faults(tmp_path) == [
        "docs/adr/4.md: not NNNN-words-like-these.md",
        "docs/adr: numbers are [1, 3]",
        "docs/adr/0003-bad.md: no title",
        "docs/adr/0003-bad.md: sections are ['Status']",
    ]
