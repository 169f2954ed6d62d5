"""Gathering the evidence of all pairs of rows: the calls that are measured, and a plain check of what they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.measure import Timing, spend
from bench.order_calls import start_spark
from bench.order_tables import Subject, encoded
from bench.papers.running import part
from lawful.errors import JobError

if TYPE_CHECKING:
    from lawful.engine.port import Engine
    from lawful.evidence.evidence import Evidence
    from lawful.evidence.space import Space
    from lawful.ranks.encoded import Encoded

CHECKED = 400
"""Rows whose pairs are compared one by one, with NumPy alone."""


@dataclass
class Gathering:
    """The evidence of the denial constraints of a table, to be gathered again and again."""

    table: Encoded
    counted: bool
    engine: Engine

    def __call__(self) -> Evidence:
        from lawful.evidence.space import dc_space
        from lawful.options import DiscoverOptions

        return gathered(dc_space(self.table, DiscoverOptions(kinds=("dc",))), self.engine, self.counted)


def gathered(space: Space, engine: Engine, counted: bool) -> Evidence:
    """The evidence of all pairs of rows, without a limit."""
    from lawful.families.comparing import compare_all
    from lawful.limits import Budget
    from lawful.progress import silent
    from lawful.search.ending import Deadline

    limits: Any = {"budget": Budget.of(None), "deadline": Deadline(None), "listener": silent}
    return compare_all(space, engine, counted=counted, **limits)


def pairs_of(table: Encoded) -> int:
    """Unordered pairs of distinct rows."""
    return table.rows * (table.rows - 1) // 2


def insist_right(table: Encoded, counted: bool, engine: Engine) -> None:
    """Raise unless the first rows' evidence is what comparing their cells pair by pair gives."""
    head = part(table, rows=CHECKED)
    found = Gathering(head, counted, engine)().close()
    expected = _plain(head, found.layout)
    if not np.array_equal(found.signatures, expected.signatures):
        raise JobError("The evidence of the first rows is not what their cells say.", hint="Find the pair.")
    if counted and (found.counts is None or not np.array_equal(found.counts, expected.counts)):  # type: ignore[arg-type]
        raise JobError("The first rows' pairs are counted wrongly.", hint="Find the signature.")


def insist_whole(table: Encoded, found: Evidence) -> None:
    """Raise unless every pair was counted."""
    expected = pairs_of(table) * (2 if found.closed else 1)
    if found.pairs is not None and found.pairs != expected:
        raise JobError(f"{found.pairs:,} pairs were counted of {expected:,}.", hint="Look at the blocks' borders.")


def _plain(table: Encoded, layout: Any) -> Evidence:
    """Evidence of all ordered pairs by whole matrices of comparisons; of columns compared with themselves."""
    from lawful.evidence.evidence import Evidence

    words = np.zeros((table.rows, table.rows, layout.words), np.uint64)
    for place, comparison in zip(layout.places, layout.comparisons, strict=True):
        left, right = table.ranks[comparison.left][:, None], table.ranks[comparison.right][None, :]
        outcome = (left == right).astype(np.uint64)
        if comparison.ordered:
            outcome += 2 * (left > right).astype(np.uint64)
        words[:, :, place >> 6] |= outcome << np.uint64(place & 63)
    apart = words[~np.eye(table.rows, dtype=np.bool_)]
    return Evidence.of(layout, apart, np.ones(len(apart), np.int64))


def gathered_on(subject: dict[str, Any], engine: str, workers: int, counted: bool, repeats: int) -> dict[str, Any]:
    """First and later gatherings with all processes they start; on Spark the session's start is told apart."""
    from lawful.engine.choice import Place
    from lawful.options import EngineOptions

    told: dict[str, Any] = {}
    table = encoded(Subject(**subject))
    if engine == "spark":
        session = spend(lambda: start_spark(workers), "tree")[0]
        told["session"] = {"cpu": session.cpu, "wall": session.wall}
    running = EngineOptions(engine=engine, workers=workers)  # type: ignore[arg-type]
    place = Place(engine == "spark")
    with place.engine(running, place.session(running)) as where:
        call = Gathering(table, counted, where)
        first, found = spend(call, "tree")
        insist_whole(table, found)
        told |= {"digest": digest(found), "distinct": len(found.close()), "pairs": pairs_of(table)}
        del found
        later = tuple(spend(call, "tree")[0] for _ in range(repeats))
    return {**told, **Timing(first, later).figures()}


def digest(found: Evidence) -> str:
    """SHA-256 of signatures and counts, both orders of each pair."""
    import hashlib

    made = hashlib.sha256()
    whole = found.close()
    made.update(np.ascontiguousarray(whole.signatures).tobytes())
    made.update(b"" if whole.counts is None else whole.counts.tobytes())
    return made.hexdigest()
