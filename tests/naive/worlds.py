"""What a conjunction means in every world: implication and contradiction by looking at all of them.

A world is one way in which the cells concerned can stand to each other, that is, a weak order of them. A
conjunction implies another when it is true in no world in which the other is false, which takes in transitivity,
antisymmetry and whatever else an order entails.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product

from lawful.rules.model import OUTCOMES, Operand, Predicate
from tests.naive.space import Comparison

MOST_COLUMNS = 3
Meaning = tuple[int, ...]


@cache
def weak_orders(cells: int) -> tuple[tuple[int, ...], ...]:
    """Every way to rank so many cells densely, ties allowed: 1, 3, 13, 75, 541, 4683, ..."""
    return tuple(levels for levels in product(range(cells), repeat=cells) if set(levels) == set(range(max(levels) + 1)))


class Worlds:
    """The worlds of each set of columns that comparisons tie together; columns not tied are independent."""

    def __init__(self, comparisons: Iterable[Comparison]) -> None:
        self.parts = _tied(comparisons)
        if any(len(part) > MOST_COLUMNS for part in self.parts):
            raise ValueError(f"more than {MOST_COLUMNS} columns compared with each other: too many worlds to look at")
        self.cells = [[Operand(row, name) for name in part for row in ("t", "u")] for part in self.parts]
        self._known: dict[Predicate, int] = {}

    def meaning(self, predicates: Sequence[Predicate]) -> Meaning:
        """For each part the set of its worlds, as bits, in which all the predicates are true."""
        found = [(1 << len(weak_orders(len(cells)))) - 1 for cells in self.cells]
        for predicate in predicates:
            part = next(i for i, names in enumerate(self.parts) if predicate.left.column in names)
            if predicate not in self._known:
                self._known[predicate] = _true_in(predicate, self.cells[part])
            found[part] &= self._known[predicate]
        return tuple(found)


def possible(meaning: Meaning) -> bool:
    return all(meaning)


def entails(a: Meaning, b: Meaning) -> bool:
    """Whether a conjunction that is true in the worlds ``a`` implies one that is true in the worlds ``b``."""
    return not possible(a) or not any(x & ~y for x, y in zip(a, b, strict=True))


def _tied(comparisons: Iterable[Comparison]) -> list[frozenset[str]]:
    parts: list[frozenset[str]] = []
    for comparison in comparisons:
        pair = frozenset({comparison.left.column, comparison.right.column})
        touched = [part for part in parts if part & pair]
        parts = [part for part in parts if not part & pair] + [pair.union(*touched)]
    return parts


def _true_in(predicate: Predicate, cells: list[Operand]) -> int:
    left, right = cells.index(predicate.left), cells.index(predicate.right)
    found = 0
    for bit, levels in enumerate(weak_orders(len(cells))):
        a, b = levels[left], levels[right]
        if ("=" if a == b else "<" if a < b else ">") in OUTCOMES[predicate.op]:
            found |= 1 << bit
    return found
