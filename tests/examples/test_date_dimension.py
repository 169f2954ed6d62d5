"""The story of the date dimension, on fewer days."""

from __future__ import annotations

import sys

import pytest

from tests.house.tree import ROOT


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.delitem(sys.modules, "date_dimension", raising=False)
    import date_dimension  # type: ignore[import-not-found]

    return date_dimension


def test_the_story(example: object) -> None:
    lines = list(example.story(days=2922, sales=30_000))  # type: ignore[attr-defined]
    text = "\n".join(lines)
    assert "63 laws of date_dim, 2922 rows" in text
    assert "[date_sk] -> [year]: yes, by date_sk -> year; {}: date_sk ~ year" in text
    assert "\n  ORDER BY date_sk\n" in text
    assert "[date_sk] -> [year]; [date_sk] -> [month_seq]" in text
    assert "times as fast" in text


def test_both_queries_give_one_answer_and_one_needs_no_join(example: object) -> None:
    database = example.warehouse(days=2922, sales=20_000)  # type: ignore[attr-defined]
    answers, joins = [], []
    for query in (example.BY_CALENDAR, example.BY_NUMBER):  # type: ignore[attr-defined]
        answers.append(database.execute(query).fetchall())
        joins.append(" JOIN " in query)
    assert answers[0] == answers[1] and answers[0][0][0] > 0
    assert joins == [True, False]
