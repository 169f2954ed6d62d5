"""Level by level: FASTOD's experiment 7 and figure 12 of the thesis on DISTOD."""

from __future__ import annotations

from collections.abc import Iterator

from bench.order_calls import warm
from bench.order_tables import Subject, encoded, is_here
from bench.order_watch import watched
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.running import TIME_LIMIT, part


def levels(smoke: bool) -> Iterator[Figure]:
    """Seconds, contexts and rules by the size of the context."""
    plan = [("abalone", None, 9)] if smoke else [("flight", None, 40), ("adult", None, 15), ("hepatitis", "?", 20)]
    for name, null, width in plan:
        if not is_here(Subject(name)):
            continue
        warm()
        table = part(encoded(Subject(name, null=null)), range(width))
        answer, seen = watched(table, time_limit=TIME_LIMIT)
        by_size = sorted(seen.levels.items())
        notes = [f"{len(answer.rules):,} rules, {answer.contexts:,} contexts."]
        if answer.ending.reason is not None:
            notes.append(f"Not all: {answer.ending.reason}; contexts are tried small ones first.")
        yield Figure(
            f"levels-{name}",
            f"Levels: {name}, {table.rows:,} rows, {width} columns",
            "Shape of FASTOD experiment 7 and of DISTOD's figure 12. A level is the size of the context; in FASTOD's "
            "count it is one higher for fd, two for oc. Seconds are those of the workers.",
            "columns of the context",
            (
                Panel("CPU s", (Curve("level", tuple((size, level.seconds) for size, level in by_size)),), log=True),
                Panel(
                    "count",
                    (
                        Curve("fd", tuple((size, level.fds) for size, level in by_size)),
                        Curve("oc", tuple((size, level.ocs) for size, level in by_size)),
                        Curve("contexts", tuple((size, level.contexts) for size, level in by_size)),
                    ),
                    log=True,
                ),
            ),
            tuple(notes),
        )
