"""Pointwise order dependencies: for every mark of every column, the weakest left-hand sides that entail it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from lawful.evidence.evidence import Evidence
from lawful.evidence.space import Space, pod_space
from lawful.families.denials import Denials, as_words, count, figures, flags
from lawful.families.recipe import Bounds
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.canonical import places, sort_key
from lawful.rules.model import Figures, Operator, Pod, Rule
from lawful.search.literals import EQUAL, GREATER, LESS, pod_literals
from lawful.search.problem import Passing, Question, Words

Mark = tuple[int, Operator]

OUTCOMES: Final[dict[Operator, int]] = {"<": LESS, "<=": LESS | EQUAL, "=": EQUAL}
"""The outcomes that a mark on the right lets pass, where there is an order."""

_UNORDERED: Final[tuple[Operator, ...]] = ("=",)
_STRONGER: Final[tuple[Operator, ...]] = ("<", "=")


class PodRecipe:
    """Pointwise order dependencies over all columns."""

    kind = "pod"

    def __init__(self, table: Encoded, options: DiscoverOptions) -> None:
        self.space: Space = pod_space(table)
        self._width = len(table.columns)
        self.marks: list[Mark] = [
            (column, operator)
            for column, comparison in enumerate(self.space.layout.comparisons)
            for operator in (OUTCOMES if comparison.ordered else _UNORDERED)
        ]
        self._literals = [
            pod_literals(self.space.layout, column, self.space.columns, self._width) for column in range(self._width)
        ]

    def questions(self, bounds: Bounds) -> list[Question]:
        """For each mark: hit every signature that lacks it."""
        return [
            Question(
                self._literals[right],
                Passing(right, self._passing(right, operator)),
                budget=bounds.budget,
                most_columns=bounds.most_columns,
                fixed=(right,),
                pairs=bounds.pairs,
            )
            for right, operator in self.marks
        ]

    def suggested(self, sets: Sequence[Words]) -> list[Denials]:
        """Left-hand sides and the negated mark on the right."""
        return [self._denials(mark, self._excluded(mark[0], kept)) for mark, kept in zip(self.marks, sets, strict=True)]

    def independent(self, sets: Sequence[Words]) -> Sequence[Words]:
        """All: columns are compared with themselves alone."""
        return sets

    def _passing(self, right: int, operator: Operator) -> int:
        """The outcomes of a column that its mark lets pass, which is what a denial then excludes."""
        return OUTCOMES[operator] if self.space.layout.comparisons[right].ordered else 2

    def denials(self, sets: Sequence[Words], evidence: Evidence, bounds: Bounds) -> Sequence[Denials]:
        """For each mark its rules: ``<=`` only where neither ``<`` nor ``=`` is entailed too, ``=`` in one image."""
        found = self.suggested(sets)
        if bounds.budget:
            found = [self._past_equalities(*each, evidence, bounds) for each in zip(self.marks, found, strict=True)]
        kept = []
        for mark, each in zip(self.marks, found, strict=True):
            if mark[1] == "<=":
                each = self._weakest(each, mark[0], evidence, bounds)
            kept.append(each.canonical() if mark[1] == "=" else each)
        return kept

    def _excluded(self, right: int, sets: Words) -> np.ndarray:
        """Flags of the layout's literals for sets of marks."""
        literals = self._literals[right]
        chosen = flags(sets, len(literals))
        bits = np.zeros((len(sets), self.space.layout.literals), np.bool_)
        for i, group in enumerate(literals.groups):
            for literal in range(literals.first[i], literals.first[i + 1]):
                for outcome in range(self.space.layout.comparisons[group].outcomes):
                    if literals.covers[literal] >> outcome & 1:
                        bits[:, self.space.layout.first_literal[group] + outcome] |= chosen[:, literal]
        return bits

    def _denials(self, mark: Mark, bits: np.ndarray) -> Denials:
        """Left-hand sides as denials: the right-hand mark's outcomes are excluded too."""
        right, operator = mark
        first = self.space.layout.first_literal[right]
        outcomes = self.space.layout.comparisons[right].outcomes
        allowed = self._passing(right, operator)
        bits = bits.copy()
        for outcome in range(outcomes):
            bits[:, first + outcome] = bool(allowed >> outcome & 1)
        return Denials(self.space.layout, as_words(bits))

    def _weakest(self, found: Denials, right: int, evidence: Evidence, bounds: Bounds) -> Denials:
        """Those of which no stronger mark on the right would do."""
        kept = np.ones(len(found), np.bool_)
        if len(found):
            for operator in _STRONGER:
                kept &= ~self._accepted(self._denials((right, operator), found.bits), evidence, bounds)
        return Denials(found.layout, found.sets[kept])

    def _accepted(self, denials: Denials, evidence: Evidence, bounds: Bounds) -> np.ndarray:
        if evidence.counts is None:
            evidence = Evidence(evidence.layout, evidence.signatures, np.ones(len(evidence), np.int64), evidence.closed)
        return count(denials, evidence).broken <= bounds.budget

    def _past_equalities(self, mark: Mark, found: Denials, evidence: Evidence, bounds: Bounds) -> Denials:
        """``{A=} => B<=`` is never a rule, so with an error, where ``{A=} => B=`` may fail, those next to it can be."""
        right, operator = mark
        if operator != "<=":
            return found
        others = [g for g in range(self._width) if g != right]
        equal = np.ones(len(found), np.bool_)
        for group in others:
            if self.space.layout.comparisons[group].ordered:
                equal &= np.isin(found.excluded(group), (0, LESS | GREATER))
        extra = [candidate for bits in found.bits[equal] for candidate in self._next_to(bits, mark, evidence, bounds)]
        plain = found.bits[~equal]
        return Denials(found.layout, as_words(np.concatenate([plain, np.array(extra).reshape(-1, plain.shape[1])])))

    def _next_to(self, bits: np.ndarray, mark: Mark, evidence: Evidence, bounds: Bounds) -> Iterator[np.ndarray]:
        """A left-hand side of equalities with one weak mark more, where no equality could be weaker then."""
        layout, first = self.space.layout, self.space.layout.first_literal
        named = [g for g in range(self._width) if g != mark[0] and bits[first[g] : first[g] + 2].any()]
        if bounds.most_columns is not None and len(named) + 2 > bounds.most_columns:
            return
        for group in range(self._width):
            if group != mark[0] and group not in named and layout.comparisons[group].ordered:
                for side in (0, 2):
                    candidate = bits.copy()
                    candidate[first[group] + side] = True
                    weaker = [self._without(candidate, literal) for literal in self._weak(named)]
                    tried = Denials(layout, as_words(np.array(weaker).reshape(-1, len(bits))))
                    if not len(tried) or not self._accepted(tried, evidence, bounds).any():
                        yield candidate

    def _weak(self, named: Sequence[int]) -> Iterator[list[int]]:
        """What each equality excludes and could do without."""
        for group in named:
            first = self.space.layout.first_literal[group]
            yield from ([[first], [first + 2]] if self.space.layout.comparisons[group].ordered else [[first]])

    @staticmethod
    def _without(bits: np.ndarray, literals: list[int]) -> np.ndarray:
        less = bits.copy()
        less[literals] = False
        return less

    def interest(self, sets: Words, evidence: Evidence) -> None:
        """Not a bound: pairs that satisfy a left-hand side and its mark on the right count for interest too."""

    def rules(self, denials: Sequence[Denials], evidence: Evidence, table: Encoded) -> list[Rule]:
        """The dependencies with their figures."""
        made: list[Rule] = []
        for mark, found in zip(self.marks, denials, strict=True):
            columns = np.array([found.excluded(g) != 0 for g in range(self._width)]).sum(axis=0)
            told = figures(found, evidence, columns, table.rows * (table.rows - 1))
            made += self._dependencies(mark, found, told, table.names)
        at = places(table.names)
        return sorted(made, key=lambda rule: sort_key(rule, at))

    def _dependencies(self, mark: Mark, found: Denials, told: Sequence[Figures], names: Sequence[str]) -> Iterator[Pod]:
        right, operator = mark
        for operators, figured in zip(found.operators(), told, strict=True):
            left = tuple((names[group], op) for group, op in operators if group != right)
            yield Pod(left, (names[right], operator), figured)
