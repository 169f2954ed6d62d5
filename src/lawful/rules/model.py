"""The six kinds of rule as frozen data.

A rule names columns, never positions, and knows nothing of a table: what it *means* on rows is the business of
the engines (and, for judging them, of ``tests/naive``). Two rules are equal when they state the same thing in the
same form; the figures gathered about a rule ride along and take no part in equality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias, cast

Direction: TypeAlias = Literal["same", "opposite"]
Sort: TypeAlias = Literal["asc", "desc"]
Form: TypeAlias = Literal["->", "<->", "~"]
Row: TypeAlias = Literal["t", "u"]
Operator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]
Measure: TypeAlias = Literal["removal", "pairs"]

KINDS: tuple[str, ...] = ("fd", "key", "oc", "lod", "pod", "dc")
"""Every kind of rule, in the order of the rule file."""

OPERATORS: tuple[Operator, ...] = ("=", "!=", "<", "<=", ">", ">=")
"""Every operator, in canonical order."""

MIRROR: dict[Operator, Operator] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""The operator seen from the other row: ``a op b`` is ``b MIRROR[op] a``."""

NEGATION: dict[Operator, Operator] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}

OUTCOMES: dict[Operator, frozenset[str]] = {
    "=": frozenset("="),
    "!=": frozenset("<>"),
    "<": frozenset("<"),
    "<=": frozenset("<="),
    ">": frozenset(">"),
    ">=": frozenset(">="),
}
"""The outcomes of comparing two values that satisfy an operator: ``a`` implies ``b`` when its set is contained."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured about a rule; ``None`` where it was not gathered, never a guess."""

    error: float | None = None
    measure: Measure | None = None
    coverage: float | None = None
    interest: float | None = None
    surprise: float | None = None


class Stated:
    """What every rule offers beside its fields; the work is done by the neighbours of this module."""

    def __str__(self) -> str:
        from lawful.rules.text import format_rule

        return format_rule(cast("Rule", self))

    @cached_property
    def id(self) -> str:
        """Twelve hex digits: the same for every way to write this rule, whatever the order of the table's columns."""
        from lawful.rules.lines import identity

        return identity(cast("Rule", self))

    def to_dict(self) -> dict[str, Any]:
        """The fields of this rule's line in the rule file, in the order the line prints them."""
        from lawful.rules.lines import line

        return line(cast("Rule", self))


@dataclass(frozen=True)
class Fd(Stated):
    """``lhs -> rhs``: rows equal on all of ``lhs`` are equal on ``rhs``."""

    lhs: tuple[str, ...]
    rhs: str
    figures: Figures = field(default=Figures(), compare=False, repr=False)
    kind: ClassVar[str] = "fd"

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.lhs, self.rhs)


@dataclass(frozen=True)
class Key(Stated):
    """``key(columns)``: no two rows are equal on all of ``columns``."""

    columns: tuple[str, ...]
    figures: Figures = field(default=Figures(), compare=False, repr=False)
    kind: ClassVar[str] = "key"


@dataclass(frozen=True)
class Oc(Stated):
    """``{context}: left ~ right``: among rows equal on ``context`` the two columns never run against each other."""

    context: tuple[str, ...]
    left: str
    right: str
    direction: Direction = "same"
    figures: Figures = field(default=Figures(), compare=False, repr=False)
    kind: ClassVar[str] = "oc"

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.context, self.left, self.right)


@dataclass(frozen=True)
class Lod(Stated):
    """``[lhs] -> [rhs]``: a table sorted by the left list is sorted by the right one (``<->`` both, ``~`` some)."""

    lhs: tuple[tuple[str, Sort], ...]
    rhs: tuple[tuple[str, Sort], ...]
    form: Form = "->"
    figures: Figures = field(default=Figures(), compare=False, repr=False)
    kind: ClassVar[str] = "lod"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name, _ in (*self.lhs, *self.rhs)))


@dataclass(frozen=True)
class Pod(Stated):
    """``lhs => rhs``: an ordered pair of rows with all marks of ``lhs`` also has the mark ``rhs``."""

    lhs: tuple[tuple[str, Operator], ...]
    rhs: tuple[str, Operator]
    figures: Figures = field(default=Figures(), compare=False, repr=False)
    kind: ClassVar[str] = "pod"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for name, _ in (*self.lhs, self.rhs)))


@dataclass(frozen=True, slots=True)
class Operand:
    """A cell of one of the two rows, such as ``t.salary``."""

    row: Row
    column: str


@dataclass(frozen=True, slots=True)
class Predicate:
    """A comparison of two cells, such as ``t.salary < u.salary``."""

    left: Operand
    op: Operator
    right: Operand

    def __iter__(self) -> Iterator[Operand | Operator]:
        return iter((self.left, self.op, self.right))


@dataclass(frozen=True)
class Dc(Stated):
    """``not(p and q …)``: no ordered pair of distinct rows satisfies all predicates."""

    predicates: tuple[Predicate, ...]
    figures: Figures = field(default=Figures(), compare=False, repr=False)
    kind: ClassVar[str] = "dc"

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(o.column for p in self.predicates for o in (p.left, p.right)))


Rule: TypeAlias = Fd | Key | Oc | Lod | Pod | Dc
