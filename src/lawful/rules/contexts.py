"""Sets of columns as the bits of an integer, of any width, and the search for a known set within a given one.

Bit ``i`` is the table's column ``i``. A rule that asks for few columns says as much of every larger set of columns, so
that all logic on fds, keys and ocs comes down to one question: which known set lies within this one?
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lawful.rules.model import Rule


def bits(columns: int) -> Iterator[int]:
    """The places in the set, ascending."""
    while columns:
        lowest = columns & -columns
        yield lowest.bit_length() - 1
        columns ^= lowest


def union(places: Iterable[int]) -> int:
    """The set of these places."""
    columns = 0
    for place in places:
        columns |= 1 << place
    return columns


class Contexts:
    """Rules by the set of columns that each asks for; a later rule that asks for the same set is left out."""

    def __init__(self) -> None:
        self._rules: dict[int, Rule] = {}
        self._named = 0

    def __iter__(self) -> Iterator[int]:
        return iter(self._rules)

    def add(self, columns: int, rule: Rule) -> None:
        """Takes in a rule that asks for ``columns``."""
        self._rules.setdefault(columns, rule)
        self._named |= columns

    def within(self, given: int) -> Rule | None:
        """The rule that asks for no column but those given; of several the one of fewest, then first, columns.

        Costs min(rules, 2^k), k being the columns given of those that any rule asks for.
        """
        asked = given & self._named
        if 1 << asked.bit_count() < len(self._rules):
            found = [part for part in _subsets(asked) if part in self._rules]
        else:
            found = [part for part in self._rules if not part & ~asked]
        if not found:
            return None
        fewest = min(map(int.bit_count, found))
        return self._rules[min((part for part in found if part.bit_count() == fewest), key=_places)]


def _subsets(columns: int) -> Iterator[int]:
    part = columns
    while part:
        yield part
        part = (part - 1) & columns
    yield 0


def _places(columns: int) -> list[int]:
    return list(bits(columns))
