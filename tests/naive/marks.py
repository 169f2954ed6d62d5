"""How strong a comparison is, and the next weaker ones; mirror images and the canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from lawful.rules.model import MIRROR, OPERATORS, OUTCOMES, Dc, Operand, Operator, Pod, Predicate, Row

OTHER: dict[Row, Row] = {"t": "u", "u": "t"}


def implies(a: Operator | None, b: Operator | None) -> bool:
    """Whether every pair that satisfies ``a`` satisfies ``b``; ``None`` is no comparison at all."""
    return b is None or (a is not None and OUTCOMES[a] <= OUTCOMES[b])


Sortable = tuple[int, list[tuple[int, int, int]], list[str]]


@cache
def next_weaker(op: Operator, among: tuple[Operator, ...]) -> tuple[Operator | None, ...]:
    """The weaker comparisons with none between; only ``None`` where no operator is weaker."""
    weaker = [o for o in among if o != op and implies(op, o)]
    closest = tuple(o for o in weaker if not any(p != o and implies(p, o) for p in weaker))
    return closest or (None,)


def mirrored(predicate: Predicate) -> Predicate:
    """The predicate with the two rows swapped, t on the left again where there is one."""
    left, right = (Operand(OTHER[cell.row], cell.column) for cell in (predicate.left, predicate.right))
    if (left.row, right.row) == ("u", "t"):
        return Predicate(right, MIRROR[predicate.op], left)
    return Predicate(left, predicate.op, right)


def canonical_dc(predicates: Sequence[Predicate], names: Sequence[str]) -> Dc:
    """The mirror image whose predicates on a single row speak of t; where both do, the smaller sorted list."""
    return Dc(min(_images(predicates, names), key=lambda image: _list_key(image, names)))


def canonical_key(predicates: Sequence[Predicate], names: Sequence[str]) -> Sortable:
    """What to sort constraints by: the list of predicates of the canonical form."""
    return min(_list_key(image, names) for image in _images(predicates, names))


def canonical_pod(rule: Pod, names: Sequence[str]) -> Pod:
    """The marks in table order; for the right-hand side ``=``, the smaller of the two mirror images."""
    marks = sorted(rule.lhs, key=lambda mark: names.index(mark[0]))
    images = [marks, [(name, MIRROR[op]) for name, op in marks]][: 2 if rule.rhs[1] == "=" else 1]
    return Pod(tuple(min(images, key=lambda image: [OPERATORS.index(op) for _, op in image])), rule.rhs)


def _images(predicates: Sequence[Predicate], names: Sequence[str]) -> list[tuple[Predicate, ...]]:
    both = (predicates, [mirrored(p) for p in predicates])
    return [tuple(sorted(image, key=lambda p: (_key(p, names), _rows(p)))) for image in both]


def _list_key(image: Sequence[Predicate], names: Sequence[str]) -> Sortable:
    return sum(_rows(p) == "uu" for p in image), [_key(p, names) for p in image], [_rows(p) for p in image]


def _key(predicate: Predicate, names: Sequence[str]) -> tuple[int, int, int]:
    left, right = names.index(predicate.left.column), names.index(predicate.right.column)
    return left, right, OPERATORS.index(predicate.op)


def _rows(predicate: Predicate) -> str:
    return predicate.left.row + predicate.right.row
