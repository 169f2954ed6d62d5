"""The story of the flights, on fewer days."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from lawful.rules.normalforms import Relation
from tests.house.tree import ROOT


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    monkeypatch.delitem(sys.modules, "flights", raising=False)
    import flights  # type: ignore[import-not-found]

    return flights


def test_the_story(example: Any) -> None:
    text = "\n".join(example.story())
    assert "1440 rows × 11 columns obey 79 fds and keys" in text
    assert "key(flight, day) does, and 9 larger sets do" in text
    assert "\n  airport -> city\n  city -> country\n" in text
    assert "in 1NF. In BCNF it is these tables:" in text
    assert "\n  (flight*, day*, tail, passengers): 1440 rows\n" in text
    assert "5828 cells instead of 15840" in text
    assert "To be checked across tables: country, leaves -> airline; city, leaves -> flight" in text
    assert "Joined, they give every row again" in text
    assert "Is flight -> tail a law? No: 1440 of 1440 rows" in text


def test_parts_along_no_law_do_not_give_the_table_again(example: Any) -> None:
    table = example.flights(20)
    names = ["flight", "day", "tail"]
    parts = (Relation(("flight", "tail"), ("flight",)), Relation(("flight", "day"), ("flight",)))
    whole = example.joined(example.parted(table, parts))
    assert whole.num_rows > table.num_rows
    assert example.rows_of(whole, names) != example.rows_of(table, names)
