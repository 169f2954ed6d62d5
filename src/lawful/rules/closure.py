"""All that a set of columns determines, by fds and keys that need not be minimal nor all there.

A complete list of minimal fds needs no closure: what a set determines, one of them says of it at once. Of any other
list the consequences have to be followed, one fd after another.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawful.rules.model import Fd, Key, Oc, Rule
from lawful.rules.premises import Claim, Premises, Proof, claim


@dataclass(frozen=True)
class Closure:
    """``columns`` is what ``given`` determines, and ``reasons`` has the rule by which each further column came in."""

    given: int
    columns: int
    reasons: dict[int, Rule]

    def chain(self, columns: int, premises: Premises) -> Proof:
        """The rules that lead from ``given`` to these columns, each once, in the order in which they apply."""
        wanted, used = columns & ~self.given, dict[Rule, None]()
        for column, rule in reversed(self.reasons.items()):
            if wanted >> column & 1:
                used[rule] = None
                wanted |= asked(rule, premises) & ~self.given
        return tuple(reversed(used))


def closure(premises: Premises, given: int) -> Closure:
    """Adds columns until no rule adds another; at most one search a column and round, and a round a column."""
    reasons: dict[int, Rule] = {}
    columns, open_columns = given, [place for place in premises.at.values() if not given >> place & 1]
    while True:
        known = len(reasons)
        for column in open_columns:
            proof = premises.constant(columns, column)
            if proof:
                reasons[column] = proof[0]
                columns |= 1 << column
        if len(reasons) == known:
            return Closure(given, columns, reasons)


def prove_by_steps(premises: Premises, said: Claim) -> Proof | None:
    """Rules that give the claim through what its context determines; None where they do not lead to it."""
    wider = closure(premises, said.given)
    proof = premises.prove(said._replace(given=wider.columns))
    if proof is None:
        return None
    if not proof:  # a target itself is among the columns determined
        return wider.chain(1 << next(place for place in said.targets if wider.columns >> place & 1), premises)
    needed = 0
    for rule in proof:
        needed |= asked(rule, premises)
    return (*wider.chain(needed, premises), *proof)


def asked(rule: Rule, premises: Premises) -> int:
    """The columns on which rows must be equal for the rule to speak of them."""
    return claim(rule, premises.at).given if isinstance(rule, (Fd, Key, Oc)) else 0
