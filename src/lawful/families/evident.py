"""Rules of the kinds oc, pod and dc from complete evidence, question by question, so that answers can be kept.

Each question hangs on some of the signatures only. What it was answered stays true while none of these comes or goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lawful.engine.port import Engine
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset
from lawful.evidence.relaying import relaid
from lawful.families.agreeing import raise_ended
from lawful.families.compatible import Compatible
from lawful.families.dc import DcRecipe
from lawful.families.pod import PodRecipe
from lawful.families.recipe import Bounds, Recipe
from lawful.families.running import Run, hit
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Rule
from lawful.search.ending import Deadline
from lawful.search.problem import Question, Words


class Asked(Protocol):
    """A kind of rule as questions to the evidence of a table, both orders of each pair."""

    @property
    def kind(self) -> str: ...

    def words(self) -> list[int]:
        """For each question how many words an answer takes."""

    def concerned(self, changed: Evidence) -> NDArray[np.bool_]:
        """Which questions have to be asked again when these signatures came or went."""

    def answers(self, evidence: Evidence, numbers: Sequence[int], run: Run) -> list[Words]:
        """The sets that answer some of the questions. A limit raises: a maintained answer is whole or it is none."""

    def rules(self, answers: Sequence[Words], evidence: Evidence, agreed: Multiset) -> list[Rule]:
        """The rules with their figures, in the order of the rule file, from the answers to all questions, and from the
        counted agree sets."""


def asked_of(kind: str, table: Encoded, options: DiscoverOptions) -> Asked:
    """The questions of a kind about a table of these columns and so many rows; its ranks are not looked at."""
    if kind == "oc":
        return Compatible(table, options)
    return Marked(DcRecipe(table, options) if kind == "dc" else PodRecipe(table, options), table, options)


def run_on(engine: Engine) -> Run:
    """A run without limits of its own."""
    return Run(engine, Budget.of(None), Deadline(None))


@dataclass(frozen=True)
class Marked:
    """Pointwise dependencies, or denial constraints over the same column of two rows."""

    recipe: Recipe
    table: Encoded
    options: DiscoverOptions

    @property
    def kind(self) -> str:
        return self.recipe.kind

    @property
    def _bounds(self) -> Bounds:
        return Bounds(self.options, self.table.rows * (self.table.rows - 1))

    def words(self) -> list[int]:
        return [question.literals.words for question in self.recipe.questions(self._bounds)]

    def concerned(self, changed: Evidence) -> NDArray[np.bool_]:
        seen = relaid(changed, self.recipe.space.layout)
        return np.array([_matters(question, seen) for question in self.recipe.questions(self._bounds)], np.bool_)

    def answers(self, evidence: Evidence, numbers: Sequence[int], run: Run) -> list[Words]:
        questions = self.recipe.questions(self._bounds)
        if not numbers:
            return []
        seen = relaid(evidence, self.recipe.space.layout)
        found, ending = hit(seen, [questions[number] for number in numbers], run)
        raise_ended(ending)
        return found

    def rules(self, answers: Sequence[Words], evidence: Evidence, agreed: Multiset) -> list[Rule]:
        seen = relaid(evidence, self.recipe.space.layout)
        return self.recipe.rules(self.recipe.denials(answers, seen, self._bounds), seen, self.table)


def _matters(question: Question, changed: Evidence) -> bool:
    """Whether one of some signatures is to be hit."""
    if question.passing is None:
        return len(changed) > 0
    outcome = changed.layout.outcome(changed.signatures, question.passing.group).astype(np.int64)
    return bool((1 << outcome & question.passing.outcomes == 0).any())
