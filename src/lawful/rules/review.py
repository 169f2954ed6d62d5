"""A list of rules as people review it: each with a status, a severity and a note, kept through new discoveries."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

from lawful.errors import ColumnError, OptionError, did_you_mean
from lawful.rules.model import Figures, Rule
from lawful.rules.ruleset import RuleSet

Status: TypeAlias = Literal["proposed", "accepted", "rejected", "muted"]
Severity: TypeAlias = Literal["error", "warn"]

STATUSES: tuple[Status, ...] = ("proposed", "accepted", "rejected", "muted")
SEVERITIES: tuple[Severity, ...] = ("error", "warn")


@dataclass(frozen=True)
class Verdict:
    """What people decided on a rule. ``found`` is False where the newest discovery did not find it any more."""

    status: Status = "proposed"
    severity: Severity = "error"
    note: str = ""
    found: bool = True

    @property
    def reviewed(self) -> bool:
        """Whether anybody said anything of the rule."""
        return (self.status, self.severity, self.note) != ("proposed", "error", "")


PROPOSED = Verdict()


@dataclass(frozen=True)
class Review:
    """Rules, and the verdict on each by its id; a rule without one is proposed.

    ``gone`` are reviewed rules that name a column which the table no longer has, as text, with their verdicts.
    """

    rules: RuleSet
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    gone: tuple[tuple[str, Verdict], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdicts", MappingProxyType(dict(self.verdicts)))

    def of(self, rule: Rule) -> Verdict:
        """The verdict on a rule."""
        return self.verdicts.get(rule.id, PROPOSED)

    def with_verdict(self, rule: Rule, **said: str) -> Review:
        """The same with another ``status``, ``severity`` or ``note`` for one rule."""
        if rule not in self.rules:
            raise OptionError(f"{rule} is not among these rules.", hint="Add it to the list first.")
        for name, allowed in (("status", STATUSES), ("severity", SEVERITIES)):
            if name in said and said[name] not in allowed:
                hint = did_you_mean(str(said[name]), allowed)
                raise OptionError(f"There is no {name} {said[name]!r}.", hint=hint or f"Choose one of {allowed}.")
        return replace(self, verdicts={**self.verdicts, rule.id: replace(self.of(rule), **said)})  # type: ignore[arg-type]

    def to_check(self) -> RuleSet:
        """The accepted rules; all that are neither rejected nor muted where none was accepted."""
        accepted = [rule for rule in self.rules if self.of(rule).status == "accepted"]
        asked = accepted or [rule for rule in self.rules if self.of(rule).status == "proposed"]
        return self.rules._part(asked, "review")

    def found(self) -> RuleSet:
        """The rules less those that the last discovery did not find, from which nothing may be concluded."""
        return self.rules.with_rules((rule for rule in self.rules if self.of(rule).found), ordered=True)

    def updated(self, newer: RuleSet) -> Review:
        """The newer rules with the verdicts of old; a rule that was reviewed stays, though it was not found again."""
        known = {rule.id for rule in newer}
        lost = [rule for rule in self.rules if rule.id not in known and self.of(rule).reviewed]
        kept = [rule for rule in lost if set(rule.columns) <= set(newer.names)]
        away = [rule for rule in lost if rule not in kept]
        unmeasured = (replace(rule, figures=Figures()) for rule in kept)
        verdicts = {name: replace(verdict, found=name in known) for name, verdict in self.verdicts.items()}
        gone = [*self.gone, *((str(rule), replace(self.of(rule), found=False)) for rule in away)]
        back, still = _sorted_out(gone, newer)
        rules = newer.with_rules([*newer, *unmeasured, *(rule for rule, _ in back if rule.id not in known)])
        for rule, verdict in back:
            verdicts[rule.id] = replace(verdict, found=rule.id in known)
        present = {rule.id for rule in rules}
        said = {name: verdict for name, verdict in verdicts.items() if name in present and verdict != PROPOSED}
        return Review(rules, said, tuple(still))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the YAML file; an older file is replaced in one step."""
        from lawful.rules.reviewfile import pieces
        from lawful.rules.rulefile import replaced

        replaced(path, pieces(self, Path(path).name))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Review:
        """The review of a YAML file; that of a rule file has nothing but proposed rules."""
        from lawful.rules.reviewfile import is_review, load
        from lawful.rules.rulefile import load as load_rules

        return load(path) if is_review(path) else Review(load_rules(path))


def _sorted_out(
    gone: Iterable[tuple[str, Verdict]], newer: RuleSet
) -> tuple[list[tuple[Rule, Verdict]], list[tuple[str, Verdict]]]:
    """Rules whose columns are there again, and those whose columns are not."""
    from lawful.rules.grammar import parse

    back: list[tuple[Rule, Verdict]] = []
    still: list[tuple[str, Verdict]] = []
    for text, verdict in gone:
        rule = parse(text)
        if set(rule.columns) <= set(newer.names):
            back.append((rule, verdict))
        else:
            still.append((text, verdict))
    return back, still


def refuse_unknown(rule: Rule, rules: RuleSet, at: str) -> None:
    """An error where the rule names a column that the header does not list."""
    for column in rule.columns:
        if column not in rules.names:
            raise ColumnError(f"{at}: the header lists no column {column!r}.", hint=did_you_mean(column, rules.names))
