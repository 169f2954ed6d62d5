"""``python -m bench [SUITE…] [--smoke] [--list] [--page]``: measure, record, and write docs/benchmarks.md."""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bench.machine import code, machine, versions, without_paths
from bench.page import table, write_page
from bench.records import latest, record, save
from bench.results import SMOKE, Row, Scale, Suite, load_suite, suite_names
from lawful.errors import LawfulError


def run(suite: Suite, scale: Scale) -> Iterator[Row]:
    """The rows of every case; a case that breaks yields one row that says how."""
    for name, case in suite.cases.items():
        print(f"… {name}", file=sys.stderr, flush=True)
        try:
            yield from case(scale)
        except Exception as error:
            if not isinstance(error, LawfulError):
                traceback.print_exc()
            yield Row(name, note=without_paths(f"{type(error).__name__}: {error}"), failed=True)


def measure(name: str, scale: Scale, setting: dict[str, Any]) -> dict[str, Any]:
    """The record of one run of one suite, printed as a table on the way."""
    suite = load_suite(name)
    command = f"python -m bench {name}" + (" --smoke" if scale.smoke else "")
    rows = [row if row.command else replace(row, command=command) for row in run(suite, scale)]
    made = record(name, suite.about, rows, scale, {**setting, "data": suite.data(scale)})
    print(f"\n{name}: {suite.about}\n\n{table(made['rows'])}", flush=True)
    return made


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure lawful against its goals and peers.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help="which suites; all if none is named")
    parser.add_argument("--smoke", action="store_true", help="small tables, one call each; records nothing")
    parser.add_argument("--list", action="store_true", help="name the suites and end")
    parser.add_argument("--page", action="store_true", help="only write docs/benchmarks.md from bench/history")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    """0; 1 if something failed or a goal was missed; 2 for a suite that is not there."""
    chosen = options(arguments)
    if chosen.list:
        print("\n".join(f"{name:<12} {load_suite(name).about}" for name in suite_names()))
        return 0
    if chosen.page:
        write_page(latest())
        return 0
    scale = SMOKE if chosen.smoke else Scale()
    names = chosen.suites or suite_names()
    for name in names:
        load_suite(name)  # a misspelt name is told before hours of measuring
    setting = {**code(), "machine": machine(), "versions": versions()}
    runs = [measure_and_keep(name, scale, setting) for name in names]
    rows = [row for made in runs for row in made["rows"]]
    return int(any(row["failed"] or row["met"] is False for row in rows))


def measure_and_keep(name: str, scale: Scale, setting: dict[str, Any]) -> dict[str, Any]:
    """Measure; unless it is a smoke run, save the record and renew the page at once: a later crash loses nothing."""
    made = measure(name, scale, setting)
    if not scale.smoke:
        save(made)
        write_page(latest())
    return made


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LawfulError as error:
        print(error, file=sys.stderr)
        sys.exit(error.code)
