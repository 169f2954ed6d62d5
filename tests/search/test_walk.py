"""How a walk ends, what stands by then, and that nothing waits for the slowest."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest

from lawful.cli.signals import Interrupted
from lawful.engine import LocalEngine
from lawful.errors import JobError, LimitError
from lawful.families.bod import plan_of
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Step
from lawful.ranks.encoded import Encoded
from lawful.rules import RuleSet
from lawful.search.lattice import Block
from lawful.search.validators import Task, TryContexts, Verdict
from lawful.search.walk import Walk, walk
from tests.engines.laws import assert_merge_laws, same
from tests.families.finding import UNLIMITED, blocks_of, discover_encoded, encoded, found, of_ranks, policy
from tests.made import random_tables
from tests.naive import holds
from tests.profiles import examples


def busy(seed: int = 1, columns: int = 9, rows: int = 40) -> Encoded:
    """A table with some hundred contexts to try."""
    return of_ranks(np.random.default_rng(seed).integers(0, 4, (columns, rows)))


class After:
    """A listener that does something after so many steps."""

    def __init__(self, steps: int, act: Any) -> None:
        self.left, self.act, self.seen = steps, act, list[Step]()

    def __call__(self, step: Step) -> None:
        self.seen.append(step)
        self.left -= 1
        if self.left == 0:
            self.act()


def raising(error: BaseException) -> Any:
    def act() -> None:
        raise error

    return act


def assert_partial(part: RuleSet, whole: RuleSet) -> None:
    """Rules of the full answer only, and all of those that it says are there."""
    assert not part.complete
    assert set(part) <= set(whole)
    if part.complete_to is not None:
        assert {rule for rule in whole if len(rule.columns) <= part.complete_to} <= set(part)


STOPS = [
    (lambda: KeyboardInterrupt(), "interrupted", 130),
    (lambda: Interrupted(2), "interrupted", 130),
    (lambda: Interrupted(15), "terminated", 143),
    (lambda: LimitError("Memory: all of it."), "Memory: all of it", 3),
    (lambda: MemoryError(), "this machine is out of memory", 3),
]


@pytest.mark.parametrize(("error", "reason", "code"), STOPS, ids=["ctrl-c", "sigint", "sigterm", "limit", "memory"])
@pytest.mark.parametrize("kinds", [("od", "key"), ("od",), ("fd",), ("fd", "key"), ("oc",)], ids="+".join)
def test_a_walk_that_is_stopped_keeps_what_it_found(error: Any, reason: str, code: int, kinds: tuple[str, ...]) -> None:
    table, rng = busy(), Random(f"{reason}{kinds}")
    whole = found(table, kinds)
    reached = set()
    for _ in range(examples(4)):
        listener = After(rng.randint(1, 120), raising(error()))
        with policy("mixed", rng):
            part, ending = discover_encoded(table, kinds, listener=listener)
        if ending.reason is None:
            assert part == whole
            continue
        assert (ending.reason, ending.code, part.incomplete) == (reason, code, reason)
        assert_partial(part, whole)
        reached.add(part.complete_to)
    assert reached


def test_every_step_could_be_the_last() -> None:
    """What is said to be complete is, wherever the walk stops; with threads and blocks of any size."""
    table = busy(2, 6, 30)
    whole = found(table)
    sizes: list[int | None] = []
    for stop in range(1, 60):
        with policy("mixed", Random(stop)), LocalEngine(2) as engine:
            part, ending = discover_encoded(table, engine=engine, listener=After(stop, raising(KeyboardInterrupt())))
        if ending.reason is None:
            break
        assert_partial(part, whole)
        sizes.append(part.complete_to)
    assert None in sizes
    assert max(size for size in sizes if size is not None) >= 3


def test_size_limits_keep_their_claim_when_stopped() -> None:
    table = busy(3)
    for size in (1, 2, 3):
        whole = found(table, max_size=size)
        for stop in (1, 2, 4, 8):
            with blocks_of(lambda: 2):
                part, ending = discover_encoded(
                    table, max_size=size, listener=After(stop, raising(KeyboardInterrupt()))
                )
            assert ending.code in (0, 130)
            assert part.complete_to is None or part.complete_to <= size
            assert_partial(part, whole)


def test_rules_of_a_stopped_walk_hold_and_are_minimal() -> None:
    for i, table in enumerate(random_tables(21, examples(60), min_rows=3, min_cols=3)):
        whole = found(encoded(table))
        with policy("single"):
            part, _ = discover_encoded(encoded(table), listener=After(1 + i % 9, raising(KeyboardInterrupt())))
        assert set(part) <= set(whole)
        assert all(holds(rule, table) for rule in part)


def test_the_time_limit() -> None:
    table = busy()
    with blocks_of(lambda: 1):
        part, ending = discover_encoded(table, time_limit="0.02s", listener=lambda step: time.sleep(0.005))
    assert (ending.code, ending.reason) == (3, "the time limit of 0.02 s struck")
    assert ending.hint is not None and "--time-limit" in ending.hint
    assert_partial(part, found(table))


def test_no_time_left_after_the_last_context_is_no_limit() -> None:
    """A table of one context: it was tried, so nothing is missing."""
    table = of_ranks(np.zeros((3, 9), np.int32))
    part, ending = discover_encoded(table, ("od",), time_limit="0.0001s", listener=lambda step: time.sleep(0.01))
    assert (ending.code, part.complete, len(part)) == (0, True, 3)


def test_the_memory_budget() -> None:
    table = busy()
    part, ending = discover_encoded(table, budget=Budget(1 << 20))
    assert ending.code == 3
    assert part.incomplete is not None and part.incomplete.startswith("Memory: ")
    assert "budget of 1 MiB" in part.incomplete
    assert ending.hint is not None and "--memory" in ending.hint
    assert_partial(part, found(table))


def test_the_budget_is_asked_before_the_lattice_grows() -> None:
    """A walk over 300 columns needs room for 44,850 pairs: what is allowed decides, not what is held."""
    asked: list[int] = []

    def refuse(more: int) -> None:
        asked.append(more)
        raise LimitError("No more.")

    table = of_ranks(np.random.default_rng(1).integers(0, 2, (300, 8)))
    this = Walk(table, plan_of(table, DiscoverOptions(kinds=("fd",)), 0), allow=refuse)
    ending = walk(this, LocalEngine(1), budget=UNLIMITED)
    assert (ending.code, ending.reason, len(asked)) == (3, "No more", 1)
    assert asked[0] > 0
    assert this.lattice.finished == 0, "the contexts of one column were tried but not all taken in"


def test_what_the_listener_hears() -> None:
    listener = After(-1, None)
    with blocks_of(lambda: 3):
        rules = found(busy(), listener=listener)
    done = [step.done for step in listener.seen]
    assert done == sorted(done) and done[0] == 1
    assert {step.stage for step in listener.seen} == {"searching"}
    assert listener.seen[-1].figures["open"] == "0"
    assert int(listener.seen[-1].figures["rules"].replace(",", "")) == len(rules)


@dataclass(frozen=True)
class Slow:
    """The step of a walk, but the block that holds column 0 alone waits for a word from outside."""

    inner: TryContexts

    def zero(self) -> tuple[Verdict, ...]:
        return ()

    def merge(self, left: tuple[Verdict, ...], right: tuple[Verdict, ...]) -> tuple[Verdict, ...]:
        return self.inner.merge(left, right)

    def run(self, shared: Any, task: Task) -> tuple[Verdict, ...]:
        if task.block.size == 1 and int(task.block.sets[0, 0]) == 1:
            assert GO.wait(60), "the others never came"
        return self.inner.run(shared, task)


GO = threading.Event()


def test_the_search_goes_on_past_a_slow_block() -> None:
    """While the context of one column is being tried, all contexts without it are, down to the deepest."""
    table = busy(4, 6, 300)
    with policy("single"):
        expected = found(table)
        this = Walk(table, plan_of(table, DiscoverOptions(kinds=("od", "key")), 0))
        this.job = Slow(this.job)  # type: ignore[arg-type, assignment]
        sizes: set[int] = set()
        finished: list[int] = []
        GO.clear()

        def listen(step: Step) -> None:
            if not GO.is_set():
                sizes.update(size for size, (_, tried) in this.lattice.sizes().items() if tried)
                finished.append(this.lattice.finished)
                if this.lattice.flying == 1 and not this.lattice.waiting:
                    GO.set()

        with LocalEngine(2) as engine:
            ending = walk(this, engine, budget=UNLIMITED, listener=listen)
    assert ending.reason is None
    assert max(sizes) >= 3
    assert max(finished) == 0
    assert this.findings.count == len(expected)


def test_a_step_that_fails_is_told() -> None:
    table = busy()
    this = Walk(table, plan_of(table, DiscoverOptions(), 0))
    this.job = Slow(None)  # type: ignore[arg-type, assignment]
    with pytest.raises(JobError, match="Slow failed on unit"):
        walk(this, LocalEngine(1), budget=UNLIMITED)


def verdicts(this: Walk, table: Encoded) -> Iterator[tuple[Verdict, ...]]:
    """The parts of all tasks of a walk."""
    engine = LocalEngine(1)
    for _, part in engine.stream(this.job, engine.share(table), this.tasks()):
        yield part
        for verdict in part:
            this.take_in(verdict)


@pytest.mark.parametrize("near", [{}, {"max_error": 0.1}], ids=["exact", "near"])
def test_the_jobs_merge(near: dict[str, Any]) -> None:
    table = busy(5, 5, 12)
    with policy("mixed"):
        this = Walk(table, plan_of(table, DiscoverOptions(kinds=("od", "key"), **near), 0))
        parts = list(verdicts(this, table))
        assert_merge_laws(this.job, parts[:6], triples=60)
        tasks = Walk(table, plan_of(table, DiscoverOptions(), 0)).tasks()
        assert this.job.weight(next(tasks)) == 2.0  # type: ignore[arg-type]


def test_the_contexts_of_a_task_may_come_in_any_order() -> None:
    """A block may be cut from a list that was never sorted: its contexts need not share what the outer two share."""
    table, rng = busy(7, 7, 40), np.random.default_rng(1)
    for name in ("all", "data", "forgetful"):
        with policy(name):
            this = Walk(table, plan_of(table, DiscoverOptions(kinds=("od", "key")), 0))
            shared = LocalEngine(1).share(table)
            for task, part in LocalEngine(1).stream(this.job, shared, this.tasks()):
                (before,), block = part, task.block  # type: ignore[union-attr]
                order = rng.permutation(len(block))
                mixed = Block(block.number, block.size, block.sets[order], block.cand_fd[order], block.cand_oc[order])
                (after,) = this.job.run(shared, Task(mixed, task.pairs))  # type: ignore[union-attr]
                for field in ("free", "viol", "valid_fd", "valid_oc", "shared"):
                    assert np.array_equal(getattr(after, field), getattr(before, field)[order]), (name, field)
                this.take_in(before)


def test_threads_find_what_one_does() -> None:
    table = busy(2, 6, 30)
    whole = found(table)
    for seed in range(examples(20)):
        with policy("mixed", Random(seed)), LocalEngine(3) as engine:
            assert found(table, engine=engine) == whole, seed


def test_a_step_depends_on_its_arguments_alone() -> None:
    """Tasks tried again, later ones first, in a process that has seen more pairs since: the same verdicts."""
    table = busy(6, 6, 40)
    with policy("mixed"):
        this = Walk(table, plan_of(table, DiscoverOptions(), 0))
        engine = LocalEngine(1)
        shared = engine.share(table)
        seen = []
        for task, part in engine.stream(this.job, shared, this.tasks()):
            seen.append((task, part))
            for verdict in part:
                this.take_in(verdict)
        for task, part in reversed(seen):
            (again,) = this.job.run(shared, task)  # type: ignore[arg-type]
            (before,) = part
            for name in ("number", "free", "grow", "viol", "valid_fd", "valid_oc", "shared", "pairs", "counters"):
                assert same(getattr(again, name), getattr(before, name)), name
