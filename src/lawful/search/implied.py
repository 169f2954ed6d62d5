"""Of denial constraints that compare columns with each other, those that no other one makes superfluous.

``t.a < u.b and t.b = u.b and t.b <= u.a`` implies ``t.a < u.a``, since the order is transitive. So where the latter
never occurs the former need not be said. Predicates cannot tell this one by one: conjunctions are compared by their
closures, which hold all that they exclude (``kernels/closure.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.space import Space
from lawful.kernels.closure import Compared, Scratch, closures, earliest
from lawful.kernels.within import contains_another, grow, occurrences, renumber
from lawful.rules.model import MIRROR, OPERATORS, OUTCOMES, Operator

Masks = NDArray[np.uint64]
"""Excluded literals row by row: uint64[k, w], literal l at bit ``l & 63`` of word ``l >> 6``."""


def implies_no_other(space: Space, excluded: Masks) -> NDArray[np.bool_]:
    """Which conjunctions to keep, bool[k]: the possible ones that imply none of the others, seen from either row.

    ``excluded`` holds what each conjunction excludes of the literals of ``space.layout``. Of conjunctions that imply
    each other one is kept: that of fewest predicates, then the smallest in canonical form, then the first. Every cell
    is taken to have a place in the order, also where a null may be unknown. Closures take microseconds each; finding
    those that hold another conjunction walks a tree of all of them.
    """
    compared = _compared(space)
    closed, possible = _closures(excluded, compared)
    kept = np.zeros(len(excluded), np.bool_)
    distinct = _together(closed, np.flatnonzero(possible))
    earliest(excluded, closed, distinct, compared.group, compared.first, _codes(space), kept)
    members = np.flatnonzero(kept)
    superfluous = np.zeros(len(excluded), np.bool_)
    contains_another(closed, members, *_tree(excluded, closed, members, space.layout.literals), superfluous)
    result: NDArray[np.bool_] = kept & ~superfluous
    return result


def _compared(space: Space) -> Any:
    """The comparisons as arrays; cell 2c is column c in row t, 2c + 1 in row u."""
    layout = space.layout
    sides = [_cells(space, group) for group in range(len(space.operands))]
    left, right = np.array(sides, np.int32).reshape(-1, 2).T
    cells = 2 * (1 + max((max(places) for places in space.columns), default=-1))
    starts = np.searchsorted(np.sort(left), np.arange(cells + 1)).astype(np.int32)
    listed = np.argsort(left, kind="stable").astype(np.int32)
    ordered = np.array([comparison.ordered for comparison in layout.comparisons], np.bool_)
    first = np.array(layout.first_literal, np.int32)
    return Compared(left.copy(), right.copy(), ordered, first, layout.group, starts, listed)


def _cells(space: Space, group: int) -> tuple[int, int]:
    (left, right), places = space.operands[group], space.columns[group]
    return 2 * places[0] + (left.row == "u"), 2 * places[-1] + (right.row == "u")


def _closures(excluded: Masks, compared: Any) -> tuple[Masks, NDArray[np.bool_]]:
    """The two closures of each conjunction, uint64[k, 2, w], and which are possible."""
    cells = len(compared.starts) - 1
    words = max(-(-cells // 64), 1)
    up, down = np.zeros((cells, words), np.uint64), np.zeros((cells, words), np.uint64)
    differ = np.zeros((len(compared.left), 2), np.int32)
    scratch = Scratch(np.full(cells, -1, np.int32), up, down, np.zeros(words, np.uint64), differ)
    closed = np.zeros((len(excluded), 2, excluded.shape[1]), np.uint64)
    possible = np.zeros(len(excluded), np.bool_)
    closures(excluded, compared, scratch, closed, possible)
    return closed, possible


def _together(closed: Masks, members: NDArray[np.int64]) -> NDArray[np.int64]:
    """The members with those of equal closures next to each other, else in their order."""
    words = closed[members].reshape(len(members), closed.shape[1] * closed.shape[2])
    return members[np.lexsort(words.T)]


def _codes(space: Space) -> NDArray[np.int64]:
    """Numbers that sort predicates as the canonical form does, int64[groups, 8, 2]: see ``kernels.closure.earliest``.

    The second index has a bit for each excluded outcome. Of a code the lowest bit is set when both rows are concerned.
    """
    codes = np.zeros((len(space.operands), 8, 2), np.int64)
    width = 1 + max((max(places) for places in space.columns), default=-1)
    for group, ((_, right), places) in enumerate(zip(space.operands, space.columns, strict=True)):
        one, other, two_rows = places[0], places[-1], right.row == "u"
        for pattern, operator in _operators(space.layout.comparisons[group].ordered):
            codes[group, pattern, 0] = _code(one * width + other, operator, two_rows)
            image = _code(other * width + one, MIRROR[operator], True)
            codes[group, pattern, 1] = image if two_rows else -1
    return codes


def _operators(ordered: bool) -> list[tuple[int, Operator]]:
    """The operators of a comparison, each with a bit for every outcome that it excludes."""
    if not ordered:
        return [(1, "="), (2, "!=")]
    return [(sum(1 << i for i, o in enumerate("<=>") if o not in OUTCOMES[p]), p) for p in OPERATORS]


def _code(columns: int, operator: Operator, two_rows: bool) -> int:
    return (columns * len(OPERATORS) + OPERATORS.index(operator)) * 2 + two_rows


class _Tree(NamedTuple):
    """Sets of literals by their beginnings: see ``kernels.within.grow``."""

    literal: NDArray[np.int32]
    next: NDArray[np.int32]
    end: NDArray[np.int32]


def _tree(excluded: Masks, closed: Masks, members: NDArray[np.int64], literals: int) -> _Tree:
    """The members' sets as a tree whose first levels hold the literals that closures hold least often."""
    sets = excluded[members]
    seldom = np.argsort(_occurrences(closed[members].reshape(-1, closed.shape[2]), literals), kind="stable")
    strings = np.zeros(sets.shape, np.uint64)
    renumber(sets, seldom, strings)
    order = members[np.lexsort(strings.T[::-1])]
    most = 1 + int(_occurrences(sets, literals).sum())
    arrays = [np.empty(most, np.int32) for _ in range(3)]
    used = grow(excluded, order, seldom, *arrays)
    return _Tree(*(array[:used] for array in arrays))


def _occurrences(masks: Masks, literals: int) -> NDArray[np.int64]:
    counts = np.zeros(literals, np.int64)
    occurrences(masks, counts)
    return counts
