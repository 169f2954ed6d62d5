"""Shorter clauses that mean the same: what an ORDER BY or a GROUP BY can do without.

Two lists of columns sort a table alike when each orders the other. Every beginning of a list that X orders is ordered
by X as well, so the lists that may take the place of X grow column by column, and whatever X does not order ends there.
Two sets of columns group a table alike when each determines the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from lawful.errors import ColumnError, OptionError, RuleSyntaxError, did_you_mean
from lawful.rules.model import Fd, Lod, Rule, Sort
from lawful.rules.reader import Reader
from lawful.rules.text import quoted

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

Order: TypeAlias = tuple[tuple[str, Sort], ...]
Wanted: TypeAlias = "str | Iterable[str | tuple[str, Sort]]"

_QUESTIONS = 5_000
"""Questions to the rules after which a search ends with what it has: a second or so."""


@dataclass(frozen=True)
class Clauses:
    """Clauses of fewest columns that mean what was asked; None for a clause that was not given.

    ``rules`` prove it. ``one_sort``: rows sorted so are grouped already. ``shortest`` is False where the search ended
    early, so that a shorter clause may exist; where the list of rules misses some, it is the shortest that they prove.
    """

    order_by: Order | None = None
    group_by: tuple[str, ...] | None = None
    rules: tuple[Rule, ...] = ()
    one_sort: bool = False
    shortest: bool = True

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """The clauses, then what there is to say of them, as comments of SQL."""
        if self.group_by is not None:
            yield f"GROUP BY {', '.join(map(quoted, self.group_by)) or '() -- all rows are one group'}"
        if self.order_by is not None:
            yield f"ORDER BY {_listed(self.order_by)}" if self.order_by else "no ORDER BY: any order of rows will do"
        if self.one_sort:
            yield "-- rows sorted so stand in their groups already"
        if not self.shortest:
            yield "-- the search ended early: a shorter clause may exist"
        yield from (f"-- by {rule}" for rule in self.rules)

    def to_dict(self) -> dict[str, object]:
        """Plain data; a column of the order is its name and asc or desc."""
        order = None if self.order_by is None else [list(by) for by in self.order_by]
        group = None if self.group_by is None else list(self.group_by)
        proof = [str(rule) for rule in self.rules]
        found = {"order_by": order, "group_by": group, "rules": proof}
        return found | {"one_sort": self.one_sort, "shortest": self.shortest}


def simplify(rules: RuleSet, *, order_by: Wanted | None = None, group_by: Wanted | None = None) -> Clauses:
    """The shortest clauses equivalent to those given, the columns given preferred to others of the table."""
    if order_by is None and group_by is None:
        raise OptionError("There is no clause to simplify.", hint="Give order_by, group_by or both.")
    asking = _Asking(rules)
    order = None if order_by is None else _shortest_order(asking, _order(rules, order_by))
    group = None if group_by is None else _shortest_group(asking, _group(rules, group_by))
    one_sort = bool(order is not None and group and _grouped(asking, order, group))
    return Clauses(order, group, tuple(asking.proof), one_sort, asking.left > 0)


class _Asking:
    """Asks the rules, counts the questions, and keeps the rules that prove what was decided on."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.left = rules, _QUESTIONS
        self.proof: dict[Rule, None] = {}

    def true(self, said: Rule) -> bool:
        self.left -= 1
        return bool(self.rules.holds(said))

    def determines(self, given: Sequence[str], column: str) -> bool:
        return column in given or self.true(Fd(tuple(given), column))

    def keep(self, *said: Rule) -> None:
        for statement in said:
            self.proof.update(dict.fromkeys(self.rules.holds(statement).rules))


def _shortest_order(asking: _Asking, given: Order) -> Order:
    """Level by level, the lists that ``given`` orders; the first level with one that orders ``given`` ends it."""
    best = _without_idle(asking, given)
    columns = _candidates(asking.rules, given)
    level: list[Order] = [()]
    for _ in range(len(best)):
        met = [by for by in level if asking.true(Lod(by, given, "->"))]
        if met:
            best = min(met, key=lambda by: _foreign(by, given))
            break
        level = [(*by, next) for by in level for next in columns if _extends(asking, given, by, next)]
        if asking.left <= 0:
            break
    asking.keep(Lod(given, best, "<->"))
    return best


def _without_idle(asking: _Asking, given: Order) -> Order:
    """The list less each column, from the last, without which the rest still orders it."""
    kept = given
    for by in reversed(given):
        shorter = tuple(other for other in kept if other != by)
        if asking.true(Lod(shorter, kept, "->")):
            kept = shorter
    return kept


def _candidates(rules: RuleSet, given: Order) -> list[tuple[str, Sort]]:
    """Columns to sort by: those given first, as they were given."""
    from lawful.rules.logic import ordered

    sorts: tuple[Sort, Sort] = ("asc", "desc")
    every = ((name, sort) for name in rules.names if ordered(rules, name) for sort in sorts)
    return list(dict.fromkeys((*given, *every)))


def _extends(asking: _Asking, given: Order, by: Order, next: tuple[str, Sort]) -> bool:
    if asking.left <= 0 or asking.determines([name for name, _ in by], next[0]):
        return False
    return asking.true(Lod(given, (*by, next), "->"))


def _foreign(by: Order, given: Order) -> int:
    """How many columns are not among those given."""
    return sum(column not in given for column in by)


def _shortest_group(asking: _Asking, given: tuple[str, ...]) -> tuple[str, ...]:
    """Sets of growing size of the columns that ``given`` determines; the first one that determines ``given``."""
    best = given
    for name in reversed(given):
        rest = tuple(other for other in best if other != name)
        if asking.determines(rest, name):
            best = rest
    others = [name for name in asking.rules.names if name not in given and asking.determines(given, name)]
    for size in range(len(best)):
        found = _group_of_size(asking, given, (*given, *others), size)
        if found is not None:
            best = found
            break
    asking.keep(*(Fd(best, name) for name in given), *(Fd(given, name) for name in best))
    return best


def _group_of_size(
    asking: _Asking, given: tuple[str, ...], columns: tuple[str, ...], size: int
) -> tuple[str, ...] | None:
    for chosen in combinations(columns, size):
        if asking.left <= 0:
            return None
        if all(asking.determines(chosen, name) for name in given):
            return chosen
    return None


def _grouped(asking: _Asking, order: Order, group: tuple[str, ...]) -> bool:
    """Whether some beginning of the order has the very groups."""
    names = [name for name, _ in order]
    for size in range(1, len(names) + 1):
        first = names[:size]
        if all(asking.determines(group, name) for name in first) and all(
            asking.determines(first, name) for name in group
        ):
            return True
    return False


def _listed(order: Order) -> str:
    return ", ".join(quoted(name) + (" desc" if sort == "desc" else "") for name, sort in order)


def _order(rules: RuleSet, wanted: Wanted) -> Order:
    items = _read("order_by", wanted) if isinstance(wanted, str) else [_item(rules, item) for item in wanted]
    return tuple(_known(rules, dict(reversed(items)), items))


def _known(rules: RuleSet, first: dict[str, Sort], items: Sequence[tuple[str, Sort]]) -> Iterator[tuple[str, Sort]]:
    """Each column once, as it first stands: rows that are equal on it are not sorted by it again."""
    for name in dict.fromkeys(name for name, _ in items):
        if name not in rules.names:
            raise ColumnError(f"The table has no column {name!r}.", hint=did_you_mean(name, rules.names))
        yield name, first[name]


def _group(rules: RuleSet, wanted: Wanted) -> tuple[str, ...]:
    if isinstance(wanted, str):
        items = _read("group_by", wanted)
    else:
        items = [(item if isinstance(item, str) else item[0], "asc") for item in wanted]
    return tuple(name for name, _ in _known(rules, dict(items), items))


def _item(rules: RuleSet, item: str | tuple[str, Sort]) -> tuple[str, Sort]:
    """A column's name, a name followed by asc or desc, or the two as a pair; a column's own name goes first."""
    if not isinstance(item, str):
        name, sort = item
        if sort not in ("asc", "desc"):
            raise OptionError(f"order_by sorts {name!r} by {sort!r}.", hint="Choose asc or desc.")
        return name, sort
    if item in rules.names:
        return item, "asc"
    words = _read("order_by", item)
    if len(words) != 1:
        raise OptionError(f"order_by has {item!r}, not one column.", hint='Write order_by=["year", "month desc"].')
    return words[0]


def _read(option: str, text: str) -> list[tuple[str, Sort]]:
    """``year, month desc``; nothing for an empty text."""
    try:
        reader = Reader(text)
        found = [] if reader.ended else list(reader.several(reader.order))
        if not reader.ended:
            reader.missing("','")
        return found
    except RuleSyntaxError as error:
        hint = "Write columns parted by commas: year, month desc; a name that is no plain word in backticks."
        raise OptionError(error.message.replace("This rule", option, 1), hint=hint) from error
