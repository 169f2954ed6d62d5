"""First calls and memory of the search for order dependencies, each in a fresh process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.fresh import in_fresh_process
from bench.measure import MIB
from bench.order_tables import FLIGHTS, NOT_HERE, Subject, is_here, od_subject
from bench.results import Row, Scale, judged

_SMALL = ((od_subject("abalone"), None),)
_GOALS = (
    (od_subject("letter"), 500),
    (od_subject(FLIGHTS, 12), 350),
    (od_subject("adult"), None),
    (od_subject("hepatitis"), None),
)
"""Tables, and the most MiB above them."""

_HORSE = Subject("horse", null="?")
_ROOMY = ((od_subject("abalone"), "1g", None),)
_TIGHT = ((od_subject("letter"), "256m", None), (od_subject("letter"), "512m", None), (_HORSE, "1g", "2m"))
"""Tables, the memory budget of the process, the time limit."""


def first_calls(scale: Scale) -> Iterator[Row]:
    """The first discovery of a process: compiled anew, and with what an earlier process compiled."""
    with tempfile.TemporaryDirectory() as cache:
        kinds = {"compiled anew": cache, "compiled code found on disk": cache}
        for name, folder in [*kinds.items()][1:] if scale.smoke else kinds.items():
            found = in_fresh_process("bench.order_calls:first_call", cache=None if scale.smoke else folder)
            yield Row(
                f"od, first discovery of a process, {name}",
                ours=found["first_cpu"],
                limit=f"the second one {found['cpu']:.3f} s",
                note=f"two tiny tables; {found['first_wall']:.2f} s wall",
                figures=found,
            )


def memory(scale: Scale) -> Iterator[Row]:
    """Peak above the warm process with the encoded table."""
    for each, most in _SMALL if scale.smoke else _GOALS:
        name = f"od {each.label}, peak memory above the table"
        if not is_here(each):
            yield Row(name, note=NOT_HERE)
            continue
        found = in_fresh_process("bench.order_calls:peak_above", subject=asdict(each))
        yield Row(
            name,
            ours=found["peak"] / MIB,
            unit="MiB",
            goal=f"≤ {most} MiB" if most else "",
            met=judged(found["peak"] / MIB, most, scale) if most else None,
            limit=f"{found['peak'] / max(found['rules'], 1):,.0f} bytes a rule",
            note=f"the process held {found['before'] / MIB:,.0f} MiB before; rule objects included",
            figures=found,
        )


def small_memory(scale: Scale) -> Iterator[Row]:
    """Under a budget: letter finishes, horse ends in order and says how far it came."""
    for each, budget, time_limit in _ROOMY if scale.smoke else _TIGHT:
        name = f'od {each.label}, memory="{budget}"'
        if not is_here(each):
            yield Row(name, note=NOT_HERE)
            continue
        found = in_fresh_process(
            "bench.order_calls:peak_above", subject=asdict(each), warmed=False, memory=budget, time_limit=time_limit
        )
        in_order = each is _HORSE
        reached = found["complete_to"] is not None if in_order else found["incomplete"] is None
        yield Row(
            name,
            ours=found["cpu"],
            goal="ends in order" if in_order else "finishes",
            met=None if scale.smoke else reached,
            limit=f"{(found['before'] + found['peak']) / MIB:,.0f} MiB in all, {found['before'] / MIB:,.0f} before",
            note=_ending(found),
            figures=found,
        )


def _ending(found: dict[str, Any]) -> str:
    rules = f"{found['rules']:,} rules"
    if found["incomplete"] is None:
        return f"complete, {rules}"
    up_to = found["complete_to"]
    return f"{rules}; {found['incomplete']}; complete to {up_to if up_to is not None else 'no'} columns"
