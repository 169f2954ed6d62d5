"""What a discovery may use while it runs, and its search for hitting sets, whichever way evidence was found."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawful.engine.port import Engine
from lawful.evidence.evidence import Evidence
from lawful.limits import Budget
from lawful.progress import Listener, Step, silent
from lawful.search.covers import Branches, SearchBranch
from lawful.search.ending import Deadline, Ending, ended_in_order
from lawful.search.kept import Kept
from lawful.search.problem import Question, Words

SEARCHING = "searching"
_RULE = 1200
"""Bytes that a rule takes once it is more than a row of words, while it is being made."""


@dataclass(frozen=True)
class Run:
    """What a discovery may use."""

    engine: Engine
    budget: Budget
    deadline: Deadline
    listener: Listener = silent
    kept: Kept | None = None


class Best:
    """The least interest that a rule needs to be among the ``count`` best of those found so far."""

    bounded = False
    """Whether a branch was searched for nothing less than that."""

    def __init__(self, count: int, judge: Callable[[Words], Iterable[float]]) -> None:
        self._count, self._judge = count, judge
        self._held: list[float] = []

    def least(self, sets: Words) -> float:
        """After some more sets were found; 0 while there are too few."""
        self._held = heapq.nlargest(self._count, [*self._held, *self._judge(sets)])
        return self._held[-1] if len(self._held) == self._count else 0.0


def hit(
    evidence: Evidence,
    questions: Sequence[Question],
    run: Run,
    best: Best | None = None,
    seeds: Sequence[Words | None] | None = None,
) -> tuple[list[Words], Ending]:
    """The minimal hitting sets for each question, and how the search for them ended.

    With ``best`` (for one question) sets that cannot be among the best are left out. With ``seeds`` only sets of
    literals that contain one of those of the question, if it has any.
    """
    branches = Branches.below(questions, len(evidence), seeds or [None] * len(questions))
    job = SearchBranch(evidence, tuple(questions))
    workers = run.engine.parallelism
    started = time.perf_counter()
    with ended_in_order() as ended:
        shared: Any = run.engine.share(_NOTHING)
        with closing(run.engine.stream(job, shared, branches.units())) as parts:  # type: ignore[type-var]
            for branch, part in parts:
                branches.take_in(branch, part, workers)
                if best is not None:
                    branches.least_interest = best.least(np.concatenate([each.sets for each in part]))
                    best.bounded |= branches.least_interest > 0 and bool(branches.waiting)
                run.listener(_step(branches, time.perf_counter() - started))
                run.budget.check("searching", branches.rules * _RULE)
                if not branches.done:
                    run.deadline.check()
    return [branches.sets(i) for i in range(len(questions))], ended.ending


def _step(branches: Branches, seconds: float) -> Step:
    figures = {
        "rules": f"{branches.rules:,}",
        "open": f"{branches.open:,}",
        "nodes/s": f"{branches.nodes / max(seconds, 1e-9):,.0f}",
        "memory": f"{branches.bytes >> 20:,} MiB",
    }
    return Step(SEARCHING, branches.nodes, None, figures)


class _Nothing:
    """A table without columns: the search for hitting sets looks at no rows."""

    rows = 0
    columns: tuple[Any, ...] = ()
    store = None

    @property
    def ranks(self) -> Any:
        return np.zeros((0, 0), np.int32)


_NOTHING: Any = _Nothing()
