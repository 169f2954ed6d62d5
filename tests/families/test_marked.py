"""What is said of an answer in dcs and pods: options in the header, the best of many, estimates of several kinds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import lawful
from lawful.families import comparing
from lawful.ranks.encoded import Encoded
from lawful.search import covers


def _random(rows: int, width: int, values: int) -> Encoded:
    draw = np.random.default_rng(3)
    columns = {f"c{c}": draw.integers(0, values, rows) for c in range(width)}
    return lawful.encode(pa.table(columns))


@pytest.mark.parametrize("kind", ["dc", "pod"])
def test_the_best_of_a_table_wider_than_a_word(kind: str) -> None:
    table = _random(12, 30, 3)
    assert lawful.discover(table, [kind], max_size=2, top=3).rules == (
        lawful.discover(table, [kind], max_size=2).top(3).rules
    )


def test_a_search_bounded_by_the_best_does_not_count_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    table = _random(30, 7, 12)
    whole = lawful.discover(table, ["dc"])
    monkeypatch.setattr(covers, "FIRST", 64)
    monkeypatch.setattr(covers, "_OPERATIONS", 1)
    best = lawful.discover(table, ["dc"], top=2)
    assert list(best) == list(whole.top(2))
    assert (best.complete, best.incomplete) == (False, "top 2: rules that cannot be among them were not looked for")
    assert lawful.discover(table, ["dc"], top=10 * len(whole)).complete


@pytest.mark.parametrize(
    ("kind", "options", "kept"),
    [
        ("dc", {}, {}),
        ("dc", {"cross_columns": True, "share": 0}, {"cross_columns": True, "share": 0, "means": 0.1}),
        ("dc", {"order_strings": True, "share": 0.5}, {"order_strings": True}),
        ("pod", {"order_strings": True, "sample": 5}, {}),
        ("pod", {"estimate": True, "sample": 5}, {"estimate": True, "sample": 5, "efficiency": 0.005}),
        ("fd", {"cross_columns": True, "estimate": True}, {}),
    ],
)
def test_the_header_keeps_what_shapes_the_answer(kind: str, options: dict[str, Any], kept: dict[str, Any]) -> None:
    rules = lawful.discover(_random(6, 2, 3), [kind], **options)
    assert dict(rules.options) == {"nulls": "first", **kept}


def test_an_estimate_of_one_kind_does_not_end_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "FEW_PAIRS", 10)
    monkeypatch.setattr(comparing, "MOST_PAIRS", 100)
    rules = lawful.discover(_random(60, 3, 9), ["pod", "dc"], max_error=0.1, estimate=True)
    assert {rule.kind for rule in rules} == {"pod", "dc"}
    assert rules.incomplete == "errors are estimated from a sample of pairs"
