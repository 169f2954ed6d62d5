"""What a list of rules lets one conclude at once: fds, keys and ocs, indexed by what they say.

Whether a question about a context holds needs no search through implications: when the minimal fds and ocs are all
there, one of them asks for part of the context, or nothing does (``lawful.rules.logic`` tells why).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from lawful.rules.canonical import Places
from lawful.rules.contexts import Contexts, union
from lawful.rules.model import Fd, Key, Lod, Oc, Rule

Proof: TypeAlias = tuple[Rule, ...]
"""Rules that together entail a statement; none where it holds in every table."""


class Claim(NamedTuple):
    """Among rows equal on ``given``: ``targets`` is one column that is constant (``fd``), two that run along each
    other (``oc``), or none because there are no two such rows (``key``)."""

    kind: Literal["fd", "oc", "key"]
    given: int
    targets: tuple[int, ...] = ()
    same: bool = True

    @property
    def size(self) -> int:
        """How many distinct columns the claim names."""
        return (self.given | union(self.targets)).bit_count()


def claim(rule: Fd | Key | Oc, at: Places) -> Claim:
    """The rule as a claim. That a column runs against itself means that it is constant, an fd."""
    match rule:
        case Fd():
            return Claim("fd", columns_of(rule.lhs, at), (at[rule.rhs],))
        case Key():
            return Claim("key", columns_of(rule.columns, at))
        case Oc():
            given, same = columns_of(rule.context, at), rule.direction == "same"
            if rule.left == rule.right and not same:
                return Claim("fd", given, (at[rule.left],))
            return Claim("oc", given, (at[rule.left], at[rule.right]), same)


def columns_of(names: Iterable[str], at: Places) -> int:
    """The set of the columns named."""
    return union(at[name] for name in names)


class Premises:
    """Rules that are taken to hold; ``keys_decide`` says whether a key also settles fds and ocs.

    Building costs a few microseconds a rule, asking as much as ``Contexts.within``.
    """

    def __init__(self, rules: Iterable[Rule], at: Places, *, keys_decide: bool = True) -> None:
        self.at, self.keys_decide = at, keys_decide
        self.lists: dict[Lod, Lod] = {}
        self.keys = Contexts()
        self.fds: defaultdict[int, Contexts] = defaultdict(Contexts)
        self.ocs: defaultdict[tuple[int, int, bool], Contexts] = defaultdict(Contexts)
        for rule in rules:
            self._add(rule)

    def _add(self, rule: Rule) -> None:
        match rule:
            case Lod():
                self.lists[rule] = rule
            case Fd() | Key() | Oc():
                said = claim(rule, self.at)
                self._contexts(said).add(said.given, rule)

    def _contexts(self, said: Claim) -> Contexts:
        if said.kind == "key":
            return self.keys
        if said.kind == "fd":
            return self.fds[said.targets[0]]
        left, right = sorted(said.targets)
        return self.ocs[left, right, said.same]

    def prove(self, said: Claim) -> Proof | None:
        """Rules of which one step gives the claim, or None where there are none."""
        match said.kind:
            case "fd":
                return self.constant(said.given, said.targets[0])
            case "oc":
                left, right = said.targets
                return self.along(said.given, left, right, said.same)
            case "key":
                return _proof(self.keys.within(said.given))

    def constant(self, given: int, column: int) -> Proof | None:
        """Why rows equal on ``given`` are equal on ``column``."""
        if given >> column & 1:
            return ()
        return _proof(self.fds.get(column, _NONE).within(given) or self._no_rows(given))

    def along(self, given: int, left: int, right: int, same: bool) -> Proof | None:
        """Why, among rows equal on ``given``, the two columns run in the same direction (or in opposite ones)."""
        if (given >> left | given >> right) & 1 or (left == right and same):
            return ()
        constant = self.constant(given, left) or self.constant(given, right)
        if constant is not None:
            return constant
        return _proof(self.ocs.get((min(left, right), max(left, right), same), _NONE).within(given))

    def _no_rows(self, given: int) -> Rule | None:
        return self.keys.within(given) if self.keys_decide else None


_NONE = Contexts()


def _proof(rule: Rule | None) -> Proof | None:
    return None if rule is None else (rule,)
