"""Why rules came and went: errors before and after from counts, and pairs of rows that break them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.agree import holding
from lawful.evidence.batch import Showing
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset
from lawful.families.agreeing import KEY, Sides
from lawful.families.inserting import Following
from lawful.families.noting import Found
from lawful.maintain.counting import packing_of
from lawful.maintain.delta import Reason, Witness, cell
from lawful.maintain.dictionary import Dictionary
from lawful.maintain.ranking import Tables
from lawful.maintain.rows import Part, Rows


@dataclass(frozen=True, eq=False)
class Marked:
    """A batch as its pairs of rows were compared: the signed change, what there is after it (``None`` where this is not
    counted), both with both orders of every pair, and how codes are ranked; ``exact``: rules have no exceptions."""

    signed: Evidence
    after: Evidence | None
    tables: Tables
    exact: bool


@dataclass(frozen=True, eq=False)
class Arrived:
    """What new rows broke: the pods of the table, and the signatures that tell."""

    following: Following
    found: Found


@dataclass(frozen=True, eq=False)
class Change:
    """A batch as it was counted: the rows before and after, those that went and came, the change of the agree sets,
    and these as they are after it; ``anew``: all pairs were counted, and not those of the batch. ``marked``, ``came``:
    what is known of rules with order, by signatures of all pairs or by rows."""

    names: tuple[str, ...]
    before: Rows
    after: Rows
    gone: Part
    new: Part
    sets: Evidence
    held: Multiset
    dictionaries: tuple[Dictionary, ...]
    anew: bool
    marked: Marked | None = None
    came: Arrived | None = None


def reasons_for(sides: Sides, change: Change, *, exact: bool) -> list[Reason]:
    """A reason for each rule. ``sides`` has the counts after the batch."""
    delta = Multiset(change.sets.layout)
    delta.add_signed(change.sets)
    before = sides.breaking - delta.masses(sides.sets, sides.rights)[1]
    pairs = [len(rows) * (len(rows) - 1) // 2 for rows in (change.before, change.after)]
    shown = _witnesses(sides, before, change) if exact else {}
    return [
        Reason(_share(int(b), pairs[0]), _share(int(a), pairs[1]), shown.get(r))
        for r, (b, a) in enumerate(zip(before.tolist(), sides.breaking.tolist(), strict=True))
    ]


def _share(broken: int, pairs: int) -> float:
    return broken / pairs if pairs else 0.0


def _witnesses(sides: Sides, before: NDArray[np.int64], change: Change) -> Mapping[int, Witness]:
    """A pair of rows for each rule that held without exception on one side of the batch only."""
    counts = change.sets.counts
    assert counts is not None
    found: dict[int, Witness] = {}
    for rules, rising in ((before == 0) & (sides.breaking > 0), True), ((before > 0) & (sides.breaking == 0), False):
        places = np.flatnonzero(rules)
        if len(places):
            matter = _commonest_first(change.sets.signatures, counts if rising else -counts)
            chosen = np.array([_breaking(sides, int(r), matter) for r in places])
            wanted, of = np.unique(chosen, return_inverse=True)
            pairs = _pairs(matter[wanted], change, rising=rising)
            shown = witnesses(pairs, change, rising)
            found |= {int(r): shown[w] for r, w in zip(places, of.reshape(-1).tolist(), strict=True)}
    return found


def _commonest_first(sets: NDArray[np.uint64], counts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The sets with positive counts: those that most pairs have are found soonest."""
    order = np.argsort(-counts, kind="stable")
    return np.asarray(sets[order[: int((counts > 0).sum())]], np.uint64)


def _breaking(sides: Sides, rule: int, sets: NDArray[np.uint64]) -> int:
    """The place of a set that holds the left-hand side and lacks the right-hand column."""
    breaks = holding(sets, sides.sets[rule])
    right = int(sides.rights[rule])
    if right != KEY:
        breaks &= sets[:, right >> 6] >> np.uint64(right & 63) & np.uint64(1) == 0
    return int(np.argmax(breaks))


def _pairs(sets: NDArray[np.uint64], change: Change, *, rising: bool) -> NDArray[np.int64]:
    """Ids of a pair of rows for each set: of new rows and those there now, or of rows that went and those before."""
    batch, rows = (change.new, change.after) if rising else (change.gone, change.before)
    showing = Showing(packing_of(rows, batch.codes), sets)
    for part, alive in rows:
        showing.look(batch.codes, batch.ids, part.codes, part.ids, alive)
    return showing.pairs


def witnesses(pairs: NDArray[np.int64], change: Change, rising: bool) -> list[Witness]:
    """Pairs of rows by their ids, as witnesses: of the table after a batch, or (not ``rising``) before it."""
    rows = change.after if rising else change.before
    ids = np.sort(pairs, axis=1)
    codes = rows.codes(ids.reshape(-1))
    columns = [[cell(value) for value in change.dictionaries[c].shown(codes[c])] for c in range(len(change.names))]
    shown = [dict(zip(change.names, row, strict=True)) for row in zip(*columns, strict=True)]
    return [Witness((a, b), (shown[2 * k], shown[2 * k + 1])) for k, (a, b) in enumerate(ids.tolist())]
