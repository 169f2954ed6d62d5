"""Rules between lists of columns, enumerated from a list of fds and ocs.

Sorted by the left list X is sorted by the right list Y when every column of Y is determined by X and no column of X
runs against one of Y in the context of the columns before them. The second condition only gets harder to meet as
the lists grow: a pair of columns that runs against each other ends the search in every pair of longer lists. The
first gets easier as X grows: a column of Y that X does not determine yet may still be determined by a longer X.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lawful.errors import OptionError
from lawful.rules.canonical import in_file_order
from lawful.rules.contexts import bits, union
from lawful.rules.logic import ordered
from lawful.rules.model import Figures, Lod, Sort

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

_REMEMBERED = 1 << 17  # answers kept of each kind: some tens of megabytes


class By(NamedTuple):
    """A column to sort by, as its place in the table."""

    place: int
    descending: bool = False


Order: TypeAlias = tuple[By, ...]


def list_form(rules: RuleSet, *, max_size: int | None = None, limit: int | None = None) -> tuple[Lod, ...]:
    """The minimal rules ``[X] -> [Y]`` of at most ``max_size`` columns, in the order of the rule file.

    Both lists have a column at least and none in common; no column of a list is determined by those before it in
    the same list; no proper prefix of X orders Y; and the first column of X is ascending, the rule with all directions
    reversed being the same. Exact when the rules have every fd and oc of at most ``max_size`` columns; of other lists
    of rules, what they prove, minimal as far as they tell. ``limit`` ends the search after so many rules, which
    may number m!·2^m for m columns.
    """
    if limit is not None and limit < 0:
        raise OptionError(f"limit takes a number of rules, not {limit}.", hint="Give 0 or more.")
    found = islice(list_rules(rules, max_size=max_size), limit)
    return tuple(rule for rule in in_file_order(found, rules.names) if isinstance(rule, Lod))


def list_rules(rules: RuleSet, *, max_size: int | None = None) -> Iterator[Lod]:
    """The rules of ``list_form`` one by one, as the search meets them: by the left list, in table order."""
    if max_size is not None and max_size < 0:
        raise OptionError(f"max_size takes a number of columns, not {max_size}.", hint="Give 0 or more.")
    for kind in ("fd", "oc"):
        if kind not in rules.kinds:
            hint = 'Discover kinds=["od"], which has both.'
            raise OptionError(f"Rules between lists follow from fd and oc; these rules have no {kind}.", hint=hint)
    most = len(rules.names) if max_size is None else max_size
    return _named(rules, _Search(rules, most).found())


def _named(rules: RuleSet, found: Iterator[tuple[Order, Order]]) -> Iterator[Lod]:
    exact = all(rule.figures.error == 0 for rule in rules if rule.kind in ("fd", "oc"))
    figures = Figures(error=0.0, measure="pairs") if exact else Figures()

    def orders(by: Order) -> tuple[tuple[str, Sort], ...]:
        return tuple((rules.names[place], "desc" if descending else "asc") for place, descending in by)

    for left, right in found:
        yield Lod(orders(left), orders(right), "->", figures)


class _Search:
    """Left lists from short to long, and for each the right lists from short to long."""

    def __init__(self, rules: RuleSet, most: int) -> None:
        self.premises = rules._judge.exact
        self.most = most
        self.sortable = [place for place, name in enumerate(rules.names) if ordered(rules, name)]
        self.along = lru_cache(_REMEMBERED)(self._along)
        self.determined = lru_cache(_REMEMBERED)(self._determined)
        self.in_reach = lru_cache(_REMEMBERED)(self._in_reach)

    def found(self) -> Iterator[tuple[Order, Order]]:
        """Pairs of lists, the left one of them growing last."""
        both = [By(place, descending) for place in self.sortable for descending in (False, True)]
        return self._from((), [by for by in both if not self.determined(0) >> by.place & 1])

    def _from(self, left: Order, heads: list[By]) -> Iterator[tuple[Order, Order]]:
        """``heads`` are the columns with which a right list may begin: none of them runs against the left list."""
        if left:
            yield from ((left, right) for right in self._rights(left, ()))
        if len(left) + 2 > self.most:
            return
        for by in self._next_left(left):
            longer = (*left, by)
            still = [head for head in heads if self._may_begin(longer, head)]
            if still:
                yield from self._from(longer, still)

    def _next_left(self, left: Order) -> Iterator[By]:
        known = self.determined(_columns(left))
        for place in self.sortable:
            if not known >> place & 1:
                yield By(place)
                if left:
                    yield By(place, True)

    def _may_begin(self, left: Order, head: By) -> bool:
        given = _columns(left)
        apart = not given >> head.place & 1
        return apart and self._runs(left[-1], head, _columns(left[:-1])) and self.in_reach(given, head.place)

    def _rights(self, left: Order, right: Order) -> Iterator[Order]:
        """The right lists that begin with ``right``, are ordered by ``left`` and by no proper prefix of it."""
        if len(left) + len(right) >= self.most:
            return
        shorter = self.determined(_columns(left[:-1]))
        for by in self._next_right(left, right):
            longer = (*right, by)
            if _columns(longer) & ~shorter:  # else the shorter left list orders it: it cannot run against it either
                yield longer
            yield from self._rights(left, longer)

    def _next_right(self, left: Order, right: Order) -> Iterator[By]:
        given, before = _columns(left), _columns(right)
        open_columns = self.determined(given) & ~given & ~self.determined(before)
        for place in bits(open_columns):
            for by in (By(place), By(place, True)):
                prefixes = (_columns(left[:size]) for size in range(len(left)))
                if all(self._runs(a, by, prefix | before) for a, prefix in zip(left, prefixes, strict=True)):
                    yield by

    def _runs(self, a: By, b: By, given: int) -> bool:
        return self.along(given, min(a.place, b.place), max(a.place, b.place), a.descending == b.descending)

    def _along(self, given: int, left: int, right: int, same: bool) -> bool:
        return self.premises.along(given, left, right, same) is not None

    def _determined(self, given: int) -> int:
        """All columns that are constant among rows equal on ``given``, these included."""
        columns = self.premises.at.values()
        return union(place for place in columns if self.premises.constant(given, place) is not None)

    def _in_reach(self, given: int, column: int) -> bool:
        """Whether a left list that has the columns given, and room for a right one, can determine the column."""
        contexts = (*self.premises.fds.get(column, ()), *self.premises.keys)
        return any((given | context).bit_count() < self.most for context in contexts)


def _columns(orders: Order) -> int:
    return union(place for place, _ in orders)
