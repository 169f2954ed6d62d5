"""How a check shows itself in a notebook: a compact table, the broken rules first."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lawful.violations.checked import CheckResult, RuleCheck

SHOWN = 100
"""Rules in the table."""

_LONGEST = 400
_ORDER = {"broken": 0, "tolerated": 1, "holds": 2}
_STYLE = """<style>
.lawful-check { color-scheme: light dark; color: inherit; font-size: 0.9em; }
.lawful-check table { border-collapse: collapse; margin: 0.4em 0; }
.lawful-check td, .lawful-check th { padding: 0.15em 0.7em; border-bottom: 1px solid light-dark(#ddd, #444); }
.lawful-check th, .lawful-check td.text { text-align: left; }
.lawful-check td.number { text-align: right; font-variant-numeric: tabular-nums; }
.lawful-check td.text { overflow-wrap: anywhere; white-space: pre-wrap; }
.lawful-check .broken { color: light-dark(#b00020, #ff8a80); font-weight: 600; }
</style>"""


def html(result: CheckResult) -> str:
    """A line of summary and a row a rule; texts are cut and escaped."""
    ranked = sorted(result, key=lambda check: _ORDER[check.status])
    rows = "".join(map(_row, ranked[:SHOWN]))
    more = f"<p>and {len(ranked) - SHOWN} more</p>" if len(ranked) > SHOWN else ""
    heads = "".join(f"<th>{name}</th>" for name in ("", "rule", "error", "pairs", "rows", "to remove"))
    summary = f"<p>{_text(repr(result)[1:-1])}</p>"
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="lawful-check">{_STYLE}{summary}{table}{more}</div>'


def _row(check: RuleCheck) -> str:
    removed = "" if check.repair is None else f"{check.repair.rows:,}{'' if check.repair.exact else ' (greedy)'}"
    numbers = (f"{check.error:.4g} ({check.measure})", f"{check.pairs:,}", f"{check.rows:,}", removed)
    cells = "".join(f'<td class="number">{number}</td>' for number in numbers)
    text = f'<td class="text"><code>{_text(str(check.rule))}</code></td>'
    return f'<tr><td class="{check.status}">{check.status}</td>{text}{cells}</tr>'


def _text(text: str) -> str:
    return escape(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")
