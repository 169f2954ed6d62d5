"""``docs/benchmarks.md``, written from the newest record of each suite. Losses stay in the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.files import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
HEAD = """\
# Benchmarks

<!-- Written by `python -m bench`; edits are lost. -->

Least of several calls; CPU seconds of the process unless the unit says otherwise. Ours and the peer's calls take
turns on the same file, after their answers were found equal. A ratio below 1 means that lawful is cheaper. Figures of
different days or machines are not to be compared.
"""
COLUMNS = ("", "ours", "peer", "ratio", "goal", "met", "bounded by")


def page(records: Sequence[Mapping[str, Any]]) -> str:
    """The page for these records."""
    if not records:
        return HEAD + "\nNothing has been recorded yet: run `python -m bench`.\n"
    return HEAD + "".join("\n" + _section(each) for each in records)


def write_page(records: Sequence[Mapping[str, Any]], path: Path = PAGE) -> None:
    """Write the page if it changed."""
    text = page(records)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def table(rows: Iterable[Mapping[str, Any]]) -> str:
    """The rows of a suite as a Markdown table, notes beneath."""
    rows = list(rows)
    lines = [_line(COLUMNS), _line(["---", *["--:"] * 3, "---", "---", "---"])]
    lines += [_line(_cells(row)) for row in rows]
    notes = [f"- {_escaped(row['name'])}: {_escaped(row['note'])}" for row in rows if row["note"]]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def figure(value: float | None, unit: str = "") -> str:
    """Three significant digits and the unit; a dash where nothing was measured."""
    if value is None:
        return "–"
    digits = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{digits} {unit}".strip()


def verdict(row: Mapping[str, Any]) -> str:
    """``yes``, ``no``, ``failed``, or a dash where there is nothing to judge."""
    if row["failed"]:
        return "**failed**"
    return {True: "yes", False: "**no**", None: "–"}[row["met"]]


def _section(made: Mapping[str, Any]) -> str:
    machine, scale = made["machine"], made["scale"]
    versions = ", ".join(f"{name} {found or 'not installed'}" for name, found in made["versions"].items())
    data = ", ".join(f"`{name}` `{digest[:12]}`" for name, digest in made["data"].items())
    changed = ", with uncommitted changes" if made["dirty"] else ""
    commands = ", ".join(f"`{each}`" for each in dict.fromkeys(row["command"] for row in made["rows"]) if each)
    told = [
        f"## {made['suite']}\n\n{made['about']}\n\n{table(made['rows'])}",
        f"{made['date'][:10]}, commit {made['commit']}{changed}; {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['memory_bytes'] / 2**30:.0f} GiB, memcpy {machine['memcpy_bytes_per_s'] / 1e9:.1f} GB/s; "
        f"least of {scale['repeats']}. {versions}.",
    ]
    if data:
        told.append(f"Data (SHA-256): {data}.")
    return "\n".join([*told, f"Run again with {commands}." if commands else ""]).rstrip() + "\n"


def _cells(row: Mapping[str, Any]) -> list[str]:
    peer = figure(row["peer"], row["unit"])
    ratio = "–" if row["ratio"] is None else f"{row['ratio']:.2f} ×"
    named = f"{peer} ({row['peer_name']})" if row["peer_name"] else peer
    mine = figure(row["ours"], row["unit"])
    return [row["name"], mine, named, ratio, row["goal"] or "–", verdict(row), row["limit"] or "–"]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(_escaped(cell) for cell in cells) + " |"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
