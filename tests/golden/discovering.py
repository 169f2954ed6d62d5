"""`lawful.discover` as a judge of goldens."""

from __future__ import annotations

from collections.abc import Iterable

import lawful
from lawful.rules.model import Rule
from tests.golden.law import Golden
from tests.made import as_arrow

OFFERED = frozenset({"fd", "key", "oc", "od", "lod", "pod", "dc"})
"""The kinds it finds; lists are derived from the others."""

UNKNOWING = frozenset({"key", "dc"})
"""The kinds it finds where nulls are unknown."""


def offers(golden: Golden, kinds: Iterable[str]) -> bool:
    known = golden.settings.get("nulls") != "unknown"
    return OFFERED.issuperset(kinds) and (known or UNKNOWING.issuperset(kinds))


def found(golden: Golden, kinds: tuple[str, ...]) -> Iterable[Rule]:
    """What it finds, in process, with the settings of the golden."""
    table, options = golden.table, golden.options
    order = {name: [str(value) for value in values] for name, values in table.orders.items()}
    lists = "lod" in kinds
    if lists:
        options.setdefault("max_size", len(table.names))
    asked = {"od" if kind == "lod" else kind for kind in kinds}
    rules = lawful.discover(
        as_arrow(table), sorted(asked), order=order, list_form=lists, engine="local", workers=1, **options
    )
    wanted = {part for kind in kinds for part in (("fd", "oc") if kind == "od" else (kind,))}
    return [rule for rule in rules if rule.kind in wanted]
