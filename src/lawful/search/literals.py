"""What may be chosen to hit signatures: the literals of denial constraints, and those of pointwise dependencies.

A denial constraint is what it *excludes*: of each comparison one or two of three outcomes (one of two without order).
A pointwise dependency excludes, left of its arrow, by marks: ``<=`` excludes greater; ``<`` greater and equal; ``=``
less and greater. To exclude equal alone is no mark, so ``<`` is one literal that covers two outcomes, and has to be
needed for the equal pairs: those that ``<=`` would let pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.signature import Layout

LESS, EQUAL, GREATER = 1, 2, 4
_THREE: Final = (LESS, EQUAL, GREATER)
_TWO: Final = (1, 2)
_MARKS: Final = (GREATER, LESS, GREATER | EQUAL, LESS | EQUAL)
_ONE: Final = (1,)

DC_ORDERED, DC_EQUALITY, POD_ORDERED, POD_EQUALITY = range(4)
_COVERS: Final = (_THREE, _TWO, _MARKS, _ONE)
_OWNS: Final = (_THREE, _TWO, (GREATER, LESS, EQUAL, EQUAL), _ONE)


def _open() -> NDArray[np.uint8]:
    """Which places may be added to a set of places, for each kind of group."""
    table = np.zeros((4, 16), np.uint8)
    for there in range(8):
        if there.bit_count() < 2:
            table[DC_ORDERED, there] = 0b111 & ~there
    table[DC_EQUALITY, 0] = 0b11
    table[POD_ORDERED, 0], table[POD_ORDERED, 0b01], table[POD_ORDERED, 0b10] = 0b1111, 0b10, 0b01
    table[POD_EQUALITY, 0] = 0b1
    return table


OPEN: Final = _open()


@dataclass(frozen=True)
class Literals:
    """The literals over some comparisons of a layout: ``kinds[i]`` for comparison ``groups[i]``, of ``columns[i]``."""

    layout: Layout
    groups: tuple[int, ...]
    kinds: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]
    width: int
    """How many columns the table has."""

    @cached_property
    def covers(self) -> tuple[int, ...]:
        """The outcomes that each literal covers, as bits."""
        return tuple(outcomes for kind in self.kinds for outcomes in _COVERS[kind])

    @cached_property
    def owns(self) -> tuple[int, ...]:
        """The outcomes that each literal has to be needed for, as bits."""
        return tuple(outcomes for kind in self.kinds for outcomes in _OWNS[kind])

    @cached_property
    def first(self) -> tuple[int, ...]:
        """The first literal of each group, and after the last one how many there are."""
        return tuple(np.cumsum([0, *(len(_COVERS[kind]) for kind in self.kinds)]).tolist())

    def __len__(self) -> int:
        return self.first[-1]

    @property
    def words(self) -> int:
        """Words in a set of literals; one at least."""
        return max(-(-len(self) // 64), 1)

    def excluded(self, mask: NDArray[np.uint64]) -> list[tuple[int, int]]:
        """Of a set of literals, the comparisons it speaks of with the outcomes it excludes, as bits."""
        number = int.from_bytes(mask.astype("<u8").tobytes(), "little")
        found: dict[int, int] = {}
        while number:
            literal = (number & -number).bit_length() - 1
            number &= number - 1
            found[self._group[literal]] = found.get(self._group[literal], 0) | self.covers[literal]
        return [(self.groups[i], outcomes) for i, outcomes in found.items()]

    @cached_property
    def _group(self) -> tuple[int, ...]:
        return tuple(i for i, kind in enumerate(self.kinds) for _ in _COVERS[kind])


def dc_literals(layout: Layout, columns: tuple[tuple[int, ...], ...], width: int) -> Literals:
    """All comparisons, each with its outcomes."""
    kinds = tuple(DC_ORDERED if c.ordered else DC_EQUALITY for c in layout.comparisons)
    return Literals(layout, tuple(range(len(kinds))), kinds, columns, width)


def pod_literals(layout: Layout, right: int, columns: tuple[tuple[int, ...], ...], width: int) -> Literals:
    """All comparisons but that of the right-hand column, by marks."""
    groups = tuple(g for g in range(len(layout.comparisons)) if g != right)
    kinds = tuple(POD_ORDERED if layout.comparisons[g].ordered else POD_EQUALITY for g in groups)
    return Literals(layout, groups, kinds, tuple(columns[g] for g in groups), width)
