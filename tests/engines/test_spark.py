"""What only a Spark session can do to a job: retries, dying workers, cancelled jobs, sizes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import psutil
import pytest

from lawful.engine.spark import engine as spark_engine
from lawful.engine.spark.engine import SparkEngine
from lawful.errors import JobError
from lawful.ranks.store import write_store
from tests.engines.conftest import Small
from tests.engines.jobs import Bits, Collecting, Concurrent, Failing, Once, Sleeping, Sum
from tests.engines.laws import same
from tests.engines.test_local import interrupt_when

pytestmark = pytest.mark.spark


@pytest.fixture
def engine(spark: Any) -> Iterator[SparkEngine]:
    with SparkEngine(spark) as made:
        yield made


def gone(folder: Path) -> bool:
    """Whether the processes of the units that were started end soon, long before their units would."""
    processes = {int(path.read_text()) for path in folder.glob("start-*")}
    give_up = time.monotonic() + 20
    while any(map(psutil.pid_exists, processes)) and time.monotonic() < give_up:
        time.sleep(0.1)
    return bool(processes) and not any(map(psutil.pid_exists, processes))


def test_parallelism_is_the_number_of_slots(engine: SparkEngine) -> None:
    assert (engine.name, engine.parallelism) == ("spark", 2)


def test_a_unit_that_fails_once_changes_nothing(engine: SparkEngine, table: Small, tmp_path: Path) -> None:
    assert engine.reduce(Once(str(tmp_path)), engine.share(table), range(2)) == {0, 1}


def test_a_worker_that_dies_once_changes_nothing(engine: SparkEngine, table: Small, tmp_path: Path) -> None:
    assert engine.reduce(Once(str(tmp_path), deadly=True), engine.share(table), range(2)) == {0, 1}


def test_workers_that_keep_dying_are_told(engine: SparkEngine, table: Small) -> None:
    with pytest.raises(JobError, match="A Spark job over 1 units of a step failed") as caught:
        engine.reduce(Dying(), engine.share(table), [1])
    assert "memory" in str(caught.value)


class Dying(Collecting):
    """Every attempt ends its process."""

    def run(self, shared: Any, unit: Any) -> frozenset[Any]:
        os._exit(9)


def test_workers_bound_what_runs_at_once(spark: Any, table: Small, tmp_path: Path) -> None:
    with SparkEngine(spark, workers=1) as engine:
        assert engine.reduce(Concurrent(str(tmp_path)), engine.share(table), range(4)) == {1}


def test_units_left_by_a_task_are_run_later(engine: SparkEngine, table: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark_engine, "PATIENCE", 0.0)
    shared = engine.share(table)
    assert engine.reduce(Failing(on=-1), shared, range(12)) == frozenset(range(12))
    assert sorted(unit for unit, _ in engine.stream(Failing(on=-1), shared, range(12))) == list(range(12))


def test_large_steps_and_large_parts(spark: Any, table: Small, tmp_path: Path) -> None:
    """A step of 2 MB goes through the work folder, a part of 20 MB in several rows."""
    work = tmp_path / "work"
    with SparkEngine(spark, workers=2, work_dir=str(work)) as engine:
        job = Bits(ballast=os.urandom(2_000_000), size=2_500_000)
        parts = dict(engine.stream(job, engine.share(table), [(1, 64), (2,)]))
        assert list(work.iterdir())
    assert same(parts, {unit: job.run(table, unit) for unit in [(1, 64), (2,)]})
    assert list(work.iterdir()) == []


def test_a_store_on_disk_is_shared_as_it_is(engine: SparkEngine, table: Small, tmp_path: Path) -> None:
    store = write_store(f"file://{tmp_path}", table.ranks, chunk_rows=7)
    shared = engine.share(Small(table.columns, table.ranks, store))
    assert engine.reduce(Sum(1), shared, range(40)) == sum(Sum(1).run(table, unit) for unit in range(40))
    engine.close()
    assert len(list(tmp_path.iterdir())) == len(store.chunks) == 6


def test_a_lost_chunk_is_named(engine: SparkEngine, table: Small, tmp_path: Path) -> None:
    other = table.ranks + 1
    store = write_store(tmp_path, other)
    (tmp_path / store.chunks[0].name).unlink()
    with pytest.raises(JobError, match=f"Chunk {store.chunks[0].name} .* cannot be read") as caught:
        engine.reduce(Sum(), engine.share(Small(table.columns, other, store)), [1])
    assert "work_dir" in (caught.value.hint or "")


def test_closing_removes_what_was_written(spark: Any, table: Small, tmp_path: Path) -> None:
    with SparkEngine(spark, workers=1, work_dir=str(tmp_path)) as engine:
        assert engine.share(table) == engine.share(table)
        assert len(list(tmp_path.iterdir())) == 1
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_cancels_running_jobs(engine: SparkEngine, table: Small, tmp_path: Path) -> None:
    shared = engine.share(table)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interrupt_when(tmp_path, 2)
        engine.reduce(Sleeping(str(tmp_path)), shared, range(9))
    assert time.monotonic() - began < 40  # a unit would take a minute
    assert gone(tmp_path)
    assert engine.reduce(Failing(on=-1), shared, range(3)) == {0, 1, 2}


def test_leaving_a_stream_cancels_running_jobs(spark: Any, table: Small, tmp_path: Path) -> None:
    began = time.monotonic()
    with SparkEngine(spark, workers=2) as engine:
        stream = engine.stream(Mixed(str(tmp_path)), engine.share(table), range(4))
        assert [unit for unit, _ in islice(stream, 1)] == [0]
    assert time.monotonic() - began < 40
    assert gone(tmp_path)


class Mixed(Sleeping):
    """Unit 0 ends as soon as another one runs."""

    def run(self, shared: Any, unit: int) -> frozenset[Any]:
        if unit:
            return super().run(shared, unit)
        while not list(Path(self.folder).glob("start-*")):
            time.sleep(0.05)
        return frozenset([unit])


def test_the_session_stays_as_it_was(spark: Any, table: Small) -> None:
    spark.addTag("mine")
    try:
        with SparkEngine(spark) as engine:
            engine.reduce(Sum(), engine.share(table), range(3))
        assert spark.getTags() == {"mine"}
    finally:
        spark.removeTag("mine")
    assert spark.range(3).count() == 3
