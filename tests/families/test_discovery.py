"""What is said of an answer: complete or not and why, notes, options; and which questions are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful
from lawful.errors import ColumnError, LawfulError, OptionError
from lawful.options import DiscoverOptions
from lawful.rules import RuleSet
from tests.families.finding import discover_encoded, encoded, found, lines, of_ranks
from tests.naive import table

PAY = table(
    "year grade pay", "integer",
    (2020, 1, 100), (2020, 2, 120), (2021, 1, 110), (2021, 2, 130), (2021, 2, 140),
)  # fmt: skip


def test_the_header_of_a_full_answer() -> None:
    rules, ending = discover_encoded(encoded(PAY))
    assert (ending.reason, ending.code) == (None, 0)
    head = rules.header()
    columns = [{"name": name, "type": "integer"} for name in ("year", "grade", "pay")]
    assert head == {
        "lawful": 1, "source": "made", "rows": 5, "columns": columns, "kinds": ["fd", "key", "oc"],
        "engine": "local", "complete": True, "options": {"nulls": "first"},
    }  # fmt: skip
    assert [*map(str, rules)] == [
        "pay -> year", "pay -> grade", "key(pay)", "{}: grade ~ pay", "{grade}: year ~ pay",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "complete", "incomplete", "complete_to"),
    [
        ({}, True, None, None),
        ({"max_size": 2}, False, "only rules over at most 2 columns", 2),
        ({"min_coverage": 0.25}, False, "only rules of coverage 0.25 and more", None),
        ({"min_coverage": 0.25, "max_size": 2}, False, "only rules of coverage 0.25 and more", None),
        ({"top": 1}, False, "top 1: 1 of 5 rules kept", None),
        ({"top": 5}, True, None, None),
        ({"max_error": 0.2}, True, None, None),
    ],
    ids=str,
)
def test_whether_rules_may_be_missing(
    options: dict[str, Any], complete: bool, incomplete: str | None, complete_to: int | None
) -> None:
    rules, ending = discover_encoded(encoded(PAY), **options)
    assert (rules.complete, rules.incomplete, rules.complete_to) == (complete, incomplete, complete_to)
    assert ending.code == 0, "a limit that a person chose is no failure"
    assert dict(rules.options) == {"nulls": "first", **options}


def test_a_rule_file_keeps_the_answer(tmp_path: Any) -> None:
    for options in ({}, {"max_size": 1}, {"max_error": 0.3, "measure": "pairs"}, {"min_coverage": 0.5, "top": 2}):
        rules = found(encoded(PAY), **options)
        rules.save(tmp_path / "rules.jsonl")
        loaded = RuleSet.load(tmp_path / "rules.jsonl")
        assert loaded.header() == rules.header()
        assert set(map(str, loaded)) == set(map(str, rules))


def test_lines_do_not_depend_on_the_order_in_which_kinds_are_named() -> None:
    here = encoded(PAY)
    assert (
        lines(found(here, ("key", "oc", "fd")))
        == lines(found(here, ("od", "key")))
        == lines(found(here, ("key", "od", "fd")))
    )


def test_columns_in_another_order_state_the_same_rules() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        values = rng.integers(0, 3, (4, 7))
        names = ["a", "b", "c", "d"]
        one = pa.table(dict(zip(names, values, strict=True)))
        other = one.select([names[i] for i in rng.permutation(4)])
        ids = [{rule.id for rule in lawful.discover(t, ["od", "key"], engine="local")} for t in (one, other)]
        assert ids[0] == ids[1]


def test_the_list_form() -> None:
    rules = found(encoded(PAY), ("od",), list_form=True)
    assert rules.kinds == ("fd", "oc", "lod")
    assert [str(rule) for rule in rules if rule.kind == "lod"] == ["[pay] -> [grade]", "[pay] -> [grade, year]"]


REFUSED = [
    ({"kinds": ("fds",)}, "kinds is 'fds'", "Choose one of: fd, key, od, oc"),
    ({"kinds": ()}, "No kind of rule is asked for", "fd, key, od"),
    ({"max_error": 1.0}, "max_error is 1.0, not in 0 ≤ e < 1", "0.01"),
    ({"max_error": -0.1}, "max_error is -0.1", "0.01"),
    ({"max_error": float("nan")}, "max_error is nan", "0.01"),
    ({"min_coverage": 1.5}, "min_coverage is 1.5, not in 0 ≤ c ≤ 1", "share of the pairs of rows"),
    ({"min_coverage": -0.5}, "min_coverage is -0.5", "share of the pairs of rows"),
    ({"min_coverage": float("nan")}, "min_coverage is nan", "share of the pairs of rows"),
    ({"measure": "g3"}, "measure is 'g3'", "removal, pairs"),
    ({"max_size": 0}, "max_size is 0, below 1", "no limit"),
    ({"top": 0}, "top is 0, below 1", "no limit"),
    ({"top": -3}, "top is -3, below 1", "no limit"),
    ({"time_limit": "soon"}, "time_limit is 'soon', not a time", "90s, 10m or 2h"),
    ({"time_limit": "0s"}, "time_limit is '0s'", "90s, 10m or 2h"),
    ({"time_limit": "-5s"}, "time_limit is '-5s'", "90s, 10m or 2h"),
    ({"time_limit": "1d"}, "time_limit is '1d'", "90s, 10m or 2h"),
    ({"resume": True, "max_error": 0.1}, "approximate search for fd, key and oc cannot be resumed", "--resume"),
]


@pytest.mark.parametrize(("options", "message", "hint"), REFUSED, ids=lambda value: str(value)[:40])
def test_options_out_of_range(options: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(OptionError) as caught:
        DiscoverOptions(**options)
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        ({"resume": True}, "nothing to resume without a work folder", "--work-dir"),
        ({"kinds": ("fd", "key"), "list_form": True}, "The list form needs fd and oc", "od"),
        ({"kinds": ("key",), "list_form": True}, "The list form needs fd and oc", "od"),
        ({"kinds": ("oc",), "list_form": True}, "The list form needs fd and oc", "od"),
        ({"list_form": True, "max_error": 0.2}, "The list form follows from exact rules", "max_error"),
    ],
    ids=str,
)
def test_questions_that_are_refused_before_any_work(options: dict[str, Any], message: str, hint: str) -> None:
    heard: list[object] = []
    with pytest.raises(LawfulError, match=message) as caught:
        discover_encoded(encoded(PAY), listener=heard.append, **options)
    assert hint in (caught.value.hint or "")
    assert heard == []


def test_unknown_nulls_are_refused() -> None:
    with pytest.raises(OptionError, match="nulls='unknown'") as caught:
        lawful.discover(pa.table({"a": [1, None]}), ["fd"], nulls="unknown", engine="local")
    assert "first" in str(caught.value.hint)


def test_an_oc_needs_two_ordered_columns() -> None:
    bytes_only = pa.table({"a": [b"x", b"y"], "b": [2, 1]})
    with pytest.raises(ColumnError, match="No two columns have an order"):
        lawful.discover(bytes_only, ["oc"], engine="local")
    assert {rule.kind for rule in lawful.discover(bytes_only, ["od"], engine="local")} == {"fd"}


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("1.5s", 1.5), ("10m", 600), ("2H", 7200), (" 3 s ", 3)])
def test_times(text: str, seconds: float) -> None:
    assert DiscoverOptions(time_limit=text).seconds() == seconds


def test_kinds_in_one_order_and_once() -> None:
    assert DiscoverOptions(kinds=("oc", "key", "od", "fd")).wanted() == ("fd", "key", "oc")
    assert DiscoverOptions(kinds="key").wanted() == ("key",)  # type: ignore[arg-type]
    assert DiscoverOptions().wanted() == ("fd", "oc")


def test_an_encoded_table_is_found_laws_in_as_often_as_one_likes() -> None:
    once = lawful.encode(pa.table({"a": [1, 2, 3], "b": [1, 1, 2]}), engine="local")
    assert [*map(str, lawful.discover(once, ["key"]))] == ["key(a)"]
    assert lines(lawful.discover(once, ["od"])) == lines(lawful.discover(once, ["od"], workers=2))


def test_many_copies() -> None:
    rules = found(of_ranks(np.zeros((2, 1501), np.int32)), ("key",))
    assert rules.warnings == ("No key: 1,500 rows are copies of another one.",)
    assert len(rules) == 0
    near = found(of_ranks(np.zeros((2, 4), np.int32)), ("key",), max_error=0.75)
    assert [(str(rule), rule.figures.error, rule.figures.coverage) for rule in near] == [("key()", 0.75, 1.0)]
    assert near.warnings == ()
