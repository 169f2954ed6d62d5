"""The predicate space of denial constraints: which two cells are compared, and by which operators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lawful.rules.model import OPERATORS, Operand, Operator
from tests.naive.table import NUMERIC, Table, Value, place


@dataclass(frozen=True)
class Comparison:
    """Two cells and the operators offered between them; a constraint uses at most one of these."""

    left: Operand
    right: Operand
    operators: tuple[Operator, ...]


@dataclass(frozen=True)
class Space:
    """What the options say about the space; ``share`` and ``means`` matter to pairs of columns only."""

    cross_columns: bool = False
    order_strings: bool = False
    share: Fraction = Fraction(1, 5)
    means: Fraction = Fraction(1, 10)

    def comparisons(self, table: Table) -> list[Comparison]:
        found = [self._own(table, name) for name in table.names]
        if self.cross_columns:
            for left, right in combinations(table.names, 2):
                if self._comparable(table, left, right):
                    found += self._cross(table, left, right)
        return found

    def _own(self, table: Table, name: str) -> Comparison:
        """A string has an order here only when told so, by the option or by an order of its own."""
        by_bytes = table.type_of(name) == "string" and name not in table.orders and not self.order_strings
        operators = OPERATORS if table.ordered(name) and not by_bytes else OPERATORS[:2]
        return Comparison(Operand("t", name), Operand("u", name), operators)

    def _cross(self, table: Table, left: str, right: str) -> Iterator[Comparison]:
        operators = OPERATORS if self._near(table, left, right) else OPERATORS[:2]
        yield Comparison(Operand("t", left), Operand("u", right), operators)
        yield Comparison(Operand("t", left), Operand("t", right), OPERATORS[:2])

    def _comparable(self, table: Table, left: str, right: str) -> bool:
        """Of one type, or both numeric, and sharing enough of the smaller one's distinct values."""
        types = {table.type_of(left), table.type_of(right)}
        a, b = ({place(v) for v in table.column(name) if v is not None} for name in (left, right))
        smaller = min(len(a), len(b))
        return (len(types) == 1 or types <= NUMERIC) and smaller > 0 and len(a & b) >= self.share * smaller

    def _near(self, table: Table, left: str, right: str) -> bool:
        """Both numeric and ordered, with means of one sign of which neither is ten times the other."""
        if not {table.type_of(left), table.type_of(right)} <= NUMERIC or {left, right} & table.unordered:
            return False
        a, b = _mean(table.column(left)), _mean(table.column(right))
        if a is None or b is None or a * b < 0:
            return False
        return min(abs(a), abs(b)) >= self.means * max(abs(a), abs(b))


def _mean(values: list[Value]) -> Fraction | None:
    """The exact mean of the values that are not null; None where one is infinite or not a number."""
    try:
        numbers = [Fraction(v) for v in values if v is not None]  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None
    return sum(numbers, Fraction(0)) / len(numbers) if numbers else None
