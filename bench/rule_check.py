"""A plain look at found rules: whether some of them, evenly spread, hold on all pairs of the first rows.

It cannot show that none is missing; for that, answers are compared with a peer's, or small tables with the definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lawful.errors import JobError, OptionError
from lawful.rules.model import Dc, Pod, Rule

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

ROWS, RULES = 1_000, 100
_HOLDS = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def insist_hold(rules: Sequence[Rule], table: Encoded) -> int:
    """How many rules were looked at; raise if one of them is broken. Of comparisons of a column with itself only."""
    ranks = table.ranks[:, :ROWS]
    some = [rules[at] for at in np.unique(np.linspace(0, max(len(rules) - 1, 0), RULES).astype(int))] if rules else []
    for rule in some:
        if _broken(rule, ranks, table):
            raise JobError(f"{rule} does not hold.", hint="Find the pair of rows before timing anything.")
    return len(some)


def _broken(rule: Rule, ranks: Any, table: Encoded) -> bool:
    """Whether some pair of distinct rows breaks the rule."""
    pairs = ~np.eye(ranks.shape[1], dtype=np.bool_)
    for column, operator, wanted in _parts(rule):
        cells = ranks[table.place(column)]
        pairs &= _HOLDS[operator](cells[:, None], cells[None, :]) == wanted
    return bool(pairs.any())


def _parts(rule: Rule) -> list[tuple[str, str, bool]]:
    """Columns, operators, and whether a pair that breaks the rule satisfies them."""
    match rule:
        case Dc():
            if any(p.left.column != p.right.column or (p.left.row, p.right.row) != ("t", "u") for p in rule.predicates):
                raise OptionError(f"{rule} compares two columns.", hint="Check it in another way.")
            return [(p.left.column, p.op, True) for p in rule.predicates]
        case Pod():
            return [*((column, operator, True) for column, operator in rule.lhs), (*rule.rhs, False)]
    raise OptionError(f"Rules of kind {rule.kind} are not looked at here.", hint="Look at dc and pod.")
