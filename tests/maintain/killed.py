"""Applies one batch to a state, in a process that may be killed or find the disk full.

``python -m tests.maintain.killed STATE BATCH``. With ``LAWFUL_TEST_ROOM`` no file may grow over so many bytes. It says
``ready`` before it begins.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
import tempfile

import pyarrow as pa

import lawful as lw
from lawful.errors import StateError


def rows(batch: int, count: int = 40) -> pa.Table:
    """The rows of a batch: the same ones for the same number."""
    numbers = range(batch * count, (batch + 1) * count)
    columns = {
        "id": list(numbers),
        "a": [n % 7 for n in numbers],
        "b": [n % 7 % 3 + (n % 97 == 0) for n in numbers],
        "c": [f"value {n * n % 31}" for n in numbers],
    }
    return pa.table(columns)


def main() -> None:
    """Apply the batch: delete the rows of the one before, insert its own."""
    folder, batch = sys.argv[1], int(sys.argv[2])
    room = os.environ.get("LAWFUL_TEST_ROOM")
    if room is not None:
        with tempfile.TemporaryDirectory() as other:  # so that all kernels are compiled, and kept, by now
            shutil.copytree(folder, f"{other}/state")
            lw.maintain.open(f"{other}/state").apply(rows(batch), rows(batch - 1))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), int(room)))
    state = lw.maintain.open(folder)
    print("ready", flush=True)
    try:
        state.apply(rows(batch), rows(batch - 1), batch_id=f"batch {batch}")
    except StateError as error:
        print(error.message, error.hint, flush=True)
        raise SystemExit(7) from None


if __name__ == "__main__":
    main()
