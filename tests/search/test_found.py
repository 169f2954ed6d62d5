"""Bits that are set become rules, each with its own context, shared pairs and error."""

from __future__ import annotations

from typing import Any

import numpy as np

from lawful.search.found import Findings
from lawful.search.lattice import Block
from lawful.search.validators import Verdict

NONE = np.zeros(0, np.int64)


def words(*rows: tuple[int, ...], count: int) -> Any:
    found = np.zeros((len(rows), count), np.uint64)
    for q, row in enumerate(rows):
        for bit in row:
            found[q, bit // 64] |= np.uint64(1 << bit % 64)
    return found


def test_rules_of_a_block() -> None:
    sets = words((0,), (1, 64), (2,), count=2)
    fd, oc = words((64, 3), (), (65, 0, 63), count=2), words((129,), (0, 127), (), count=3)
    shared = np.array([10, 20, 30])
    verdict = Verdict(
        1, fd, fd, oc, fd, oc, shared, np.zeros((0, 2), np.int32), NONE, np.arange(5) + 1, np.array([7, 8, 9])
    )
    findings = Findings()
    findings.add(Block(1, 1, sets, fd, oc), verdict)
    (fds,), (ocs,) = findings.fds, findings.ocs
    assert fds.places.tolist() == [3, 64, 0, 63, 65]
    assert fds.sets.tolist() == sets[[0, 0, 2, 2, 2]].tolist()
    assert (fds.shared.tolist(), fds.errors.tolist()) == ([10, 10, 30, 30, 30], [1, 2, 3, 4, 5])
    assert ocs.places.tolist() == [129, 0, 127]
    assert (ocs.sets.tolist(), ocs.errors.tolist()) == (sets[[0, 1, 1]].tolist(), [7, 8, 9])
    assert (findings.count, findings.bytes) == (8, fds.bytes + ocs.bytes)


def test_nothing_found_is_nothing_kept() -> None:
    nothing = words((), (), count=1)
    without_pairs = np.zeros((2, 0), np.uint64)
    pairs = np.zeros((0, 2), np.int32)
    bits = (nothing, nothing, without_pairs, nothing, without_pairs)
    verdict = Verdict(1, *bits, np.full(2, -1), pairs, NONE, NONE, NONE)
    findings = Findings()
    findings.add(Block(1, 0, nothing, nothing, without_pairs), verdict)
    assert (findings.fds, findings.ocs, findings.count) == ([], [], 0)
