from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from lawful.errors import ColumnError, OptionError
from lawful.rules import Column, Figures, Rule, RuleSet, parse

COLUMNS = tuple(Column(name, "integer") for name in "abcd")


def rule(text: str, interest: float | None = None, error: float | None = None) -> Rule:
    return replace(parse(text), figures=Figures(error=error, measure="removal", interest=interest))


def found(**header: Any) -> RuleSet:
    texts = [
        rule("{a}: c ~ b", 0.5, 0.0),
        rule("a -> b", 0.1, 0.2),
        rule("b -> c", None, None),
        rule("key(a, b)", 0.5, 0.1),
        rule("not(t.a > u.a)", 0.9, 0.0),
    ]
    return RuleSet(
        texts, **{"columns": COLUMNS, "source": "t.csv", "rows": 4, "kinds": ("fd", "key", "oc", "dc")} | header
    )


def texts(rules: RuleSet) -> list[str]:
    return list(map(str, rules))


ALL = ["a -> b", "b -> c", "key(a, b)", "{a}: b ~ c", "not(t.a < u.a)"]


def test_a_sequence_in_file_order_and_canonical_form() -> None:
    rules = found()
    assert texts(rules) == ALL
    assert len(rules) == 5
    assert str(rules[-1]) == "not(t.a < u.a)"
    assert rules.index(parse("b -> c")) == 1
    assert next(reversed(rules)) == rules[4]
    assert isinstance(rules[:2], RuleSet)
    assert texts(rules[1:3]) == ALL[1:3]
    with pytest.raises(IndexError):
        rules[5]


def test_contains_in_whatever_form() -> None:
    rules = found()
    assert parse("{a}: c ~ b") in rules
    assert parse("not(u.a < t.a)") in rules
    assert parse("a -> c") not in rules
    assert parse("zip -> state") not in rules
    assert "a -> b" not in rules


def test_each_rule_once() -> None:
    assert texts(RuleSet([parse("not(t.a < u.a)"), parse("not(t.a > u.a)")])) == ["not(t.a < u.a)"]


def test_equality_is_about_the_rules() -> None:
    assert found() == found(engine="spark", source=None)
    assert hash(found()) == hash(found(engine="spark"))
    assert found() != found()[:2]
    assert found() != found().by_interest()
    assert found() != list(found())


def test_immutable_and_without_invented_attributes() -> None:
    rules = found(options={"max_size": 3})
    with pytest.raises(FrozenInstanceError):
        rules.rows = 5  # type: ignore[misc]
    with pytest.raises(TypeError):
        rules.options["max_size"] = 4  # type: ignore[index]
    with pytest.raises(AttributeError):
        rules.colums  # type: ignore[attr-defined]  # noqa: B018
    with pytest.raises(TypeError):
        rules.filter(knd="fd")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        RuleSet(sorce="x")  # type: ignore[call-arg]


def test_header_of_rules_alone() -> None:
    rules = RuleSet([parse("b -> a"), parse("key(c)")])
    assert rules.names == ("b", "a", "c")
    assert rules.kinds == ("fd", "key")
    assert rules.complete
    assert RuleSet(columns=[("x", "date")]).columns == (Column("x", "date"),)


def test_columns_are_checked() -> None:
    with pytest.raises(ColumnError, match=r"'sallary'.*Did you mean 'salary'\?"):
        RuleSet([parse("zip -> sallary")], columns=(Column("zip"), Column("salary")))
    with pytest.raises(ColumnError, match="'zip' stands twice"):
        RuleSet(columns=(Column("zip"), Column("zip")))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda rules: pickle.loads(pickle.dumps(rules))])
def test_copies_are_whole(copied: Any) -> None:
    rules = found(options={"max_size": 3}, warnings=("w",))
    other = copied(rules)
    assert other == rules
    assert other.header() == rules.header()
    assert other.to_dicts() == rules.to_dicts()


@pytest.mark.parametrize(
    ("chosen", "kept"),
    [
        ({}, ALL),
        ({"kind": "fd"}, ["a -> b", "b -> c"]),
        ({"kind": "od"}, ["a -> b", "b -> c", "{a}: b ~ c"]),
        ({"kind": ["key", "dc"]}, ["key(a, b)", "not(t.a < u.a)"]),
        ({"columns": "c"}, ["b -> c", "{a}: b ~ c"]),
        ({"columns": ["c", "d"]}, ["b -> c", "{a}: b ~ c"]),
        ({"within": ["a", "b"]}, ["a -> b", "key(a, b)", "not(t.a < u.a)"]),
        ({"within": "a"}, ["not(t.a < u.a)"]),
        ({"columns": "b", "within": ["a", "b"]}, ["a -> b", "key(a, b)"]),
        ({"max_error": 0.1}, ["key(a, b)", "{a}: b ~ c", "not(t.a < u.a)"]),
        ({"max_error": 0}, ["{a}: b ~ c", "not(t.a < u.a)"]),
        ({"predicate": lambda rule: len(rule.columns) == 1}, ["not(t.a < u.a)"]),
        ({"kind": "fd", "max_error": 1}, ["a -> b"]),
        ({"kind": "lod"}, []),
    ],
)
def test_filter(chosen: dict[str, Any], kept: list[str]) -> None:
    assert texts(found().filter(**chosen)) == kept


def test_filter_refuses_what_it_cannot_mean() -> None:
    with pytest.raises(OptionError, match=r"'fdd'.*Did you mean 'fd'"):
        found().filter("fdd")
    with pytest.raises(ColumnError, match=r"'A'.*Did you mean 'a'\?"):
        found().filter(columns=["A"])
    with pytest.raises(ColumnError, match="'z'"):
        found().filter(within=["a", "z"])
    with pytest.raises(OptionError, match=r"not 1\.5"):
        found().filter(max_error=1.5)
    with pytest.raises(OptionError, match="not nan"):
        found().filter(max_error=float("nan"))


def test_by_kind_stays_complete_for_that_kind_and_all_else_says_what_it_left_out() -> None:
    part = found().filter("fd")
    assert (part.complete, part.kinds) == (True, ("fd",))
    assert found().filter(max_error=1).incomplete == "filter: 4 of 5 rules kept"
    assert found().filter("fd", max_error=1).incomplete == "filter: 1 of 2 rules kept"
    assert found()[:2].incomplete == "slice: 2 of 5 rules kept"
    assert found(complete_to=3).top(2).incomplete == "top 2: 2 of 5 rules kept"
    assert found(complete_to=3).top(2).complete_to is None
    assert found().top(5).complete
    assert found(incomplete="max size 3", complete_to=3).filter("fd").complete_to == 3
    assert found(incomplete="max size 3").top(1).incomplete == "max size 3; top 1: 1 of 5 rules kept"


def test_by_interest_with_ties_in_file_order_and_unknown_last() -> None:
    ranked = ["not(t.a < u.a)", "key(a, b)", "{a}: b ~ c", "a -> b", "b -> c"]
    assert texts(found().by_interest()) == ranked
    assert texts(found().top(3)) == ranked[:3]
    assert texts(found().top(99)) == ranked
    assert texts(found().top(0)) == []
    with pytest.raises(OptionError):
        found().top(-1)


def test_diff() -> None:
    old = found()
    moved = [rule("a -> b", 0.1, 0.3), rule("{a}: b ~ c", None, 0.0), rule("not(t.a < u.a)", 0.9, 0.0)]
    new = RuleSet([*moved, rule("b -> c", 0.5, 0.5), rule("a -> d")], columns=COLUMNS[::-1], incomplete="time limit")
    change = old.diff(new)
    assert list(map(str, change.added)) == ["a -> d"]
    assert list(map(str, change.removed)) == ["key(a, b)"]
    assert [(str(a), a.figures.error, b.figures.error) for a, b in change.kept_changed] == [("a -> b", 0.2, 0.3)]
    assert change.kept == 4
    assert change
    assert str(change).splitlines() == [
        "1 added, 1 removed, 4 kept, 1 of these changed",
        "! the new list may miss rules: time limit",
        "+ a -> d",
        "- key(a, b)",
        "~ a -> b  (error 0.2 -> 0.3)",
    ]


def test_no_diff() -> None:
    assert not found().diff(RuleSet(found().by_interest(), columns=COLUMNS[::-1]))
    close = RuleSet([rule("a -> b", 1 / 3), rule("key(a)", error=0.1)])
    other = [rule("a -> b", 0.333333333333), replace(rule("key(a)"), figures=Figures(0.2, "pairs"))]
    assert not close.diff(RuleSet(other))


def test_to_arrow() -> None:
    table = found().to_arrow()
    figures = ["error", "measure", "coverage", "interest", "surprise"]
    assert table.schema.names == ["kind", "text", "id", "columns", *figures]
    assert table["text"].to_pylist() == ALL
    assert table["columns"].to_pylist() == [list(rule.columns) for rule in found()]
    assert table["error"].to_pylist() == [0.2, None, 0.1, 0.0, 0.0]
    assert table["id"].to_pylist() == [rule.id for rule in found()]
    assert RuleSet().to_arrow().schema == table.schema


def test_to_pandas() -> None:
    pytest.importorskip("pandas")
    frame = found().to_pandas()
    assert list(frame["text"]) == ALL
    assert frame["columns"].iloc[0] == ["a", "b"]
    assert frame["interest"].isna().tolist() == [False, True, False, False, False]
    assert str(RuleSet().to_pandas()["interest"].dtype) == "float64"


def test_to_dicts() -> None:
    assert found().to_dicts()[0] == found()[0].to_dict()
    assert found().to_dicts()[0]["rhs"] == "b"
