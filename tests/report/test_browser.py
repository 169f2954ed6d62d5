"""The page in a real browser, headless: what people do with it, with no complaint on the console."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

import lawful
from lawful import RuleSet
from lawful.report import report
from tests.report.pages import NASTY, many, one, small, staff, wide

pytestmark = pytest.mark.browser
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
Open: TypeAlias = Callable[..., Any]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    if BROWSER is None:
        pytest.skip("needs Chromium")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """Opens the page of some rules; what it complains of, or asks the network for, fails the test."""
    complaints: list[str] = []

    def page(rules: RuleSet, profile: Any = None, **context: Any) -> Any:
        path = tmp_path / "report.html"
        report(rules, path, profile)
        found = browser.new_context(viewport={"width": 1280, "height": 900}, **context).new_page()
        found.on("console", lambda message: complaints.append(message.text))
        found.on("pageerror", lambda error: complaints.append(str(error)))
        found.on("request", lambda asked: None if asked.url == path.as_uri() else complaints.append(asked.url))
        found.goto(path.as_uri())
        return found

    yield page
    assert complaints == []


def shot(page: Any, name: str) -> None:
    """A picture to look at, where a folder for them is named."""
    folder = os.environ.get("LAWFUL_SHOTS")
    if folder:
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)


def texts(page: Any) -> list[str]:
    return list(page.locator(".rule .text").all_inner_texts())


def test_a_small_list(opened: Open) -> None:
    rules = small()
    page = opened(rules, lawful.profile(staff()))
    assert texts(page) == [str(rule) for rule in rules.by_interest()]
    assert page.title() != "broken"
    assert page.locator("#columns tbody tr").count() == 4
    shot(page, "light")
    page.locator(".rule").nth(1).click()
    assert page.locator("#detail code").inner_text() == str(rules.by_interest()[1])
    assert page.locator(".rule[aria-selected=true]").count() == 1
    shot(page, "chosen")


def test_filters(opened: Open) -> None:
    rules = small()
    page = opened(rules)
    page.locator("input[value=oc]").uncheck()
    assert texts(page) == [str(rule) for rule in rules.by_interest() if rule.kind != "oc"]
    page.locator("#search").fill("KEY(")
    assert set(texts(page)) == {str(rule) for rule in rules if rule.kind == "key"}
    page.locator("button[type=reset]").click()
    page.locator("#column").fill("grade")
    assert set(texts(page)) == {str(rule) for rule in rules if "grade" in rule.columns}
    page.locator("#column").fill("no such")
    assert texts(page) == [] and "there is no such column" in page.locator("#count").inner_text()
    assert "No rule passes" in page.locator("#detail").inner_text()


def test_the_error_filter(opened: Open) -> None:
    rules = many(700)
    page = opened(rules)
    page.locator("#error").fill("0.02")
    few = sum(rule.figures.error <= 0.02 for rule in rules)  # type: ignore[operator]
    assert page.locator("#count").inner_text() == f"{few} of {len(rules)}"
    page.locator("#order").select_option("error")
    page.locator(".rule").first.click()
    assert "error\n0 of rows, to be removed" in page.locator("#detail dl").inner_text()


def test_following_a_column(opened: Open) -> None:
    rules = small()
    page = opened(rules)
    page.locator("#columns .follow", has_text="pay").click()
    assert page.locator("#column").input_value() == "pay"
    assert set(texts(page)) == {str(rule) for rule in rules if "pay" in rule.columns}
    page.locator(".rule").first.click()
    page.locator("#detail .follow").first.click()
    assert page.locator("#column").input_value() in rules.names
    page.locator("#columns .follow", has_text="onerror").click()
    assert page.locator("#column").input_value() == NASTY


def test_the_keyboard_alone(opened: Open) -> None:
    rules = many(2_000)
    page = opened(rules)
    page.keyboard.press("/")
    page.keyboard.type("column_1 ")
    page.keyboard.press("Escape")
    assert page.locator("#search").input_value() == ""
    page.locator("#list").focus()
    page.keyboard.press("ArrowDown")
    ranked = rules.by_interest()
    assert page.locator("#detail code").inner_text() == str(ranked[0])
    page.keyboard.press("PageDown")
    page.keyboard.press("ArrowUp")
    assert page.locator("#detail code").inner_text() == str(ranked[14])
    page.keyboard.press("End")
    assert page.locator("#detail code").inner_text() == str(ranked[len(ranked) - 1])
    active = page.locator("#list").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active}").get_attribute("aria-posinset") == str(len(rules))
    page.keyboard.press("Home")
    assert page.locator("#detail code").inner_text() == str(ranked[0])


def test_fifty_thousand_rules(opened: Open) -> None:
    page = opened(many())
    assert page.locator(".rule").count() < 100
    assert page.evaluate("performance.timing.domInteractive - performance.timing.navigationStart") < 5_000
    ranked = page.evaluate("JSON.parse(document.getElementById('data').textContent).rules.map(r => r.t)")
    for share in (0.3, 0.77, 1):
        page.evaluate("share => { const l = window.list; l.scrollTop = share * l.scrollHeight; }", share)
        page.wait_for_timeout(100)
        at = int(page.locator(".rule").last.get_attribute("data-at"))
        assert page.locator(".rule").last.locator(".text").inner_text() == ranked[at]
        assert at > share * 49_900 and page.locator(".rule").count() < 100
    page.locator("#search").fill("key(column_1, column_2,")
    page.wait_for_timeout(50)
    expected = sum("key(column_1," in text and "column_2," in text for text in ranked)
    assert page.locator("#count").inner_text() == f"{expected} of 50,000"


def test_two_thousand_columns(opened: Open) -> None:
    page = opened(wide())
    assert page.locator("#columns tbody tr").count() == 2_000
    page.locator("#column").fill("c1500")
    assert texts(page) == ["c1499 -> c1500", "c1500 -> c1501"]


def test_dark(opened: Open) -> None:
    page = opened(small(), lawful.profile(staff()), color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(color_scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark, light) == ("rgb(20, 24, 30)", "rgb(255, 255, 255)")
    page.emulate_media(color_scheme="dark")
    shot(page, "dark")


def test_a_narrow_screen_does_not_scroll_sideways(opened: Open) -> None:
    page = opened(small(), lawful.profile(staff()))
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    shot(page, "narrow")


def test_in_print_the_rules_are_written_out(opened: Open, tmp_path: Path) -> None:
    page = opened(many(900))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".rule").count() == 500 and "and 400 more" in page.locator("#space").inner_text()
    assert not page.locator("#filters").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".rule").count() < 500


def test_a_list_that_may_miss_rules(opened: Open) -> None:
    page = opened(one("a -> b", incomplete="time limit"))
    assert "This list may miss rules: time limit." in page.locator(".banner").inner_text()
