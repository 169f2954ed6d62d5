"""Less memory: the thesis on DISTOD 10.7.1."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from bench.fresh import in_fresh_process
from bench.measure import MIB
from bench.order_tables import is_here, od_subject
from bench.papers.figures import Curve, Figure, Panel

BUDGETS = (4096, 2048, 1024, 512, 384, 256, 192)


def memory(smoke: bool) -> Iterator[Figure]:
    """Seconds and peak by budget, until the first one with which the search does not finish."""
    subject = od_subject("abalone" if smoke else "letter")
    if not is_here(subject):
        return
    seconds, peaks, notes = [], [], []
    for budget in (1024, 64) if smoke else BUDGETS:
        found = in_fresh_process(
            "bench.order_calls:peak_above", subject=asdict(subject), warmed=False, memory=f"{budget}m"
        )
        whole = found["incomplete"] is None
        seconds.append((float(budget), found["cpu"] if whole else None))
        peaks.append((float(budget), (found["before"] + found["peak"]) / MIB))
        if not whole:
            up_to = "no rule" if found["complete_to"] is None else f"rules of {found['complete_to']} columns"
            notes.append(f"{budget} MiB: {found['incomplete']}; all {up_to}, {found['rules']:,} in all, exit in order.")
            break
    notes.append("The budget is of the whole Python process, which holds Arrow, NumPy and Numba before it begins.")
    yield Figure(
        "memory",
        f"Memory: {subject.label}",
        "Shape of DISTOD 10.7.1: halving the budget until the search no longer finishes; loading the code is part of "
        "the seconds.",
        "MiB allowed",
        (
            Panel("CPU s", (Curve("od", tuple(seconds)),)),
            Panel("MiB held", (Curve("peak of the process", tuple(peaks)),)),
        ),
        tuple(notes),
        log_x=True,
    )
