"""What breaks a rule, as conjunctions of comparisons between the rank rows of two rows.

Every kind of rule says that no ordered pair (t, u) of different rows is of a certain shape. Here the shape is one
conjunction, or two that no pair satisfies both of. A rule between lists compares ranks of whole lists, which the job
makes of the ranks of their columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.ranks.encoded import Encoded
from lawful.rules.images import t_first
from lawful.rules.model import NEGATION, Dc, Fd, Key, Lod, Oc, Operator, Pod, Predicate, Rule

BITS: dict[str, int] = {"=": 2, "!=": 5, "<": 1, "<=": 3, ">": 4, ">=": 6}
"""The outcomes that an operator allows: 1 less, 2 equal, 4 greater."""

List: TypeAlias = tuple[tuple[int, bool], ...]
"""Columns to sort by, each with whether it descends."""

Cross: TypeAlias = Callable[[str, str], tuple[int, int]]
"""The rank rows in which two columns have a common order."""


@dataclass(frozen=True)
class Comparison:
    """Cell ``left`` of t against cell ``right`` of u, both places of rank rows, has an outcome among ``bits``.

    Where ``left_null`` (``right_null``) is set, rank 0 there is unknown, and satisfies nothing.
    """

    left: int
    right: int
    bits: int
    left_null: bool = False
    right_null: bool = False


@dataclass(frozen=True)
class Denial:
    """All of ``pairs`` hold between t and u, all of ``t_own`` within t, and all of ``u_own`` within u."""

    pairs: tuple[Comparison, ...]
    t_own: tuple[Comparison, ...] = ()
    u_own: tuple[Comparison, ...] = ()


@dataclass(frozen=True)
class Denials:
    """What breaks one rule: any of ``either``, of which a pair satisfies one at most. With ``lists`` the places are
    those of lists, in this order, instead of rank rows."""

    either: tuple[Denial, ...]
    lists: tuple[List, ...] = ()

    @property
    def symmetric(self) -> bool:
        """Whether a pair that breaks the rule does so both ways round."""
        return all(
            {_mirrored(c) for c in d.pairs} == set(d.pairs) and set(d.t_own) == set(d.u_own) for d in self.either
        )

    @property
    def single(self) -> bool:
        """Whether the rule speaks of one row alone, so that a row breaks it with any other or with none."""
        return all(not d.pairs and bool(d.t_own) != bool(d.u_own) for d in self.either)


def _mirrored(c: Comparison) -> Comparison:
    bits = c.bits & 2 | (c.bits & 1) << 2 | (c.bits & 4) >> 2
    return Comparison(c.right, c.left, bits, c.right_null, c.left_null)


def denials(rule: Rule, table: Encoded, cross: Cross) -> Denials:
    """The shapes that a rule forbids in a table, whose columns it has to name; errors where they cannot be compared."""
    refuse(rule, table)
    match rule:
        case Fd():
            return Denials((_own(table, _equal(rule.lhs), (rule.rhs, "!=")),))
        case Key():
            return Denials((_own(table, _equal(rule.columns)),))
        case Oc():
            against: Operator = ">" if rule.direction == "same" else "<"
            return Denials((_own(table, _equal(rule.context), (rule.left, "<"), (rule.right, against)),))
        case Pod():
            return Denials((_own(table, rule.lhs, (rule.rhs[0], NEGATION[rule.rhs[1]])),))
        case Dc():
            return Denials((_constraint(rule, table, cross),))
        case Lod():
            return _lists(rule, table)


def refuse(rule: Rule, table: Encoded) -> None:
    """An error where the table lacks a column of the rule, or has no order where the rule needs one."""
    for name in rule.columns:
        if name not in table.names:
            hint = did_you_mean(name, table.names)
            raise ColumnError(f"The rule {rule} names column {name!r}, which {table.name} lacks.", hint=hint)
    for name in _sorted(rule):
        column = table.column(name)
        if not column.ordered:
            message = f"The rule {rule} needs an order on column {name!r}, whose type {column.type.name} has none."
            raise ColumnError(message, hint="Compare it by = or != only.")
    if table.nulls == "unknown" and rule.kind not in ("fd", "key", "dc"):
        raise OptionError(
            f"nulls is 'unknown', which means nothing for {rule}.", hint="Use first or last for oc, lod and pod."
        )


def _sorted(rule: Rule) -> Iterable[str]:
    """The columns whose order the rule speaks of."""
    match rule:
        case Oc():
            return (rule.left, rule.right)
        case Lod():
            return rule.columns
        case Pod():
            return [name for name, op in (*rule.lhs, rule.rhs) if op != "="]
        case Dc():
            return [cell.column for p in rule.predicates if p.op not in ("=", "!=") for cell in (p.left, p.right)]
    return ()


def _equal(names: Iterable[str]) -> list[tuple[str, Operator]]:
    return [(name, "=") for name in names]


def _own(table: Encoded, marks: Sequence[tuple[str, Operator]], *more: tuple[str, Operator]) -> Denial:
    """Every mark compares a column of t with the same column of u."""
    found = []
    for name, op in (*marks, *more):
        place = table.place(name)
        found.append(Comparison(place, place, BITS[op], *2 * [unknown(table, name)]))
    return Denial(merged(found))


def unknown(table: Encoded, name: str) -> bool:
    """Whether nulls of a column are unknown; they have rank 0 then."""
    return table.nulls == "unknown" and table.column(name).null_rank is not None


def merged(found: Iterable[Comparison]) -> tuple[Comparison, ...]:
    """Comparisons of the same two cells as one."""
    bits: dict[tuple[int, int], Comparison] = {}
    for one in found:
        old = bits.get((one.left, one.right))
        kept = one.bits if old is None else one.bits & old.bits
        bits[one.left, one.right] = Comparison(one.left, one.right, kept, one.left_null, one.right_null)
    return tuple(bits.values())


def _constraint(rule: Dc, table: Encoded, cross: Cross) -> Denial:
    pairs: list[Comparison] = []
    own: dict[str, list[Comparison]] = {"t": [], "u": []}
    for predicate in map(t_first, rule.predicates):
        made = _compared(predicate, table, cross)
        row = predicate.left.row
        (pairs if row != predicate.right.row else own[row]).append(made)
    return Denial(merged(pairs), merged(own["t"]), merged(own["u"]))


def _compared(predicate: Predicate, table: Encoded, cross: Cross) -> Comparison:
    left, right = predicate.left.column, predicate.right.column
    places = (table.place(left),) * 2 if left == right else cross(left, right)
    return Comparison(*places, BITS[predicate.op], unknown(table, left), unknown(table, right))


def _lists(rule: Lod, table: Encoded) -> Denials:
    """Sorted by one list yet not by the other: not after along the first, and after along the second."""
    left, right = (tuple((table.place(c), sort == "desc") for c, sort in side) for side in (rule.lhs, rule.rhs))
    if rule.form == "~":
        left, right = left + right, right + left
    there = Denial((Comparison(0, 0, BITS["<="]), Comparison(1, 1, BITS[">"])))
    back = Denial((Comparison(1, 1, BITS["<="]), Comparison(0, 0, BITS[">"])))
    return Denials((there,) if rule.form == "->" else (there, back), (left, right))
