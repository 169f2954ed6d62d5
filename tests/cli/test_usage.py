"""Words that are no command line end with 2, an error and a hint; help and version say what there is."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import pytest

import lawful as library
from lawful.cli.shared_options import flag_name
from lawful.options import EngineOptions, SourceOptions
from tests.cli.conftest import Run, Spawn, ended


def test_version(lawful: Run) -> None:
    assert lawful("--version") == lawful("-V")
    assert lawful("--version").out == f"lawful {library.__version__}\n"


@pytest.mark.parametrize("words", [("--help",), ()])
def test_help_names_the_commands_and_the_exit_codes(lawful: Run, words: tuple[str, ...]) -> None:
    said = lawful(*words)
    text = " ".join(said.out.split())
    assert (said.code, said.err) == (0, "")
    assert all(f"│ {command} " in text for command in ("profile", "doctor", "demo"))
    assert all(f" {code} " in text for code in (0, 1, 2, 3, 70, 130, 143))


def test_every_field_of_the_options_is_a_flag_with_its_help(lawful: Run) -> None:
    text = " ".join(lawful("profile", "--help").out.replace("│", " ").split())
    for holder in (SourceOptions, EngineOptions):
        for field in dataclasses.fields(holder):
            assert f"--{flag_name(field)} " in text
            assert field.metadata["help"] in text
    assert "--no-header" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("profle", "x"), 'Unknown command "profle". Did you mean "profile"?'),
        (("profile", "x", "--colunms", "a"), "Unknown option: --colunms. Did you mean --columns?"),
        (("profile", "x", "--nulls", "frist"), 'Did you mean "first"?'),
        (("profile", "x", "--limit-rows", "many"), "--limit-rows"),
        (("profile",), "SOURCE requires an argument"),
        (("profile", "a.csv", "b.csv"), "does not know what to do with 'b.csv'"),
    ],
)
def test_misuse(lawful: Run, words: tuple[str, ...], message: str) -> None:
    said = lawful(*words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ") and message in said.err
    assert "\nhint: " in said.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("absent.csv",), "There is no file 'absent.csv'."),
        (("table.csv", "--columns", "zp"), "'zp'"),
        (("table.csv", "--types", "zp=string"), "'zip'"),
        (("table.csv", "--types", "zip"), "--types has 'zip', not name=type."),
        (("table.csv", "--order", "size"), "--order is 'size', not name=low,high."),
        (("table.csv", "--columns", "id,,zip"), "a name is empty"),
        (("table.csv", "--columns", "id,id"), "'id' is chosen twice"),
        (("table.csv", "--limit-rows", "-1"), "limit_rows is -1"),
        (("table.csv", "--memory", "lots"), "memory is 'lots'"),
        (("table.csv", "--delimiter", "ab"), "delimiter is 'ab'"),
        (("table.csv", "--order", "size=S,M"), "'L'"),
    ],
)
def test_wrong_input(lawful: Run, table: object, words: tuple[str, ...], message: str) -> None:
    said = lawful("profile", *words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err
    assert said.err.startswith("error: ") and "Traceback" not in said.err


def test_python_m_lawful_is_the_command(spawn: Spawn) -> None:
    assert ended(spawn("--version")).out == f"lawful {library.__version__}\n"


def test_help_loads_nothing_heavy() -> None:
    heavy = ("numpy", "pyarrow", "pandas", "pyspark", "numba", "psutil", "fsspec")
    code = (
        "import json, sys; from lawful.cli import main; main({words!r}); "
        "print(json.dumps([n for n in {heavy!r} if n in sys.modules]))"
    )
    for words in (["--help"], ["profile", "--help"], ["--version"]):
        done = subprocess.run(
            [sys.executable, "-c", code.format(words=words, heavy=heavy)], capture_output=True, text=True, timeout=60
        )
        assert json.loads(done.stdout.splitlines()[-1]) == [], done.stderr


@pytest.mark.parametrize(
    ("command", "words"),
    [("check", "SOURCE RULES..."), ("report", "RULES [SOURCE] -o FILE"), ("watch", "--source DIR --state DIR")],
)
def test_the_usage_names_what_is_needed(lawful: Run, command: str, words: str) -> None:
    assert lawful(command, "--help").out.splitlines()[0] == f"Usage: lawful {command} [OPTIONS] {words}"
