"""What changed between two lists of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawful.rules.lines import figure
from lawful.rules.model import Rule

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

_FIGURES = ("error", "coverage", "interest", "surprise")


@dataclass(frozen=True)
class RuleDiff:
    """``kept_changed`` holds rules of both lists, old and new, of which a figure known to both differs.

    True when anything differs. ``caveats`` say where a list may miss rules, so that an addition or a removal may
    come from the limit rather than from the data.
    """

    added: tuple[Rule, ...] = ()
    removed: tuple[Rule, ...] = ()
    kept_changed: tuple[tuple[Rule, Rule], ...] = ()
    kept: int = 0
    caveats: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.kept_changed)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        changed = len(self.kept_changed)
        yield f"{len(self.added)} added, {len(self.removed)} removed, {self.kept} kept, {changed} of these changed"
        yield from (f"! {caveat}" for caveat in self.caveats)
        yield from (f"+ {rule}" for rule in self.added)
        yield from (f"- {rule}" for rule in self.removed)
        for old, new in self.kept_changed:
            yield f"~ {new}  ({', '.join(changes(old, new))})"


def diff(old: RuleSet, new: RuleSet) -> RuleDiff:
    """Compares by id, so that the order of columns does not matter; linear in the number of rules."""
    before, after = {rule.id: rule for rule in old}, {rule.id: rule for rule in new}
    kept = [(before[name], rule) for name, rule in after.items() if name in before]
    return RuleDiff(
        added=tuple(rule for name, rule in after.items() if name not in before),
        removed=tuple(rule for name, rule in before.items() if name not in after),
        kept_changed=tuple(pair for pair in kept if changes(*pair)),
        kept=len(kept),
        caveats=tuple(_caveats(old, new)),
    )


def changes(old: Rule, new: Rule) -> list[str]:
    """The figures known of both that differ at the digits a file keeps; errors of one measure only are compared."""
    comparable = [name for name in _FIGURES if name != "error" or old.figures.measure == new.figures.measure]
    pairs = [(name, figure(getattr(old.figures, name)), figure(getattr(new.figures, name))) for name in comparable]
    return [f"{name} {a:.6g} -> {b:.6g}" for name, a, b in pairs if a is not None and b is not None and a != b]


def _caveats(old: RuleSet, new: RuleSet) -> Iterator[str]:
    for which, rules in (("old", old), ("new", new)):
        if rules.incomplete is not None:
            yield f"the {which} list may miss rules: {rules.incomplete}"
