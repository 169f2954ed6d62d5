"""Whether a list of rules entails a statement, without the table.

A complete list decides every fd, key, oc and list rule. Where an fd ``X -> A`` holds, a minimal one asks for part of X
alone. Where an oc ``{X}: A ~ B`` holds, so does a smallest one with part of X as its context, and it is listed unless
that part determines A or B, which an fd then says. So one search among the listed contexts settles each claim, and
chains of implications matter only where the list may miss rules. A list rule is the sum of its parts
(``lawful.rules.parts``).

Each claim is true, false or open: open where the list may miss the rule that would settle it, or holds it with a few
violations only. A statement is false as soon as one of its claims is, true when all are, and open otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.rules.canonical import canonical, places
from lawful.rules.closure import prove_by_steps
from lawful.rules.model import Fd, Key, Lod, Oc, Rule
from lawful.rules.parts import parts
from lawful.rules.premises import Claim, Premises, claim

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

UNORDERED = frozenset({"binary", "map", "nested", "variant"})
"""Types of column whose values are equal or not, and nothing more."""


@dataclass(frozen=True)
class Answer:
    """What a list of rules says of a statement; true only where it is proved.

    ``holds`` is None where the list cannot tell, for the ``reason`` given. ``rules`` prove the statement. ``missing``
    is the fd, key or oc that it needs and that does not hold (or, where ``holds`` is None, that is not settled).
    """

    statement: Rule
    holds: bool | None
    rules: tuple[Rule, ...] = ()
    missing: Rule | None = None
    reason: str | None = None

    @property
    def known(self) -> bool:
        """Whether the list tells, one way or the other."""
        return self.holds is not None

    def __bool__(self) -> bool:
        return self.holds is True

    def __str__(self) -> str:
        return f"{self.statement}: {self._verdict()}"

    def _verdict(self) -> str:
        if self.holds:
            return f"yes, by {'; '.join(map(str, self.rules))}" if self.rules else "yes, as in every table"
        lacks = "" if self.missing in (None, self.statement) else f"{self.missing} "
        if self.known:
            return f"no, as {lacks}does not hold" if lacks else "no"
        return f"not known, as {lacks}is open: {self.reason}" if lacks else f"not known: {self.reason}"


class Judge:
    """A list of rules, indexed to be asked: a few microseconds a rule to build, far below a millisecond a claim."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules, self.at = rules, places(rules.names)
        keys_decide = rules.options.get("nulls") != "unknown"  # else two nulls in a key differ, yet sort as equals
        exact = [rule for rule in rules if is_exact(rule, rules)]
        nearly = [rule for rule in rules if not is_exact(rule, rules)]
        self.exact = Premises(exact, self.at, keys_decide=keys_decide)
        self.nearly = Premises(nearly, self.at, keys_decide=keys_decide)

    def answer(self, statement: Rule) -> Answer:
        """The answer for an fd, key, oc or list rule, in whatever form."""
        self._refuse(statement)
        said = canonical(statement, self.at)
        if isinstance(said, Lod) and said in self.exact.lists:
            return Answer(said, True, (self.exact.lists[said],))
        judged = [self._judged(canonical(part, self.at)) for part in _needed(said)]
        for part in judged:
            if part.holds is False:
                return Answer(said, False, missing=part.statement)
        proof: list[Rule] = []
        for part in judged:
            steps = part.rules if part.holds else prove_by_steps(self.exact, self._claim(part.statement))
            if steps is None:
                return Answer(said, None, missing=part.statement, reason=part.reason)
            proof += steps
        return Answer(said, True, tuple(dict.fromkeys(proof)))

    def _judged(self, part: Rule) -> Answer:
        """What the rules say at once of an fd, key or oc."""
        said = self._claim(part)
        proof = self.exact.prove(said)
        if proof is not None:
            return Answer(part, True, proof)
        doubt = self._doubt(said)
        return Answer(part, False) if doubt is None else Answer(part, None, reason=doubt)

    def _claim(self, part: Rule) -> Claim:
        return claim(cast(Fd | Key | Oc, part), self.at)

    def _doubt(self, said: Claim) -> str | None:
        """Why the claim may hold though no rule says so; None where the list would have that rule."""
        for kind in ("fd", "oc") if said.kind == "oc" else (said.kind,):
            if kind not in self.rules.kinds:
                return f"{kind} rules were not looked for"
        whole_to = self.rules.complete_to
        if not self.rules.complete and (whole_to is None or said.size > whole_to):
            return f"rules may be missing ({self.rules.incomplete})"
        near = self.nearly.prove(said)
        return f"{near[0]} was accepted with errors" if near else None

    def _refuse(self, statement: Rule) -> None:
        if not isinstance(statement, (Fd, Key, Oc, Lod)):
            message = (
                f"{statement} is a rule of kind {statement.kind}: what follows from rules is told of fd, key, oc, lod."
            )
            raise OptionError(message, hint="Check it against the table instead.")
        for name in statement.columns:
            if name not in self.at:
                raise ColumnError(f"The table has no column {name!r}.", hint=did_you_mean(name, self.rules.names))
        if isinstance(statement, (Oc, Lod)):
            self._refuse_unordered(_sorted_by(statement))

    def _refuse_unordered(self, names: Iterable[str]) -> None:
        for name in names:
            if not ordered(self.rules, name):
                kind = self.rules.columns[self.at[name]].type
                hint = "Ask for an fd, which needs equality only."
                raise ColumnError(f"Column {name!r} of type {kind} has no order to sort by.", hint=hint)


def ordered(rules: RuleSet, name: str) -> bool:
    """Whether the column's values have an order, by their type or by the one that was given."""
    return rules.columns[rules.names.index(name)].type not in UNORDERED or name in (rules.options.get("order") or ())


def is_exact(rule: Rule, rules: RuleSet) -> bool:
    """Without any violation; where the error was not measured, the list's own limit decides."""
    error = rule.figures.error
    return error == 0 if error is not None else rules.options.get("max_error") in (None, 0)


def _needed(said: Rule) -> tuple[Rule, ...]:
    if isinstance(said, Oc) and said.left == said.right and said.direction == "opposite":
        return (Fd(said.context, said.left),)  # a column runs against itself only where it is constant
    return parts(said) if isinstance(said, Lod) else (said,)


def _sorted_by(statement: Oc | Lod) -> Sequence[str]:
    return (statement.left, statement.right) if isinstance(statement, Oc) else statement.columns
