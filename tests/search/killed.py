"""A search in a process of its own, to be killed: ``python -m tests.search.killed FOLDER new|resume``."""

from __future__ import annotations

import sys
import time

import numpy as np

from lawful.ranks.encoded import Encoded
from lawful.search import journal
from tests.families.finding import blocks_of, discover_encoded, lines, of_ranks, policy

OPTIONS = {"kinds": ("od", "key"), "max_size": 5}


def table() -> Encoded:
    """Some three thousand contexts to try."""
    return of_ranks(np.random.default_rng(12).integers(0, 4, (12, 60)))


def search(folder: str, resume: bool, pause: float = 0.0) -> bytes:
    """The rule lines, from a journal that is written after every block."""
    journal.EVERY = -1.0  # type: ignore[misc]
    with policy("data"), blocks_of(lambda: 23):
        rules, ending = discover_encoded(
            table(), work_dir=folder, resume=resume, listener=lambda step: time.sleep(pause), **OPTIONS  # type: ignore[arg-type]
        )  # fmt: skip
    assert ending.reason is None
    return lines(rules)


if __name__ == "__main__":
    sys.stdout.buffer.write(search(sys.argv[1], sys.argv[2] == "resume", 0.004))
