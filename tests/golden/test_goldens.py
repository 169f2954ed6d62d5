"""Every golden, judged by every discoverer and by the meaning of each of its rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from lawful.rules.model import Rule
from lawful.rules.text import format_rule, parse
from tests.golden import discovering, law
from tests.naive import pairs_error, removal_error

HERE = Path(__file__).parent
GOLDENS = [law.read(path) for path in sorted(HERE.glob("*.law"))]
CASES = [pytest.param(g, s, id=f"{g.path.stem}:{'+'.join(s.kinds)}") for g in GOLDENS for s in g.sections]

Discoverer = Callable[[law.Golden, tuple[str, ...]], Iterable[Rule]]
DISCOVERERS: dict[str, Discoverer] = {"naive": law.naive, "lawful": discovering.found}
"""Who has to find exactly the rules of a section, given a golden and kinds; a line here adds another."""


@pytest.mark.parametrize("discoverer", DISCOVERERS)
@pytest.mark.parametrize(("golden", "section"), CASES)
def test_discovery_finds_exactly_these_rules(golden: law.Golden, section: law.Section, discoverer: str) -> None:
    if discoverer == "lawful" and not discovering.offers(golden, section.kinds):
        pytest.skip("a kind of rule that is not discovered yet")
    expected = {parse(text) for text in section.rules}
    found = set(DISCOVERERS[discoverer](golden, section.kinds))
    assert [*map(format_rule, expected - found)] == [], "not found"
    assert [*map(format_rule, found - expected)] == [], "found, but not in the golden"


@pytest.mark.parametrize(("golden", "section"), CASES)
def test_every_rule_stands_once_in_the_form_in_which_it_is_printed(golden: law.Golden, section: law.Section) -> None:
    assert [format_rule(parse(text)) for text in section.rules] == list(section.rules)
    assert len(set(section.rules)) == len(section.rules)


@pytest.mark.parametrize(("golden", "section"), CASES)
def test_every_rule_stays_within_the_error_allowed(golden: law.Golden, section: law.Section) -> None:
    options = golden.options
    nulls, allowed, measure = options.get("nulls", "first"), options.get("max_error", 0), options.get("measure")
    for text in section.rules:
        rule = parse(text)
        by_pairs = measure == "pairs" or rule.kind in ("lod", "pod", "dc")
        error = (pairs_error if by_pairs else removal_error)(rule, golden.table, nulls)
        assert error <= allowed, text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("# title: x\na | b\n1 | 2\n", "a section"),
        ("a\n1\n---- fd\n", "a title"),
        ("# title: x\n# colour: red\na\n1\n---- fd\n", "colour"),
        ("# title: x\na | b\n1\n---- fd\n", "another length"),
        ('# title: x\na | b\n"1 | 2\n---- fd\n', "not closed"),
    ],
)
def test_a_malformed_golden_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "bad.law"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=complaint):
        law.read(path)


def test_cells_are_read_as_told(tmp_path: Path) -> None:
    path = tmp_path / "cells.law"
    rows = ['1 | 1.5 | "" | 2024-02-29 |', '-2 |  | "a""|b" | | 007']
    head = ["# title: x", "# types: d=date", 'a | b | "c|d" | d | e']
    path.write_text("\n".join([*head, *rows, "---- fd", ""]), "utf-8")
    table = law.read(path).table
    assert table.names == ("a", "b", "c|d", "d", "e")
    assert table.types == ("integer", "decimal", "string", "date", "string")
    assert [row[2] for row in table.rows] == ["", 'a"|b']
    assert table.column("b")[1] is table.column("d")[1] is table.column("e")[0] is None


def test_an_update_writes_what_is_found_and_keeps_the_rest(tmp_path: Path) -> None:
    for golden in GOLDENS:
        path, head = tmp_path / golden.path.name, golden.path.read_text("utf-8").split("----")[0]
        path.write_text(head + "---- key\nkey(nowhere)\n", "utf-8")
        law.rewrite(path)
        after = law.read(path)
        assert path.read_text("utf-8").startswith(head)
        assert [section.kinds for section in after.sections] == [("key",)]
        assert set(map(parse, after.sections[0].rules)) == set(law.naive(golden, ("key",)))
