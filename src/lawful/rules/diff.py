"""What changed between two lists of rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from lawful.rules.lines import figure
from lawful.rules.model import Fd, Key, Lod, Oc, Rule

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

_FIGURES = ("error", "coverage", "interest", "surprise")
_MATTER = ("nulls", "order", "max_error", "measure", "max_size", "cross_columns", "order_strings")
"""Options that decide which rules there are."""
_VERDICTS = {None: "", True: "  (still follows)", False: "  (no longer holds)"}


@dataclass(frozen=True)
class RuleDiff:
    """``kept_changed`` holds rules of both lists, old and new, of which a figure known to both differs.

    ``verdicts`` say of each rule removed whether it still follows from the new list (a more general one took its
    place): True, False, or None where the new list does not tell. True when anything differs. ``caveats`` say where
    the lists were made otherwise or may miss rules, so that an addition or a removal may not come from the data.
    """

    added: tuple[Rule, ...] = ()
    removed: tuple[Rule, ...] = ()
    kept_changed: tuple[tuple[Rule, Rule], ...] = ()
    kept: int = 0
    caveats: tuple[str, ...] = ()
    verdicts: tuple[bool | None, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.kept_changed)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    @property
    def broken(self) -> tuple[Rule, ...]:
        """The rules removed that no longer hold."""
        return tuple(rule for rule, holds in zip_longest(self.removed, self.verdicts) if holds is False)

    def lines(self) -> Iterator[str]:
        """A summary, the caveats, then a line for each rule that differs."""
        changed = len(self.kept_changed)
        yield f"{len(self.added)} added, {len(self.removed)} removed, {self.kept} kept, {changed} of these changed"
        yield from (f"! {caveat}" for caveat in self.caveats)
        yield from (f"+ {rule}" for rule in self.added)
        for rule, holds in zip_longest(self.removed, self.verdicts):
            yield f"- {rule}{_VERDICTS[holds]}"
        for old, new in self.kept_changed:
            yield f"~ {new}  ({', '.join(changes(old, new))})"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: rules as their lines in the file have them, each with its text."""
        holds = zip_longest(self.removed, self.verdicts)
        pairs = [{"rule": str(new), "id": new.id, "changes": changes(old, new)} for old, new in self.kept_changed]
        return {
            "added": [{"rule": str(rule)} | rule.to_dict() for rule in self.added],
            "removed": [{"rule": str(rule), "still_holds": still} | rule.to_dict() for rule, still in holds],
            "changed": pairs,
            "kept": self.kept,
            "caveats": list(self.caveats),
        }


def diff(old: RuleSet, new: RuleSet) -> RuleDiff:
    """Compares by id, so that the order of columns does not matter; linear in the number of rules."""
    before, after = {rule.id: rule for rule in old}, {rule.id: rule for rule in new}
    kept = [(before[name], rule) for name, rule in after.items() if name in before]
    removed = tuple(rule for name, rule in before.items() if name not in after)
    return RuleDiff(
        added=tuple(rule for name, rule in after.items() if name not in before),
        removed=removed,
        kept_changed=tuple(pair for pair in kept if changes(*pair)),
        kept=len(kept),
        caveats=tuple(_caveats(old, new)),
        verdicts=tuple(_still(rule, new) for rule in removed),
    )


def _still(rule: Rule, new: RuleSet) -> bool | None:
    """Whether the new list implies the rule; of a rule that had exceptions, or of another kind, it cannot tell."""
    judged = isinstance(rule, Fd | Key | Oc | Lod) and not rule.figures.error
    if not judged or not set(rule.columns) <= set(new.names):
        return None
    return new.holds(rule).holds


def changes(old: Rule, new: Rule) -> list[str]:
    """The figures known of both that differ at the digits a file keeps; errors of one measure only are compared."""
    comparable = [name for name in _FIGURES if name != "error" or old.figures.measure == new.figures.measure]
    pairs = [(name, figure(getattr(old.figures, name)), figure(getattr(new.figures, name))) for name in comparable]
    return [f"{name} {a:.6g} -> {b:.6g}" for name, a, b in pairs if a is not None and b is not None and a != b]


def _caveats(old: RuleSet, new: RuleSet) -> Iterator[str]:
    for which, rules in (("old", old), ("new", new)):
        if rules.incomplete is not None:
            yield f"the {which} list may miss rules: {rules.incomplete}"
    yield from _other_tables(old, new)
    if old.options and new.options:  # else the lists were written, not discovered
        yield from _other_questions(old, new)


def _other_questions(old: RuleSet, new: RuleSet) -> Iterator[str]:
    """Kinds that one discovery looked for alone, and options that decide which rules there are."""
    for which, one, other in (("old", old, new), ("new", new, old)):
        alone = [kind for kind in one.kinds if kind not in other.kinds]
        if alone:
            yield f"only the {which} list looked for {', '.join(alone)}"
    for name in _MATTER:
        before, after = (rules.options.get(name) for rules in (old, new))
        if before != after:
            yield f"{name} was {before!r} and is {after!r}"


def _other_tables(old: RuleSet, new: RuleSet) -> Iterator[str]:
    """Columns that one table lacks, or whose type is another one now."""
    types = {column.name: column.type for column in old.columns}
    for which, one, other in (("new", new, old), ("old", old, new)):
        lacking = [name for name in other.names if name not in one.names]
        if lacking:
            yield f"the {which} table lacks {_counted(lacking)}"
    for name, type in new.columns:
        if None not in (type, types.get(name)) and type != types[name]:
            yield f"column {name!r} was of type {types[name]} and is of type {type}"


def _counted(names: list[str]) -> str:
    shown = ", ".join(map(repr, names[:5]))
    return f"column {shown}" if len(names) == 1 else f"columns {shown}" + (", …" if len(names) > 5 else "")
