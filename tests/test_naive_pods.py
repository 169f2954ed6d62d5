"""Pointwise order dependencies: the search against the bare definition of minimal."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lawful.rules.model import MIRROR, OUTCOMES, Operator, Pod
from tests.naive import discover, holds, pairs_error, table
from tests.strategies import random_tables

LEFT: tuple[Operator | None, ...] = (None, "<", "<=", "=", ">=", ">")


def every_pod(names: tuple[str, ...]) -> list[Pod]:
    found: list[Pod] = []
    for rhs in names:
        others = [name for name in names if name != rhs]
        for side in product(LEFT, repeat=len(others)):
            marks = tuple((name, op) for name, op in zip(others, side, strict=True) if op)
            found += [Pod(marks, (rhs, op)) for op in ("<", "<=", "=")]
    return [pod for pod in found if pod.rhs[1] != "<=" or any(op != "=" for _, op in pod.lhs)]


def dominates(strong: Pod, weak: Pod) -> bool:
    """Same column, weaker or equal left side, stronger or equal right side."""
    asked = dict(weak.lhs)
    less = all(name in asked and OUTCOMES[asked[name]] <= OUTCOMES[op] for name, op in strong.lhs)
    return less and strong.rhs[0] == weak.rhs[0] and OUTCOMES[strong.rhs[1]] <= OUTCOMES[weak.rhs[1]]


def folded(pod: Pod) -> Pod:
    """Of the two images of a rule with ``=`` on the right, the one that has the lesser operator first."""
    image = Pod(tuple((name, MIRROR[op]) for name, op in pod.lhs), pod.rhs)
    first = next((op for _, op in pod.lhs if op != "="), "=")
    return image if pod.rhs[1] == "=" and first in (">", ">=") else pod


@pytest.mark.parametrize("max_error", [Fraction(0), Fraction(1, 6), Fraction(1, 2)])
def test_discovery_is_the_definition(max_error: Fraction) -> None:
    for whole in random_tables(1, 40, min_rows=2, max_rows=5, min_cols=1, max_cols=3):
        valid = [pod for pod in every_pod(whole.names) if pairs_error(pod, whole) <= max_error]
        minimal = [p for p in valid if not any(dominates(q, p) and q != p for q in valid)]
        assert discover(whole, ["pod"], max_error=max_error) == set(map(folded, minimal))


def test_what_is_left_out_is_said_by_what_is_reported() -> None:
    """An ``<=`` after nothing but ``=`` says no more than an ``=``: the mirror image adds the other half."""
    for whole in random_tables(2, 150, min_rows=2, max_rows=6, min_cols=3, max_cols=3):
        for lhs in ((), (("c0", "="),), (("c0", "="), ("c1", "="))):
            assert holds(Pod(lhs, ("c2", "<=")), whole) == holds(Pod(lhs, ("c2", "=")), whole)


def test_by_hand() -> None:
    """No two rows share a salary, so it may be followed by anything; ``<`` and ``=`` do not imply each other."""
    rates = table("salary rate", "integer", (10, 1), (20, 2), (30, 2))
    assert discover(rates, ["pod"]) == {
        Pod((("salary", "<="),), ("rate", "<=")),
        Pod((("salary", "="),), ("rate", "<")),
        Pod((("salary", "="),), ("rate", "=")),
        Pod((("rate", "<"),), ("salary", "<")),
    }


def test_a_constant_has_an_empty_left_side() -> None:
    flat = table("a b", "integer", (1, 7), (1, 7), (2, 7))
    assert Pod((), ("b", "=")) in discover(flat, ["pod"])
    assert not any(pod.rhs == ("b", "<=") for pod in discover(flat, ["pod"]) if isinstance(pod, Pod))


def test_columns_without_order_are_marked_by_equality_only() -> None:
    plain = table("a b", "integer", (1, 1), (1, 1), (2, 2), unordered=frozenset("ab"))
    assert discover(plain, ["pod"]) == {Pod((("a", "="),), ("b", "=")), Pod((("b", "="),), ("a", "="))}


def test_max_size_bounds_all_columns_of_a_rule() -> None:
    for whole in random_tables(3, 60, min_cols=3, max_cols=3):
        full = discover(whole, ["pod"])
        for most in range(4):
            assert discover(whole, ["pod"], max_size=most) == {r for r in full if len(r.columns) <= most}
