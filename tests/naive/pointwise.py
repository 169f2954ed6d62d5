"""Minimal pointwise order dependencies, by trying every left-hand side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from lawful.rules.model import Operator, Pod
from tests.naive.marks import canonical_pod, next_weaker
from tests.naive.masks import Judge

LEFT: tuple[Operator, ...] = ("<", "<=", "=", ">=", ">")
RIGHT: tuple[Operator, ...] = ("<", "<=", "=")
STRONGER: dict[Operator, tuple[Operator, ...]] = {"<": (), "=": (), "<=": ("<", "=")}
Side = tuple[Operator | None, ...]


def pods(judge: Judge, max_size: int) -> Iterator[Pod]:
    if len(judge.table) > 1:
        for rhs in judge.table.names:
            others = [name for name in judge.table.names if name != rhs]
            for columns in _up_to(others, max_size - 1):
                yield from _minimal(judge, columns, rhs)


def _up_to(columns: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """The largest sets of columns a left-hand side may use; minimality never looks beyond a rule's own columns."""
    return list(combinations(columns, min(most, len(columns)))) if most >= 0 else []


def _minimal(judge: Judge, columns: Sequence[str], rhs: str) -> Iterator[Pod]:
    """Accepted rules of which no single mark can be weakened on the left, nor the right-hand mark strengthened.

    The violating pairs only grow on such a step, so where any stronger rule is accepted, one a step away is.
    """
    allowed = [_operators(judge, name, LEFT) for name in columns]
    accepted = _accepted(judge, columns, allowed, rhs)
    for side, op in accepted:
        steps = [(weaker, op) for weaker in _weakened(side, allowed)] + [(side, other) for other in STRONGER[op]]
        if not any(step in accepted for step in steps):
            marks = tuple((name, o) for name, o in zip(columns, side, strict=True) if o is not None)
            yield canonical_pod(Pod(marks, (rhs, op)), judge.table.names)


def _operators(judge: Judge, name: str, among: tuple[Operator, ...]) -> tuple[Operator, ...]:
    return among if judge.table.ordered(name) else ("=",)


def _accepted(
    judge: Judge, columns: Sequence[str], allowed: Sequence[tuple[Operator, ...]], rhs: str
) -> set[tuple[Side, Operator]]:
    """Every accepted rule over the columns, but for ``<=`` after nothing but ``=``: its mirror image makes it ``=``."""
    sides: list[tuple[Side, int]] = [((), judge.masks.every)]
    for name, operators in zip(columns, allowed, strict=True):
        marks = [(op, judge.masks.mark(name, op)) for op in operators]
        absent: list[tuple[Operator | None, int]] = [(None, judge.masks.every)]
        sides = [((*side, op), pairs & mark) for side, pairs in sides for op, mark in absent + marks]
    found = set()
    for op in _operators(judge, rhs, RIGHT):
        kept = judge.masks.mark(rhs, op)
        found |= {(side, op) for side, pairs in sides if judge.accepts(pairs & ~kept)}
    return {(side, op) for side, op in found if op != "<=" or not set(side) <= {None, "="}}


def _weakened(side: Side, allowed: Sequence[tuple[Operator, ...]]) -> Iterator[Side]:
    for i, op in enumerate(side):
        if op is not None:
            for weaker in next_weaker(op, allowed[i]):
                yield (*side[:i], weaker, *side[i + 1 :])
