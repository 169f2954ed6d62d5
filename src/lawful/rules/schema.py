"""The shape of the rule file, as strict types: reading a line checks it and names the path of what is wrong.

Unknown fields are refused: a misspelt one would otherwise be lost in silence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeAlias, cast

import msgspec

from lawful.rules import model
from lawful.rules.model import Dc, Fd, Figures, Key, Lod, Oc, Operand, Pod, Predicate, Rule

VERSION = 1
"""The version of the shape, which the header carries as ``lawful``."""

Share: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1)]
Cell: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[tu]\.")]
LeftMark: TypeAlias = Literal["<", "<=", "=", ">=", ">"]
RightMark: TypeAlias = Literal["<", "<=", "="]


class Probe(msgspec.Struct):
    """Tells a header from a rule, and its version, before the rest is looked at."""

    lawful: int | None = None


class ColumnShape(msgspec.Struct, forbid_unknown_fields=True):
    """A column of the table, as the header lists it."""

    name: str
    type: str | None


class HeaderShape(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The first line."""

    lawful: Literal[1]
    source: str | None
    rows: Annotated[int, msgspec.Meta(ge=0)] | None
    columns: tuple[ColumnShape, ...]
    kinds: tuple[Literal["fd", "key", "oc", "lod", "pod", "dc"], ...]
    complete: bool
    incomplete: str | None = None
    complete_to: Annotated[int, msgspec.Meta(ge=0)] | None = None
    note: str | None = None
    engine: str | None = None
    warnings: tuple[str, ...] = ()
    options: dict[str, Any] = {}


class _Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    id: str | None = None
    error: Share | None = None
    measure: model.Measure | None = None
    coverage: Share | None = None
    interest: Share | None = None

    def figures(self) -> Figures:
        return Figures(self.error, self.measure, self.coverage, self.interest, getattr(self, "surprise", None))


class FdLine(_Line, tag="fd"):
    """A line of kind ``fd``."""

    lhs: tuple[str, ...]
    rhs: str

    def rule(self) -> Rule:
        return Fd(self.lhs, self.rhs, self.figures())


class KeyLine(_Line, tag="key"):
    """A line of kind ``key``."""

    columns: tuple[str, ...]

    def rule(self) -> Rule:
        return Key(self.columns, self.figures())


class OcLine(_Line, tag="oc"):
    """A line of kind ``oc``."""

    context: tuple[str, ...]
    left: str
    right: str
    direction: model.Direction

    def rule(self) -> Rule:
        return Oc(self.context, self.left, self.right, self.direction, self.figures())


class LodLine(_Line, tag="lod"):
    """A line of kind ``lod``."""

    lhs: tuple[tuple[str, model.Sort], ...]
    rhs: tuple[tuple[str, model.Sort], ...]
    form: model.Form

    def rule(self) -> Rule:
        return Lod(self.lhs, self.rhs, self.form, self.figures())


class PodLine(_Line, tag="pod"):
    """A line of kind ``pod``."""

    lhs: tuple[tuple[str, LeftMark], ...]
    rhs: tuple[str, RightMark]
    surprise: float | None = None

    def rule(self) -> Rule:
        return Pod(self.lhs, self.rhs, self.figures())


class DcLine(_Line, tag="dc"):
    """A line of kind ``dc``."""

    predicates: Annotated[tuple[tuple[Cell, model.Operator, Cell], ...], msgspec.Meta(min_length=1)]
    surprise: float | None = None

    def rule(self) -> Rule:
        predicates = (Predicate(_operand(left), op, _operand(right)) for left, op, right in self.predicates)
        return Dc(tuple(predicates), self.figures())


RuleLine: TypeAlias = FdLine | KeyLine | OcLine | LodLine | PodLine | DcLine

probe = msgspec.json.Decoder(Probe).decode
read_header = msgspec.json.Decoder(HeaderShape).decode
read_line = msgspec.json.Decoder[RuleLine](RuleLine).decode


def named_columns(rule: Rule) -> Iterator[tuple[str, str]]:
    """Every place of a rule's line that names a column, as its path and the name."""
    match rule:
        case Fd():
            yield from _listed("lhs", rule.lhs)
            yield "$.rhs", rule.rhs
        case Key():
            yield from _listed("columns", rule.columns)
        case Oc():
            yield from _listed("context", rule.context)
            yield from (("$.left", rule.left), ("$.right", rule.right))
        case Lod():
            yield from _listed("lhs", (name for name, _ in rule.lhs), "[0]")
            yield from _listed("rhs", (name for name, _ in rule.rhs), "[0]")
        case Pod():
            yield from _listed("lhs", (name for name, _ in rule.lhs), "[0]")
            yield "$.rhs[0]", rule.rhs[0]
        case Dc():
            yield from _listed("predicates", (p.left.column for p in rule.predicates), "[0]")
            yield from _listed("predicates", (p.right.column for p in rule.predicates), "[2]")


def _listed(field: str, names: Any, rest: str = "") -> Iterator[tuple[str, str]]:
    return ((f"$.{field}[{index}]{rest}", name) for index, name in enumerate(names))


def _operand(cell: str) -> Operand:
    row, _, column = cell.partition(".")
    return Operand(cast(model.Row, row), column)
