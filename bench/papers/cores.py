"""More workers: the thesis on DISTOD 10.3, and from how many on a parallel search beats one thread (COST)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.fresh import in_fresh_process
from bench.order_tables import FLIGHTS, Subject, is_here, od_subject
from bench.papers.figures import Curve, Figure, Panel
from bench.results import peer_module
from lawful.errors import JobError


def cores(smoke: bool) -> Iterator[Figure]:
    """Wall and CPU seconds by workers, in this process and on Spark, the second call of each."""
    subjects = [od_subject("abalone")] if smoke else [od_subject("letter"), od_subject(FLIGHTS, 12)]
    engines = ["local", *(["spark"] if peer_module("pyspark") and not smoke else [])]
    most = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = [count for count in (1, 2, 4, 8, 16, 32) if count <= most]
    for subject in (each for each in subjects if is_here(each)):
        runs = {(engine, count): _run(subject, engine, count) for engine in engines for count in workers}
        if len({run["digest"] for run in runs.values()}) > 1:
            raise JobError(f"{subject.label}: the engines' rules differ.", hint="Compare them rule by rule first.")
        yield Figure(
            f"cores-{subject.name}",
            f"Workers: {subject.label}",
            "Shape of DISTOD 10.3. One machine; the session is started and the code loaded beforehand; CPU of all "
            "processes.",
            "workers",
            tuple(
                Panel(
                    f"{measure} s",
                    tuple(
                        Curve(engine, tuple((count, runs[engine, count][measure]) for count in workers))
                        for engine in engines
                    ),
                )
                for measure in ("wall", "cpu")
            ),
            tuple(_cost(runs, engine, workers) for engine in engines),
        )


def _run(subject: Subject, engine: str, workers: int) -> Any:
    return in_fresh_process(
        "bench.order_calls:on_engine", subject=asdict(subject), engine=engine, workers=workers, repeats=1
    )


def _cost(runs: dict[tuple[str, int], Any], engine: str, workers: list[int]) -> str:
    """The fewest workers with which an engine is faster than one thread in process."""
    alone = runs["local", 1]["wall"]
    faster = [count for count in workers if runs[engine, count]["wall"] < alone and (engine, count) != ("local", 1)]
    name = "in process" if engine == "local" else "Spark"
    told = f"{faster[0]} workers" if faster else f"more than the {workers[-1]} tried"
    return f"COST, {name} against one thread in process ({alone:.2f} s wall): {told}."
