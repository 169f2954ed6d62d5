"""Rules between lists as rules over sets, and back.

A pair of rows breaks ``[X1, X2, …] -> [Y1, Y2, …]`` in one of two ways. Either the rows are equal on all of X and
differ on some Y, which an fd forbids; or the first column on which they differ in X, ``Xi``, and the one in Y, ``Yj``,
order them differently, which an oc forbids in the context of the columns before them. So the rule holds exactly when

- ``X1, X2, … -> Yj`` for every j, and
- ``{X1, …, Xi-1, Y1, …, Yj-1}: Xi ~ Yj`` for every i and j, in the same direction if both are sorted alike
  (FASTOD, Theorem 5).

``<->`` says this both ways, and ``~`` the second part alone. In the other direction, an fd ``X -> A`` stands for
``[X'] -> [X', A]``, and an oc ``{X}: A ~ B`` for ``[X', A] ~ [X', B]``, whatever the order and the directions in which
the list X' has the columns of X.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias, cast

from lawful.rules.canonical import canonical, places
from lawful.rules.model import Fd, Lod, Oc, Sort

Sorted: TypeAlias = Sequence[tuple[str, Sort]]


def parts(rule: Lod) -> tuple[Fd | Oc, ...]:
    """The fds and ocs that together say what the list rule says, fds first, less those that every table obeys.

    A column that would have to run against itself has to be constant, which is an fd. At most |X|·|Y| + |X| + |Y|.
    """
    at = places(rule.columns)
    found = [part for part in (*_constants(rule), *_compatible(rule.lhs, rule.rhs)) if not _always(part)]
    distinct = dict.fromkeys(cast(Fd | Oc, canonical(part, at)) for part in found)
    return tuple(sorted(distinct, key=lambda part: isinstance(part, Oc)))


def as_list(rule: Fd | Oc) -> Lod:
    """One of the list rules that say what the fd or oc says, all columns ascending where the direction is the same."""
    if isinstance(rule, Fd):
        left = _ascending(rule.lhs)
        return Lod(left, (*left, (rule.rhs, "asc")))
    context = _ascending(rule.context)
    right: Sort = "asc" if rule.direction == "same" else "desc"
    return Lod((*context, (rule.left, "asc")), (*context, (rule.right, right)), "~")


def _constants(rule: Lod) -> Iterator[Fd]:
    if rule.form != "~":
        yield from (Fd(_names(rule.lhs), name) for name in _names(rule.rhs))
    if rule.form == "<->":
        yield from (Fd(_names(rule.rhs), name) for name in _names(rule.lhs))


def _compatible(left: Sorted, right: Sorted) -> Iterator[Fd | Oc]:
    for (i, (a, a_sort)), (j, (b, b_sort)) in product(enumerate(left), enumerate(right)):
        context = _names([*left[:i], *right[:j]])
        if a == b and a_sort != b_sort:
            yield Fd(context, a)
        else:
            yield Oc(context, a, b, "same" if a_sort == b_sort else "opposite")


def _always(part: Fd | Oc) -> bool:
    if isinstance(part, Fd):
        return part.rhs in part.lhs
    return part.left == part.right or part.left in part.context or part.right in part.context


def _names(orders: Sorted) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in orders))


def _ascending(names: Sequence[str]) -> tuple[tuple[str, Sort], ...]:
    return tuple((name, "asc") for name in names)
