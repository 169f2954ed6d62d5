"""Denial constraints: the minimal sets of outcomes of which every pair of rows shows one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from lawful.evidence.evidence import Evidence
from lawful.evidence.space import Space, dc_space
from lawful.families.denials import Denials, figures
from lawful.families.recipe import Bounds
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.canonical import canonical, places, sort_key
from lawful.rules.model import Dc, Figures, Predicate, Rule
from lawful.search.literals import Literals, dc_literals
from lawful.search.problem import Question, Words


class DcRecipe:
    """Denial constraints over the comparisons that the options offer."""

    kind = "dc"

    def __init__(self, table: Encoded, options: DiscoverOptions) -> None:
        self.space: Space = dc_space(table, options)
        self._width = len(table.columns)
        self._cross = options.cross_columns

    @cached_property
    def literals(self) -> Literals:
        """Every outcome of every comparison."""
        return dc_literals(self.space.layout, self.space.columns, self._width)

    def questions(self, bounds: Bounds) -> list[Question]:
        """One: hit every signature."""
        return [Question(self.literals, budget=bounds.budget, most_columns=bounds.most_columns, pairs=bounds.pairs)]

    def suggested(self, sets: Sequence[Words]) -> list[Denials]:
        """Literals are outcomes here: a set is what it excludes."""
        return [Denials(self.space.layout, sets[0])]

    def independent(self, sets: Sequence[Words]) -> Sequence[Words]:
        """Where columns are compared with each other, those that do not follow by the order of values."""
        return [self._independent(sets[0])] if self._cross else sets

    def _independent(self, sets: Words) -> Words:
        from lawful.search.implied import implies_no_other

        return sets[implies_no_other(self.space, sets)]

    def denials(self, sets: Sequence[Words], evidence: Evidence, bounds: Bounds) -> Sequence[Denials]:
        """Each rule and its mirror image folded into one; with comparisons between columns, what follows from the
        order of values left out."""
        found = Denials(self.space.layout, _named(sets[0]))
        if not self._cross:
            return [found.canonical()]
        return [Denials(found.layout, self._independent(found.sets))]

    def interest(self, sets: Words, evidence: Evidence) -> list[float] | None:
        """Of rules over columns that are compared with themselves, where every outcome is known."""
        if self._cross or any(comparison.nullable for comparison in self.space.layout.comparisons):
            return None
        found = Denials(self.space.layout, sets)
        return [f.interest or 0.0 for f in self._figures(found, evidence, evidence.pairs or 0)]

    def _figures(self, found: Denials, evidence: Evidence, pairs: int) -> list[Figures]:
        columns = np.array([len(named) for named in self._columns(found)], np.int64)
        return figures(found, evidence, columns, pairs)

    def rules(self, denials: Sequence[Denials], evidence: Evidence, table: Encoded) -> list[Rule]:
        """The constraints with their figures."""
        found = denials[0]
        told = self._figures(found, evidence, table.rows * (table.rows - 1))
        at = places(table.names)
        made: list[Rule] = list(self._constraints(found, told))
        if self._cross:
            made = list(dict.fromkeys(canonical(rule, at) for rule in made))
        return sorted(made, key=lambda rule: sort_key(rule, at))

    def _columns(self, found: Denials) -> Iterator[set[int]]:
        for operators in found.operators():
            yield {column for group, _ in operators for column in self.space.columns[group]}

    def _constraints(self, found: Denials, told: Sequence[Figures]) -> Iterator[Dc]:
        made: dict[tuple[int, str], Predicate] = {}
        for operators, figured in zip(found.operators(), told, strict=True):
            predicates = []
            for group, operator in operators:
                if (group, operator) not in made:
                    left, right = self.space.operands[group]
                    made[group, operator] = Predicate(left, operator, right)
                predicates.append(made[group, operator])
            yield Dc(tuple(predicates), figured)


def _named(sets: Words) -> Words:
    """The sets that exclude something: a constraint has a predicate at least."""
    return sets[sets.any(axis=1)]
