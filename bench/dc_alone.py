"""Denial constraints without a peer: whole public tables, one table made longer and longer, memory, first calls."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.dc_tables import ADULT, FULL, GROWING, GROWING_SMOKE, STOCK, TAX, Alone
from bench.fresh import in_fresh_process
from bench.measure import MIB
from bench.order_tables import NOT_HERE, is_here
from bench.results import Row, Scale, judged


def full(scale: Scale) -> Iterator[Row]:
    """Whole tables, each in a fresh and warmed process."""
    for each in (each for each in FULL if each.subject.smoke or not scale.smoke):
        if is_here(each.subject):
            yield _row(each, _found(each, scale), None, scale)
        else:
            yield Row(f"dc {each.label}", note=NOT_HERE)


def growing(scale: Scale) -> Iterator[Row]:
    """Seconds a row must not rise with the number of rows."""
    first: dict[str, Any] | None = None
    for each in GROWING_SMOKE if scale.smoke else GROWING:
        found = _found(each, scale)
        first = first or found
        yield _row(each, found, first, scale)


def _found(each: Alone, scale: Scale) -> dict[str, Any]:
    repeats = min(each.repeats, scale.repeats)
    found: dict[str, Any] = in_fresh_process("bench.dc_calls:alone", subject=asdict(each.subject), repeats=repeats)
    return found


def _row(each: Alone, found: dict[str, Any], first: dict[str, Any] | None, scale: Scale) -> Row:
    """Complete within the goals for seconds, memory and growth, or not met."""
    held = (found["before"] + found["peak"]) / MIB
    a_row = found["cpu"] / found["rows"]
    growth = a_row / (first["cpu"] / first["rows"]) if first else 1.0
    parts = [
        (each.seconds, f"≤ {each.seconds} s", found["cpu"]),
        (each.mebibytes, f"≤ {each.mebibytes} MiB", held),
        (each.growth, f"≤ {each.growth} × the seconds a row of {first['rows'] if first else 0:,} rows", growth),
    ]
    asked = [part for part in parts if part[0] is not None]
    whole = found["incomplete"] is None
    return Row(
        f"dc {each.label}, {found['rows']:,} × {found['columns']}",
        ours=found["cpu"],
        goal=", ".join(["complete", *(told for _, told, _ in asked)]),
        met=None if scale.smoke else whole and all(judged(figure, most, scale) for most, _, figure in asked if most),
        limit=f"{a_row * 1e6:.3g} µs a row, {found['rules'] / max(found['cpu'], 1e-9):,.0f} rules/s; {found['told']}",
        note=f"{found['rules']:,} rules, {'none unchecked' if whole else found['incomplete']}; {held:,.0f} MiB held by "
        f"the process, {found['peak'] / MIB:,.0f} above the table"
        + (f"; {growth:.2f} × the seconds a row of {first['rows']:,} rows" if first and each.growth else "")
        + f"; {found['looked']} rules looked at on the first rows; {found['wall']:.2f} s wall",
        figures=found,
    )


def memory(scale: Scale) -> Iterator[Row]:
    """Under a budget of the whole Python process: finishes, or ends in order with what is proven. No goal."""
    plan = [(FULL[0], "1g")] if scale.smoke else [(Alone(t), m) for t in (STOCK, TAX, ADULT) for m in ("512m", "256m")]
    for each, budget in plan:
        name = f'dc {each.label}, memory="{budget}"'
        if not is_here(each.subject):
            yield Row(name, note=NOT_HERE)
            continue
        found = in_fresh_process("bench.dc_calls:alone", subject=asdict(each.subject), warmed=False, memory=budget)
        ended = "complete" if found["incomplete"] is None else f"ended in order: {found['incomplete']}"
        yield Row(
            name,
            ours=found["cpu"],
            limit=f"{(found['before'] + found['peak']) / MIB:,.0f} MiB in all, {found['before'] / MIB:,.0f} before",
            note=f"{ended}, {found['rules']:,} rules; loading code is part of the seconds",
            figures=found,
        )


def first_calls(scale: Scale) -> Iterator[Row]:
    """The first discovery of a process: compiled anew, and with what an earlier process compiled."""
    with tempfile.TemporaryDirectory() as cache:
        kinds = {"compiled anew": cache, "compiled code found on disk": cache}
        for name, folder in [*kinds.items()][1:] if scale.smoke else kinds.items():
            found = in_fresh_process("bench.dc_calls:first_call", cache=None if scale.smoke else folder, kind="dc")
            yield Row(
                f"dc, first discovery of a process, {name}",
                ours=found["first_cpu"],
                limit=f"the second one {found['cpu']:.3f} s",
                note=f"three tiny tables; {found['first_wall']:.2f} s wall",
                figures=found,
            )
