"""The fds of a list as sets of columns, in the order in which a designer would look at them, and their closure."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lawful.rules.contexts import bits, union
from lawful.rules.model import Fd, Key, Rule

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet


class Dependency(NamedTuple):
    """``given`` determines ``column``, by ``rule``; ``given`` is a set of columns as bits."""

    given: int
    column: int
    rule: Fd

    @property
    def columns(self) -> int:
        return self.given | 1 << self.column


@dataclass(frozen=True)
class Dependencies:
    """Fds without exceptions, the most interesting first (of equal interest, those of fewer columns)."""

    names: tuple[str, ...]
    listed: tuple[Dependency, ...]
    keys: tuple[int, ...]
    """Sets of columns that no two rows share, by the list's rules of kind key."""

    @cached_property
    def everything(self) -> int:
        return (1 << len(self.names)) - 1

    @cached_property
    def _asking(self) -> tuple[tuple[int, ...], dict[int, list[int]], list[int]]:
        """How many columns each fd asks for, the fds that ask for a column, and those that ask for none."""
        asking: dict[int, list[int]] = {}
        for number, fd in enumerate(self.listed):
            for place in bits(fd.given):
                asking.setdefault(place, []).append(number)
        counts = tuple(fd.given.bit_count() for fd in self.listed)
        return counts, asking, [number for number, count in enumerate(counts) if not count]

    @cached_property
    def _known(self) -> dict[int, int]:
        return {}

    def closure(self, given: int) -> int:
        """All that the columns determine, by the fds and keys; linear in the fds, remembered."""
        found = self._known.get(given)
        if found is None:
            superkey = any(not key & ~given for key in self.keys)
            found = self._known[given] = self.everything if superkey else self.closure_without(given, ())
        return found

    def closure_without(self, given: int, left_out: Container[int]) -> int:
        """All that the columns determine by the fds less some, as numbers (C. Beeri, P. Bernstein, 1979)."""
        counts, asking, free = self._asking
        open_columns, known = list(counts), given
        todo = [*bits(given)]
        met = [number for number in free if number not in left_out]
        while todo or met:
            for number in met:
                column = self.listed[number].column
                if not known >> column & 1:
                    known |= 1 << column
                    todo.append(column)
            met = []
            for number in asking.get(todo.pop(), ()) if todo else ():
                open_columns[number] -= 1
                if not open_columns[number] and number not in left_out:
                    met.append(number)
        return known

    def named(self, columns: int) -> tuple[str, ...]:
        """The names of a set of columns, in table order."""
        return tuple(self.names[place] for place in bits(columns))


def dependencies(rules: RuleSet, *, min_coverage: float = 0.0) -> Dependencies:
    """The fds and keys of the list that hold without exceptions; fds of less coverage are passed over."""
    from lawful.rules.logic import is_exact

    at = {name: place for place, name in enumerate(rules.names)}
    ranked = sorted((rule for rule in rules if is_exact(rule, rules)), key=_rank)
    fds = (rule for rule in ranked if isinstance(rule, Fd) and (rule.figures.coverage or 0.0) >= min_coverage)
    listed = tuple(Dependency(union(at[name] for name in rule.lhs), at[rule.rhs], rule) for rule in fds)
    told = rules.options.get("nulls") != "unknown"  # else rows with nulls in a key may be equal on it
    keys = tuple(union(at[n] for n in rule.columns) for rule in ranked if isinstance(rule, Key)) if told else ()
    return Dependencies(rules.names, listed, keys)


def _rank(rule: Rule) -> tuple[float, int]:
    return -(rule.figures.interest or 0.0), len(rule.columns)
