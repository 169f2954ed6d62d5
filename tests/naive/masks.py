"""The ordered pairs of a table as bits of one integer, so that brute force stays affordable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations

from lawful.rules.model import OPERATORS, OUTCOMES, Direction, Fd, Key, Measure, Oc, Operand, Operator, Predicate
from tests.naive.pairs import outcome
from tests.naive.removal import removal_formula
from tests.naive.table import Nulls, Table


class PairMasks:
    """For a comparison of two cells, the set of ordered pairs of distinct rows that satisfy it."""

    def __init__(self, table: Table, nulls: Nulls) -> None:
        self.table, self.nulls = table, nulls
        self.pairs = list(permutations(range(len(table)), 2))
        self.every = (1 << len(self.pairs)) - 1
        self._known: dict[tuple[Operand, Operand], dict[Operator, int]] = {}

    def comparison(self, left: Operand, op: Operator, right: Operand) -> int:
        if (left, right) not in self._known:
            self._known[left, right] = self._compare(left, right)
        return self._known[left, right][op]

    def _compare(self, left: Operand, right: Operand) -> dict[Operator, int]:
        found = dict.fromkeys("<=>?", 0)
        for bit, (t, u) in enumerate(self.pairs):
            found[outcome(self.table, t, u, left, right, self.nulls)] |= 1 << bit
        return {op: sum(found[o] for o in OUTCOMES[op]) for op in OPERATORS}

    def mark(self, name: str, op: Operator) -> int:
        """The pairs with ``t.name op u.name``."""
        return self.comparison(Operand("t", name), op, Operand("u", name))

    def equal(self, names: Iterable[str]) -> int:
        """The pairs equal on every column named."""
        found = self.every
        for name in names:
            found &= self.mark(name, "=")
        return found

    def conjunction(self, predicates: Iterable[Predicate]) -> int:
        found = self.every
        for p in predicates:
            found &= self.comparison(p.left, p.op, p.right)
        return found


class Judge:
    """Which rules are accepted: error at most ``max_error`` by the measure, compared as fractions."""

    def __init__(self, masks: PairMasks, max_error: Fraction, measure: Measure) -> None:
        self.masks, self.max_error, self.measure = masks, max_error, measure
        self.table, self.nulls = masks.table, masks.nulls
        self.allowed = max_error * len(masks.pairs)

    def accepts(self, violating: int) -> bool:
        """Whether that set of violating pairs is small enough, by the measure ``pairs``."""
        return violating.bit_count() <= self.allowed

    def fd(self, lhs: Sequence[str], rhs: str) -> bool:
        return self._accepts(self.masks.equal(lhs) & self.masks.mark(rhs, "!="), Fd(tuple(lhs), rhs))

    def key(self, columns: Sequence[str]) -> bool:
        return self._accepts(self.masks.equal(columns), Key(tuple(columns)))

    def oc(self, context: Sequence[str], left: str, right: str, direction: Direction) -> bool:
        against = self.masks.mark(right, ">" if direction == "same" else "<")
        violating = self.masks.equal(context) & self.masks.mark(left, "<") & against
        return self._accepts(violating, Oc(tuple(context), left, right, direction))

    def _accepts(self, violating: int, rule: Fd | Key | Oc) -> bool:
        if self.measure == "pairs" or not violating:
            return self.accepts(violating)
        return removal_formula(rule, self.table, self.nulls) <= self.max_error
