"""A rule as a query that counts the ordered pairs of distinct rows that break it: no rows means a count of 0.

The query is plain SQL with names in double quotes; ``lawful.export`` turns it into other dialects. It needs no name for
a row: fd and key add up squares of the sizes of groups, the other kinds join the table with itself, and where a row may
break the rule together with itself, these pairs are taken off again. Equality and order are those of the rules: null
equals null and stands first or last; with unknown nulls a comparison with null is not true.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lawful.errors import OptionError
from lawful.rules.images import t_first
from lawful.rules.model import (
    MIRROR,
    NEGATION,
    Dc,
    Fd,
    Key,
    Lod,
    Oc,
    Operand,
    Operator,
    Pod,
    Predicate,
    Row,
    Rule,
    Sort,
)

_STRICT = frozenset(("<", ">", "!="))


@dataclass(frozen=True)
class Wording:
    """What a query needs to know beside the rule: the table's name, where nulls stand, and how columns are ordered.

    ``orders`` gives columns an order by meaning. ``collated`` are columns of texts that go by bytes only where
    ``collation`` says so.
    """

    table: str = "data"
    nulls: str = "first"
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)
    collated: frozenset[str] = frozenset()
    collation: str = ""


def name(text: str) -> str:
    """An identifier in double quotes."""
    return '"' + text.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text in single quotes."""
    return "'" + text.replace("'", "''") + "'"


def violations(rule: Rule, wording: Wording) -> str:
    """``SELECT … AS violations``: one row, one number."""
    if wording.nulls == "unknown" and isinstance(rule, Oc | Lod | Pod):
        message = f"{rule} is of kind {rule.kind}, which has no meaning with unknown nulls."
        raise OptionError(message, hint="Check it with nulls first or last.")
    match rule:
        case Fd():
            both = _squares((*rule.lhs, rule.rhs), rule.lhs, wording)
            each = _squares((*rule.lhs, rule.rhs), (*rule.lhs, rule.rhs), wording)
            return f"SELECT {both} - {each} AS violations"
        case Key():
            return f"SELECT {_squares(rule.columns, rule.columns, wording, '(n - 1)')} AS violations"
        case _:
            return _joined(_Condition.of(rule, wording), wording)


def row_condition(rule: Dc, wording: Wording) -> str | None:
    """What a row must not satisfy, where the constraint speaks of one row alone; columns without a table's name."""
    if len({cell.row for p in rule.predicates for cell in (p.left, p.right)}) > 1:
        return None
    return " AND ".join(_compared(_bare(p.left), p.op, _bare(p.right), wording) for p in rule.predicates)


class _Condition(NamedTuple):
    """``apart`` is what two rows satisfy that break the rule; ``alone`` what a row does that breaks it with itself."""

    apart: str
    alone: str | None

    @staticmethod
    def of(rule: Oc | Lod | Pod | Dc, wording: Wording) -> _Condition:
        if isinstance(rule, Lod):
            return _Condition(" OR ".join(_unsorted(x, y, wording) for x, y in _statements(rule)), None)
        predicates = _predicates(rule)
        own = any(p.op in _STRICT and p.left.column == p.right.column for p in predicates)
        apart = " AND ".join(_stated(p, wording) for p in predicates)
        return _Condition(apart, None if own else " AND ".join(_stated(_alone(p), wording) for p in predicates))


def _squares(filled: Iterable[str], by: Sequence[str], wording: Wording, times: str = "n") -> str:
    """The sum of n × n over groups of equal rows; with unknown nulls, of the rows without nulls."""
    kept = ""
    if wording.nulls == "unknown":
        kept = " AND ".join(f"{name(column)} IS NOT NULL" for column in dict.fromkeys(filled))
    where = f" WHERE {kept}" if kept else ""
    groups = f" GROUP BY {', '.join(map(name, dict.fromkeys(by)))}" if by else ""
    counted = f"SELECT CAST(COUNT(*) AS BIGINT) AS n FROM {name(wording.table)}{where}{groups}"
    return f"(SELECT COALESCE(SUM(n * {times}), 0) FROM ({counted}) AS g)"


def _joined(condition: _Condition, wording: Wording) -> str:
    table = name(wording.table)
    pairs = f"FROM {table} AS t JOIN {table} AS u ON {condition.apart}"
    if condition.alone is None:
        return f"SELECT COUNT(*) AS violations {pairs}"
    alone = f"FROM {table} AS t WHERE {condition.alone}"
    return f"SELECT (SELECT COUNT(*) {pairs}) - (SELECT COUNT(*) {alone}) AS violations"


def _predicates(rule: Oc | Pod | Dc) -> list[Predicate]:
    match rule:
        case Oc():
            against: Operator = ">" if rule.direction == "same" else "<"
            together = [_own(column, "=") for column in rule.context]
            return [*together, _own(rule.left, "<"), _own(rule.right, against)]
        case Pod():
            return [*(_own(column, op) for column, op in rule.lhs), _own(rule.rhs[0], NEGATION[rule.rhs[1]])]
        case Dc():
            return [t_first(predicate) for predicate in rule.predicates]


def _own(column: str, op: Operator) -> Predicate:
    return Predicate(Operand("t", column), op, Operand("u", column))


def _alone(predicate: Predicate) -> Predicate:
    return Predicate(Operand("t", predicate.left.column), predicate.op, Operand("t", predicate.right.column))


def _stated(predicate: Predicate, wording: Wording) -> str:
    return _compared(_cell(predicate.left), predicate.op, _cell(predicate.right), wording)


class _Cell(NamedTuple):
    text: str
    column: str


def _cell(operand: Operand) -> _Cell:
    return _Cell(f"{operand.row}.{name(operand.column)}", operand.column)


def _bare(operand: Operand) -> _Cell:
    return _Cell(name(operand.column), operand.column)


def _compared(left: _Cell, op: Operator, right: _Cell, wording: Wording) -> str:
    """A comparison that is true exactly when the rules say so; elsewhere it may be false or null."""
    a, b = left.text, right.text
    if wording.nulls == "unknown":
        return _plain(left, op, right, wording)
    match op:
        case "=":
            return f"{a} IS NOT DISTINCT FROM {b}"
        case "!=":
            return f"{a} IS DISTINCT FROM {b}"
    low, high = (a, b) if (op[0] == "<") == (wording.nulls == "first") else (b, a)
    nulls = f"{low} IS NULL" if op.endswith("=") else f"({low} IS NULL AND {high} IS NOT NULL)"
    return f"({_plain(left, op, right, wording)} OR {nulls})"


def _plain(left: _Cell, op: Operator, right: _Cell, wording: Wording) -> str:
    if op in ("=", "!="):
        return f"{left.text} {'<>' if op == '!=' else op} {right.text}"
    return f"{_ranked(left, wording)} {op} {_ranked(right, wording)}"


def _ranked(cell: _Cell, wording: Wording) -> str:
    """What to compare by order: the cell, its place in an order by meaning, or its bytes."""
    order = wording.orders.get(cell.column)
    if order is not None:
        cases = " ".join(f"WHEN {literal(value)} THEN {place}" for place, value in enumerate(order))
        return f"CASE {cell.text} {cases} END"
    return f"{cell.text} COLLATE {wording.collation}" if cell.column in wording.collated else cell.text


def _statements(rule: Lod) -> list[tuple[tuple[tuple[str, Sort], ...], tuple[tuple[str, Sort], ...]]]:
    """The pairs of lists of which one has to order the other."""
    x, y = (rule.lhs + rule.rhs, rule.rhs + rule.lhs) if rule.form == "~" else (rule.lhs, rule.rhs)
    return [(x, y)] if rule.form == "->" else [(x, y), (y, x)]


def _unsorted(x: Sequence[tuple[str, Sort]], y: Sequence[tuple[str, Sort]], wording: Wording) -> str:
    """t may stand before u by x, and must not by y."""
    return f"({_ahead(x, 't', wording, ties=True)} AND {_ahead(y, 'u', wording, ties=False)})"


def _ahead(by: Sequence[tuple[str, Sort]], first: Row, wording: Wording, *, ties: bool) -> str:
    """The row comes first in the order; ``ties`` says what is true of equal rows."""
    if not by:
        return "1 = 1" if ties else "1 = 0"
    (column, sort), rest = by[0], by[1:]
    op: Operator = "<" if sort == "asc" else ">"
    before = _stated(_own(column, op if first == "t" else MIRROR[op]), wording)
    return f"({before} OR ({_stated(_own(column, '='), wording)} AND {_ahead(rest, first, wording, ties=ties)}))"


def worded(columns: Iterable[Any], options: Mapping[str, Any], table: str, collation: str = "") -> Wording:
    """How queries about the rules of a list are worded; ``columns`` are those of the list."""
    orders = options.get("order") or {}
    texts = frozenset(c.name for c in columns if collation and c.type == "string" and c.name not in orders)
    return Wording(table, str(options.get("nulls") or "first"), orders, texts, collation)
