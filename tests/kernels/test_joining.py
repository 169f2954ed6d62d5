"""Whether a run can take a row, against comparing the row with all rows of the run; runs merged."""

from __future__ import annotations

import numpy as np
import pytest

from lawful.kernels.chains import AGAINST, TOGETHER, Runs
from lawful.kernels.joining import fits, merged
from tests.naive.probing import follows


@pytest.mark.parametrize("sign", [TOGETHER, AGAINST])
def test_a_run_takes_what_every_row_of_it_can_stand_beside(sign: int) -> None:
    draws = np.random.default_rng(8)
    answers = []
    for _ in range(1500):
        rows, top = draws.integers(1, 8), draws.integers(2, 7)
        a, b = np.sort(draws.integers(0, top, (2, rows)), axis=1).astype(np.int32)
        a, b = np.append(a, draws.integers(0, top, 1)), np.append(b, draws.integers(0, top, 1))
        b = (b if sign == TOGETHER else top - b).astype(np.int32)
        run = Runs(np.arange(rows, dtype=np.int32), np.array([0, rows]), sign)
        values = list(zip(a.tolist(), b.tolist(), strict=True))
        beside = [follows(t, values[-1], sign > 0) or follows(values[-1], t, sign > 0) for t in values[:-1]]
        answers.append(all(beside))
        assert fits(run, 0, a.astype(np.int32), b, int(rows)) == all(beside)
        assert fits(run, 1, a.astype(np.int32), b, int(rows))
    assert 0.2 < np.mean(answers) < 0.8


def test_merging_keeps_the_order_of_both_columns() -> None:
    a = np.array([0, 1, 1, 2, 1, 1, 3], np.int32)
    b = np.array([9, 7, 5, 5, 6, 5, 1], np.int32)
    left = Runs(np.array([0, 1, 2, 3], np.int32), np.array([0, 4]), AGAINST)
    right = Runs(np.array([4, 5, 6], np.int32), np.array([0, 2, 3]), AGAINST)
    rows, offs = merged(left, right, a, b, 2)
    assert rows.tolist() == [0, 1, 4, 2, 5, 3, 6] and offs.tolist() == [0, 6, 7]
