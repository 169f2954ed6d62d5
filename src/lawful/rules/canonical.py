"""One form and one place for every rule, given the order of the table's columns.

Rules that differ in form only (the order of a set, the two sides of an order compatibility, the two images of a pair
of rows) become equal, and a list of rules becomes the list that the rule file holds. A column's *place* is its
position in the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from lawful.rules.images import flipped, mirror, t_first
from lawful.rules.model import KINDS, OPERATORS, Dc, Fd, Key, Lod, Oc, Operand, Operator, Pod, Predicate, Rule, Sort

Places: TypeAlias = Mapping[str, int]

_OPERATOR = {operator: place for place, operator in enumerate(OPERATORS)}
_KIND = {kind: place for place, kind in enumerate(KINDS)}
_FORM = {"->": 0, "<->": 1, "~": 2}


def places(columns: Iterable[str]) -> dict[str, int]:
    """The place of every column of a table, by name."""
    return {name: place for place, name in enumerate(columns)}


def in_file_order(rules: Iterable[Rule], columns: Sequence[str]) -> list[Rule]:
    """The rules in canonical form, each once, as the rule file lists them; n log n in the number of rules."""
    at = places(columns)
    distinct = dict.fromkeys(canonical(rule, at) for rule in rules)
    return sorted(distinct, key=lambda rule: sort_key(rule, at))


def canonical(rule: Rule, at: Places) -> Rule:
    """The one form in which a rule is kept; ``at`` gives the place of each of its columns. Figures ride along."""
    match rule:
        case Fd():
            return Fd(_in_order(rule.lhs, at), rule.rhs, rule.figures)
        case Key():
            return Key(_in_order(rule.columns, at), rule.figures)
        case Oc():
            left, right = sorted((rule.left, rule.right), key=at.__getitem__)
            return Oc(_in_order(rule.context, at), left, right, rule.direction, rule.figures)
        case Lod():
            return _canonical_lod(rule, at)
        case Pod():
            return _canonical_pod(rule, at)
        case Dc():
            return min((_sorted_dc(image, at) for image in (rule, mirror(rule))), key=lambda dc: _dc_rank(dc, at))


def sort_key(rule: Rule, at: Places) -> tuple[Any, ...]:
    """Orders rules as the file does: kind, number of columns, then the fields in the order the line prints them."""
    return _KIND[rule.kind], len(set(rule.columns)), _fields(rule, at)


def _fields(rule: Rule, at: Places) -> tuple[Any, ...]:
    match rule:
        case Fd():
            return _seats(rule.lhs, at), at[rule.rhs]
        case Key():
            return _seats(rule.columns, at)
        case Oc():
            return _seats(rule.context, at), at[rule.left], at[rule.right], rule.direction == "opposite"
        case Lod():
            return _orders(rule.lhs, at), _orders(rule.rhs, at), _FORM[rule.form]
        case Pod():
            return _marks(rule.lhs, at), _marks((rule.rhs,), at)
        case Dc():
            return tuple((_seat(p.left, at), _OPERATOR[p.op], _seat(p.right, at)) for p in rule.predicates)


def _in_order(names: Iterable[str], at: Places) -> tuple[str, ...]:
    return tuple(sorted(set(names), key=at.__getitem__))


def _seats(names: Iterable[str], at: Places) -> tuple[int, ...]:
    return tuple(at[name] for name in names)


def _seat(operand: Operand, at: Places) -> tuple[int, str]:
    return at[operand.column], operand.row


def _orders(orders: Iterable[tuple[str, Sort]], at: Places) -> tuple[tuple[int, bool], ...]:
    return tuple((at[name], direction == "desc") for name, direction in orders)


def _marks(marks: Iterable[tuple[str, Operator]], at: Places) -> tuple[tuple[int, int], ...]:
    return tuple((at[name], _OPERATOR[operator]) for name, operator in marks)


def _canonical_lod(rule: Lod, at: Places) -> Lod:
    """The first column ascending; of the two sides of a symmetric form, the one that comes first on the left."""
    images = [_ascending(rule)]
    if rule.form != "->":
        images.append(_ascending(replace(rule, lhs=rule.rhs, rhs=rule.lhs)))
    return min(images, key=lambda image: _fields(image, at))


def _ascending(rule: Lod) -> Lod:
    first = next(iter((*rule.lhs, *rule.rhs)), None)
    if first is None or first[1] == "asc":
        return rule
    return replace(rule, lhs=_reversed(rule.lhs), rhs=_reversed(rule.rhs))


def _reversed(orders: Iterable[tuple[str, Sort]]) -> tuple[tuple[str, Sort], ...]:
    return tuple((name, "asc" if direction == "desc" else "desc") for name, direction in orders)


def _canonical_pod(rule: Pod, at: Places) -> Pod:
    """Marks in table order, the right-hand mark among ``< <= =``, and of two images of ``=`` the smaller one."""
    if rule.rhs[1] in (">", ">="):
        rule = mirror(rule)
    if rule.rhs[1] == "<=" and all(operator == "=" for _, operator in rule.lhs):
        rule = replace(rule, rhs=(rule.rhs[0], "="))  # the mirror image says >= of the same pairs
    images = [rule, mirror(rule)] if rule.rhs[1] == "=" else [rule]
    return min((_sorted_pod(image, at) for image in images), key=lambda pod: _marks(pod.lhs, at))


def _sorted_pod(rule: Pod, at: Places) -> Pod:
    return replace(rule, lhs=tuple(sorted(set(rule.lhs), key=lambda mark: (at[mark[0]], _OPERATOR[mark[1]]))))


def _sorted_dc(rule: Dc, at: Places) -> Dc:
    predicates = {_oriented(predicate, at) for predicate in rule.predicates}
    return replace(rule, predicates=tuple(sorted(predicates, key=lambda predicate: _predicate_rank(predicate, at))))


def _oriented(predicate: Predicate, at: Places) -> Predicate:
    """t on the left; within one row, the column that comes first in the table."""
    left, right = predicate.left, predicate.right
    backwards = left.row == right.row and at[left.column] > at[right.column]
    return flipped(predicate) if backwards else t_first(predicate)


def _predicate_rank(predicate: Predicate, at: Places) -> tuple[int, int, int, str, str]:
    left, operator, right = predicate.left, predicate.op, predicate.right
    return at[left.column], at[right.column], _OPERATOR[operator], left.row, right.row


def _dc_rank(rule: Dc, at: Places) -> tuple[Any, ...]:
    """Decides between two images: single-row predicates speak of t, then the smaller list of predicates."""
    about_u = sum(p.left.row == p.right.row == "u" for p in rule.predicates)
    ranks = [_predicate_rank(predicate, at) for predicate in rule.predicates]
    return about_u, [rank[:3] for rank in ranks], [rank[3:] for rank in ranks]
