"""Pods that follow inserted rows: after every batch they are what the definition says, however rows are cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from lawful.engine import Engine, LocalEngine
from lawful.families import inserting
from lawful.families.comparing import Choice
from lawful.families.inserting import Following
from lawful.families.noting import Grounds
from lawful.families.running import Run
from lawful.limits import Budget
from lawful.maintain import probing
from lawful.maintain.probing import Probing
from lawful.options import DiscoverOptions
from lawful.search import newcomers
from lawful.search.ending import Deadline
from tests.engines.pickled import PickledEngine
from tests.families.finding import encoded
from tests.families.marking import Question, expected
from tests.naive import Table
from tests.profiles import examples

TEXTS = "abcdef"


def tables(seed: int, count: int) -> Iterator[tuple[Question, Random]]:
    """Three or four columns of few values: ties everywhere, copies, nulls on either side, columns without order."""
    draw = Random(seed)
    for _ in range(count):
        names = "pqrs"[: draw.choice((2, 3, 3, 4))]
        rows = draw.randint(0, 12)
        columns, types = [], []
        for _name in names:
            most = draw.randint(1, 5)
            cells: list[Any] = [draw.randrange(most) for _ in range(rows)]
            types.append("string" if draw.random() < 0.3 else "integer")
            if types[-1] == "string":
                cells = [TEXTS[cell] for cell in cells]
            gaps = 0.2 if draw.random() < 0.3 else 0.0
            columns.append([None if draw.random() < gaps else cell for cell in cells])
        unordered = frozenset(name for name in names if draw.random() < 0.15)
        options = {"max_size": draw.randint(1, 3)} if draw.random() < 0.15 else {}
        whole = Table(tuple(names), tuple(types), tuple(zip(*columns, strict=True)), unordered)
        yield Question(whole, draw.choice(("first", "last")), options), draw


def cuts(rows: int, draw: Random) -> list[int]:
    """Where the base ends, and where each batch does."""
    inner = sorted(draw.randint(0, rows) for _ in range(draw.randint(0, 3)))
    return [*inner, rows]


def run_on(engine: Engine) -> Run:
    return Run(engine, Budget(1 << 50), Deadline(None))


def head(asked: Question, rows: int) -> Question:
    return asked._replace(table=asked.table.with_rows(asked.table.rows[:rows]))


def streamed(asked: Question, stops: Sequence[int], engine: Engine) -> Iterator[tuple[Question, Following, Grounds]]:
    """The rows up to each stop, with what is known of them when they came batch by batch."""
    run, grounds, before, indexes = run_on(engine), None, asked, None
    for stop in stops:
        now = head(asked, stop)
        this = Following(encoded(now.table, now.nulls), DiscoverOptions(kinds=("pod",), **now.options))
        if grounds is None:
            grounds = this.begun(run)
        else:
            this_look = Probing(this.space.table, len(before.table), engine, indexes)
            grounds, _ = this.followed(grounds, len(before.table), this_look.look, run)
            indexes = this_look.indexes
        yield now, this, grounds
        before = now


@pytest.mark.parametrize("way", ["all pairs", "combinations", "indexes", "the table"])
@pytest.mark.parametrize("full", [True, False], ids=["all pairs", "a sample"])
@pytest.mark.parametrize("engine", [lambda: LocalEngine(1), lambda: PickledEngine(3)], ids=["local", "pickled"])
def test_after_every_batch_rules_are_the_minimal_ones(
    engine: Any, full: bool, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inserting, "choose", lambda *_, **__: Choice(full, "so it is"))
    if way != "all pairs":
        monkeypatch.setattr(inserting.Following, "_is_small", lambda *_: False)
        monkeypatch.setattr(inserting, "_COMPARED", 30)
        monkeypatch.setattr(inserting, "_GLANCES", 1 if full else 0)
        if way != "combinations":
            monkeypatch.setattr(newcomers, "_MOST_PAIRS", -1)
        monkeypatch.setattr(probing, "FEW", 1.0 if way == "indexes" else 0.0)
    with engine() as running:
        for asked, draw in tables(11 + full + 2 * len(way), examples(60)):
            stops = cuts(len(asked.table), draw)
            for now, this, grounds in streamed(asked, stops, running):
                assert set(this.rules(grounds)) == expected("pod", now), (stops, now)


def test_the_order_of_rows_does_not_matter() -> None:
    with LocalEngine(1) as engine:
        for asked, draw in tables(5, examples(60)):
            told = set()
            for _ in range(3):
                rows = draw.sample(asked.table.rows, len(asked.table))
                shuffled = asked._replace(table=asked.table.with_rows(rows))
                *_, (_, this, grounds) = streamed(shuffled, cuts(len(rows), draw), engine)
                told.add(tuple(map(str, this.rules(grounds))))
            assert len(told) == 1, asked
