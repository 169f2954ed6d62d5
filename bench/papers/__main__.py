"""``python -m bench.papers [PAGE or EXPERIMENT…] [--smoke]``: measure, draw, and write the pages in docs/benchmarks."""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Iterable
from pathlib import Path

from bench.files import ROOT
from bench.machine import code, machine, versions, without_paths
from bench.order_tables import Subject, is_here
from bench.papers.figures import Figure, draw, section
from bench.papers.pages import PAGES, Page
from bench.papers.parts import parts_of, together
from bench.results import peer_module
from lawful.errors import LawfulError, MissingError, OptionError, did_you_mean

FOLDER = ROOT / "docs" / "benchmarks"


def run(page: Page, names: Iterable[str], smoke: bool, folder: Path) -> int:
    """Measure some experiments of one page, a drawing a figure; the others stay as they are. 1 if one broke."""
    parts, setting, broken = parts_of(folder / page.file), _setting(), False
    for name in names:
        print(f"… {name}", file=sys.stderr, flush=True)
        told = []
        try:
            for figure in page.experiments[name](smoke):
                told.append(_kept(figure, folder))
        except Exception as error:
            if not isinstance(error, LawfulError):
                traceback.print_exc()
            broken = True
            message = without_paths(f"{type(error).__name__}: {error}")
            print(f"{name} failed: {message}", file=sys.stderr)
            told.append(f"## {name}: failed\n\n{message}\n")
        parts[name] = "\n".join([*told, setting])
        whole = together(page.head, page.experiments, parts, page.not_done + _left_out(page))
        (folder / page.file).write_text(whole, encoding="utf-8")
    return int(broken)


def _kept(figure: Figure, folder: Path) -> str:
    draw(figure, folder)
    text = section(figure)
    print(text, flush=True)
    return text


def _left_out(page: Page) -> str:
    """The tables that the experiments would take and that are not here."""
    absent = [name for name in page.tables if not is_here(Subject(name))]
    return f"- Left out above, because they are not on this machine: {', '.join(absent)}.\n" if absent else ""


def _setting() -> str:
    found, here, commit = versions(), machine(), code()
    changed = ", with uncommitted changes" if commit["dirty"] else ""
    told = ", ".join(f"{name} {version}" for name, version in found.items() if version)
    return f"Measured with commit {commit['commit']}{changed}; {here['cpu']}, {here['cores']} cores. {told}.\n"


def chosen(asked: list[str]) -> dict[str, list[str]]:
    """Experiments by page: those named, all of a page that is named, everything if nothing is."""
    experiments = {name: page for page, about in PAGES.items() for name in about.experiments}
    wanted: dict[str, list[str]] = {}
    for name in asked or list(PAGES):
        if name not in PAGES and name not in experiments:
            raise OptionError(f"There is no experiment {name!r}.", hint=did_you_mean(name, [*PAGES, *experiments]))
        page = name if name in PAGES else experiments[name]
        wanted.setdefault(page, []).extend(PAGES[page].experiments if name in PAGES else [name])
    return {page: list(dict.fromkeys(names)) for page, names in wanted.items()}


def main(arguments: list[str] | None = None) -> int:
    """0; 1 if an experiment broke; 2 for one that is not there."""
    parser = argparse.ArgumentParser(prog="python -m bench.papers", description="Draw the papers' experiments again.")
    known = "; ".join(f"{page}: {', '.join(about.experiments)}" for page, about in PAGES.items())
    parser.add_argument("experiments", nargs="*", metavar="NAME", help=f"pages or experiments, all if none: {known}")
    parser.add_argument("--smoke", action="store_true", help="small tables, into a folder that is thrown away")
    asked = parser.parse_args(arguments)
    wanted = chosen(asked.experiments)
    if peer_module("matplotlib") is None:
        raise MissingError("matplotlib is not installed.", hint='Run: pip install -e ".[bench]"')
    if asked.smoke:
        with tempfile.TemporaryDirectory() as folder:
            return max(run(PAGES[page], names, True, Path(folder)) for page, names in wanted.items())
    FOLDER.mkdir(parents=True, exist_ok=True)
    return max(run(PAGES[page], names, False, FOLDER) for page, names in wanted.items())


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LawfulError as error:
        print(error, file=sys.stderr)
        sys.exit(error.code)
