"""The memory of the benchmarks: one JSON file a suite and run, in ``bench/history``, never rewritten."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.files import ROOT
from bench.machine import without_paths
from bench.results import Row, Scale

HISTORY = ROOT / "bench" / "history"


def record(suite: str, about: str, rows: Iterable[Row], scale: Scale, setting: Mapping[str, Any]) -> dict[str, Any]:
    """All that one run of one suite leaves behind; ``setting`` is code, machine, versions and data."""
    kept = []
    for row in rows:
        plain = {**asdict(row), "ratio": row.ratio}
        kept.append({name: without_paths(value) if isinstance(value, str) else value for name, value in plain.items()})
    return {
        "suite": suite,
        "about": about,
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        **setting,
        "scale": asdict(scale),
        "rows": kept,
    }


def save(made: Mapping[str, Any], folder: Path = HISTORY) -> Path:
    """Write ``DATE-COMMIT-SUITE.json``; a file that is there already is an error."""
    folder.mkdir(parents=True, exist_ok=True)
    date = str(made["date"]).replace(":", "")
    path = folder / f"{date}-{made['commit']}-{made['suite']}.json"
    with path.open("x", encoding="utf-8") as file:
        file.write(json.dumps(made, indent=1, ensure_ascii=False) + "\n")
    return path


def latest(folder: Path = HISTORY) -> list[dict[str, Any]]:
    """The newest record of each suite, suites by name."""
    newest: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        known = newest.get(found["suite"])
        if known is None or known["date"] <= found["date"]:
            newest[found["suite"]] = found
    return [newest[name] for name in sorted(newest)]
