"""Random-looking numbers and words that are pure functions of a seed, a label and a place.

No generator state is carried along, so that a table is the same however it is cut into chunks, on every version of
NumPy, and a shorter table is the head of a longer one.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Whole: TypeAlias = NDArray[np.int64]
Real: TypeAlias = NDArray[np.float64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)


def listed(text: str) -> tuple[str, ...]:
    """The words of a text; fifty states stay readable on two lines."""
    return tuple(text.split())


STARTS = listed("b br c ch d dr f fr g gr h j k l m n p pr r s sh st t tr v w")
VOWELS = listed("a e i o u ai ea ie oa")
ENDS = listed("d l ld m n nd r rd s t rt ck")


def _mixed(state: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finisher of splitmix64: every input bit reaches every output bit."""
    state = (state ^ (state >> np.uint64(30))) * _FIRST
    state = (state ^ (state >> np.uint64(27))) * _SECOND
    return state ^ (state >> np.uint64(31))


@dataclass(frozen=True)
class Draws:
    """Draws under one seed; ``at`` is any array of whole numbers ≥ 0, ``label`` names what is drawn."""

    seed: int = 0

    def bits(self, label: str, at: NDArray[Any]) -> NDArray[np.uint64]:
        """64 bits for each place: uint64, the shape of ``at``."""
        name = np.full(1, (self.seed << 32 | zlib.crc32(label.encode())) % 2**64, dtype=np.uint64)
        return _mixed(at.astype(np.uint64) * _STEP + _mixed(name))

    def whole(self, label: str, at: NDArray[Any], below: int) -> Whole:
        """Whole numbers from 0 to ``below`` - 1, evenly."""
        return ((self.bits(label, at) >> np.uint64(11)) % np.uint64(below)).astype(np.int64)

    def unit(self, label: str, at: NDArray[Any]) -> Real:
        """Numbers from 0 up to, not including, 1, evenly."""
        return (self.bits(label, at) >> np.uint64(11)).astype(np.float64) / 2.0**53

    def bell(self, label: str, at: NDArray[Any]) -> Real:
        """Bell-shaped numbers around 0 with deviation 1, never beyond ±3.47: four even ones added."""
        parts = [self.unit(f"{label} {part}", at) for part in range(4)]
        deviation: Real = (parts[0] + parts[1] + parts[2] + parts[3] - 2.0) * 3.0**0.5
        return deviation

    def words(self, label: str, count: int, endings: tuple[str, ...] = ("",)) -> list[str]:
        """``count`` distinct capitalised words of one to three syllables, some with one of ``endings``."""
        found: dict[str, None] = {}
        for word in self._word_stream(label, endings):
            found.setdefault(word)
            if len(found) == count:
                break
        return list(found)

    def _word_stream(self, label: str, endings: tuple[str, ...]) -> Iterator[str]:
        block = 0
        while True:
            at = np.arange(block * 256, block * 256 + 256)
            for bits in self.bits(label, at).tolist():
                yield _word(bits, endings)
            block += 1


def _word(bits: int, endings: tuple[str, ...]) -> str:
    text = ""
    bits, extra = divmod(bits, 2)
    for _ in range(1 + extra):
        bits, start = divmod(bits, len(STARTS))
        bits, vowel = divmod(bits, len(VOWELS))
        text += STARTS[start] + VOWELS[vowel]
    bits, end = divmod(bits, len(ENDS))
    return (text + ENDS[end]).capitalize() + endings[bits % len(endings)]
