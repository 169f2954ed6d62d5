"""Which indexes answer for a set of rules: a few that every rule, and every rule it is ever refined to, can use.

What violates a pod is an ordered pair of rows with all marks on its left and not the one on its right. So a rule is
here a conjunction of marks, the right one negated: operators of `lawful.kernels.conjunction`, int8[rules, columns], ANY
where a column is not named (`marks_of`). An index serves a rule by two of its columns, or by one, whatever else the
rule asks. Refining a rule names more columns and sharpens operators (``<=`` to ``<`` or ``=``, on the right a negated
``=``, ``!=``, to ``<`` or ``>``); it never gives a column up, nor an ``=``. What serves a rule serves its refinements.

Two ways to choose. ``scores`` is ChooseIndex of IncPOD, section V-B: equalities by their share of distinct values, then
pairs of columns by one less their correlation over the number of rules served. Unlike there the rules served are
counted anew after each choice, one set of chains serves all operators, and rules with equalities of few values alone
get clusters of two columns. ``shares`` takes, time and again, the index that saves most rows looked at, by the share of
sampled pairs of rows that two marks leave.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.chains import ANY, CLUSTERED
from lawful.kernels.conjunction import EQUAL
from lawful.maintain.chains import ChainIndex, EqualityIndex
from lawful.maintain.scoring import Reals, Sample, Table
from lawful.rules.model import NEGATION, OPERATORS, Pod

Marks: TypeAlias = NDArray[np.int8]
Flags: TypeAlias = NDArray[np.bool_]

_NEVER = np.inf
_SEARCH = 50.0
_OWN = 0.02


@dataclass(frozen=True)
class Policy:
    """How indexes are chosen, and when one is given up.

    ``by`` names the way. With scores an equality is taken if it scores less than ``threshold``; chains run the way of a
    correlation beyond ``alpha``, else the way that needs fewer. ``sample`` rows are looked at. An index is rebuilt when
    its rank has grown ``growth`` times (and by four), and replaced, where others serve, when it still has more than one
    run for ``spread`` rows (and more than ``runs``).
    """

    by: Literal["scores", "shares"] = "scores"
    threshold: float = 0.6
    alpha: float = 0.2
    sample: int = 2048
    growth: float = 1.25
    spread: int = 256
    runs: int = 64

    def has_grown(self, index: ChainIndex | EqualityIndex) -> bool:
        """Whether to build it anew, in as few runs as possible."""
        return index.rank > max(self.growth * index.least, index.least + 4)

    def is_worn(self, index: ChainIndex | EqualityIndex) -> bool:
        """Whether to search its runs costs about as much as to look at all rows."""
        return index.rank > max(self.runs, len(index) // self.spread)


PAPER = Policy()
"""As the paper sets them."""


class Planned(NamedTuple):
    """An index to build: two columns, for clusters also one twice, and a sign; None for the one with fewer chains."""

    a: int
    b: int
    sign: int | None

    def build(self, ranks: Table) -> ChainIndex | EqualityIndex:
        """The index of all rows."""
        if self.sign == CLUSTERED:
            return EqualityIndex.build(ranks[self.a], ranks[self.b])
        return ChainIndex.build(ranks[self.a], ranks[self.b], self.sign)

    def serves(self, marks: Marks) -> Flags:
        """Which rules it can be asked for, bool[rules]; refining a rule never changes that to no."""
        named: Flags = marks[:, self.a] != ANY
        return named if self.sign == CLUSTERED else named & (marks[:, self.b] != ANY)

    def suits(self, marks: Marks) -> Flags:
        """Which rules it is meant for: clusters serve a range too, but that alone is no reason to have them."""
        if self.sign != CLUSTERED:
            return self.serves(marks)
        first, second = marks[:, self.a], marks[:, self.b]
        suits: Flags = first == EQUAL
        if self.a != self.b:
            suits &= second != ANY
        else:
            suits |= (first != ANY) & ((marks != ANY).sum(axis=1) == 1)
        return suits

    def asked(self, marks: Marks) -> tuple[Marks, Marks]:
        """The operators to ask for on the two columns, int8[rules], of rules that it serves. Of ``!=`` each side is
        asked for: ``<``, then ``>``."""
        first, second = marks[:, self.a], marks[:, self.b]
        if self.sign == CLUSTERED:
            second = np.where((first == EQUAL) & (self.a != self.b), second, ANY).astype(np.int8)
        return first, second

    def shares(self, marks: Marks, sample: Sample) -> Reals:
        """The share of rows that a probe will find for each rule, about; infinite where it does not serve."""
        first, second = self.asked(marks)
        return np.where(self.serves(marks), sample.shares[self.a, first, self.b, second], _NEVER)


def marks_of(pods: Sequence[Pod], places: Mapping[str, int]) -> Marks:
    """What violates each pod, as marks; ``places`` tells the column of a name."""
    marks = np.full((len(pods), len(places)), ANY, np.int8)
    for row, pod in zip(marks, pods, strict=True):
        for name, op in pod.lhs:
            row[places[name]] = OPERATORS.index(op)
        row[places[pod.rhs[0]]] = OPERATORS.index(NEGATION[pod.rhs[1]])
    return marks


def choose(
    marks: Marks, sample: Sample, policy: Policy = PAPER, barred: Collection[tuple[int, int]] = ()
) -> tuple[Planned, ...]:
    """Indexes of which one at least suits each rule that has a mark, in the order of choice.

    Pairs of columns that are ``barred`` get chains only where nothing else suits. O(columns² * rules) a choice.
    """
    avoided = {(min(pair), max(pair)) for pair in barred}
    marks = np.unique(marks[(marks != ANY).any(axis=1)], axis=0)
    if policy.by == "shares":
        return tuple(_by_shares(marks, sample, policy, avoided))
    return tuple(_by_steps(marks, _Scores(sample, policy, avoided).steps()))


Step: TypeAlias = Callable[[Marks], Planned | None]


def _by_steps(marks: Marks, steps: Sequence[Step]) -> Iterator[Planned]:
    """Each step is asked for an index for the rules that are left, until it knows none."""
    for step in steps:
        while (plan := step(marks)) is not None:
            yield plan
            marks = marks[~plan.suits(marks)]


@dataclass(frozen=True)
class _Scores:
    """The steps of ChooseIndex: each names the index of least score for the rules given, None where it has none."""

    sample: Sample
    policy: Policy
    avoided: Collection[tuple[int, int]]

    def steps(self) -> list[Step]:
        """In the order in which they are taken."""
        return [self._distinct, self._chains, self._clusters, self._avoided, self._alone]

    def _distinct(self, marks: Marks) -> Planned | None:
        scores = np.where((marks == EQUAL).any(axis=0), self.sample.equality, _NEVER)
        if scores.min(initial=_NEVER) >= self.policy.threshold:
            return None
        best = int(scores.argmin())
        return Planned(best, best, CLUSTERED)

    def _chains(self, marks: Marks) -> Planned | None:
        return self._paired(marks, set(combinations(range(marks.shape[1]), 2)).difference(self.avoided))

    def _avoided(self, marks: Marks) -> Planned | None:
        return self._paired(marks, self.avoided)

    def _paired(self, marks: Marks, pairs: Collection[tuple[int, int]]) -> Planned | None:
        ranged = ((marks != ANY) & (marks != EQUAL)).astype(np.int64)
        served = ranged.T @ ranged
        strength = np.abs(self.sample.correlation)
        scores = [((1 - strength[a, b]) / served[a, b], -served[a, b], a, b) for a, b in pairs if served[a, b]]
        return _chain(self.sample, self.policy, *min(scores)[2:]) if scores else None

    def _clusters(self, marks: Marks) -> Planned | None:
        equal, named = (marks == EQUAL).astype(np.int64), (marks != ANY).astype(np.int64)
        both, ranged = equal.T @ equal, equal.T @ (named - equal)
        columns = range(marks.shape[1])
        scores = [(self.sample.repeated(a, b) / both[a, b], a, b) for a, b in combinations(columns, 2) if both[a, b]]
        single = self.sample.equality
        scores += [(single[a] / ranged[a, b], a, b) for a, b in permutations(columns, 2) if ranged[a, b]]
        return Planned(*min(scores)[1:], CLUSTERED) if scores else None

    def _alone(self, marks: Marks) -> Planned | None:
        named = np.flatnonzero((marks != ANY).any(axis=0)).tolist()
        return Planned(named[0], named[0], CLUSTERED) if named else None


def _chain(sample: Sample, policy: Policy, a: int, b: int) -> Planned:
    return Planned(a, b, sample.sign(a, b, policy.alpha))


def _by_shares(marks: Marks, sample: Sample, policy: Policy, avoided: set[tuple[int, int]]) -> Iterator[Planned]:
    """Greedily the index that saves most, each rule asking the one that leaves it the fewest rows. Of rules that
    look alike in two columns one fetch is shared, which is left out of account."""
    columns = range(len(sample.ranks))
    if not len(marks):
        return
    named, equal = (marks != ANY).any(axis=0), (marks == EQUAL).any(axis=0)
    plans = [Planned(a, a, CLUSTERED) for a in columns if named[a]]
    plans += [Planned(a, b, CLUSTERED) for a, b in permutations(columns, 2) if equal[a] and named[b]]
    plans += [_chain(sample, policy, a, b) for a, b in combinations(columns, 2) if named[a] and named[b]]
    plans = [plan for plan in plans if plan.sign == CLUSTERED or (plan.a, plan.b) not in avoided]
    costs = np.array([_cost(plan, marks, sample) for plan in plans])
    now = costs.min(axis=0) + 1.0
    while True:
        saved = np.maximum(now - costs, 0).sum(axis=1)
        best = int(saved.argmax())
        if saved[best] <= _OWN:
            break
        yield plans[best]
        now = np.minimum(now, costs[best])


def _cost(plan: Planned, marks: Marks, sample: Sample) -> Reals:
    """Rows found and runs searched by a probe, as a share of all rows; a search costs as much as ``_SEARCH`` rows."""
    runs = 1.0 if plan.sign == CLUSTERED else sample.rank(plan.a, plan.b)
    return plan.shares(marks, sample) + runs * _SEARCH / max(sample.rows, 1)
