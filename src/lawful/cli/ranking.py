"""Rules on the screen: the most interesting first, how many more there are, and whether any may be missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from lawful.cli.screen import Screen, shown

if TYPE_CHECKING:
    from lawful.rules import RuleSet
    from lawful.rules.model import Rule

SHOWN = 30
NEAR_KEY = "near key"
_LEGEND = f"{NEAR_KEY}: hardly any two rows share the context of this rule, so there is little that could break it."


def print_rules(rules: RuleSet, screen: Screen, *, most: int = SHOWN, kept: str | None = None) -> None:
    """The ``most`` interesting rules as a table, then what is not shown; ``kept`` is the file that has all of them."""
    best = rules.by_interest().rules[:most]
    marked = [is_near_key(rule, rules.rows) for rule in best]
    if best:
        screen.show(_table(best, marked, approximate=bool(rules.options.get("max_error"))))
    else:
        screen.say(f"No rules of kind {', '.join(rules.kinds)}.")
    if any(marked):
        screen.say(_LEGEND)
    for line in _whereabouts(len(rules), len(rules) - len(best), kept):
        screen.say(line)


def is_near_key(rule: Rule, rows: int | None) -> bool:
    """Whether the rows share the context of an fd or oc with fewer others, on average, than one each."""
    coverage = rule.figures.coverage
    return rule.kind in ("fd", "oc") and coverage is not None and bool(rows) and coverage < 2 / (rows or 1)


def summary(rules: RuleSet, seconds: str) -> str:
    """One line: rules by kind, the table's size, engine and time, and whether the list is complete."""
    counts = Counter(rule.kind for rule in rules)
    kinds = ", ".join(f"{counts[kind]:,} {kind}" for kind in rules.kinds)
    size = f"{rules.rows or 0:,} rows × {len(rules.columns):,} columns"
    total = f"{len(rules):,} rule{'' if len(rules) == 1 else 's'}"
    return f"{size}: {total} ({kinds}), {seconds} ({rules.engine}), {_completeness(rules)}"


def _completeness(rules: RuleSet) -> str:
    if rules.complete:
        return "complete"
    known = "" if rules.complete_to is None else f"; none over up to {rules.complete_to:,} columns is missing"
    return f"incomplete: {rules.incomplete}{known}"


def _whereabouts(total: int, more: int, kept: str | None) -> Iterator[str]:
    if kept is not None:
        yield f"and {more:,} more: all {total:,} rules are in {kept}" if more else f"kept in {kept}"
    elif more:
        yield f"and {more:,} more: keep all {total:,} rules with -o FILE"


def _table(rules: Sequence[Rule], marked: Sequence[bool], *, approximate: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for heading in ("interest", "coverage", *(["error"] if approximate else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    if any(marked):
        table.add_column("", no_wrap=True, style="dim")
    table.add_column("rule", overflow="fold")
    for rule, mark in zip(rules, marked, strict=True):
        figures = rule.figures
        numbers = (figures.interest, figures.coverage, *([figures.error] if approximate else []))
        marks = [NEAR_KEY if mark else ""] if any(marked) else []
        table.add_row(*map(_number, numbers), *marks, Text(shown(str(rule))))
    return table


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"
