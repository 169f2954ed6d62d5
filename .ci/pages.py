"""What the site needs beyond `docs`: the pages at the root of the project, with links that lead on within the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT_PAGES = {"README.md": "what-works.md", "ARCHITECTURE.md": "ARCHITECTURE.md", "CONTRIBUTING.md": "CONTRIBUTING.md"}
"""Pages beside `docs`, and what they are called in the site, where a README would be taken for an index."""

TABLE_ROW = re.compile(r"^\|.*$", re.M)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def on_config(config: Any) -> Any:
    """Puts all decisions where the navigation says ``adr``."""
    docs = Path(config.docs_dir)
    decisions = [page.relative_to(docs).as_posix() for page in sorted(docs.glob("adr/*.md"))]
    expanded = [(title, decisions if page == "adr" else page) for entry in config.nav for title, page in entry.items()]
    config.nav = [{title: pages} for title, pages in expanded]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages at the root."""
    root = Path(config.docs_dir).parent
    for name, called in ROOT_PAGES.items():
        text = LINK.sub(_from_root, (root / name).read_text(encoding="utf-8"))
        files.append(File.generated(config, called, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links out of `docs` lead to the root's pages in the site; in tables, bars in code need no escape here."""
    for name, called in ROOT_PAGES.items():
        markdown = markdown.replace(f"](../{name}", f"]({called}")
    return TABLE_ROW.sub(lambda row: CODE.sub(lambda code: code.group().replace("\\|", "|"), row.group()), markdown)


def _from_root(link: re.Match[str]) -> str:
    """A link of a page at the root, as a page of the site would write it; its text alone where it leads to no page."""
    text, target = link.groups()
    name, hashed, anchor = target.partition("#")
    if ":" in name or not name:
        return link.group()
    if name in ROOT_PAGES:
        return f"[{text}]({ROOT_PAGES[name]}{hashed}{anchor})"
    if name.startswith("docs/") and name.endswith(".md"):
        return f"[{text}]({target.removeprefix('docs/')})"
    return text
