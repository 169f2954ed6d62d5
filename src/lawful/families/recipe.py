"""What the two families that speak of pairs of rows have in common: a question to evidence, and rules as its answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Protocol

from lawful.evidence.evidence import Evidence
from lawful.evidence.space import Space
from lawful.families.denials import Denials
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Rule
from lawful.search.problem import Question, Words


class Recipe(Protocol):
    """A kind of rule: its comparisons, its questions, and how their answers read."""

    @property
    def kind(self) -> str: ...
    @property
    def space(self) -> Space: ...

    def questions(self, bounds: Bounds) -> list[Question]:
        """The questions to ask of evidence."""

    def suggested(self, sets: Sequence[Words]) -> list[Denials]:
        """What each set found for each question would exclude as a rule, one by one."""

    def independent(self, sets: Sequence[Words]) -> Sequence[Words]:
        """Of the sets found those that, if they are rules, make all others rules too."""

    def denials(self, sets: Sequence[Words], evidence: Evidence, bounds: Bounds) -> Sequence[Denials]:
        """The rules that are minimal, from the sets found for each question; a group of denials for each right-hand
        side (one for denial constraints)."""

    def interest(self, sets: Words, evidence: Evidence) -> Iterable[float] | None:
        """The interest of each set found, for searches that ask for the best rules alone; ``None`` where the search
        cannot be bounded by it."""

    def rules(self, denials: Sequence[Denials], evidence: Evidence, table: Encoded) -> list[Rule]:
        """The rules with their figures, in the order of the rule file."""


class Bounds:
    """What of a rule counts: how many of ``pairs`` ordered pairs may break it, and how many columns it may name."""

    def __init__(self, options: DiscoverOptions, pairs: int) -> None:
        self.pairs = pairs
        self.budget = int(Fraction(str(options.max_error)) * self.pairs)
        self.most_columns = options.max_size
