"""The fds of a list as sets of columns, in the order in which a designer would look at them, and their closure."""

from __future__ import annotations

from collections.abc import Iterable
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

    def closure(self, given: int, within: Iterable[Dependency] | None = None) -> int:
        """All that the columns determine; a pass over the fds for each step of implication, mostly one."""
        if any(not key & ~given for key in self.keys):
            return self.everything
        known, pending = given, list(self.listed if within is None else within)
        while True:
            open_fds = [fd for fd in pending if not known >> fd.column & 1]
            met = union(fd.column for fd in open_fds if not fd.given & ~known)
            if not met:
                return known
            known, pending = known | met, open_fds

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
