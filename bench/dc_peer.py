"""Desbordante's FastADC on the ranks of an encoded table, and denial constraints in one form for both sides.

As for the other peers, it reads the ranks that our search works on, loaded before the clock runs: columns with an order
as integers, for which it tries six operators, columns without one as text, for which it tries two. So nulls, dates and
booleans mean the same on both sides; on its own it refuses nulls and orders text not at all. Known of release 2.5: it
reads at most 128 predicates, and a table must be at least as long as a shard (350 rows unless told).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bench.peers import Statements
from bench.results import peer_module
from lawful.errors import JobError, MissingError, OptionError
from lawful.rules.model import Dc, Rule

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

SHARD = 350
"""FastADC's own choice of rows in a shard; shorter tables are one shard."""
MIRROR = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_DENIAL = re.compile(r"¬\{ (.*) \}")
_PART = re.compile(r"t\.c(\d+) (==|!=|<=|>=|<|>) s\.c(\d+)")
Marks = frozenset[tuple[int, str]]
"""Columns by place, each compared between t and u."""


class FastAdc:
    """FastADC with one table loaded; it may run any number of times."""

    name = "FastADC"

    def __init__(self, table: Encoded) -> None:
        desbordante, pandas = peer_module("desbordante"), peer_module("pandas")
        if desbordante is None or pandas is None:
            raise MissingError("Desbordante or pandas is not installed.", hint='Run: pip install -e ".[bench]"')
        self._algorithm = desbordante.dc.algorithms.FastADC()
        self._rows = table.rows
        self._algorithm.load_data(table=pandas.DataFrame(seen_by_peer(table)))

    def run(self) -> FastAdc:
        """Execute on one thread, exact, same-column predicates only."""
        self._algorithm.execute(
            evidence_threshold=0.0, allow_cross_columns=False, threads=1, shard_length=min(SHARD, self._rows)
        )
        return self

    def statements(self) -> Statements:
        """What the last run found."""
        return frozenset(in_normal_form(str(denial)) for denial in self._algorithm.get_dcs())


def seen_by_peer(table: Encoded) -> dict[str, Any]:
    """The columns as the peer reads them: ranks, as text where our search compares by equality only."""
    return {
        f"c{place}": table.ranks[place] if by_order(column) else [f"v{rank}" for rank in table.ranks[place].tolist()]
        for place, column in enumerate(table.columns)
    }


def by_order(column: Any) -> bool:
    """Whether denial constraints compare a column by order: all that has one but text, unless its order is listed."""
    return bool(column.ordered and (column.type.name != "string" or column.listed))


def denials_of(rules: Iterable[Rule], names: Iterable[str]) -> Statements:
    """Our denial constraints in normal form."""
    places = {name: place for place, name in enumerate(names)}
    return frozenset(stated(_marks(rule, places)) for rule in rules)


def stated(marks: Iterable[tuple[int, str]]) -> str:
    """``dc 0= 2>``: of a denial and its mirror image the smaller one, columns in the table's order."""
    given = sorted(marks)
    image = sorted((place, MIRROR[op]) for place, op in given)
    return "dc " + " ".join(f"{place}{op}" for place, op in min(given, image))


def _marks(rule: Rule, places: Mapping[str, int]) -> Marks:
    if not isinstance(rule, Dc):
        raise OptionError(f"Rules of kind {rule.kind} have no peer here.", hint="Compare denial constraints.")
    found = set()
    for predicate in rule.predicates:
        left, right = predicate.left, predicate.right
        if left.column != right.column or left.row == right.row:
            raise OptionError(f"{rule} compares two columns.", hint="Leave cross_columns off to compare with FastADC.")
        found.add((places[left.column], predicate.op if left.row == "t" else MIRROR[predicate.op]))
    return frozenset(found)


def in_normal_form(text: str) -> str:
    """The peer's text of a denial in the form that both sides share."""
    denial = _DENIAL.fullmatch(text)
    parts = [_PART.fullmatch(part) for part in denial[1].split(" ∧ ")] if denial else [None]
    marks = [(int(part[1]), "=" if part[2] == "==" else part[2]) for part in parts if part and part[1] == part[3]]
    if len(marks) != len(parts):
        raise JobError(f"Desbordante's {text!r} is not understood.", hint="Its text form may have changed.")
    return stated(marks)
