"""The definition is independent of what it judges."""

from __future__ import annotations

from pathlib import Path

from tests.house.tree import ROOT, imported, modules, plant

VOCABULARY = "lawful.rules."


def dependent(root: Path) -> list[str]:
    """Imports by which the naive definitions would lean on the code under test; the vocabulary is theirs to use."""
    return [
        f"{module.at(statement)}: imports {name}"
        for module in modules(root, "tests/naive")
        for statement, name in imported(module.tree)
        if name.split(".")[0] == "lawful" and not f"{name}.".startswith(VOCABULARY)
    ]


def test_the_definition_is_independent() -> None:
    assert dependent(ROOT) == []


def test_a_dependent_definition_is_seen(tmp_path: Path) -> None:
    text = (
        "from lawful.rules.model import Fd\nimport lawful.rules\nfrom lawful import api\nimport lawful.search.lattice\n"
    )
    plant(tmp_path, tests__naive__fd_py=text)
    assert dependent(tmp_path) == [
        "tests/naive/fd.py:3: imports lawful.api",
        "tests/naive/fd.py:4: imports lawful.search.lattice",
    ]
