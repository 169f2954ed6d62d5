"""A function in a process of its own: memory and first calls are only honest where nothing ran before.

``in_fresh_process("bench.suite_encode:peak_of_ours", path=…)`` returns what the function returned, by way of JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.files import ROOT
from lawful.errors import JobError


def in_fresh_process(target: str, **arguments: Any) -> Any:
    """Call ``module:function`` with JSON-able arguments in a new Python; its answer must be JSON-able too."""
    return _called(target, arguments, None)


def within(seconds: float, target: str, **arguments: Any) -> Any:
    """``in_fresh_process``, or None when it has not ended after so many seconds of wall time: it is killed then."""
    try:
        return _called(target, arguments, seconds)
    except subprocess.TimeoutExpired:
        return None


def _called(target: str, arguments: dict[str, Any], seconds: float | None) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        answer = Path(folder) / "answer.json"
        command = [sys.executable, "-m", "bench.fresh", target, json.dumps(arguments), str(answer)]
        done = subprocess.run(
            command, cwd=ROOT, env=_environment(), capture_output=True, text=True, check=False, timeout=seconds
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise JobError(f"{target} failed in its own process: {last}", hint="Call it by hand to see where.")
        return json.loads(answer.read_text())


def _environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable}


def _answer(target: str, arguments: str, answer: str) -> None:
    module, _, name = target.partition(":")
    result = getattr(importlib.import_module(module), name)(**json.loads(arguments))
    Path(answer).write_text(json.dumps(result))


if __name__ == "__main__":
    _answer(*sys.argv[1:])
