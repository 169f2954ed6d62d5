from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from lawful.rules import Fd, Figures, Key, RuleSet, parse


class Page(HTMLParser):
    """The tags, attributes and text that a browser would see."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_repr_is_one_short_line() -> None:
    rules = RuleSet([parse("a -> b"), parse("b -> a"), parse("{}: a ~ b")], source="t.csv", rows=6)
    assert repr(rules) == "<RuleSet: 3 rules (2 fd, 1 oc) of 't.csv', 6 rows, complete>"
    assert repr(RuleSet([parse("key(a)")], incomplete="max size 2")) == (
        "<RuleSet: 1 rule (1 key), incomplete: max size 2>"
    )
    assert repr(RuleSet()) == "<RuleSet: 0 rules, complete>"


def test_names_and_notes_are_escaped() -> None:
    evil = "<script>alert('1')</script>"
    rules = RuleSet([Fd((evil,), "b")], source=evil, incomplete=evil, note=evil, warnings=(evil,), rows=1)
    page = Page(rules._repr_html_())
    assert not page.open
    assert set(page.tags) == {"div", "style", "p", "table", "thead", "tbody", "tr", "th", "td", "code"}
    assert page.attributes == {"class"}
    assert page.text.count(evil) >= 5


def test_the_most_interesting_thirty_and_how_many_more() -> None:
    found = [replace(Key((f"column {n}",)), figures=Figures(interest=n / 100)) for n in range(100)]
    page = Page(RuleSet(found)._repr_html_())
    assert page.tags.count("tr") == 31
    assert page.text.index("column 99") < page.text.index("column 70")
    assert "column 69" not in page.text
    assert "and 70 more" in page.text


def test_completeness_banner() -> None:
    cut = RuleSet(incomplete="max size 3", complete_to=3)._repr_html_()
    assert "This list may miss rules: max size 3 (all rules of at most 3 columns are there)" in cut
    assert "may miss" not in RuleSet()._repr_html_()


def test_small_and_self_contained_whatever_the_rules() -> None:
    wide = [Fd(tuple(f"<{'&' * 50}{n}>" for n in range(200)), f"x{m}") for m in range(40)]
    many = [Fd((f"c{n // 250}",), f"c{n % 250}") for n in range(50_000)]
    for rules in (RuleSet(wide, source="&" * 10**6, warnings=("&" * 1000,) * 1000), RuleSet(many)):
        page = rules._repr_html_()
        assert len(page.encode()) < 200_000
        assert "http" not in page
        assert "url(" not in page
        assert "light-dark(" in page
