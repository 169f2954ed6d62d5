"""What pruning is worth: FASTOD's experiments 5 and 6, and what one swap candidate for two directions loses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import lawful
from bench.measure import spend
from bench.order_tables import FLIGHTS, OD_SUBJECTS, Subject, encoded, is_here
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.running import discovered, part
from bench.papers.unpruned import All, everything, one_candidate

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

PATIENCE = 20.0


def without(smoke: bool) -> Iterator[Figure]:
    """With pruning, without, and without remembered pairs too; by columns and by rows."""
    by_columns = [("abalone", (4, 6, 8))] if smoke else [("flight", (5, 8, 10, 12, 14)), ("adult", (5, 8, 10))]
    for name, widths in by_columns:
        if not is_here(Subject(name)):
            continue
        table = encoded(Subject(name))
        parts = {width: part(table, range(width)) for width in widths}
        yield _figure(f"pruning-columns-{name}", f"{name}, {table.rows:,} rows", "columns", parts)
    name, rows = ("abalone", (500, 2_000)) if smoke else (FLIGHTS, (1_000, 5_000, 20_000, 50_000))
    if not is_here(Subject(name)):
        return
    table = encoded(Subject(name, null="NA"))
    some = range(min(10, len(table.columns)))
    yield _figure(
        f"pruning-rows-{name}",
        f"{name}, {len(some)} columns",
        "rows",
        {count: part(table, some, count) for count in rows},
    )


def _figure(name: str, title: str, x: str, parts: dict[int, Encoded]) -> Figure:
    ours = {at: discovered(table) for at, table in parts.items()}
    found: dict[str, dict[int, tuple[float, All] | None]] = {}
    for strategy, remember in (("no pruning", True), ("no pruning, nothing remembered", False)):
        found[strategy] = _until_long(parts, lambda table, remember=remember: everything(table, remember))  # type: ignore[misc]
    every = found["no pruning"]
    implied = [f"{at:,}: {got[1].implied:,} of the ocs" for at, got in every.items() if got is not None]
    return Figure(
        name,
        f"Pruning: {title}",
        "Shape of FASTOD experiments 5 and 6: the same kernel on every candidate of every context. All rules that "
        "hold, against the minimal ones.",
        x,
        (
            Panel(
                "CPU s",
                (
                    Curve("lawful", tuple((at, point.figure) for at, point in ours.items())),
                    *(
                        Curve(strategy, tuple((at, got and got[0]) for at, got in runs.items()))
                        for strategy, runs in found.items()
                    ),
                ),
                log=True,
            ),
            Panel(
                "rules",
                (
                    Curve("minimal", tuple((at, point.rules) for at, point in ours.items())),
                    Curve("all", tuple((at, got and got[1].fds + got[1].ocs) for at, got in every.items())),
                ),
                log=True,
            ),
        ),
        (
            f"Hold only because the context determines a column: {'; '.join(implied)}.",
            f"A strategy is left out after a point of {PATIENCE:g} s.",
        ),
    )


def _until_long(parts: dict[int, Encoded], call: Callable[[Encoded], All]) -> dict[int, tuple[float, All] | None]:
    found: dict[int, tuple[float, All] | None] = {}
    patient = True
    for at, table in parts.items():
        if patient:
            spent, answer = spend(lambda table=table: call(table))  # type: ignore[misc]
            found[at] = (spent.cpu, answer)
            patient = spent.cpu < PATIENCE
        else:
            found[at] = None
    return found


def released(smoke: bool) -> Iterator[Figure]:
    """Rules that the released code of FASTOD-BID and DISTOD misses, table by table."""
    names = ("iris", "abalone", "bridges") if smoke else ("iris", "abalone", "bridges", "hepatitis", "adult", "letter")
    subjects = [subject for subject in OD_SUBJECTS if subject.name in names and is_here(subject)]
    all_of, left = [], []
    notes = ["Tables: " + ", ".join(f"{at} {subject.name}" for at, subject in enumerate(subjects, 1)) + "."]
    for at, subject in enumerate(subjects, 1):
        rules = list(lawful.discover(encoded(subject), ["oc"], engine="local", workers=1))
        kept = one_candidate(rules)
        all_of.append((at, len(rules)))
        left.append((at, len(kept)))
        lost = 1 - len(kept) / len(rules)
        same, opposite = (sum(getattr(r, "direction", "") == d for r in kept) for d in ("same", "opposite"))
        notes.append(f"{subject.name}: {same:,} same and {opposite:,} opposite are left; {lost:.0%} of all are lost.")
    if not subjects:
        return
    yield Figure(
        "released-code",
        "One candidate for two directions",
        "The released code of FASTOD-BID and DISTOD keeps one swap candidate for both directions of a pair and drops "
        "it when either holds; worked out here from the complete answer.",
        "table",
        (Panel("oc", (Curve("complete", tuple(all_of)), Curve("one candidate", tuple(left))), log=True),),
        tuple(notes),
    )
