"""Kernels are single-threaded, lazily compiled and release the GIL: parallelism belongs to the engine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT, Module, modules, plant

JIT = {"jit", "njit"}
OTHER_COMPILERS = {"vectorize", "guvectorize", "cfunc", "stencil", "jitclass", "prange"}


def kernel_faults(root: Path) -> list[str]:
    """Uses of numba in the package's kernels that break the house's bargain."""
    return [fault for module in modules(root, "src/lawful/kernels") for fault in _in_module(module)]


def _in_module(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and _name(node.func) in JIT:
            yield from (f"{module.at(node)}: {fault}" for fault in _in_call(node))
        if isinstance(node, ast.Name | ast.Attribute) and _name(node) in OTHER_COMPILERS:
            yield f"{module.at(node)}: {_name(node)}"
        for decorator in getattr(node, "decorator_list", []):
            if _name(decorator) in JIT:
                yield f"{module.at(decorator)}: no nogil=True"


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _in_call(call: ast.Call) -> Iterator[str]:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    if not _is_true(given.get("nogil")):
        yield "no nogil=True"
    if call.args or "signature" in given:
        yield "eager signature"
    if "parallel" in given:
        yield "parallel"
    if _name(call.func) == "jit" and not _is_true(given.get("nopython")):
        yield "jit without nopython=True"


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def test_kernels_keep_the_bargain() -> None:
    assert kernel_faults(ROOT) == []


def test_a_broken_bargain_is_seen(tmp_path: Path) -> None:
    bad = "@njit\ndef f(): ...\n@nb.njit('i4(i4)', nogil=True)\ndef g(): ...\n"
    bad += "@njit(nogil=True, parallel=True)\ndef h():\n    prange(3)\n"
    good = "@njit(nogil=True, cache=True)\ndef f(): ...\n"
    plant(tmp_path, src__lawful__kernels__bad_py=bad, src__lawful__kernels__good_py=good)
    assert sorted(kernel_faults(tmp_path)) == [
        "src/lawful/kernels/bad.py:1: no nogil=True",
        "src/lawful/kernels/bad.py:3: eager signature",
        "src/lawful/kernels/bad.py:5: parallel",
        "src/lawful/kernels/bad.py:7: prange",
    ]
