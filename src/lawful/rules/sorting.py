"""Sorts that serve others, joins that a range makes needless, and layouts in which many columns ascend at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lawful.rules.logic import ordered
from lawful.rules.model import Lod, Rule, Sort
from lawful.rules.text import quoted

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

SORTS: tuple[Sort, Sort] = ("asc", "desc")
_LAYOUTS = 5


@dataclass(frozen=True)
class Served:
    """``rule`` is a list rule of one column to each side, and ``proof`` the rules that give it."""

    rule: Lod
    proof: tuple[Rule, ...]


@dataclass(frozen=True)
class Layout:
    """Rows sorted by ``by`` are sorted by each column of ``also``, too, in the direction given there."""

    by: tuple[tuple[str, Sort], ...]
    also: tuple[tuple[str, Sort], ...]

    def __str__(self) -> str:
        return f"sorted by {_listed(self.by)}: so is each of {_listed(self.also)}"


class _Side(NamedTuple):
    place: int
    sort: Sort


class Orders:
    """The columns that may be sorted by and are not constant, and how they relate; one question for each pair."""

    def __init__(self, rules: RuleSet) -> None:
        self.names, self.premises = rules.names, rules._judge.exact
        varied = (place for place in range(len(rules.names)) if self.premises.constant(0, place) is None)
        self.places = [place for place in varied if ordered(rules, rules.names[place])]
        self.unique = {place for place in self.places if self.premises.keys.within(1 << place) is not None}

    def served(self) -> Iterator[Served]:
        """``[a] -> [b]``, and ``[a] <-> [b]`` once, for all pairs of columns of which it holds."""
        for a in self.places:
            for b in self.places:
                both = self.determines(b, a)
                if a != b and self.determines(a, b) and not (both and b < a):
                    yield from self._along(a, b, "<->" if both else "->")

    def _along(self, a: int, b: int, form: str) -> Iterator[Served]:
        for same in (True, False):
            proof = self.premises.along(0, a, b, same)
            if proof is not None:
                rule = Lod(((self.names[a], "asc"),), ((self.names[b], "asc" if same else "desc"),), form)  # type: ignore[arg-type]
                steps = [*(self.premises.constant(1 << a, b) or ()), *proof]
                steps += (self.premises.constant(1 << b, a) or ()) if form == "<->" else ()
                yield Served(rule, tuple(dict.fromkeys(steps)))

    def layouts(self) -> list[Layout]:
        """The largest sets of columns that run along each other, grown from each column in turn; those of most columns.

        Columns that run along each other pair by pair are all sorted at once: where the first ones are equal the next
        one decides, and never against any other.
        """
        found: dict[frozenset[int], list[_Side]] = {}
        for start in self.places:
            grown = self._grown(start)
            found.setdefault(frozenset(side.place for side in grown), grown)
        largest = sorted((sides for sides in found.values() if len(sides) > 1), key=len, reverse=True)
        return [self._layout(sides) for sides in largest[:_LAYOUTS]]

    def _grown(self, start: int) -> list[_Side]:
        sides = [_Side(start, "asc")]
        for place in self.places:
            for sort in SORTS:
                if place != start and all(self._runs(side, place, sort) for side in sides):
                    sides.append(_Side(place, sort))
                    break
        return sides

    def _runs(self, side: _Side, place: int, sort: str) -> bool:
        low, high = sorted((side.place, place))
        return self.premises.along(0, low, high, side.sort == sort) is not None

    def _layout(self, sides: Sequence[_Side]) -> Layout:
        """Columns that determine most of the others come first; what those before determine need not be said."""
        finest = sorted(sides, key=lambda a: -sum(self.determines(a.place, b.place) for b in sides))
        by: list[_Side] = []
        given = 0
        for side in finest:
            if self.premises.constant(given, side.place) is None:
                by.append(side)
                given |= 1 << side.place
        flip = by[0].sort == "desc"
        rest = [side for side in sides if side not in by]
        return Layout(self._named(by, flip), self._named(rest or by[1:], flip))

    def determines(self, a: int, b: int) -> bool:
        """Whether rows equal on a are equal on b."""
        return self.premises.constant(1 << a, b) is not None

    def _named(self, sides: Sequence[_Side], flip: bool) -> tuple[tuple[str, Sort], ...]:
        return tuple((self.names[place], _turned(sort) if flip else sort) for place, sort in sides)


def _turned(sort: Sort) -> Sort:
    return "asc" if sort == "desc" else "desc"


def _listed(order: Sequence[tuple[str, Sort]]) -> str:
    return ", ".join(quoted(name) + (" desc" if sort == "desc" else "") for name, sort in order)
