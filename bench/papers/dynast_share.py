"""Batches as a share of the table they come to: where counting anew gets cheaper, and what whole commits cost."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from bench.measure import spend
from bench.order_tables import Subject, encoded, is_here
from bench.papers.batches import BRIEF, Way, anew, followed
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.running import part
from bench.peers import Peer, insist_equal, installed, statements_of
from lawful.errors import JobError

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

TABLES = (Subject("adult"), Subject("claims_encoded"), Subject("flight"), Subject("uniprot"))
SHORT = (Subject("bridges"),)
MOST_ROWS = 44_000
INSERTED = (1, 3, 10, 30, 100, 200, 300, 1000)
DELETED = (1, 3, 10, 25, 40, 50, 75, 90)
"""Percent of the rows that are there before."""
RULED = (Subject("letter"), Subject("adult"))
RULED_SHARES = (1, 10, 100, 1000)


@dataclass(frozen=True)
class Both:
    """CPU seconds of both ways to one change, and whether a state would choose to count anew."""

    follow: float
    anew: float
    chosen_anew: bool


def shares(smoke: bool) -> Iterator[Figure]:
    """Inserts and deletes of a growing share of the table."""
    for subject in filter(is_here, SHORT if smoke else TABLES):
        table = encoded(subject)
        ranks = np.ascontiguousarray(table.ranks[:, :MOST_ROWS])
        first = ranks.shape[1] // 11
        inserted = {share: _both(ranks, first, max(first * share // 100, 1), "insert") for share in INSERTED}
        rows = min(ranks.shape[1], MOST_ROWS // 2)
        deleted = {share: _both(ranks, rows, max(rows * share // 100, 1), "delete") for share in DELETED}
        yield Figure(
            f"dynast-shares-{subject.name}",
            f"Share of the table: {subject.name}, {len(table.columns)} columns",
            f"Shape of DynASt's tables 5 and 6: inserts after {first:,} rows, deletes from {rows:,}, in percent of "
            "these. Followed: pairs of the batch with all rows; anew: all pairs that are left, which the paper gives "
            "to another program. Both gave the same change.",
            "% of the rows",
            (_seconds("inserts", inserted), _seconds("deletes", deleted)),
            (_crossing("Inserts", inserted), _crossing("Deletes", deleted)),
            log_x=True,
        )


def _both(ranks: Any, rows: int, size: int, way: Way) -> Both:
    from lawful.evidence.batch import within
    from lawful.maintain.counting import cheaper_anew, packing_of
    from lawful.maintain.rows import Part, Rows

    held = np.ascontiguousarray(ranks[:, :rows])
    part_, none = Part(np.arange(rows), held), np.zeros(0, np.int64)
    before = within(packing_of(Rows(len(ranks), (part_,), none), ranks), held)
    follow, change = _least(lambda: followed(ranks, rows, size, way))
    fresh, again = _least(lambda: anew(ranks, rows, size, way, before))
    if _as_counts(change) != _as_counts(again):
        raise JobError("A batch that is followed and one that is counted anew differ.", hint="Count pairs by hand.")
    gone, new = (size, 0) if way == "delete" else (0, size)
    return Both(follow, fresh, cheaper_anew(rows, gone, new, len(before)))


def _least(call: Any) -> tuple[float, Any]:
    spent, answer = spend(call)
    runs = [spent.cpu]
    while len(runs) < 3 and min(runs) < BRIEF:
        runs.append(spend(call)[0].cpu)
    return min(runs), answer


def _as_counts(change: Any) -> Any:
    from lawful.evidence.evidence import Evidence

    odd = change.counts != 0
    found = Evidence.of(change.layout, change.signatures[odd], change.counts[odd], closed=False)
    return found.signatures.tobytes(), found.counts.tobytes()


def _seconds(what: str, found: Mapping[int, Both]) -> Panel:
    return Panel(
        f"CPU s, {what}",
        (
            Curve("followed", tuple((share, both.follow) for share, both in found.items())),
            Curve("anew", tuple((share, both.anew) for share, both in found.items())),
        ),
        log=True,
    )


def _crossing(what: str, found: Mapping[int, Both]) -> str:
    cheaper = [share for share, both in found.items() if both.anew < both.follow]
    chosen = [share for share, both in found.items() if both.chosen_anew]
    lost = max((_chosen(both) / min(both.follow, both.anew) for both in found.values()), default=1.0)
    return (
        f"{what}: counting anew is cheaper at {_percent(cheaper)}, and `apply` does it at {_percent(chosen)}; "
        f"what it chooses costs at most {lost:.2f} × the cheaper way."
    )


def _chosen(both: Both) -> float:
    return both.anew if both.chosen_anew else both.follow


def _percent(shares: Sequence[int]) -> str:
    return ", ".join(f"{share:,} %" for share in shares) or "none of these"


def rules(smoke: bool) -> Iterator[Figure]:
    """Whole commits with functional dependencies, against a state made anew and a peer that discovers anew."""
    for subject in filter(is_here, SHORT if smoke else RULED):
        table = encoded(subject)
        first = min(table.rows, 20_000) // 11
        found = {share: _commit(table, first, max(first * share // 100, 1)) for share in RULED_SHARES}
        names = ("state apply", "state made anew", "Desbordante Pyro anew")
        curves = (
            Curve(name, tuple((share, times[at]) for share, times in found.items())) for at, name in enumerate(names)
        )
        yield Figure(
            f"dynast-rules-{subject.name}",
            f"Functional dependencies: {subject.name}, inserts after {first:,} rows",
            "Shape of DynASt's tables 7 and 8: one batch of inserts, from reading it to the commit, with the fds after "
            "it and two rows for each that came or went; a state made anew tells none. DynFD is not in Desbordante's "
            "wheel, so the peer discovers anew; its fds were found equal.",
            "% of the rows",
            (Panel("CPU s", tuple(curves), log=True),),
            log_x=True,
        )


def _commit(table: Encoded, first: int, size: int) -> tuple[float, float, float | None]:
    """CPU seconds of a batch applied, of a state made anew, and of the peer."""
    import lawful as lw
    from lawful.options import EngineOptions

    some = part(table, rows=first + size)
    arrow = pa.table({about.name: np.asarray(some.ranks[c]) for c, about in enumerate(some.columns)})
    folder, running = Path(tempfile.mkdtemp(prefix="lawful-bench-")), EngineOptions(workers=1)
    try:
        least = []
        for turn in range(3):
            state = lw.maintain.create(folder / f"state{turn}", arrow.slice(0, first), ["fd"], running=running)
            least.append(spend(lambda state=state: state.apply(arrow.slice(first), running=running))[0].cpu)  # type: ignore[misc]
        runs = [
            spend(lambda turn=turn: lw.maintain.create(folder / f"anew{turn}", arrow, ["fd"], running=running))  # type: ignore[misc]
            for turn in range(2)
        ]
        fresh = runs[0][1]
        if fresh.rules() != state.rules():
            raise JobError("A state that followed a batch has other fds.", hint="Run `lawful state check DIR --deep`.")
        theirs = None
        if installed():
            peer = Peer("Pyro", some)
            theirs = min(spend(peer.run)[0].cpu for _ in range(2))
            insist_equal(statements_of(state.rules(), some.names), peer.statements(), "Pyro")
        return min(least), min(spent.cpu for spent, _ in runs), theirs
    finally:
        shutil.rmtree(folder, ignore_errors=True)
