"""Sorts that serve others, joins that a range makes needless, and layouts in which many columns ascend at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lawful.rules.logic import ordered
from lawful.rules.model import Form, Lod, Rule, Sort
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
    """The columns that may be sorted by and are not constant, and how pairs of them relate; linear in the rules."""

    def __init__(self, rules: RuleSet) -> None:
        self.names, self.premises = rules.names, rules._judge.exact
        varied = (place for place in range(len(rules.names)) if self.premises.constant(0, place) is None)
        self.places = [place for place in varied if ordered(rules, rules.names[place])]
        self.unique = {place for place in self.places if self.premises.keys.within(1 << place) is not None}
        self._within = frozenset(self.places)
        self._runs = self._neighbours()

    def _neighbours(self) -> dict[int, dict[int, set[bool]]]:
        """For each column those that run along it in the whole table, and whether in the same direction."""
        found: dict[int, dict[int, set[bool]]] = {place: {} for place in self.places}
        for (left, right, same), contexts in self.premises.ocs.items():
            if 0 in contexts and {left, right} <= self._within:
                found[left].setdefault(right, set()).add(same)
                found[right].setdefault(left, set()).add(same)
        return found

    def served(self) -> Iterator[Served]:
        """``[a] -> [b]``, and ``[a] <-> [b]`` once, for all pairs of columns of which it holds."""
        for a in self.places:
            for b in sorted(self._runs[a]):
                both = self.determines(b, a)
                if self.determines(a, b) and not (both and b < a):
                    yield from self._along(a, b, "<->" if both else "->")

    def _along(self, a: int, b: int, form: Form) -> Iterator[Served]:
        for same in sorted(self._runs[a][b], reverse=True):
            sort: Sort = "asc" if same else "desc"
            steps = [*(self.premises.constant(1 << a, b) or ()), *(self.premises.along(0, a, b, same) or ())]
            steps += (self.premises.constant(1 << b, a) or ()) if form == "<->" else ()
            rule = Lod(((self.names[a], "asc"),), ((self.names[b], sort),), form)
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
        for place in sorted(self._runs[start]):
            for sort in SORTS:
                if all((side.sort == sort) in self._runs[side.place].get(place, ()) for side in sides):
                    sides.append(_Side(place, sort))
                    break
        return sides

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
