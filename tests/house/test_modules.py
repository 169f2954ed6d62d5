"""Modules are named for what they hold, short, explained and finished."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TypeAlias

from tests.house.tree import ROOT, modules, plant, texts

CODE = ("src", "tests", "bench", "examples")
NAMELESS = re.compile(
    r"^_*(utils?|helpers?|managers?|commons?|core|impl|misc|v\d+)$|_(utils?|helpers?|impl|v\d+)$", re.I
)
LONGEST = 300
ALLOWED_LENGTH: dict[str, int] = {}
"""Modules that may be longer, each with the length it may have; the reason stands in the module's docstring."""

Named: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]) + r")\b")


def nameless(root: Path) -> list[str]:
    """Modules and folders whose name says nothing."""
    found = []
    for module in modules(root, *CODE):
        parts = module.path.removesuffix(".py").split("/")
        found += [f"{module.path}: '{part}' says nothing" for part in parts if NAMELESS.search(part)]
    return found


def too_long(root: Path) -> list[str]:
    """Modules of the package above the limit, and allowances that are no longer needed."""
    lengths = {path: text.count("\n") for path, text in texts(root, ".py") if path.startswith("src/")}
    found = [f"{p}: {n} lines" for p, n in lengths.items() if n > ALLOWED_LENGTH.get(p, LONGEST)]
    return found + [f"{p}: allowance not needed" for p in ALLOWED_LENGTH if lengths.get(p, 0) <= LONGEST]


def unexplained(root: Path) -> list[str]:
    """Modules with code, and public functions and classes at their top, that lack a docstring."""
    found = []
    for module in modules(root, "src"):
        if module.tree.body and ast.get_docstring(module.tree) is None:
            found.append(f"{module.path}: no docstring")
        for node in module.tree.body:
            if isinstance(node, Named) and _owes_docstring(node):
                found.append(f"{module.at(node)}: {node.name} has no docstring")
    return found


def _owes_docstring(node: Named) -> bool:
    overload = any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list)
    return not node.name.startswith("_") and not overload and ast.get_docstring(node) is None


def unfinished(root: Path) -> list[str]:
    """Lines of code that promise work."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts(root, ".py")
        for number, line in enumerate(text.splitlines(), 1)
        if UNFINISHED.search(line)
    ]


def test_names_say_something() -> None:
    assert nameless(ROOT) == []


def test_modules_are_short() -> None:
    assert too_long(ROOT) == []


def test_public_things_are_explained() -> None:
    assert unexplained(ROOT) == []


def test_nothing_promises_work() -> None:
    assert unfinished(ROOT) == []


def test_a_bad_tree_is_seen(tmp_path: Path) -> None:
    bare = "class Shown: ...\nclass _Hidden: ...\n@overload\ndef f(): ...\n"
    plant(tmp_path, src__lawful__utils_py="", src__lawful__date_helpers_py="", src__lawful__score_py="")
    plant(
        tmp_path, src__lawful__long_py="\n" * 301, src__lawful__bare_py=bare, bench__v2__x_py=f"# {'TO' + 'DO'} later"
    )
    assert [line.split(":")[0] for line in nameless(tmp_path)] == [
        "bench/v2/x.py",
        "src/lawful/date_helpers.py",
        "src/lawful/utils.py",
    ]
    assert too_long(tmp_path) == ["src/lawful/long.py: 301 lines"]
    assert unexplained(tmp_path) == ["src/lawful/bare.py: no docstring", "src/lawful/bare.py:1: Shown has no docstring"]
    assert unfinished(tmp_path) == [f"bench/v2/x.py:1: # {'TO' + 'DO'} later"]
