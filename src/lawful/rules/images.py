"""The mirror image of a rule: what it says with the two rows exchanged."""

from __future__ import annotations

from typing import overload

from lawful.rules.model import MIRROR, Dc, Operand, Operator, Pod, Predicate


@overload
def mirror(rule: Pod) -> Pod: ...
@overload
def mirror(rule: Dc) -> Dc: ...
def mirror(rule: Pod | Dc) -> Pod | Dc:
    """The rule with t and u exchanged, every two-row predicate written with t on the left; true when the rule is."""
    if isinstance(rule, Pod):
        return Pod(tuple(map(_mirror_mark, rule.lhs)), _mirror_mark(rule.rhs), rule.figures)
    return Dc(tuple(t_first(mirror_predicate(p)) for p in rule.predicates), rule.figures)


def mirror_predicate(predicate: Predicate) -> Predicate:
    """The predicate with t and u exchanged, sides kept."""
    return Predicate(_other_row(predicate.left), predicate.op, _other_row(predicate.right))


def t_first(predicate: Predicate) -> Predicate:
    """The predicate with t on the left; one that looks at a single row is left as it is."""
    return flipped(predicate) if (predicate.left.row, predicate.right.row) == ("u", "t") else predicate


def flipped(predicate: Predicate) -> Predicate:
    """The same statement with the two sides exchanged."""
    return Predicate(predicate.right, MIRROR[predicate.op], predicate.left)


def _mirror_mark(mark: tuple[str, Operator]) -> tuple[str, Operator]:
    return mark[0], MIRROR[mark[1]]


def _other_row(operand: Operand) -> Operand:
    return Operand("u" if operand.row == "t" else "t", operand.column)
