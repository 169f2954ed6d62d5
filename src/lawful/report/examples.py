"""Groups of rows in which a rule can be seen at work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lawful.rules.model import Dc, Fd, Key, Oc, Pod, Rule

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

LOOKED_AT = 1 << 14
"""Rows of the table, from its start, among which groups are looked for."""

GROUPS = 3
LINES = 4
"""Different combinations of values shown of a group."""

Codes = NDArray[np.uint16]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Group:
    """Rows that agree on the rule's columns of equality: how many there are, and some of the different combinations
    of values among them, each with its number of rows."""

    rows: int
    combinations: int
    lines: tuple[tuple[int, tuple[object, ...]], ...]


@dataclass(frozen=True)
class Examples:
    """The groups of a rule, the largest first; ``columns`` are those of the lines, the first ``equal`` of which have
    one value in a group."""

    columns: tuple[str, ...]
    equal: int
    groups: tuple[Group, ...]


@dataclass(frozen=True)
class Start:
    """The first rows of a table, whose columns are read when they are asked for."""

    table: Encoded
    _codes: dict[str, Codes] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The rows looked at."""
        return min(self.table.rows, LOOKED_AT)

    def codes(self, name: str) -> Codes:
        """The ranks of a column in these rows."""
        if name not in self._codes:
            ranks = self.table.ranks[self.table.place(name), : self.rows]
            self._codes[name] = np.unique(ranks, return_inverse=True)[1].reshape(-1).astype(np.uint16)
        return self._codes[name]

    def combined(self, names: tuple[str, ...]) -> Numbers:
        """A number for each combination of values, in their order, below the number of rows; a sort for each column."""
        found = np.zeros(self.rows, np.int64)
        for name in names:
            found = found * LOOKED_AT + self.codes(name)
            found = np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int64)
        return found


def equal_columns(rule: Rule) -> tuple[str, ...]:
    """The columns on which a group agrees; of a key all but the last, which then tells its rows apart."""
    match rule:
        case Fd():
            return rule.lhs
        case Oc():
            return rule.context
        case Key():
            return rule.columns[:-1]
        case Pod():
            return tuple(dict.fromkeys(name for name, mark in rule.lhs if mark == "="))
        case Dc():
            own = [p for p in rule.predicates if p.op == "=" and p.left.column == p.right.column]
            return tuple(dict.fromkeys(p.left.column for p in own if p.left.row != p.right.row))
    return ()


def examples(start: Start, rule: Rule) -> Examples:
    """Three groups of two rows or more: the largest, a middling one and a small one; none where rows never agree."""
    equal = equal_columns(rule)
    columns = (*equal, *(name for name in dict.fromkeys(rule.columns) if name not in equal))
    groups = start.combined(equal)
    sizes = np.bincount(groups)
    ranked = np.argsort(-sizes, kind="stable")
    ranked = ranked[sizes[ranked] > 1]
    chosen = list(dict.fromkeys(int(ranked[at]) for at in _spread(len(ranked), GROUPS)))
    if not chosen:
        return Examples(columns, len(equal), ())
    kinds = start.combined(columns)
    return Examples(columns, len(equal), tuple(_group(start, columns, kinds, groups == group) for group in chosen))


def _group(start: Start, columns: tuple[str, ...], kinds: Numbers, members: NDArray[np.bool_]) -> Group:
    rows = np.flatnonzero(members)
    _, first, counts = np.unique(kinds[rows], return_index=True, return_counts=True)
    picked = _spread(len(first), LINES)
    shown = rows[first[picked]]
    values = [start.table.cells(name, shown.tolist()) for name in columns]
    lines = tuple((int(counts[at]), cells) for at, cells in zip(picked, zip(*values, strict=True), strict=True))
    return Group(len(rows), len(first), lines)


def _spread(count: int, most: int) -> list[int]:
    """Up to ``most`` places of ``count``, evenly from the first to the last."""
    if count <= most:
        return list(range(count))
    return [round(at * (count - 1) / (most - 1)) for at in range(most)]
