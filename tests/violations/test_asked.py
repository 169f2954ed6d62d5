"""Rules in every form in which they can be given, and how a result shows itself."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest

import lawful as lw
from lawful.errors import ColumnError, OptionError, RuleFileError, RuleSyntaxError
from lawful.violations.asked import AskedRule, asked_rules

FD, KEY = lw.parse("a -> b"), lw.parse("key(a)")
TABLE = pa.table({"a": [1, 1, 2], "b": [1, 2, 2]})


def test_forms(tmp_path: Path) -> None:
    rules = lw.RuleSet([FD, KEY], options={"max_error": 0.1})
    path = tmp_path / "rules.jsonl"
    rules.save(path)
    odd = tmp_path / "odd name -> x"
    rules.save(odd)
    tenth = Fraction(1, 10)
    wanted = (AskedRule(FD, tenth), AskedRule(KEY, tenth))
    assert asked_rules("a->b") == asked_rules(FD) == asked_rules([FD, "a -> b"]) == (AskedRule(FD),)
    for given in (rules, path, str(path), [str(path), "key(a)"], str(odd)):
        assert asked_rules(given) == wanted
    assert asked_rules(lw.RuleSet()) == ()


def test_the_measure_of_a_file_holds_for_kinds_that_have_it() -> None:
    pod = lw.parse("a< => b<")
    asked = asked_rules(lw.RuleSet([FD, pod], options={"max_error": 0.5, "measure": "removal"}))
    assert [each.measure for each in asked] == ["removal", None]
    asked = asked_rules(lw.RuleSet([lw.Fd(("a",), "b", lw.Figures(error=0.1, measure="pairs"))]))
    assert asked[0].measure == "pairs"
    assert lw.check(TABLE, lw.RuleSet([lw.Fd(("a",), "b", lw.Figures(0.1, "pairs"))]))[0].measure == "pairs"


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("a ->", RuleSyntaxError), ("", RuleSyntaxError), ("gone.jsonl", RuleFileError), (Path("gone"), RuleFileError),
        ([], OptionError), (3, OptionError), (["a -> b", None], OptionError), ("a\0b", RuleSyntaxError),
    ],
)  # fmt: skip
def test_mistakes(given: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        asked_rules(given)


def test_columns_that_cannot_be_compared() -> None:
    odd = pa.table({"a": [[1], [2]], "b": [b"x", b"y"], "c": ["x", "y"], "d": [1, 2], "e": [0.5, 2.0]})
    for rule in ("{}: a ~ c", "b< => c<", "not(t.b < u.b)", "[c] -> [a]"):
        with pytest.raises(ColumnError, match="needs an order"):
            lw.check(odd, rule)
    for rule in ("not(t.c = u.d)", "not(t.a = u.b)", "not(t.b = t.c)"):
        with pytest.raises(ColumnError, match="no common order"):
            lw.check(odd, rule)
    assert [c.pairs for c in lw.check(odd, ["a -> b", "key(b)", "not(t.d = t.e)"])] == [0, 0, 1]


def test_options_of_reading_come_too_late() -> None:
    with pytest.raises(OptionError, match="encoded already"):
        lw.check(lw.encode(TABLE), FD, nulls="last")


def test_how_it_shows_itself() -> None:
    found = lw.check(TABLE, [FD, KEY, "b -> b", "not(t.a < u.a and t.b <= u.b)"], max_error=0.34)
    assert repr(
        found
    ) == "<CheckResult: 4 rules on 'pyarrow.Table', 3 rows: 0 broken, 4 within the error allowed>".replace(
        "0 broken, 4",
        f"{sum(c.status == 'broken' for c in found)} broken, {sum(c.status == 'tolerated' for c in found)}",
    )
    assert [c.status for c in found] == ["tolerated", "tolerated", "holds", "tolerated"]
    page = found._repr_html_()
    assert '<td class="tolerated">' in page and "a -&gt; b" in page and len(page) < 5_000
    assert found[:2] == (found[0], found[1]) and len(found) == 4 and found.ok
    assert found.of("b->b").holds and not lw.check(TABLE, FD).ok


def test_html_is_escaped() -> None:
    name = "<script>alert(1)</script>"
    page = lw.check(pa.table({name: [1, 1]}), lw.Key((name,)))._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page
