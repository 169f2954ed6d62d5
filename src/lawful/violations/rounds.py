"""The rounds in which an engine holds rules against a table: measure, count, finish. Short tables need one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lawful.engine import Engine, Job
from lawful.limits import Budget
from lawful.progress import Listener, Step
from lawful.violations import finishing
from lawful.violations.counting import HoldAgainst, Question
from lawful.violations.finding import Finding
from lawful.violations.finishing import FinishRules, MeasurePortions, portioned, to_measure, unfinished, units

Made = TypeVar("Made")


@dataclass(frozen=True)
class Rounds:
    """An engine with a shared table, what to show and to mend (see `HoldAgainst`), and who is told."""

    engine: Engine
    shared: Any
    most: int
    room: int
    listener: Listener
    budget: Budget | None
    token: str = field(default_factory=lambda: uuid.uuid4().hex)

    def findings(self, asked: Sequence[Question]) -> list[Finding]:
        """What is true of each rule, numbered as they stand."""
        asked = [portioned(question) for question in asked]
        measured = [question for question in asked if to_measure(question)]
        cuts = self._run(MeasurePortions(finishing.PORTION), measured, "measuring groups") if measured else {}
        hold, finish = (job(self.token, self.most, self.room) for job in (HoldAgainst, FinishRules))
        found = self._run(hold, [unit for question in asked for unit in units(question, cuts)], "checking")
        left = [one for question, each in zip(asked, found, strict=True) for one in unfinished(question, cuts, each)]
        return list(finish.merge(found, self._run(finish, left, "finishing")) if left else found)

    def _run(self, job: Job[Any, Made], units: Sequence[Any], stage: str) -> Made:
        found = job.zero()
        self.listener(Step(stage, 0, len(units)))
        with closing(self.engine.stream(job, self.shared, units)) as stream:  # type: ignore[type-var]
            for done, (_, part) in enumerate(stream, 1):
                found = job.merge(found, part)
                if self.budget is not None:
                    self.budget.check("checking rules")
                self.listener(Step(stage, done, len(units)))
        return found
