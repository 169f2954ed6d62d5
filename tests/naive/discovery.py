"""Exactly the rules that discovery has to report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from lawful.rules.model import Measure, Rule
from tests.naive.denials import dcs
from tests.naive.lists import lods
from tests.naive.masks import Judge, PairMasks
from tests.naive.pointwise import pods
from tests.naive.sets import fds, keys, ocs
from tests.naive.space import Space
from tests.naive.table import Nulls, Table

MEASURES: dict[str, tuple[Measure, ...]] = {
    "fd": ("removal", "pairs"),
    "key": ("removal", "pairs"),
    "oc": ("removal", "pairs"),
    "lod": ("pairs",),
    "pod": ("pairs",),
    "dc": ("pairs",),
}
"""The measures offered for each kind, the default first."""


def discover(
    table: Table,
    kinds: Iterable[str],
    *,
    nulls: Nulls = "first",
    max_error: Fraction = Fraction(0),
    measure: Measure | None = None,
    max_size: int | None = None,
    cross_columns: bool = False,
    order_strings: bool = False,
    share: Fraction = Fraction(1, 5),
    means: Fraction = Fraction(1, 10),
) -> frozenset[Rule]:
    """The minimal rules of each kind (``od`` means fd and oc), in canonical form."""
    space = Space(cross_columns, order_strings, share, means)
    most = len(table.names) if max_size is None else max_size
    masks, found = PairMasks(table, nulls), set[Rule]()
    for kind in expand(kinds):
        chosen = _measure(kind, nulls, max_error, measure)
        found.update(_rules(kind, Judge(masks, max_error, chosen), space, most))
    return frozenset(found)


def expand(kinds: Iterable[str]) -> set[str]:
    return {each for kind in kinds for each in (("fd", "oc") if kind == "od" else (kind,))}


def _measure(kind: str, nulls: Nulls, max_error: Fraction, measure: Measure | None) -> Measure:
    """The measure to use; what semantics refuse is refused here too."""
    chosen = measure or MEASURES[kind][0]
    if chosen not in MEASURES[kind] or (kind == "lod" and max_error) or not 0 <= max_error < 1:
        raise ValueError(f"{kind} has no error {max_error} by {chosen}")
    if nulls == "unknown" and kind not in ("key", "dc"):
        raise ValueError(f"unknown nulls are not offered for discovering {kind}")
    return chosen


def _rules(kind: str, judge: Judge, space: Space, max_size: int) -> Iterator[Rule]:
    match kind:
        case "fd":
            return fds(judge, max_size)
        case "key":
            return keys(judge, max_size)
        case "oc":
            return ocs(judge, max_size)
        case "lod":
            return lods(judge, max_size)
        case "pod":
            return pods(judge, max_size)
        case "dc":
            return dcs(judge, space, max_size)
    raise ValueError(f"no such kind of rule: {kind}")
