"""`import lawful` stays light, and its names stay what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.tree import ROOT, plant

HEAVY = ("pyspark", "numba", "pandas", "pyarrow", "polars", "duckdb")
NAMESPACES = {"maintain", "errors"}
"""Public names that are meant as modules."""

LOADED = "import json, sys; import {module}; print(json.dumps([n for n in {heavy!r} if n in sys.modules]))"
MISSING = """
import json, lawful
def resolves(name):
    try:
        getattr(lawful, name)
    except AttributeError:
        return False
    return True
print(json.dumps([n for n in lawful.__all__ if not resolves(n)]))
"""


def said(code: str) -> list[str]:
    """What a fresh interpreter prints as JSON when it runs ``code``."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def shadowed(package: Path, public: list[str]) -> list[str]:
    """Public names that a module directly under the package would replace once imported."""
    stems = {path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()}
    return sorted(stems & set(public) - NAMESPACES)


@pytest.mark.parametrize("module", ["lawful", "lawful.cli", "lawful.rules"])
def test_import_stays_light(module: str) -> None:
    assert said(LOADED.format(module=module, heavy=HEAVY)) == []


def test_what_was_loaded_is_seen() -> None:
    assert said(LOADED.format(module="pyarrow", heavy=HEAVY)) == ["pyarrow"]


def test_every_public_name_resolves() -> None:
    assert said(MISSING) == []


def test_no_module_bears_a_public_function_s_name() -> None:
    public = said("import json, lawful; print(json.dumps(list(lawful.__all__)))")
    assert shadowed(ROOT / "src/lawful", public) == []


def test_a_shadowed_name_is_seen(tmp_path: Path) -> None:
    plant(tmp_path, check_py="", maintain__state_py="", encode____init___py="", rows_py="")
    assert shadowed(tmp_path, ["check", "encode", "maintain", "discover"]) == ["check", "encode"]
