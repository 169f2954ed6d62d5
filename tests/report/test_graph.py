"""The graph of columns: what ties them, how often, and its bounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from lawful import parse
from lawful.report.graph import EDGES, NODES, graph
from lawful.rules import Figures

AT = {name: place for place, name in enumerate("abcd")}


def edges(*texts: str) -> set[tuple[str, str, int, int]]:
    found = graph(map(parse, texts), AT)
    assert found["left"] == 0
    return {("abcd"[a], "abcd"[b], count, way) for a, b, count, way, _ in found["edges"]}


def test_what_decides_leads_to_what_is_decided() -> None:
    assert edges("a, b -> c", "a -> c") == {("a", "c", 2, 1), ("b", "c", 1, 1)}
    assert edges("{d}: b ~ a") == {("a", "b", 1, 0)}
    assert edges("key(a, b, c)") == {("a", "b", 1, 0), ("a", "c", 1, 0), ("b", "c", 1, 0)}
    assert edges("[a, b] -> [b, c]") == {("a", "b", 1, 1), ("a", "c", 1, 1), ("b", "c", 1, 1)}
    assert edges("a<, b= => c<") == {("a", "c", 1, 1), ("b", "c", 1, 1)}
    assert edges("not(t.a = u.a and t.b < t.c)") == {("a", "b", 1, 0), ("a", "c", 1, 0), ("b", "c", 1, 0)}
    assert edges("[] -> a", "key(b)") == set()


def test_only_the_strongest_are_drawn() -> None:
    names = [f"c{n}" for n in range(80)]
    at = {name: place for place, name in enumerate(names)}
    rules = [parse(f"{a} -> {b}") for a, b in combinations(names, 2)]
    found = graph(rules, at)
    assert len(found["nodes"]) <= NODES and found["nodes"] == sorted(found["nodes"])
    assert len(found["edges"]) == EDGES and found["left"] == len(rules) - EDGES and found["columns"] == 80
    assert {place for edge in found["edges"] for place in edge[:2]} == set(found["nodes"])


def test_interest_makes_a_tie_strong() -> None:
    rules = [replace(parse("a -> b"), figures=Figures(interest=0.5))]
    rules += [replace(parse(text), figures=Figures(interest=0.01)) for text in ("c, a -> d", "c, b -> d", "c -> d")]
    first, second, *_ = graph(rules, AT)["edges"]
    assert (first, second[:4]) == ([0, 1, 1, 1, 5.0], [2, 3, 3, 1]) and 1 < second[4] < 2
