from __future__ import annotations

import random
from bisect import bisect_left
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from lawful.ranks import runs
from lawful.ranks.folder import Folder
from lawful.ranks.keys import Keys, keys_of
from lawful.ranks.ranges import plan
from lawful.ranks.runs import Key, Run, join, key_at, samples, write_run


def _keys(rng: random.Random) -> list[Keys]:
    numbers = sorted(rng.sample(range(-50, 50), rng.randint(0, 9)))
    texts = sorted({bytes(rng.choices(b"\x00ab\xff", k=rng.randint(0, 3))) for _ in range(rng.randint(0, 9))})
    wide = pa.array(numbers).cast(pa.decimal128(38)).cast(pa.decimal128(38, 0))
    return [keys_of(pa.array(numbers, pa.int64())), keys_of(pa.array(texts, pa.large_binary())), keys_of(wide)]


def _as_python(keys: Keys) -> list[Key]:
    batch = runs._batch(keys)
    return [key_at(batch, row) for row in range(len(batch))]


@pytest.mark.parametrize("size", [1, 2, 5, 1 << 16])
def test_runs_are_read_back_by_range_and_by_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(runs, "BATCH", size)
    rng = random.Random(size)
    folder = Folder(str(tmp_path))
    for number in range(40):
        columns = _keys(rng)
        run = Run(folder, write_run(folder, f"run-{number}", columns))
        for at, keys in enumerate(columns):
            known = _as_python(keys)
            assert _as_python(join(run.slice(at, 0, len(known)))) == known
            for low, high in ((rng.choice([None, *known]), rng.choice([None, *known])) for _ in range(4)):
                start, stop = run.bounds(at, low, high)
                assert start == (0 if low is None else bisect_left(known, low))
                assert stop == (len(known) if high is None else bisect_left(known, high))
                if start <= stop:
                    assert _as_python(join(run.slice(at, start, stop))) == known[start:stop]
            between = (rng.randint(-60, 60), 0, bytes(rng.choices(b"\x00ab\xff", k=2)))
            assert run.lower_bound(at, between) == bisect_left(known, between)
            places = np.array(sorted(rng.sample(range(len(known)), rng.randint(0, len(known)))), np.int64)
            assert _as_python(join(run.take(at, places))) == [known[p] for p in places]


def test_long_texts_are_cut_in_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "SAMPLE_EVERY", 1)
    assert samples(keys_of(pa.array(["a" * 1000]))) == ((0, 0, b"a" * 64),)


def test_samples_stand_at_even_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "SAMPLE_EVERY", 10)
    found = samples(keys_of(pa.array(range(34))))
    assert [number for number, _, _ in found] == [5, 15, 25]
    assert samples(keys_of(pa.array(range(5)))) == ()


def test_plans_cover_every_key_once() -> None:
    rng = random.Random(1)
    for _ in range(300):
        width, sections = rng.randint(1, 6), rng.randint(1, 9)
        known = [sorted(rng.choices(range(40), k=rng.choice([0, 1, 5, 60]))) for _ in range(width)]
        drawn = [[(n, 0, b"") for n in column[:: rng.randint(1, 4)]] for column in known]
        found = plan([len(c) for c in known], drawn, sections)
        flat = [r for section in found for r in section]
        assert [r.column for r in flat] == sorted(r.column for r in flat)
        assert all(section for section in found)
        for column in range(width):
            ranges = [r for r in flat if r.column == column]
            assert ranges[0].low is None and ranges[-1].high is None
            assert [r.high for r in ranges[:-1]] == [r.low for r in ranges[1:]]
            lows = [r.low for r in ranges[1:] if r.low is not None]
            assert lows == sorted(set(lows)) and len(lows) == len(ranges) - 1


def test_plans_share_the_work() -> None:
    drawn = [[(n, 0, b"") for n in range(1000)], [(n, 0, b"") for n in range(0, 1000, 100)], []]
    found = plan([100_000, 1_000, 10], drawn, 8)
    assert 7 <= len(found) <= 12
    weights = [sum(1 for n in range(1000) for r in s if r.column == 0 and _inside(n, r)) for s in found]
    assert max(weights) <= 1000 // 8 * 1.5


def _inside(number: int, part: object) -> bool:
    low, high = part.low, part.high  # type: ignore[attr-defined]
    return (low is None or low <= (number, 0, b"")) and (high is None or (number, 0, b"") < high)
