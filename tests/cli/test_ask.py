"""`lawful ask`, `simplify` and `advise`: what they print of the rules of a file, and how they end."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from lawful.rules import RuleSet
from tests.cli.conftest import Run
from tests.rules.test_clauses import dates
from tests.rules.test_logic import many_rules


@pytest.fixture
def rules(elsewhere: Path) -> str:
    dates().save("rules.jsonl")
    return "rules.jsonl"


def test_yes_with_its_proof(lawful: Run, rules: str) -> None:
    said = lawful("ask", rules, "[date_sk] -> [year]")
    proof = {str(rule): rule.id for rule in dates()}
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "[date_sk] -> [year]: yes",
        f"  {proof['date_sk -> year']}  date_sk -> year",
        f"  {proof['{}: date_sk ~ year']}  {{}}: date_sk ~ year",
    ]


@pytest.mark.parametrize(
    ("statement", "lines"),
    [
        ("[year] -> [month]", ["[year] -> [month]: no", "  year -> month does not hold"]),
        ("key(year)", ["key(year): no"]),
        ("[year] -> []", ["[year] -> []: yes", "  it holds in every table"]),
    ],
)
def test_other_answers(lawful: Run, rules: str, statement: str, lines: list[str]) -> None:
    assert lawful("ask", rules, statement).out.splitlines() == lines


def test_what_is_not_known(lawful: Run, elsewhere: Path) -> None:
    RuleSet(list(dates()), kinds=("fd",), incomplete="written by hand").save("part.jsonl")
    said = lawful("ask", "part.jsonl", "year -> month")
    assert said.out.splitlines() == ["year -> month: not known", "  rules may be missing (written by hand)"]


def test_exit_codes(lawful: Run, rules: str) -> None:
    ends = [lawful("ask", rules, said, *flag).code for said in ("date_sk -> year", "key(year)") for flag in FLAGS]
    assert ends == [0, 0, 0, 1]


FLAGS: tuple[tuple[str, ...], ...] = ((), ("--exit-code",))


def test_json(lawful: Run, rules: str) -> None:
    found = lawful("ask", rules, "[quarter] -> [month]", "--json").json
    assert found.pop("seconds") < 1
    assert found == {
        "statement": "[quarter] -> [month]",
        "holds": False,
        "proof": [],
        "missing": "quarter -> month",
        "reason": None,
    }
    proof = lawful("ask", rules, "month -> quarter", "--json").json["proof"]
    assert [step["rule"] for step in proof] == ["month -> quarter"] and len(proof[0]["id"]) == 12


def test_standard_input(lawful: Run, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(Path(rules).read_bytes())))
    assert lawful("ask", "-", "month -> quarter").out.startswith("month -> quarter: yes")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("ask", "absent.jsonl", "a -> b"), "absent.jsonl cannot be read"),
        (("ask", "rules.jsonl", "yaer -> month"), "Did you mean 'year'?"),
        (("ask", "rules.jsonl", "year month"), "cannot be read at character 6"),
        (("ask", "rules.jsonl", "not(t.year = u.year)"), "of kind dc"),
        (("ask", "rules.jsonl"), "STATEMENT requires an argument"),
        (("simplify", "rules.jsonl"), "no clause to simplify"),
        (("simplify", "rules.jsonl", "--order-by", "yaer"), "Did you mean 'year'?"),
        (("advise", "rules.jsonl", "--min-coverage", "3"), "min_coverage is 3"),
    ],
)
def test_misuse(lawful: Run, rules: str, words: tuple[str, ...], message: str) -> None:
    said = lawful(*words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err and "Traceback" not in said.err and "\nhint: " in said.err


def test_simplify(lawful: Run, rules: str) -> None:
    words = ("simplify", rules, "--order-by", "year, quarter desc, month", "--group-by", "quarter, month")
    assert lawful(*words).out.splitlines()[:2] == ["GROUP BY month", "ORDER BY year, quarter desc, month"]
    assert lawful(*words, "--json").json == {
        "order_by": [["year", "asc"], ["quarter", "desc"], ["month", "asc"]],
        "group_by": ["month"],
        "rules": ["month -> quarter"],
        "one_sort": False,
        "shortest": True,
    }


def test_advise(lawful: Run, rules: str) -> None:
    lines = lawful("advise", rules).out.splitlines()
    assert lines[:2] == ["Keys", "  key(date_sk)"]
    assert "  (quarter, month*)" in lines and "  [date_sk] -> [year]" in lines
    assert "  sorted by date_sk: so is each of year" in lines
    found = lawful("advise", rules, "--json").json
    assert found["normal_form"]["form"] == "2NF" and found["keys"] == [["date_sk"]]
    assert found["layouts"][0] == {"by": [["date_sk", "asc"]], "also": [["year", "asc"]]}


def test_names_are_shown_safely(lawful: Run, elsewhere: Path) -> None:
    from lawful.rules import Fd, Key

    RuleSet([Fd(("a\x1b[31m\nb",), "c"), Key(("d",))], kinds=("fd", "key", "oc")).save("odd.jsonl")
    for verb, *more in (("ask", "key(d)"), ("advise",), ("simplify", "--group-by", "d")):
        said = lawful(verb, "odd.jsonl", *more)
        assert said.code == 0 and "\x1b" not in said.out and "Traceback" not in said.err


def test_fifty_thousand_rules_answer_within_ten_milliseconds(lawful: Run, elsewhere: Path) -> None:
    whole = many_rules(120, 20)
    whole.save("many.jsonl")
    wide = ", ".join(f"c{place}" for place in range(20, 120))
    for statement in ("[c0, c1, c2] -> [c3, c4, c5]", f"{wide} -> c0", "[c40, c41, c42, c43, c44] -> [c1, c2]"):
        assert min(lawful("ask", "many.jsonl", statement, "--json").json["seconds"] for _ in range(2)) < 0.01


def test_the_first_question_after_loading_is_no_slower(elsewhere: Path) -> None:
    many_rules(40, 2).save("many.jsonl")
    rules = RuleSet.load("many.jsonl")
    wide = ", ".join(f"c{place}" for place in range(2, 40))
    assert _milliseconds(lambda: rules.holds("[c5, c6, c7, c8, c9, c10] -> [c0, c1]")) < 10
    assert min(_milliseconds(lambda: rules.holds(f"{wide} -> c0")) for _ in range(3)) < 10


def _milliseconds(work: object) -> float:
    import time

    started = time.perf_counter()
    work()  # type: ignore[operator]
    return 1000 * (time.perf_counter() - started)
