"""A walk through the lattice of contexts: hands out tasks, takes in verdicts, ends in order.

The walk is the one place that decides candidates and pruning; it knows arrays, and nothing of where tasks run.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lawful.engine.port import PAUSE, Engine, Pause
from lawful.errors import LimitError
from lawful.limits import Budget
from lawful.progress import Listener, Step, silent
from lawful.search.ending import Deadline, Ending, ended_in_order
from lawful.search.found import Findings
from lawful.search.lattice import Block, Lattice, Tried, Words
from lawful.search.validators import COUNTERS, Near, Task, TryContexts, TryNear, Verdict, cache
from lawful.search.witnesses import first_pairs

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.search.journal import Journal

ROOM = 1 << 15
"""Most pairs of rows remembered, unless a short table has more in all."""

_FIRST_RATE = 2_000.0
_LEAST = 16
_RULE = 600
"""Bytes that a rule takes once it is more than a row of arrays, while it is being made."""


@dataclass(frozen=True)
class Plan:
    """What a walk looks for.

    ``places`` are the table's columns in the order of the walk, ``ordered`` whether they can be in an order
    compatibility; ``cand_fd`` and ``cand_oc`` what is open at the empty context, of which contexts of at most
    ``deepest`` and ``deepest_oc`` columns matter. ``follow``: nothing was cut away, so what subsets determine tells
    keys. ``least``: shared pairs of rows below which a context is given up. ``near`` is the budget of an approximate
    walk.
    """

    places: tuple[int, ...]
    ordered: tuple[bool, ...]
    cand_fd: Words
    cand_oc: Words
    deepest: int
    deepest_oc: int
    follow: bool
    least: int = 0
    near: Near | None = None


class Walk:
    """The state of a search for the rules of one plan on one table."""

    def __init__(self, table: Encoded, plan: Plan, allow: Callable[[int], None] | None = None) -> None:
        self.table = table
        self.plan = plan
        self.findings = Findings()
        self.counters = np.zeros(COUNTERS, np.int64)
        self.lattice = Lattice(len(plan.places), plan.cand_fd, plan.cand_oc, plan.deepest, plan.deepest_oc, allow)
        self._blocks: dict[int, Block] = {}
        self._rate = _FIRST_RATE
        self._known = np.zeros((0, 2), np.int32)
        self.job: TryContexts | TryNear
        if plan.near is not None:
            self.job = TryNear(plan.places, plan.ordered, plan.near, plan.least)
            return
        start = first_pairs(table.ranks, plan.places, ROOM // 4)
        self._known = start.pairs
        room = max(len(start.pairs), 64) if start.exhaustive else ROOM
        self.job = TryContexts(
            uuid.uuid4().hex, plan.places, plan.ordered, start.exhaustive, plan.follow, plan.least, room
        )

    def tasks(self, parallelism: int = 1, grain: float = 0.3) -> Iterator[Task | Pause]:
        """Blocks as they become ready; a pause while all that is left hangs on others being tried.

        A block is worth about ``grain`` seconds of work, less where ``parallelism`` workers would not all get one.
        """
        while True:
            worth = self._rate * grain
            share = max(self.lattice.next_waiting / parallelism, worth / 8)
            block = self.lattice.take(max(int(min(worth, share)), _LEAST))
            if block is not None:
                self._blocks[block.number] = block
                yield Task(block, self._known)
            elif self.lattice.flying:
                yield PAUSE
            else:
                return

    def take_in(self, verdict: Verdict) -> Block:
        """Rules, witnesses and successors of a block that was tried."""
        block = self._blocks.pop(verdict.number)
        self.counters += verdict.counters
        if verdict.seconds > 0.002:
            self._rate = 0.5 * self._rate + 0.5 * len(block) / verdict.seconds
        self.add(block, verdict)
        return block

    def add(self, block: Block, verdict: Verdict, *, known: bool = True) -> None:
        """As ``take_in``, for a block that may come from a journal instead of this walk (``known`` is then False)."""
        room = getattr(self.job, "room", 0)
        if len(verdict.pairs) and len(self._known) < room:
            self._known = np.concatenate([self._known, verdict.pairs])[:room]
        self.findings.add(block, verdict)
        self.lattice.absorb(Tried(block, verdict.free, verdict.grow, verdict.viol), known=known)

    @property
    def bytes(self) -> int:
        return self.lattice.bytes + self.findings.bytes + self._known.nbytes

    def step(self, started: float) -> Step:
        """Where the walk stands."""
        tried = self.lattice.tried
        rate = tried / max(time.perf_counter() - started, 1e-9)
        figures = {
            "level": str(self.lattice.finished + 1),
            "rules": f"{self.findings.count:,}",
            "open": f"{self.lattice.waiting + self.lattice.flying:,}",
            "contexts/s": f"{rate:,.0f}",
            "memory": f"{self.bytes / (1 << 20):,.0f} MiB",
        }
        return Step("searching", tried, None, figures)


def _hold(budget: Budget, more: int) -> None:
    """Stay within the budget: kept partitions go first, as each can be made again; then the walk ends."""
    try:
        budget.check("searching", more)
    except LimitError:
        cache().release()
        budget.check("searching", more)


def walk(
    this: Walk,
    engine: Engine,
    *,
    budget: Budget,
    seconds: float | None = None,
    listener: Listener = silent,
    journal: Journal | None = None,
) -> Ending:
    """Walk to the end, or until a limit or a person stops it; what was found by then stands."""
    deadline = Deadline(seconds)
    try:
        with ended_in_order() as ended:
            shared = engine.share(this.table)
            stream: Any = engine.stream(this.job, shared, this.tasks(engine.parallelism, engine.grain))
            with closing(stream):
                for _, verdicts in stream:
                    for verdict in verdicts:
                        block = this.take_in(verdict)
                        if journal is not None:
                            journal.note(block, verdict)
                    listener(this.step(deadline.started))
                    _hold(budget, this.findings.count * _RULE)
                    if this.lattice.waiting or this.lattice.flying:
                        deadline.check()
    finally:
        if journal is not None:
            journal.flush()
    return ended.ending
