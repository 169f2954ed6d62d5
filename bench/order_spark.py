"""The search for order dependencies on Spark against the same work in this process; two workers against one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.fresh import in_fresh_process
from bench.order_tables import FLIGHTS, NOT_HERE, Subject, is_here, od_subject
from bench.results import Row, Scale, judged, peer_module
from lawful.errors import JobError

SLACK = 1.15
SPARK_TIMES = 1.3
SPARK_LEAST = 10.0
"""CPU seconds of work from which Spark is held to its goal: below, jobs are too short."""


def spark(scale: Scale) -> Iterator[Row]:
    """The same search on Spark and in this process, one worker and two, all processes counted."""
    if peer_module("pyspark") is None:
        yield Row("od on Spark", note="PySpark is not installed")
        return
    for each in [od_subject("abalone")] if scale.smoke else [od_subject("letter"), od_subject(FLIGHTS, 12)]:
        if is_here(each):
            yield from _spark(each, scale)
        else:
            yield Row(f"od {each.label} on Spark", note=NOT_HERE)


def _spark(each: Subject, scale: Scale) -> Iterator[Row]:
    places = [("local", 1), ("spark", 2)] if scale.smoke else [("local", 1), ("local", 2), ("spark", 1), ("spark", 2)]
    runs = {
        place: in_fresh_process(
            "bench.order_calls:on_engine", subject=asdict(each), engine=place[0], workers=place[1], repeats=1
        )
        for place in places
    }
    if len({run["digest"] for run in runs.values()}) > 1:
        raise JobError(f"{each.label}: engines found different rules.", hint="Compare the rules one by one first.")
    alone = runs["local", 1]
    for (engine, workers), run in runs.items():
        if (engine, workers) == ("local", 1):
            continue
        judge = engine == "spark" and workers == 2 and alone["cpu"] >= SPARK_LEAST
        yield Row(
            f"od {each.label}, {f'Spark local[{workers}]' if engine == 'spark' else f'{workers} threads'}",
            ours=run["cpu"],
            peer=alone["cpu"],
            peer_name="lawful in process, 1 thread",
            goal=f"≤ {SPARK_TIMES} × in process" if engine == "spark" and workers == 2 else "",
            met=judged(run["cpu"] / alone["cpu"], SPARK_TIMES, scale) if judge else None,
            limit=f"{run['wall']:.2f} s wall, in process {alone['wall']:.2f} s",
            note=f"first call {run['first_cpu']:.2f} s CPU: code is loaded, workers start" + _below(engine, alone),
            figures={"run": run, "in_process": alone},
        )
    yield from _two_against_one(each, runs, scale)
    session = runs["spark", 2]["session"]
    yield Row(f"od {each.label}, Spark local[2], session start", ours=session["wall"], unit="s wall", figures=session)


def _below(engine: str, alone: dict[str, Any]) -> str:
    short = engine == "spark" and alone["cpu"] < SPARK_LEAST
    return f"; not judged, the work is below {SPARK_LEAST:g} s" if short else ""


def _two_against_one(each: Subject, runs: dict[tuple[str, int], dict[str, Any]], scale: Scale) -> Iterator[Row]:
    """Total CPU of two workers against one's."""
    for engine in ("local", "spark"):
        one, two = runs.get((engine, 1)), runs.get((engine, 2))
        if one is None or two is None:
            continue
        yield Row(
            f"od {each.label}, {'Spark' if engine == 'spark' else 'in process'}: two workers",
            ours=two["cpu"],
            peer=one["cpu"],
            peer_name="one worker",
            goal=f"≤ {SLACK} × one worker",
            met=judged(two["cpu"] / one["cpu"], SLACK, scale) if one["cpu"] >= SPARK_LEAST else None,
            limit=f"wall {one['wall']:.2f} s → {two['wall']:.2f} s, {one['wall'] / two['wall']:.2f} × faster",
            figures={"one": one, "two": two},
        )
