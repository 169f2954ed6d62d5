"""Rules in text, both ways: ``parse(format_rule(rule)) == rule``. The grammar is told in ``lawful.rules.grammar``."""

from __future__ import annotations

from collections.abc import Iterable

from lawful.rules.grammar import parse
from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Operand, Pod, Predicate, Rule, Sort
from lawful.rules.tokens import PLAIN

__all__ = ["KEYWORDS", "format_rule", "parse", "quoted"]

KEYWORDS = frozenset({"and", "asc", "desc", "key", "not"})
"""Words of the grammar, which a name of the same letters (in any case) is told from by its backticks."""


def quoted(name: str) -> str:
    """The name as it stands in a rule: in backticks unless it is a plain identifier and no keyword."""
    if PLAIN.fullmatch(name) and name.lower() not in KEYWORDS:
        return name
    return "`" + name.replace("`", "``") + "`"


def format_rule(rule: Rule) -> str:
    """The rule's text form, keywords in lower case."""
    match rule:
        case Fd():
            return f"{_names(rule.lhs) or '[]'} -> {quoted(rule.rhs)}"
        case Key():
            return f"key({_names(rule.columns)})"
        case Oc():
            direction = " desc" if rule.direction == "opposite" else ""
            return f"{{{_names(rule.context)}}}: {quoted(rule.left)} ~ {quoted(rule.right)}{direction}"
        case Lod():
            return f"[{_orders(rule.lhs)}] {rule.form} [{_orders(rule.rhs)}]"
        case Pod():
            return f"{_marks(rule.lhs) or '[]'} => {_marks([rule.rhs])}"
        case Dc():
            return f"not({' and '.join(map(format_predicate, rule.predicates))})"


def format_predicate(predicate: Predicate) -> str:
    """A comparison of two cells, such as ``t.zip = u.zip``."""
    return f"{_operand(predicate.left)} {predicate.op} {_operand(predicate.right)}"


def _names(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, names))


def _orders(orders: Iterable[tuple[str, Sort]]) -> str:
    return ", ".join(quoted(name) + (" desc" if direction == "desc" else "") for name, direction in orders)


def _marks(marks: Iterable[tuple[str, str]]) -> str:
    return ", ".join(quoted(name) + operator for name, operator in marks)


def _operand(operand: Operand) -> str:
    return f"{operand.row}.{quoted(operand.column)}"
