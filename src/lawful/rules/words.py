"""What a rule says, in a sentence. Names stand as in the rule's text, so that odd ones are told from the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Operand, Operator, Pod, Predicate, Rule, Sort
from lawful.rules.text import quoted

_IS: dict[Operator, str] = {
    "=": "equals",
    "!=": "differs from",
    "<": "is less than",
    "<=": "is at most",
    ">": "is more than",
    ">=": "is at least",
}


def meaning(rule: Rule) -> str:
    """One sentence, such as "Rows with the same zip have the same state."."""
    match rule:
        case Fd(lhs=()):
            return f"Every row has the same {quoted(rule.rhs)}."
        case Fd():
            return f"Rows with the same {_both(rule.lhs)} have the same {quoted(rule.rhs)}."
        case Key(columns=()):
            return "There is at most one row."
        case Key():
            return f"No two rows have the same {_both(rule.columns)}."
        case Oc():
            scope = f"Among rows with the same {_both(rule.context)}, " if rule.context else ""
            moves = "falls" if rule.direction == "same" else "rises"
            said = f"{quoted(rule.right)} never {moves} while {quoted(rule.left)} rises."
            return scope + said
        case Lod():
            return _sorted(rule)
        case Pod():
            return _pointwise(rule)
        case Dc():
            return _denied(rule)


def _sorted(rule: Lod) -> str:
    left, right = _order(rule.lhs), _order(rule.rhs)
    match rule.form:
        case "->":
            return f"Rows sorted by {left} are also sorted by {right}."
        case "<->":
            return f"Rows sorted by {left} are also sorted by {right}, and the other way round."
        case "~":
            return f"Rows can be sorted by {left} and by {right} at once."


def _pointwise(rule: Pod) -> str:
    name, op = rule.rhs
    then = f"{quoted(name)} of t {_IS[op]} that of u"
    if not rule.lhs:
        return f"Of any two rows t and u, {then}."
    given = _both([f"{quoted(name)} of t {_IS[op]} that of u" for name, op in rule.lhs], quote=False)
    return f"Of any two rows t and u, where {given}, {then}."


def _denied(rule: Dc) -> str:
    rows = {cell.row for predicate in rule.predicates for cell in (predicate.left, predicate.right)}
    if len(rows) == 1:
        said = _both([_compared(predicate, plain=True) for predicate in rule.predicates], quote=False)
        return f"In no row {said}."
    said = _both([_compared(predicate, plain=False) for predicate in rule.predicates], quote=False)
    return f"For no two rows t and u, {said}."


def _compared(predicate: Predicate, *, plain: bool) -> str:
    left, op, right = predicate.left, predicate.op, predicate.right
    return f"{_cell(left, plain)} {_IS[op]} {_cell(right, plain)}"


def _cell(operand: Operand, plain: bool) -> str:
    return quoted(operand.column) if plain else f"{quoted(operand.column)} of {operand.row}"


def _order(by: Iterable[tuple[str, Sort]]) -> str:
    words = [quoted(name) + (" descending" if sort == "desc" else "") for name, sort in by]
    return ", then ".join(words) or "nothing"


def _both(names: Sequence[str], *, quote: bool = True) -> str:
    words = [quoted(name) if quote else name for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
