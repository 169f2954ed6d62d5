"""The indexes of a set of rules over a table that grows: built, extended, looked after.

    indexes = Indexes.of(marks, ranks)
    indexes = indexes.extended(ranks, first_new_row)
    indexes = indexes.renewed(marks, ranks)  # for the rules of now
    which = indexes.assigned(marks)  # for each rule the index that leaves it the fewest rows

Marks are those of `lawful.maintain.choosing`, ranks int32[columns, rows].
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.chains import ANY, CLUSTERED
from lawful.maintain.chains import ChainIndex, EqualityIndex
from lawful.maintain.choosing import PAPER, Marks, Planned, Policy, choose
from lawful.maintain.scoring import Sample, Table

Index: TypeAlias = ChainIndex | EqualityIndex


@dataclass(frozen=True, eq=False)
class Indexes:
    """Index i is ``built[i]``, over the columns of ``planned[i]``; ``worn`` pairs of columns are not chained again as
    long as something else serves."""

    planned: tuple[Planned, ...]
    built: tuple[Index, ...]
    sample: Sample
    policy: Policy = PAPER
    worn: frozenset[tuple[int, int]] = frozenset()

    @classmethod
    def of(cls, marks: Marks, ranks: Table, policy: Policy = PAPER) -> Indexes:
        """Chosen and built for some rules."""
        return cls((), (), Sample.of(ranks, policy.sample), policy).renewed(marks, ranks)

    def __len__(self) -> int:
        return len(self.built)

    @property
    def nbytes(self) -> int:
        """Bytes held."""
        return sum(index.nbytes for index in self.built)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The rank of each index."""
        return np.array([index.rank for index in self.built], np.int64)

    def serving(self, marks: Marks) -> NDArray[np.bool_]:
        """Which rules can ask one of them at least, bool[rules]."""
        served = np.zeros(len(marks), np.bool_)
        for plan in self.planned:
            served |= plan.serves(marks)
        return served

    def assigned(self, marks: Marks) -> NDArray[np.int64]:
        """The index that leaves each rule the fewest rows, by the sample; -1 where none serves."""
        shares = np.array([plan.shares(marks, self.sample) for plan in self.planned]).reshape(len(self), len(marks))
        if not len(self):
            return np.full(len(marks), -1)
        return np.where(np.isfinite(shares.min(axis=0)), shares.argmin(axis=0), -1)

    def extended(self, ranks: Table, first_new_row: int) -> Indexes:
        """With the rows from ``first_new_row`` on in each of them."""
        return replace(
            self,
            built=tuple(
                index.extended(ranks[plan.a], ranks[plan.b], first_new_row)
                for plan, index in zip(self.planned, self.built, strict=True)
            ),
        )

    def renewed(self, marks: Marks, ranks: Table) -> Indexes:
        """With indexes for these rules too: those whose rank has grown are rebuilt, worn ones replaced where others
        suit, rules that none suits get new ones. The rules may be some of many: the other indexes stay (`trimmed`)."""
        sample, worn = Sample.of(ranks, self.policy.sample), self.worn
        known = {plan: self._fresh(plan, index, ranks) for plan, index in zip(self.planned, self.built, strict=True)}
        while True:
            held = [plan for plan in known if plan.sign == CLUSTERED or (plan.a, plan.b) not in worn]
            held += choose(marks[_lacking(marks, held)], sample, self.policy, worn)
            for plan in held:
                if plan not in known:
                    known[plan] = plan.build(ranks)
            more = worn.union((plan.a, plan.b) for plan in held if self.policy.is_worn(known[plan]))
            if more == worn:
                break
            worn = more
        return Indexes(tuple(held), tuple(known[plan] for plan in held), sample, self.policy, worn)

    def trimmed(self, marks: Marks) -> Indexes:
        """Without the indexes that none of these rules would ask, when these are all rules."""
        chosen = [number for number in np.unique(self.assigned(marks)).tolist() if number >= 0]
        return replace(self, planned=tuple(self.planned[i] for i in chosen), built=tuple(self.built[i] for i in chosen))

    def _fresh(self, plan: Planned, index: Index, ranks: Table) -> Index:
        return index.rebuilt(ranks[plan.a], ranks[plan.b]) if self.policy.has_grown(index) else index


def _lacking(marks: Marks, held: list[Planned]) -> NDArray[np.bool_]:
    """Which rules none of these suits."""
    lacking: NDArray[np.bool_] = (marks != ANY).any(axis=1)
    for plan in held:
        lacking &= ~plan.suits(marks)
    return lacking
