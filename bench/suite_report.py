"""Suite ``report``: pages of 1,000 and 50,000 rules in headless Chromium, and questions to a list of 50,000 rules."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any

from bench.results import Row, Scale, Suite, judged
from lawful.errors import JobError, MissingError
from lawful.rules import Column, Fd, Figures, Key, Oc, Rule, RuleSet

OPEN_SECONDS = 1.0
LONG_TASK = 100.0
"""Milliseconds that no task may take while the list is scrolled."""
ASK_MILLISECONDS = 10.0
COLUMNS = 60
STEPS = 60
FIRST_PAINT = """() => {
    const made = performance.getEntriesByType('navigation')[0];
    const painted = performance.getEntriesByName('first-contentful-paint')[0];
    return { loaded: made.loadEventEnd, painted: painted ? painted.startTime : null };
}"""
WATCH = """
window.slow = [];
new PerformanceObserver(list => {
    for (const task of list.getEntries()) window.slow.push([task.startTime, task.duration]);
}).observe({ type: 'longtask', buffered: true });
"""
"""Chromium tells of tasks from 50 ms on."""
BLOCK = "setTimeout(() => { const start = performance.now(); while (performance.now() - start < 150); })"
"""A long task of our own, to see that they are told of."""


def rules_of(count: int) -> RuleSet:
    """Minimal-looking rules over three or four of sixty columns, with figures that tell them apart."""
    names = [f"column_{n}" for n in range(COLUMNS)]
    made: list[Rule] = []
    for n, (a, b, c, d) in enumerate(islice(combinations(names, 4), count)):
        figures = Figures(0.0, "removal", 1 / (1 + n % 100), 1 / (1 + n))
        made.append(replace((Fd((a, b, c), d), Oc((a, b), c, d), Key((a, b, c, d)))[n % 3], figures=figures))
    header = {"columns": [Column(name, "integer") for name in names], "kinds": ("fd", "key", "oc"), "rows": 10**6}
    return RuleSet(made, **header)  # type: ignore[arg-type]


@contextmanager
def browsing() -> Iterator[Any]:
    """Headless Chromium."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError as error:
        raise MissingError("playwright is not installed.", hint='pip install -e ".[browser]".') from error
    if program is None:
        raise MissingError("There is no Chromium.", hint="Install it.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(browser: Any, path: Path, rules: int) -> tuple[float, list[float]]:
    """Seconds from asking for the page to its load and first paint; milliseconds of long tasks while scrolling."""
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.add_init_script(WATCH)
    page.goto(path.as_uri())
    times = page.evaluate(FIRST_PAINT)
    while times["painted"] is None:  # the page forbids what playwright would wait with
        page.wait_for_timeout(20)
        times = page.evaluate(FIRST_PAINT)
    if page.locator(".rule").count() == 0 or f"{rules:,}" not in page.locator("body").inner_text():
        raise JobError("The page shows no rules.", hint="Open it by hand.")
    page.evaluate(BLOCK)
    page.wait_for_timeout(500)
    if not any(length >= LONG_TASK for _, length in page.evaluate("window.slow")):
        raise JobError("A long task was not seen.", hint="This Chromium does not tell of them.")
    start = page.evaluate("performance.now()")
    page.locator("#list").hover()
    for _ in range(STEPS):
        page.mouse.wheel(0, 700)
        page.wait_for_timeout(30)
    for step in range(STEPS):
        page.evaluate("share => { window.list.scrollTop = share * window.list.scrollHeight; }", step / STEPS)
        page.wait_for_timeout(30)
    page.wait_for_timeout(500)
    if page.evaluate("window.list.scrollTop") <= 0:
        raise JobError("The list was not scrolled.", hint="Open the page by hand.")
    slow = [length for at, length in page.evaluate("window.slow") if at >= start]
    page.context.close()
    return max(times["loaded"], times["painted"]) / 1000, slow


def page_rows(browser: Any, count: int, folder: Path, scale: Scale) -> Iterator[Row]:
    """Opening and scrolling the page of so many rules."""
    from lawful.report import report

    path = folder / f"{count}.html"
    report(rules_of(count), path)
    runs = [opened(browser, path, count) for _ in range(scale.repeats)]
    seconds, longest = min(at for at, _ in runs), min(max(slow, default=0.0) for _, slow in runs)
    size = f"{path.stat().st_size / 2**20:.1f} MiB"
    goal = count == 1_000
    yield Row(
        f"open a report of {count:,} rules", ours=round(seconds, 3), unit="s wall", limit=size,
        goal=f"≤ {OPEN_SECONDS:g} s" if goal else "", met=judged(seconds, OPEN_SECONDS, scale) if goal else None,
        note="from asking for the file to its load event and first paint, headless Chromium, least of the runs",
    )  # fmt: skip
    yield Row(
        f"scroll a report of {count:,} rules", ours=round(longest, 1), unit="ms, longest task",
        goal=f"≤ {LONG_TASK:g} ms", met=judged(longest, LONG_TASK, scale),
        note=f"{STEPS} turns of the wheel, {STEPS} jumps; 0: no task took 50 ms, from which on Chromium tells of them",
        figures={"long_tasks": [slow for _, slow in runs]},
    )  # fmt: skip


def pages(scale: Scale) -> Iterator[Row]:
    """Pages of two sizes."""
    with browsing() as browser, tempfile.TemporaryDirectory() as folder:
        for count in (1_000, 50_000):
            yield from page_rows(browser, count, Path(folder), scale)


def questions(rules: RuleSet) -> list[tuple[str, bool]]:
    """Statements with whether they follow: rules of the list with a column more, and statements that do not."""
    fds = [rule for rule in rules if isinstance(rule, Fd)][:: len(rules) // 300]
    names = list(rules.names)
    return [
        pair
        for rule in fds
        for more in [next(n for n in names if n not in rule.columns)]
        for pair in ((f"{', '.join((*rule.lhs, more))} -> {rule.rhs}", True), (f"{rule.lhs[0]} -> {rule.rhs}", False))
    ]


def asking(scale: Scale) -> Iterator[Row]:
    """Questions to 50,000 rules that were read from their file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.jsonl"
        rules_of(50_000).save(path)
        start = time.perf_counter()
        rules = RuleSet.load(path)
        loading = time.perf_counter() - start
    took: list[float] = []
    for text, follows in questions(rules):
        start = time.perf_counter()
        answer = rules.holds(text)
        took.append((time.perf_counter() - start) * 1000)
        if bool(answer) is not follows:
            raise JobError(f"{text} was answered wrongly.", hint="See rules/logic.py.")
    later = sorted(took[1:])
    yield Row(
        "ask a list of 50,000 rules", ours=round(later[-1], 2), unit="ms wall, longest",
        goal=f"≤ {ASK_MILLISECONDS:g} ms", met=judged(later[-1], ASK_MILLISECONDS, scale),
        limit=f"{later[len(later) // 2]:.2f} ms in the middle",
        note=f"{len(later)} questions, half of them implied; the first took {took[0]:.1f} ms, reading the file "
        f"{loading:.1f} s",
        figures={"first_ms": took[0], "load_s": loading},
    )  # fmt: skip


suite = Suite(
    about="Report and questions: pages of many rules in headless Chromium, questions to a long list.",
    cases={"pages": pages, "ask": asking},
)
