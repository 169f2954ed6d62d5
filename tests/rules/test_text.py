from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.errors import RuleSyntaxError
from lawful.rules import Dc, Fd, Key, Lod, Oc, Operand, Pod, Predicate, Rule, format_rule, parse
from lawful.rules.text import quoted
from tests.rules.strategies import ODD_NAMES, rules, tables


def dc(*predicates: tuple[str, str, str]) -> Dc:
    cells = [(Operand(a[0], a[2:]), op, Operand(b[0], b[2:])) for a, op, b in predicates]
    return Dc(tuple(Predicate(*cell) for cell in cells))


FORMS: list[tuple[str, Rule]] = [
    ("zip -> state", Fd(("zip",), "state")),
    ("a, b -> c", Fd(("a", "b"), "c")),
    ("[] -> year", Fd((), "year")),
    ("key(first, last)", Key(("first", "last"))),
    ("key()", Key(())),
    ("{year}: bin ~ salary", Oc(("year",), "bin", "salary")),
    ("{year, month}: bin ~ salary", Oc(("year", "month"), "bin", "salary")),
    ("{}: born ~ age desc", Oc((), "born", "age", "opposite")),
    ("salary<, exemption> => rate<=", Pod((("salary", "<"), ("exemption", ">")), ("rate", "<="))),
    ("a<=, b>=, c= => d=", Pod((("a", "<="), ("b", ">="), ("c", "=")), ("d", "="))),
    ("[] => a=", Pod((), ("a", "="))),
    ("not(t.zip = u.zip and t.state != u.state)", dc(("t.zip", "=", "u.zip"), ("t.state", "!=", "u.state"))),
    ("not(t.a < u.b)", dc(("t.a", "<", "u.b"))),
    ("not(t.a = t.b)", dc(("t.a", "=", "t.b"))),
    ("not(t.a <= u.a and t.b >= u.b)", dc(("t.a", "<=", "u.a"), ("t.b", ">=", "u.b"))),
    ("[year, salary desc] -> [tax]", Lod((("year", "asc"), ("salary", "desc")), (("tax", "asc"),))),
    ("[a] <-> [b]", Lod((("a", "asc"),), (("b", "asc"),), "<->")),
    ("[a] ~ [b]", Lod((("a", "asc"),), (("b", "asc"),), "~")),
    ("[] -> [a]", Lod((), (("a", "asc"),))),
    ("`a b` -> `a``b`", Fd(("a b",), "a`b")),
    ("`desc` -> `KEY`", Fd(("desc",), "KEY")),
    ("[`desc` desc] -> [`asc`]", Lod((("desc", "desc"),), (("asc", "asc"),))),
    ("not(t.t = u.t and t.`a.b` < u.`and`)", dc(("t.t", "=", "u.t"), ("t.a.b", "<", "u.and"))),
    ("`` -> ````", Fd(("",), "`")),
]


@pytest.mark.parametrize(("text", "rule"), FORMS, ids=[text for text, _ in FORMS])
def test_each_form_both_ways(text: str, rule: Rule) -> None:
    assert parse(text) == rule
    assert str(rule) == format_rule(rule) == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("[a, b] -> c", "a, b -> c"),
        ("[a asc] -> [b ASC]", "[a] -> [b]"),
        ("  zip\n->\tstate ", "zip -> state"),
        ("a,b->c", "a, b -> c"),
        ("KEY ( a,b )", "key(a, b)"),
        ("Not(T.a=U.a AND t.b!=u.b)", "not(t.a = u.a and t.b != u.b)"),
        ("{ }:a~b DESC", "{}: a ~ b desc"),
        ("{}: a ~ b asc", "{}: a ~ b"),
        ("a<=>b=", "a< => b="),
        ("a<==>b<=", "a<= => b<="),
        ("a==>b<", "a= => b<"),
        ("[]=>a=", "[] => a="),
        ("[a]<->[b]", "[a] <-> [b]"),
        ("key -> desc", "`key` -> `desc`"),
        ("[desc desc, asc] -> [b]", "[`desc` desc, `asc`] -> [b]"),
        ("not -> and", "`not` -> `and`"),
        ("not(t.and = u.and and t.not < u.not)", "not(t.`and` = u.`and` and t.`not` < u.`not`)"),
        ("key(key)", "key(`key`)"),
        ("{desc}: asc ~ desc desc", "{`desc`}: `asc` ~ `desc` desc"),
        ("`zip` -> state", "zip -> state"),
    ],
)
def test_other_ways_to_write_a_rule(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


@given(tables().flatmap(rules))
def test_whatever_is_printed_is_read_back(rule: Rule) -> None:
    assert parse(str(rule)) == rule


@given(tables().flatmap(rules), st.sampled_from(["\n", "\t", "  ", "\u00a0"]))
def test_white_space_outside_names_is_free(rule: Rule, space: str) -> None:
    assert parse(f"{space}{rule}{space}") == rule


@pytest.mark.parametrize("name", ODD_NAMES, ids=map(ascii, ODD_NAMES))
def test_odd_names_in_every_kind(name: str) -> None:
    other = "plain"
    for rule in (
        Fd((name,), other),
        Fd((), name),
        Key((name, other)),
        Oc((name,), other, "third", "opposite"),
        Oc((), other, name),
        Lod(((name, "desc"),), ((other, "asc"),)),
        Pod(((name, "<"),), (other, "<=")),
        Pod(((other, "="),), (name, "=")),
        dc((f"t.{name}", "=", f"u.{name}"), (f"t.{other}", "<", f"u.{name}")),
    ):
        assert parse(str(rule)) == rule


@pytest.mark.parametrize("plain", ["zip", "_", "a_1", "名前", "Jürgen", "t", "u"])
def test_plain_identifiers_stay_bare(plain: str) -> None:
    assert quoted(plain) == plain


MALFORMED = [
    # text, character the caret is under (from 0), what the message says
    ("a b", 2, "expected ',' or '->', found 'b'"),
    ("zip", 3, "expected ',' or '->', found the end of the text"),
    ("a ->", 4, "expected a column name, found the end of the text"),
    ("a, -> b", 3, "expected a column name, found '->'"),
    ("-> b", 0, "expected a column name, found '->'"),
    ("a -> b, c", 6, "expected the end of the rule, found ','"),
    ("a -> [b]", 5, "expected a column name, found '['"),
    ("[a desc] -> b", 12, "expected '[', found 'b'"),
    ("[a] -> [b", 9, "expected ',' or ']', found the end of the text"),
    ("[a] [b]", 4, "expected '->' or '<->' or '~', found '['"),
    ("[a] => b=", 4, "expected '->' or '<->' or '~', found '=>'"),
    ("a ~ b", 2, "expected ',' or '->', found '~'"),
    ("key(a", 5, "expected ',' or ')', found the end of the text"),
    ("key(a b)", 6, "expected ',' or ')', found 'b'"),
    ("key(a,)", 6, "expected a column name, found ')'"),
    ("{a} b ~ c", 4, "expected ':', found 'b'"),
    ("{a}: b -> c", 7, "expected '~', found '->'"),
    ("{a}: b ~ c down", 11, "expected the end of the rule, found 'down'"),
    ("a!= => b=", 1, "expected one of < <= = >= >, found '!='"),
    ("a< => b!=", 7, "expected one of < <= =, found '!='"),
    ("a< => b>", 7, "expected one of < <= =, found '>'"),
    ("a< => b", 7, "expected one of < <= =, found the end of the text"),
    ("a<, b => c=", 6, "expected one of < <= = >= >, found '=>'"),
    ("a< -> b", 3, "expected ',' or '=>', found '->'"),
    ("a<, a= => b<", 4, "column 'a' stands twice"),
    ("a< => a<", 6, "column 'a' stands twice"),
    ("not()", 4, "expected 't' or 'u', found ')'"),
    ("not(x.a = u.a)", 4, "expected 't' or 'u', found 'x'"),
    ("not(`t`.a = u.a)", 4, "expected 't' or 'u', found 't'"),
    ("not(ta = u.a)", 4, "expected 't' or 'u', found 'ta'"),
    ("not(t.a = 5)", 10, "'5' has no meaning here"),
    ("not(t.a u.a)", 8, "expected one of = != < <= > >=, found 'u'"),
    ("not(t.a = u.a", 13, "expected 'and' or ')', found the end of the text"),
    ("not(t.a = u.a, t.b = u.b)", 13, "expected 'and' or ')', found ','"),
    ("2nd -> b", 0, "'2' has no meaning here"),
    ("a -> b; c", 6, "';' has no meaning here"),
    ("`a -> b", 0, "this backtick is never closed"),
    ("a -> `b``", 5, "this backtick is never closed"),
    ("`and x` and", 8, "expected ',' or '->', found 'and'"),
]


@pytest.mark.parametrize(("text", "position", "problem"), MALFORMED, ids=[text for text, _, _ in MALFORMED])
def test_malformed_text_is_shown_with_a_caret(text: str, position: int, problem: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse(text)
    first, shown, caret = caught.value.message.split("\n")
    assert problem in first
    assert f"character {position + 1}:" in first
    assert shown == f"  {text}"
    assert caret == " " * (position + 2) + "^"
    assert caught.value.hint


def test_caret_stands_below_wide_combining_and_control_characters() -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse("`名\ne\u0301` x")
    _, shown, caret = caught.value.message.split("\n")
    assert shown == "  `名 e\u0301` x"
    assert caret == "  " + " " * len("`MM e` ") + "^"  # 名 is two cells wide, the accent none


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_empty_text(text: str) -> None:
    with pytest.raises(RuleSyntaxError, match="empty"):
        parse(text)


@given(st.text(max_size=20) | st.text("ab<>=~-!.,:`[](){} \n", max_size=12))
def test_any_text_is_a_rule_or_a_syntax_error(text: str) -> None:
    try:
        rule = parse(text)
    except RuleSyntaxError:
        return
    assert parse(str(rule)) == rule


def test_a_very_long_unclosed_name_is_refused_at_once() -> None:
    with pytest.raises(RuleSyntaxError, match="never closed"):
        parse("`" + "``" * 100_000)
