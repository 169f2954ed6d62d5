"""What a search tells while it runs, as CPU seconds: how long each stage took, and what was known when."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawful.progress import Step
    from lawful.ranks.encoded import Encoded
    from lawful.rules import RuleSet

BEFORE = "before the first step"


@dataclass
class Phases:
    """A listener. The time between two steps is the stage's that was told first: it is announced when it begins."""

    seconds: dict[str, float] = field(default_factory=dict)
    told: list[tuple[float, str, dict[str, str]]] = field(default_factory=list)
    """(CPU seconds since the beginning, stage, figures) of each step."""

    def __post_init__(self) -> None:
        self._begun = self._last = time.process_time()
        self._stage = BEFORE

    def __call__(self, step: Step) -> None:
        self._charge()
        self._stage = step.stage
        self.told.append((self._last - self._begun, step.stage, dict(step.figures)))

    def end(self) -> dict[str, float]:
        """The seconds of every stage, those after the last step included."""
        self._charge()
        return {stage: round(spent, 6) for stage, spent in self.seconds.items()}

    def _charge(self) -> None:
        now = time.process_time()
        self.seconds[self._stage] = self.seconds.get(self._stage, 0.0) + now - self._last
        self._last = now

    def stages_told(self) -> str:
        """``sampling 0.12 s, …``, the dearest first."""
        dear = sorted(self.seconds.items(), key=lambda each: -each[1])
        return ", ".join(f"{stage} {spent:.3g} s" for stage, spent in dear if spent >= 0.0005)


@dataclass
class Pairwise:
    """``lawful.discover`` for denial constraints or pointwise order dependencies, to be called again and again;
    ``last`` are the phases of the latest call."""

    table: Encoded
    kinds: tuple[str, ...] = ("dc",)
    options: dict[str, Any] = field(default_factory=dict)
    last: Phases = field(default_factory=Phases)

    def __call__(self) -> RuleSet:
        import lawful

        where = {"engine": "local", "workers": 1, **self.options}
        self.last = Phases()
        rules = lawful.discover(self.table, self.kinds, progress=self.last, **where)
        self.last.end()
        return rules
