"""The documentation builds as a site without a warning, and the site asks nothing of the network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, texts

LOADED = re.compile(r"<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=\"((?:https?:)?//[^\"]*)", re.S)
FETCHED = re.compile(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')]*)")


def built(folder: Path, docs: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The project's site in ``folder``, a warning being an error; or a site of the pages in ``docs``."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    if docs:
        config = folder.parent / "mkdocs.yml"
        config.write_text(f"site_name: tried\ndocs_dir: {docs}\nvalidation: {{links: {{not_found: warn}}}}\n")
        command += ["--config-file", str(config)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def loaded(folder: Path) -> set[str]:
    """Addresses that a browser fetches by itself when it shows the pages of a site."""
    return {
        address
        for suffix, pattern in ((".html", LOADED), (".css", FETCHED))
        for _, text in texts(folder, suffix)
        for address in pattern.findall(text)
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("mkdocs")
    folder = tmp_path_factory.mktemp("built") / "site"
    done = built(folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_each_page_is_in_the_site(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    pages |= {Path("what-works.html"), Path("ARCHITECTURE.html"), Path("CONTRIBUTING.html")}
    assert len(pages) > 20
    assert [str(page) for page in sorted(pages) if not (site / page).is_file()] == []


def test_no_page_leads_out_of_the_folder_of_pages(site: Path) -> None:
    led = {name: re.findall(r"href=\"([^\":]*\.md[^\"]*)\"", text) for name, text in texts(site, ".html")}
    assert {name: links for name, links in led.items() if links} == {}


def test_no_bar_is_shown_with_its_escape(site: Path) -> None:
    assert [name for name, text in texts(site, ".html") if "\\|" in text] == []
    assert "<code>--nulls first|last|unknown</code>" in (site / "cli.html").read_text(encoding="utf-8")


def test_nothing_comes_from_the_network(site: Path) -> None:
    assert loaded(site) == set()


def test_what_comes_from_the_network_is_seen(tmp_path: Path) -> None:
    page = '<a href="https://a.b/"></a><script async src="https://c.d/x.js"></script><link rel="x" href="//e.f/y.css">'
    (tmp_path / "a.html").write_text(page)
    (tmp_path / "a.css").write_text("@import 'https://g.h/z.css'; a { b: url(//i.j/k) url(l.png) }")
    assert loaded(tmp_path) == {"https://c.d/x.js", "//e.f/y.css", "https://g.h/z.css", "//i.j/k"}


def test_a_dead_link_ends_the_build(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "index.md").write_text("# A\n\n[b](b.md)\n")
    done = built(tmp_path / "site", docs)
    assert done.returncode != 0 and "b.md" in done.stderr


def test_the_index_leads_to_each_page() -> None:
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(page for page in pages if page != "index.md" and f"]({page})" not in index) == []


def test_each_example_is_named_and_tested() -> None:
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    names = [path.stem for path in sorted((ROOT / "examples").glob("*.py"))]
    assert len(names) >= 3
    assert [name for name in names if f"`examples/{name}.py`" not in index] == []
    assert [name for name in names if not (ROOT / f"tests/examples/test_{name}.py").is_file()] == []
