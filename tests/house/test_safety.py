"""Data never becomes code: no eval, no shell, and pickle only for our own jobs on their way to workers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.house.tree import ROOT, Module, imported, modules, plant

CALLS = {"eval", "exec", "compile", "__import__"}
SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}
SWITCHES = {"shell", "allow_pickle"}
PICKLES = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}
OWN_JOBS = ("src/lawful/engine/spark/", "src/lawful/engine/pickled.py")
"""Where jobs, units and parts of our own making are pickled."""


def dangers(root: Path) -> list[str]:
    """Calls and imports through which the bytes of a table, a rule file or a state could run as code."""
    return [danger for module in modules(root, "src") for danger in _in_module(module)]


def _in_module(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            yield from (f"{module.at(node)}: {what}" for what in _in_call(node))
    if not module.path.startswith(OWN_JOBS):
        for statement, name in imported(module.tree):
            if name.split(".")[0] in PICKLES or name.startswith("pyspark.cloudpickle"):
                yield f"{module.at(statement)}: imports {name}"


def _in_call(call: ast.Call) -> Iterator[str]:
    if isinstance(call.func, ast.Name) and call.func.id in CALLS:
        yield call.func.id
    if isinstance(call.func, ast.Attribute) and (call.func.attr == "eval" or ast.unparse(call.func) in SHELLS):
        yield ast.unparse(call.func)
    for keyword in call.keywords:
        if keyword.arg in SWITCHES and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False):
            yield f"{keyword.arg}="


def test_data_never_becomes_code() -> None:
    assert dangers(ROOT) == []


def test_a_danger_is_seen(tmp_path: Path) -> None:
    bad = "import pickle\nfrom pickle import loads as x\neval('1')\nf(shell=True)\nos.system('a')\n"
    bad += "f(shell=False)\nre.compile('a')\nplatform.system()\n"
    plant(tmp_path, src__lawful__a_py=bad, src__lawful__engine__spark__b_py="import pickle\n")
    assert dangers(tmp_path) == [
        "src/lawful/a.py:3: eval",
        "src/lawful/a.py:4: shell=",
        "src/lawful/a.py:5: os.system",
        "src/lawful/a.py:1: imports pickle",
        "src/lawful/a.py:2: imports pickle.loads",
    ]
