"""The page as text: whole, escaped, without anything from elsewhere."""

from __future__ import annotations

import json
import re
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful import Review, RuleSet, parse
from lawful.report.page import page
from tests.report.pages import NASTY, many, one, small, staff, wide


class Outline(HTMLParser):
    """The elements of a page and the texts between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def text(rules: Any, profile: Any = None) -> str:
    return b"".join(page(rules, profile)).decode()


def data(html: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    assert found
    return json.loads(found[1])


def test_the_data_are_the_rules() -> None:
    rules = small()
    found = data(text(rules))
    assert [rule["t"] for rule in found["rules"]] == [str(rule) for rule in rules.by_interest()]
    assert [rule["d"] for rule in found["rules"]] == [rule.id for rule in rules.by_interest()]
    assert [column["name"] for column in found["columns"]] == list(rules.names)
    first, rule = found["rules"][0], rules.by_interest()[0]
    assert [found["columns"][place]["name"] for place in first["c"]] == [n for n in rules.names if n in rule.columns]
    assert first["i"] == pytest.approx(rule.figures.interest) and first["e"] == 0 and first["s"].endswith(".")


def test_data_never_become_markup() -> None:
    rules = small()
    html = text(RuleSet(list(rules), columns=rules.columns, source=NASTY, incomplete=NASTY), lawful.profile(staff()))
    outline = Outline(html)
    assert [attrs.get("id") for tag, attrs in outline.tags if tag == "script"] == ["data", None]
    assert not [tag for tag, _ in outline.tags if tag == "img"]
    assert "<img" not in html and html.count("</script>") == 2
    assert data(html)["columns"][2]["name"] == NASTY
    assert f"Rules of {NASTY}" in outline.texts


def test_nothing_comes_from_elsewhere() -> None:
    html = text(small())
    outline = Outline(html)
    assert not [attrs for _, attrs in outline.tags if {"src", "href"} & set(attrs)]
    assert not re.search(r"https?:|@import|url\(|fetch\(|XMLHttp|eval\(|innerHTML|document\.write", html)
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html


def test_what_may_be_missing_is_told() -> None:
    assert "Complete: no minimal rule" in text(small())
    html = text(one("a -> b", incomplete="time limit", complete_to=3, note="fewer than two rows", warnings=("w1",)))
    assert "This list may miss rules: time limit. None over up to 3 columns is missing." in html
    assert "Complete:" not in html and "<li>fewer than two rows</li><li>w1</li>" in html


def test_columns_have_their_profile() -> None:
    found = data(text(small(), lawful.profile(staff())))["columns"]
    assert {key: found[1][key] for key in ("type", "distinct", "nulls", "least", "greatest", "rows")} == {
        "type": "integer", "distinct": 3, "nulls": 1, "least": "1", "greatest": "3", "rows": 10,
    }  # fmt: skip
    assert len(found[0]["greatest"]) <= 200
    html = text(one("a -> b"), lawful.profile(staff()))
    assert "the table given as source lacks column &#39;a&#39; and 1 more" in html


def test_verdicts_of_a_review() -> None:
    review = Review(one("a -> b")).with_verdict(parse("a -> b"), status="muted", note=NASTY)
    (rule,) = data(text(review))["rules"]
    assert (rule["status"], rule["note"], rule["found"]) == ("muted", NASTY, True)


def test_no_rules() -> None:
    assert data(text(RuleSet()))["rules"] == []


def test_its_size() -> None:
    bare = len(text(RuleSet()))
    assert bare < 30_000
    for rules in (many(5_000), wide()):
        plain = sum(len(str(rule)) for rule in rules)
        assert len(text(rules)) < bare + 12 * plain + 60 * len(rules.columns)
    started = time.perf_counter()
    assert len(data(text(many()))["rules"]) == 50_000
    assert time.perf_counter() - started < 20


def test_from_python(tmp_path: Path) -> None:
    small().report(tmp_path / "a.html")
    small().report(tmp_path / "b.html", staff(), engine="local")
    assert "distinct" not in data((tmp_path / "a.html").read_text())["columns"][0]
    assert data((tmp_path / "b.html").read_text())["columns"][3]["distinct"] == 10
