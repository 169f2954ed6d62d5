"""Less memory for denial constraints: Hydra's section 7.4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from bench.fresh import in_fresh_process
from bench.measure import MIB
from bench.order_tables import Subject
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.hydra import STOCK, TIME_LIMIT, Table, tables

BUDGETS = (4096, 2048, 1024, 512, 256, 128)
SMOKE_BUDGETS = (1024, 64)
SHORTER = {"stock": replace(STOCK.subject, rows=40_000), "tax": Subject("tax", made=300_000)}
"""Tables of which some rows are enough."""


def memory(smoke: bool) -> Iterator[Figure]:
    """Seconds and peak by budget, until the first one with which the discovery does not finish."""
    for table in tables(smoke):
        shorter = replace(table, subject=SHORTER.get(table.name, table.subject)) if not smoke else table
        yield _figure(shorter, SMOKE_BUDGETS if smoke else BUDGETS)


def _figure(table: Table, budgets: tuple[int, ...]) -> Figure:
    seconds, peaks, notes = [], [], []
    for budget in budgets:
        found = in_fresh_process(
            "bench.dc_calls:alone",
            subject=asdict(table.subject),
            warmed=False,
            memory=f"{budget}m",
            cross_columns=table.cross,
            time_limit=TIME_LIMIT,
        )
        whole = found["incomplete"] is None
        seconds.append((float(budget), found["cpu"] if whole else None))
        peaks.append((float(budget), (found["before"] + found["peak"]) / MIB))
        if not whole:
            notes.append(f"{budget} MiB: {found['incomplete']}; {found['rules']:,} rules, ended in order.")
            break
    notes.append("The budget is of the whole Python process, which holds Arrow, NumPy and Numba before it begins.")
    return Figure(
        f"hydra-memory-{table.name}",
        f"Memory: {table.subject.label}",
        "Shape of Hydra 7.4: halving the budget until the discovery no longer finishes; loading the code is part of "
        "the seconds.",
        "MiB allowed",
        (
            Panel("CPU s", (Curve("dc", tuple(seconds)),)),
            Panel("MiB held", (Curve("peak of the process", tuple(peaks)),)),
        ),
        tuple(notes),
        log_x=True,
    )
