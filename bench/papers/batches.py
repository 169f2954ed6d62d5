"""A table, the last rows of which are a batch: they go, and they come back; what each way of counting that costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from bench.measure import spend
from lawful.errors import JobError

if TYPE_CHECKING:
    from lawful.evidence.evidence import Evidence
    from lawful.ranks.encoded import Encoded

Way: TypeAlias = Literal["insert", "delete"]
WAYS: tuple[Way, Way] = ("insert", "delete")
BRIEF = 0.5
"""CPU seconds below which a call is measured again, twice: the least counts."""


@dataclass(frozen=True)
class Took:
    """CPU seconds of counting a batch's change and of taking it into the multiset; how many distinct sets changed."""

    counting: float
    taking_in: float
    changed: int

    @property
    def ms(self) -> float:
        return 1000 * (self.counting + self.taking_in)


class Whole:
    """The agree sets of a table, of which some last rows are taken away and given back."""

    def __init__(self, table: Encoded) -> None:
        from lawful.engine.local import LocalEngine
        from lawful.evidence.agree import agree_layout
        from lawful.evidence.multiset import Multiset
        from lawful.families.agreeing import agree_sets_of

        self.ranks, self.rows = np.ascontiguousarray(table.ranks), table.rows
        with LocalEngine(1) as engine:
            self.all = agree_sets_of(table, engine).evidence
        self.sets = Multiset(agree_layout(len(self.ranks)), self.all)

    def both(self, size: int) -> dict[Way, Took]:
        """The last rows go, and come back; in the end the sets must be what they were."""
        gone = taken(lambda: followed(self.ranks, self.rows, size, "delete"), self.sets)
        come = taken(lambda: followed(self.ranks, self.rows - size, size, "insert"), self.sets)
        if self.sets.evidence() != self.all:
            raise JobError("Rows went and came back, and the agree sets are others.", hint="Count them by hand.")
        return {"delete": gone, "insert": come}


def taken(count: Callable[[], Evidence], sets: Any) -> Took:
    """Count a change and take it in; both again, undone in between, where that is brief."""
    count()  # so that all is compiled
    best = None
    for _ in range(3):
        counting, change = spend(count)
        taking_in, _ = spend(lambda change=change: sets.add(change))  # type: ignore[misc]
        if best is None or counting.cpu + taking_in.cpu < best.counting + best.taking_in:
            best = Took(counting.cpu, taking_in.cpu, len(change))
        if counting.cpu + taking_in.cpu >= BRIEF:
            break
        sets.add(negative(change))
    else:
        sets.add(change)
    assert best is not None
    return best


def followed(ranks: Any, rows: int, size: int, way: Way) -> Evidence:
    """The change by a batch, as a state follows it: ``rows`` there are, ``size`` come after them, or go at the end."""
    from lawful.engine.local import LocalEngine
    from lawful.maintain.counting import change_of

    held, gone, new = _batch(ranks, rows, size, way)
    with LocalEngine(1) as engine:
        return change_of(held, gone, new, engine)


def anew(ranks: Any, rows: int, size: int, way: Way, before: Evidence) -> Evidence:
    """The same change, by counting all pairs that are left."""
    from lawful.engine.local import LocalEngine
    from lawful.maintain.counting import counted_anew
    from lawful.maintain.rows import Part

    held, gone, new = _batch(ranks, rows, size, way)
    with LocalEngine(1) as engine:
        return counted_anew(held.changed(gone.ids, Part(np.arange(new.shape[1]) + rows, new)), before, engine)


def _batch(ranks: Any, rows: int, size: int, way: Way) -> Any:
    from lawful.maintain.rows import Part, Rows

    none = np.zeros(0, np.int64)
    held = Rows(len(ranks), (Part(np.arange(rows), np.ascontiguousarray(ranks[:, :rows])),), none)
    if way == "insert":
        return held, Part(none, ranks[:, :0]), np.ascontiguousarray(ranks[:, rows : rows + size])
    return held, Part(np.arange(rows - size, rows), np.ascontiguousarray(ranks[:, rows - size : rows])), ranks[:, :0]


def negative(change: Evidence) -> Evidence:
    """What undoes a change."""
    from lawful.evidence.evidence import Evidence

    assert change.counts is not None
    return Evidence(change.layout, change.signatures, -change.counts, closed=False)
