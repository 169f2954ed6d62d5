"""`lawful diff`: what it prints of two rule files, and how it ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lawful.rules import Figures, RuleSet
from tests.cli.conftest import Run
from tests.rules.test_diff import listed


@pytest.fixture
def files(elsewhere: Path) -> tuple[str, str]:
    old, new = listed("a -> b", "key(c)", "{}: a ~ c"), listed("[] -> b", "{}: a ~ c", incomplete="time limit")
    old = old.with_rules([replace(rule, figures=Figures(0.0, "pairs", 0.25)) for rule in old])
    new = new.with_rules([replace(rule, figures=Figures(0.0, "pairs", 0.5)) for rule in new])
    old.save("old.jsonl")
    new.save("new.jsonl")
    return "old.jsonl", "new.jsonl"


def test_text(lawful: Run, files: tuple[str, str]) -> None:
    said = lawful("diff", *files)
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "1 added, 2 removed, 1 kept, 1 of these changed",
        "! the new list may miss rules: time limit",
        "+ [] -> b",
        "- a -> b  (still follows)",
        "- key(c)",
        "~ {}: a ~ c  (coverage 0.25 -> 0.5)",
    ]


def test_json(lawful: Run, files: tuple[str, str]) -> None:
    found = lawful("diff", *files, "--json").json
    assert [rule["rule"] for rule in found["added"]] == ["[] -> b"]
    assert [(rule["rule"], rule["still_holds"]) for rule in found["removed"]] == [("a -> b", True), ("key(c)", None)]
    assert found["removed"][0]["id"] == RuleSet.load(files[0])[0].id
    assert [(rule["rule"], rule["changes"]) for rule in found["changed"]] == [("{}: a ~ c", ["coverage 0.25 -> 0.5"])]
    assert (found["kept"], found["caveats"]) == (1, ["the new list may miss rules: time limit"])


def test_exit_codes(lawful: Run, files: tuple[str, str]) -> None:
    old, new = files
    assert lawful("diff", old, new, "--exit-code").code == 1
    same = lawful("diff", old, old, "--exit-code")
    assert (same.code, same.out) == (0, "0 added, 0 removed, 3 kept, 0 of these changed\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("old.jsonl",), "NEW requires an argument"),
        (("old.jsonl", "nwe.jsonl"), "nwe.jsonl cannot be read"),
        (("-", "-"), "one rule file, not two"),
        (("old.jsonl", "table.csv"), "table.csv, line 1"),
    ],
)
def test_misuse(lawful: Run, files: tuple[str, str], table: Path, words: tuple[str, ...], message: str) -> None:
    said = lawful("diff", *words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err and "Traceback" not in said.err
