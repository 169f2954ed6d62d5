"""How a set of rules shows itself: one line at a prompt, a small table in a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from lawful.rules.model import KINDS, Rule

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

SHOWN = 30
"""Rules in the table."""

_LONGEST = 400
"""Characters of a text that are shown; with ``SHOWN`` it bounds the size of the table."""

# Colours come from the page where they can, so that a theme that does not tell its scheme is right too.
_STYLE = """<style>
.lawful-rules { color-scheme: light dark; color: inherit; font-size: 0.9em; }
.lawful-rules .banner { color: light-dark(#8a4b00, #ffb454); font-weight: 600; }
.lawful-rules table { border-collapse: collapse; margin: 0.4em 0; }
.lawful-rules td, .lawful-rules th { padding: 0.15em 0.7em; border-bottom: 1px solid light-dark(#ddd, #444); }
.lawful-rules th, .lawful-rules td.text { text-align: left; }
.lawful-rules td.number { text-align: right; font-variant-numeric: tabular-nums; }
.lawful-rules td.text { overflow-wrap: anywhere; white-space: pre-wrap; }
</style>"""


def short(rules: RuleSet) -> str:
    """``<RuleSet: 3 rules (2 fd, 1 oc) of 'pay.csv', 6 rows, complete>``"""
    return f"<RuleSet: {_summary(rules)}>"


def html(rules: RuleSet) -> str:
    """The most interesting rules, how many more there are, and whether any may be missing; below 200 kB."""
    shown = rules.by_interest().rules[:SHOWN]
    banner = "" if rules.complete else f'<p class="banner">This list may miss rules: {_text(_completeness(rules))}</p>'
    notes = "".join(f"<p>{_text(note)}</p>" for note in _notes(rules))
    more = f"<p>and {len(rules) - len(shown)} more</p>" if len(rules) > len(shown) else ""
    summary = f"<p>{_text(_summary(rules))}</p>"
    return f'<div class="lawful-rules">{_STYLE}{summary}{banner}{notes}{_table(shown)}{more}</div>'


def _summary(rules: RuleSet) -> str:
    counts = Counter(rule.kind for rule in rules)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts[kind])
    parts = [f"{len(rules)} rule{'' if len(rules) == 1 else 's'}" + (f" ({kinds})" if kinds else "")]
    parts[0] += f" of {rules.source!r}" if rules.source is not None else ""
    parts += [f"{rules.rows} rows"] if rules.rows is not None else []
    return ", ".join([*parts, "complete" if rules.complete else f"incomplete: {rules.incomplete}"])


def _completeness(rules: RuleSet) -> str:
    known = "" if rules.complete_to is None else f" (all rules of at most {rules.complete_to} columns are there)"
    return f"{rules.incomplete}{known}"


def _notes(rules: RuleSet) -> list[str]:
    notes = [*([rules.note] if rules.note else []), *rules.warnings]
    return notes if len(notes) <= 10 else [*notes[:9], f"and {len(notes) - 9} more warnings"]


def _table(rules: Iterable[Rule]) -> str:
    rows = "".join(map(_row, rules))
    head = "".join(f"<th>{name}</th>" for name in ("kind", "rule", "interest", "coverage", "error"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""


def _row(rule: Rule) -> str:
    figures = (rule.figures.interest, rule.figures.coverage, rule.figures.error)
    numbers = "".join(f'<td class="number">{"" if value is None else f"{value:.4g}"}</td>' for value in figures)
    return f'<tr><td>{rule.kind}</td><td class="text"><code>{_text(str(rule))}</code></td>{numbers}</tr>'


def _text(text: str) -> str:
    return escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
