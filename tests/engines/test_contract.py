"""What every engine does, whatever it runs on."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest

from lawful.engine import PAUSE, Engine, Job, Pause
from lawful.errors import JobError
from tests.engines.conftest import Small
from tests.engines.jobs import Best, Bits, Failing, FailingMerge, Refusing, Sum, Tally, Waiting
from tests.engines.laws import same

UNITS: list[tuple[Job[Any, Any], list[Any]]] = [
    (Sum(), list(range(30))),
    (Sum(column=2), [5] * 12),
    (Tally(), list(range(9))),
    (Bits(), [(n, n + 64) for n in range(0, 60, 3)] + [()]),
    (Best(), [None, 3, None, 8, 2, None]),
    (Best(), [None]),
]


@pytest.mark.parametrize(("job", "units"), UNITS, ids=[type(job).__name__ for job, _ in UNITS])
def test_equals_a_plain_loop(engine: Engine, table: Small, job: Job[Any, Any], units: list[Any]) -> None:
    shared = engine.share(table)
    parts = [job.run(table, unit) for unit in units]
    total = job.zero()
    for part in parts:
        total = job.merge(total, part)
    assert same(engine.reduce(job, shared, units), total)
    expected = sorted(zip(map(repr, units), map(repr, parts), strict=True))
    assert sorted((repr(unit), repr(part)) for unit, part in engine.stream(job, shared, iter(units))) == expected


def test_no_units_give_zero(engine: Engine, table: Small) -> None:
    shared = engine.share(table)
    assert engine.reduce(Tally(), shared, []) == Counter()
    assert list(engine.stream(Tally(), shared, iter(()))) == []


def test_shared_is_the_table_read_only(engine: Engine, table: Small) -> None:
    shared = engine.share(table)
    assert (shared.rows, shared.columns) == (table.rows, table.columns)
    assert same(shared.ranks, table.ranks)
    assert shared.ranks.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        shared.ranks[0, 0] = 1


def test_units_may_react_to_parts(engine: Engine, table: Small) -> None:
    """Each number below 50 that comes back asks for its double and its double plus one; parts are the numbers."""
    seen: list[int | None] = []
    asked = [1]

    def units() -> Iterator[int | Pause]:
        given = 0
        while asked or len(seen) < given:
            if asked:
                given += 1
                yield asked.pop()
            else:
                yield PAUSE

    for unit, part in engine.stream(Best(), engine.share(table), units()):
        assert part == unit
        seen.append(part)
        if unit < 25:
            asked.extend((2 * unit, 2 * unit + 1))
    assert sorted(seen, key=str) == sorted(range(1, 50), key=str)


def test_a_pause_without_end_is_an_error(engine: Engine, table: Small) -> None:
    def units() -> Iterator[int | Pause]:
        yield 1
        while True:
            yield PAUSE

    with pytest.raises(JobError, match="paused while none"):
        list(engine.stream(Best(), engine.share(table), units()))


def test_units_are_pulled_in_the_caller_s_thread_and_not_all_at_once(engine: Engine, table: Small) -> None:
    pulled: list[int] = []

    def units() -> Iterator[int]:
        for number in count():
            assert threading.current_thread() is threading.main_thread()
            pulled.append(number)
            yield number

    stream = engine.stream(Best(), engine.share(table), units())
    assert len(list(islice(stream, 3))) == 3
    # At worst every slot has run a unit, then four, and holds the next group, four times as large again.
    assert 3 <= len(pulled) <= (1 + 4 + 16) * engine.parallelism
    stream.close()  # type: ignore[attr-defined]


def test_a_failing_unit_is_named(engine: Engine, table: Small) -> None:
    for run in (engine.reduce, lambda *args: list(engine.stream(*args))):
        with pytest.raises(JobError) as caught:
            run(Failing(on=13), engine.share(table), range(20))
        assert "Failing failed on unit 13: ValueError: no such {thing} <here>\nand more (jobs.py:" in str(caught.value)
        assert caught.value.__cause__ is not None
        assert caught.value.hint


def test_a_hint_survives(engine: Engine, table: Small) -> None:
    with pytest.raises(JobError) as caught:
        engine.reduce(Refusing(), engine.share(table), [1])
    assert caught.value.hint == "Take fewer."
    assert "OptionError: Too many columns (" in caught.value.message


def test_an_engine_works_after_a_failure(engine: Engine, table: Small) -> None:
    with pytest.raises(JobError):
        engine.reduce(Failing(on=0), engine.share(table), range(9))
    assert engine.reduce(Failing(on=-1), engine.share(table), range(9)) == frozenset(range(9))


def test_close_twice(engine: Engine, table: Small) -> None:
    engine.reduce(Best(), engine.share(table), [1, 2])
    engine.close()
    engine.close()


@pytest.mark.parametrize("engine", ["local4", pytest.param("spark", marks=pytest.mark.spark)], indirect=True)
def test_a_slow_unit_holds_up_no_other(engine: Engine, table: Small, tmp_path: Path) -> None:
    """The slow unit ends only after all others have been seen, so it would time out if one waited for it."""
    go = tmp_path / "go"
    order = []
    for unit, _ in engine.stream(Waiting(str(go), slow=0), engine.share(table), range(7)):
        order.append(unit)
        if len(order) == 6:
            go.touch()
    assert order[-1] == 0
    assert sorted(order) == list(range(7))


@pytest.mark.parametrize("engine", ["local1", "local4", pytest.param("spark", marks=pytest.mark.spark)], indirect=True)
def test_a_failing_merge_is_named(engine: Engine, table: Small) -> None:
    with pytest.raises(JobError, match=r"FailingMerge failed to merge two parts: RuntimeError: oil and water"):
        engine.reduce(FailingMerge(), engine.share(table), range(4))
