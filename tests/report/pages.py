"""Lists of rules that make pages: small ones, long ones and hostile ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice, pairwise

import pyarrow as pa

import lawful
from lawful.rules import Column, Fd, Figures, Key, Oc, Rule, RuleSet, parse

NASTY = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>"


def staff() -> pa.Table:
    """Ten rows, one cell of ten thousand characters and one of markup."""
    names = ["x" * 10_000, NASTY, *(f"name {n}" for n in range(8))]
    grades = [1, 1, 1, 2, 2, 2, 3, 3, 3, None]
    pay = [10, 11, 12, 20, 21, 22, 30, 31, 32, 33]
    return pa.table({"name": names, "grade": grades, NASTY: ["a"] * 5 + ["b"] * 5, "pay": pay})


def small() -> RuleSet:
    """The rules of that table."""
    return lawful.discover(staff(), ["od", "key"], engine="local")


def many(count: int = 50_000, columns: int = 60) -> RuleSet:
    """Rules over three or four of the columns, with figures that tell them apart."""
    names = [f"column_{n}" for n in range(columns)]
    rules: list[Rule] = []
    for n, (a, b, c, d) in enumerate(islice(combinations(names, 4), count)):
        figures = Figures((n % 7) / 100, "removal", 1 / (1 + n % 100), 1 / (1 + n))
        rules.append(replace((Fd((a, b, c), d), Oc((a, b), c, d), Key((a, b, c, d)))[n % 3], figures=figures))
    return RuleSet(rules, columns=[Column(name, "integer") for name in names], kinds=("fd", "key", "oc"), rows=10**6)


def wide() -> RuleSet:
    """Two thousand columns."""
    names = [f"c{n}" for n in range(2_000)]
    return RuleSet([Fd((a,), b) for a, b in pairwise(names)], columns=[Column(n) for n in names])


def one(text: str, **header: object) -> RuleSet:
    """A list of one rule."""
    return RuleSet([parse(text)], **header)  # type: ignore[arg-type]
