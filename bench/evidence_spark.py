"""Full evidence on Spark against the same work in this process; two workers against one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.dc_tables import SPARK_SMOKE, SPARK_SUBJECTS
from bench.fresh import in_fresh_process
from bench.order_spark import SLACK, SPARK_LEAST, SPARK_TIMES
from bench.order_tables import NOT_HERE, Subject, is_here
from bench.results import Row, Scale, judged, peer_module
from lawful.errors import JobError

Runs = dict[tuple[str, int], dict[str, Any]]


def spark(scale: Scale) -> Iterator[Row]:
    """Counted evidence on Spark and in this process, one worker and two, all processes counted."""
    if peer_module("pyspark") is None:
        yield Row("evidence on Spark", note="PySpark is not installed")
        return
    for each in SPARK_SMOKE if scale.smoke else SPARK_SUBJECTS:
        if is_here(each):
            yield from _spark(each, scale)
        else:
            yield Row(f"evidence {each.label} on Spark", note=NOT_HERE)


def _spark(each: Subject, scale: Scale) -> Iterator[Row]:
    places = [("local", 1), ("spark", 2)] if scale.smoke else [("local", 1), ("local", 2), ("spark", 1), ("spark", 2)]
    runs: Runs = {
        (engine, workers): in_fresh_process(
            "bench.evidence_calls:gathered_on",
            subject=asdict(each),
            engine=engine,
            workers=workers,
            counted=True,
            repeats=1,
        )
        for engine, workers in places
    }
    if len({run["digest"] for run in runs.values()}) > 1:
        raise JobError(f"{each.label}: engines gathered different evidence.", hint="Compare it first.")
    name = f"evidence {each.label}" + (f" ({each.made:,} rows made)" if each.made else "")
    yield from _against_alone(name, runs, scale)
    yield from _two_against_one(name, runs, scale)
    session = runs["spark", 2]["session"]
    yield Row(f"{name}, Spark local[2], session start", ours=session["wall"], unit="s wall", figures=session)


def _against_alone(name: str, runs: Runs, scale: Scale) -> Iterator[Row]:
    alone = runs["local", 1]
    for (engine, workers), run in runs.items():
        if (engine, workers) == ("local", 1):
            continue
        held = engine == "spark" and workers == 2
        yield Row(
            f"{name}, {f'Spark local[{workers}]' if engine == 'spark' else f'{workers} threads'}",
            ours=run["cpu"],
            peer=alone["cpu"],
            peer_name="lawful in process, 1 thread",
            goal=f"≤ {SPARK_TIMES} × in process" if held else "",
            met=judged(run["cpu"] / alone["cpu"], SPARK_TIMES, scale) if held else None,
            limit=f"{run['pairs'] / run['cpu'] / 1e6:,.0f} M pairs/s of CPU; {run['wall']:.2f} s wall, in process "
            f"{alone['wall']:.2f} s",
            note=f"{run['pairs']:,} pairs, counted; first call {run['first_cpu']:.2f} s CPU: code is loaded, workers "
            f"start{_short(held, alone)}",
            figures={"run": run, "in_process": alone},
        )


def _short(held: bool, alone: dict[str, Any]) -> str:
    short = held and alone["cpu"] < SPARK_LEAST
    return f"; the work is below {SPARK_LEAST:g} s, so starting tasks weighs more than it will" if short else ""


def _two_against_one(name: str, runs: Runs, scale: Scale) -> Iterator[Row]:
    """Total CPU of two workers against one's."""
    for engine in ("local", "spark"):
        one, two = runs.get((engine, 1)), runs.get((engine, 2))
        if one is None or two is None:
            continue
        yield Row(
            f"{name}, {'Spark' if engine == 'spark' else 'in process'}: two workers",
            ours=two["cpu"],
            peer=one["cpu"],
            peer_name="one worker",
            goal=f"≤ {SLACK} × one worker",
            met=judged(two["cpu"] / one["cpu"], SLACK, scale) if one["cpu"] >= SPARK_LEAST else None,
            limit=f"wall {one['wall']:.2f} s → {two['wall']:.2f} s, {one['wall'] / two['wall']:.2f} × faster",
            figures={"one": one, "two": two},
        )
