"""A rule as the line that the rule file holds, and the id that names it."""

from __future__ import annotations

import json
import math
from hashlib import blake2b
from typing import Any

from lawful.rules.canonical import canonical, places
from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Operand, Pod, Rule

_LINE = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=str)
_HASHED = json.JSONEncoder(separators=(",", ":"))


def statement(rule: Rule) -> dict[str, Any]:
    """What the rule says, without id and figures: plain lists and strings, in the order the line prints them."""
    match rule:
        case Fd():
            fields: dict[str, Any] = {"lhs": list(rule.lhs), "rhs": rule.rhs}
        case Key():
            fields = {"columns": list(rule.columns)}
        case Oc():
            sides = {"left": rule.left, "right": rule.right, "direction": rule.direction}
            fields = {"context": list(rule.context), **sides}
        case Lod():
            fields = {"lhs": list(map(list, rule.lhs)), "rhs": list(map(list, rule.rhs)), "form": rule.form}
        case Pod():
            fields = {"lhs": list(map(list, rule.lhs)), "rhs": list(rule.rhs)}
        case Dc():
            fields = {"predicates": [[_cell(p.left), p.op, _cell(p.right)] for p in rule.predicates]}
    return {"kind": rule.kind, **fields}


def line(rule: Rule) -> dict[str, Any]:
    """All fields of the rule's line; ``surprise`` is told of pod and dc only."""
    figures = rule.figures
    # Not the property, which would keep the id with the rule: of a million rules in a file nobody asks for it again.
    named = rule.__dict__.get("id") or identity(rule)
    fields = statement(rule) | {"id": named, "error": figure(figures.error), "measure": figures.measure}
    fields |= {"coverage": figure(figures.coverage), "interest": figure(figures.interest)}
    if isinstance(rule, (Pod, Dc)):
        fields["surprise"] = figure(figures.surprise)
    return fields


def encoded(fields: dict[str, Any]) -> bytes:
    """One line of the file, without its end."""
    return _LINE.encode(fields).encode()


def figure(value: float | None) -> float | None:
    """A derived figure at 12 significant digits; nothing where it was not gathered or is not a number."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{float(value):.12g}") + 0.0  # + 0.0: no negative zero


def identity(rule: Rule) -> str:
    """Twelve hex digits of a hash of the rule, canonicalised with the columns in the order of their names."""
    by_name = canonical(rule, places(sorted(set(rule.columns))))
    return blake2b(_HASHED.encode(statement(by_name)).encode("ascii"), digest_size=6).hexdigest()


def _cell(operand: Operand) -> str:
    return f"{operand.row}.{operand.column}"
