"""The tree as the house rules see it: files, and modules as syntax trees.

Every rule of the house is a function that takes a root and lists complaints, so that it can be tried on a bad tree.
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PASSED_OVER = {".git", ".venv", ".hypothesis", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache"}


class Module(NamedTuple):
    """A Python file, its path from the root and its syntax tree."""

    path: str
    tree: ast.Module

    def at(self, node: ast.AST) -> str:
        """``path:line`` of a node."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}"


@lru_cache
def files(root: Path) -> tuple[Path, ...]:
    """What a clone holds (tracked, or new and not ignored); below a root that git cannot list, every file."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True) if (root / ".git").exists() else None
    if listed and listed.returncode == 0:
        found = [root / name for name in listed.stdout.split("\0") if name]
    else:
        found = [path for path in root.rglob("*") if not PASSED_OVER & set(path.relative_to(root).parts)]
    return tuple(sorted(path for path in found if path.is_file()))


def texts(root: Path, suffix: str = "") -> Iterator[tuple[str, str]]:
    """Path from the root and content of each text file whose name ends in ``suffix``."""
    for path in files(root):
        if path.name.endswith(suffix):
            data = path.read_bytes()
            if b"\0" not in data:
                yield path.relative_to(root).as_posix(), data.decode("utf-8", errors="replace")


def modules(root: Path, *folders: str) -> Iterator[Module]:
    """The Python files below ``folders`` (all, where none is named)."""
    for path, text in texts(root, ".py"):
        if not folders or any(path.startswith(f"{folder}/") for folder in folders):
            yield Module(path, ast.parse(text, path))


def imported(tree: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Each import statement with the dotted name it reaches for; relative ones keep their leading dots."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            prefix = "." * node.level + (node.module or "")
            yield from ((node, f"{prefix}.{alias.name}") for alias in node.names)


def plant(root: Path, **contents: str) -> Path:
    """A small tree under ``root`` to try a rule on; ``__`` in a name is ``/`` and ``_py``, ``_md`` are endings."""
    for name, text in contents.items():
        stem, ending = name.rsplit("_", 1)
        path = root / f"{stem.replace('__', '/')}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
