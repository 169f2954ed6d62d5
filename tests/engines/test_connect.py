"""The Spark tests once more through Spark Connect, in a process of their own: the two kinds do not mix in one."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.conftest import CONNECT, ROOT

SAME = ("tests/engines/test_contract.py", "tests/engines/test_spark.py")
LEFT_OUT = "not (after_a_failure or hint or failing_merge or left_by_a_task or lost_chunk or react or close_twice)"
"""Says nothing about the kind of session that the other tests do not say, and each takes seconds."""


@pytest.mark.connect
def test_the_same_on_connect() -> None:
    pytest.importorskip("grpc_status")
    if os.environ.get(CONNECT):
        pytest.skip("this is that process")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "spark", "-k", LEFT_OUT, *SAME]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {CONNECT: "1"}, capture_output=True, text=True, timeout=250
    )
    assert done.returncode == 0, done.stdout[-4000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) >= 20
    assert "skipped" not in done.stdout.splitlines()[-1]
