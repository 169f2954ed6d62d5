"""The rules of a state, followed through changes of its agree sets.

Exact rules hang on the maximal agree sets that lack the right-hand column. These are kept; where a change leaves them
as they are, so are the rules of that column. Where maximal sets only came, as after inserts, the left-hand sides that
do not hit what they lack are extended, one such set after the other. Where some went, others below them matter now, and
left-hand sides may shrink in any column: they are searched again. Approximate rules hang on all counts, and on the
number of rows, and are searched after every change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lawful.engine.port import Engine
from lawful.evidence.agree import agree_layout, as_set
from lawful.evidence.multiset import Multiset, Turned, maximal_sets, ordered_sets, outside
from lawful.evidence.signature import Signatures
from lawful.families.agreeing import KEY, Sides, Wanted, left_sides
from lawful.search.problem import Words

_CHECKS, _CHECKS_EACH = 1 << 20, 1 << 10
"""Comparisons of two left-hand sides, and more for each of them, that take about as long as a search does."""

_ROOM = 1 << 16
"""Left-hand sides that one new agree set may bring."""

_MOST_HELD = 1 << 20


@dataclass(frozen=True, eq=False)
class Followed:
    """Left-hand sides by right-hand column (`KEY`: keys), and the maximal agree sets they were made from (empty where
    rules may have exceptions)."""

    lefts: Mapping[int, Words]
    tops: Mapping[int, Signatures]

    def sides(self, sets: Multiset, width: int) -> Sides:
        """All rules with their counts."""
        empty = np.zeros((0, agree_layout(width).words), np.uint64)
        lefts = np.concatenate([empty, *self.lefts.values()])
        rights = np.repeat(np.array([*self.lefts], np.int64), [len(part) for part in self.lefts.values()])
        return Sides(lefts, rights, *sets.masses(lefts, rights))


def found_anew(sets: Multiset, wanted: Wanted, engine: Engine, *, exact: bool) -> Followed:
    """The rules of the agree sets as they are."""
    if exact:
        tops = {right: maximal_sets(sets.lacking(_column(right))) for right in wanted.rights}
        return Followed(_searched(tops, wanted.rights, wanted, engine), tops)
    held = sets.evidence()
    found = left_sides(wanted, held.signatures, held.counts, wanted.rights, engine)
    return Followed(dict(zip(wanted.rights, found, strict=True)), {})


def followed(
    before: Followed, sets: Multiset, turned: Turned, wanted: Wanted, engine: Engine, *, exact: bool
) -> Followed:
    """The rules after a change that was added to ``sets`` and made some of them come and go."""
    if not exact:
        return found_anew(sets, wanted, engine, exact=False)
    tops = {right: _moved(before.tops[right], right, sets, turned) for right in wanted.rights}
    changed = [right for right in wanted.rights if not np.array_equal(tops[right], before.tops[right])]
    lefts = dict(before.lefts)
    for right in changed:
        grown = extended(before.lefts[right], before.tops[right], tops[right], right, wanted)
        lefts[right] = _searched(tops, [right], wanted, engine)[right] if grown is None else grown
    return Followed({right: lefts[right] for right in wanted.rights}, tops)


def extended(lefts: Words, tops: Signatures, now: Signatures, right: int, wanted: Wanted) -> Words | None:
    """Left-hand sides after maximal sets came, from those before; none where some went for another reason than that a
    larger one came, or where this would take longer than a search. O(new sets * lefts²) at worst, and far less where
    few left-hand sides are concerned."""
    from lawful.kernels.extending import extended as hitting_one_more

    came, went = _without(now, tops), _without(tops, now)
    if len(came) * len(went) > _MOST_HELD:
        return None
    outside = np.asarray((went[:, None] & ~came).any(axis=2), np.bool_)
    if outside.all(axis=1).any():
        return None
    inside = as_set((c for c in range(wanted.width) if c != right), now.shape[1])
    most = (wanted.width if wanted.most_columns is None else wanted.most_columns) - (right != KEY)
    checks, columns = _CHECKS + _CHECKS_EACH * len(lefts), int(wanted.width)
    for one in came:
        out = np.empty((min((columns + 1) * len(lefts), len(lefts) + _ROOM), lefts.shape[1]), np.uint64)
        made, checks = hitting_one_more(np.ascontiguousarray(lefts), inside & ~one, most, out, checks)
        if made < 0:
            return None
        lefts = out[:made]
    return ordered_sets(lefts)


def _without(some: Signatures, others: Signatures) -> Signatures:
    return np.asarray(some[~np.isin(_rows(some), _rows(others))], np.uint64)


def _searched(
    tops: Mapping[int, Signatures], rights: Sequence[int], wanted: Wanted, engine: Engine
) -> dict[int, Words]:
    return {right: left_sides(wanted, tops[right], None, [right], engine)[0] for right in rights}


def _moved(tops: Signatures, right: int, sets: Multiset, turned: Turned) -> Signatures:
    """The maximal sets that lack a column after some sets came and others went."""
    died, born = (_lacking(part, right) for part in (turned.died, turned.born))
    if np.isin(_rows(died), _rows(tops)).any():
        return maximal_sets(sets.lacking(_column(right)))
    above = outside(tops, born)
    return maximal_sets(np.concatenate([tops, above])) if len(above) else tops


def _rows(sets: Signatures) -> NDArray[np.void]:
    """Rows of words as single values, to be looked up."""
    return np.ascontiguousarray(sets).view(np.dtype((np.void, 8 * sets.shape[1]))).reshape(-1)


def _lacking(some: Signatures, right: int) -> Signatures:
    if right == KEY:
        return some
    return np.asarray(some[some[:, right >> 6] >> np.uint64(right & 63) & np.uint64(1) == 0], np.uint64)


def _column(right: int) -> int | None:
    return None if right == KEY else right
