"""Which statements follow from which by the strength of their operators alone.

A conjunction allows, for each pair of operands, a set of outcomes of comparing them: a box. One conjunction implies
another when its box lies within the other's. That is what minimality of pod and dc is defined by; it looks at no rows
and uses no transitivity.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from lawful.rules.images import flipped, mirror, t_first
from lawful.rules.model import OUTCOMES, Dc, Operand, Operator, Pod, Predicate

Mark: TypeAlias = tuple[str, Operator]
Box: TypeAlias = dict[tuple[Operand, Operand], frozenset[str]]

_ANY = frozenset("<=>")


def implies(a: Iterable[Predicate | Mark], b: Iterable[Predicate | Mark]) -> bool:
    """Whether every ordered pair of rows that satisfies all of ``a`` satisfies all of ``b``: ``b`` is weaker or equal.

    A mark ``("pay", "<")`` stands for ``t.pay < u.pay``. No mirror image is considered here: ``subsumes`` does.
    """
    inner, outer = box(a), box(b)
    if not all(inner.values()):
        return True
    return all(inner.get(operands, _ANY) <= outcomes for operands, outcomes in outer.items())


def subsumes(a: Pod | Dc, b: Pod | Dc) -> bool:
    """Whether ``b`` can say nothing once ``a`` holds: ``a``, or its mirror image, asks for less and grants as much."""
    if isinstance(a, Dc) and isinstance(b, Dc):
        return any(implies(b.predicates, image.predicates) for image in (a, mirror(a)))
    if isinstance(a, Pod) and isinstance(b, Pod):
        return any(implies(b.lhs, image.lhs) and implies([image.rhs], [b.rhs]) for image in (a, mirror(a)))
    return False


def box(conjunction: Iterable[Predicate | Mark]) -> Box:
    """The outcomes allowed for each pair of operands, t on the left; an empty set where no outcome is left."""
    allowed: Box = {}
    for part in conjunction:
        predicate = _oriented(part if isinstance(part, Predicate) else _compared(part))
        operands = (predicate.left, predicate.right)
        allowed[operands] = allowed.get(operands, _ANY) & OUTCOMES[predicate.op]
    return allowed


def _compared(mark: Mark) -> Predicate:
    return Predicate(Operand("t", mark[0]), mark[1], Operand("u", mark[0]))


def _oriented(predicate: Predicate) -> Predicate:
    same_row = predicate.left.row == predicate.right.row
    backwards = same_row and predicate.left.column > predicate.right.column
    return flipped(predicate) if backwards else t_first(predicate)
