"""Reviews keep what people said, through files and new discoveries."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.errors import LawfulError, OptionError, RuleFileError
from lawful.rules import Column, Figures, RuleSet, parse, yamltext
from lawful.rules.review import SEVERITIES, STATUSES, Review, Verdict
from lawful.rules.reviewfile import json_schema, loads, pieces, table_of
from tests.house.tree import ROOT
from tests.profiles import examples
from tests.rules.strategies import rules as made_rules
from tests.rules.strategies import tables

COLUMNS = tuple(Column(name, "integer") for name in "abc")
NOTES = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.sampled_from(
    ["NO", "12:30:00", "null", "a: b", "- x", "# no", "two\nlines", 'say "x"\n', " lead\n", "&a *a", "tab\there", "|-"]
)
VALIDATOR = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/rules.schema.json").read_text()))
VERDICTS = st.builds(Verdict, st.sampled_from(STATUSES), st.sampled_from(SEVERITIES), NOTES, st.booleans())


HEAD = b"lawful: 1\nsource: x\nrows: 3\nkinds: [fd]\ncomplete: true\ncolumns:\n"
HEAD += b"- {name: a, type: null}\n- {name: b, type: null}\n"


def listed(*texts: str, **header: object) -> RuleSet:
    given = {"columns": COLUMNS, "kinds": ("fd", "key", "oc"), "source": "pay.csv"} | header
    return RuleSet([parse(text) for text in texts], **given)  # type: ignore[arg-type]


def written(review: Review) -> bytes:
    return b"".join(pieces(review))


@settings(max_examples=examples(80))
@given(st.data())
def test_a_review_reads_as_it_was_written(data: st.DataObject) -> None:
    names = data.draw(tables())
    rules = RuleSet(data.draw(st.lists(made_rules(names), max_size=5)), columns=[Column(name) for name in names])
    verdicts = {rule.id: data.draw(VERDICTS) for rule in rules}
    review = Review(rules, {name: verdict for name, verdict in verdicts.items() if verdict != Verdict()})
    content = written(review)
    again = loads(content)
    assert again == review
    assert written(again) == content
    assert [rule.figures.error for rule in again.rules] == pytest.approx([rule.figures.error for rule in rules])
    VALIDATOR.validate(yamltext.read(content, "rules.yaml"))


def test_the_published_schema_is_that_of_the_program() -> None:
    published = json.loads((ROOT / "docs/rules.schema.json").read_text())
    assert published == json.loads(json.dumps(json_schema()))
    jsonschema.Draft202012Validator.check_schema(published)
    misspelt = written(Review(listed("a -> b"))).replace(b"proposed", b"proposd")
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(yaml.safe_load(misspelt))


def test_what_was_said_survives_a_new_discovery() -> None:
    review = Review(listed("a -> b", "b -> c", "key(a)", "key(c)"))
    review = review.with_verdict(parse("a -> b"), status="accepted", note="by contract")
    review = review.with_verdict(parse("key(a)"), status="rejected")
    review = review.with_verdict(parse("b -> c"), severity="warn")
    newer = listed("a -> b", "[] -> c", "key(a)").with_rules(
        [replace(rule, figures=Figures(0.25)) for rule in listed("a -> b", "[] -> c", "key(a)")]
    )
    new = review.updated(newer)
    assert [(str(rule), new.of(rule).status, new.of(rule).found) for rule in new.rules] == [
        ("[] -> c", "proposed", True),
        ("a -> b", "accepted", True),
        ("b -> c", "proposed", False),
        ("key(a)", "rejected", True),
    ]
    assert new.of(parse("a -> b")).note == "by contract" and new.of(parse("b -> c")).severity == "warn"
    assert [rule.figures.error for rule in new.rules] == [0.25, 0.25, None, 0.25]
    assert loads(written(new)) == new
    back = new.updated(listed("b -> c"))
    assert back.of(parse("b -> c")).found and back.of(parse("b -> c")).severity == "warn"
    assert not back.of(parse("a -> b")).found


def test_rules_of_columns_that_are_gone_come_back_with_them() -> None:
    review = Review(listed("a -> b", "b -> c")).with_verdict(parse("a -> b"), status="accepted", note="x")
    without = review.updated(listed("b -> c", columns=COLUMNS[1:]))
    assert list(map(str, without.rules)) == ["b -> c"]
    assert without.gone == (("a -> b", Verdict("accepted", "error", "x", False)),)
    assert loads(written(without)) == without
    again = loads(written(without)).updated(listed("a -> b"))
    assert again.gone == () and again.of(parse("a -> b")) == Verdict("accepted", "error", "x", True)
    missing = without.updated(listed("b -> c"))
    assert [(str(rule), missing.of(rule).found) for rule in missing.rules] == [("a -> b", False), ("b -> c", True)]


def test_nothing_follows_from_a_rule_that_was_not_found_again(tmp_path: Path) -> None:
    review = Review(listed("a -> b", "b -> c")).with_verdict(parse("a -> b"), status="accepted")
    review.updated(listed("b -> c")).save(tmp_path / "rules.yaml")
    again = Review.load(tmp_path / "rules.yaml")
    assert list(map(str, again.to_check())) == ["a -> b"]
    assert list(map(str, again.found())) == ["b -> c"] == list(map(str, RuleSet.load(tmp_path / "rules.yaml")))
    assert RuleSet.load(tmp_path / "rules.yaml").holds("a -> b").holds is False


def test_what_is_to_be_checked() -> None:
    review = Review(listed("a -> b", "b -> c", "key(a)"))
    assert list(map(str, review.to_check())) == ["a -> b", "b -> c", "key(a)"]
    review = review.with_verdict(parse("key(a)"), status="rejected").with_verdict(parse("b -> c"), status="muted")
    assert list(map(str, review.to_check())) == ["a -> b"]
    review = review.with_verdict(parse("b -> c"), status="accepted")
    assert list(map(str, review.to_check())) == ["b -> c"]
    assert review.to_check().incomplete == "review: 1 of 3 rules kept"


def test_a_line_by_hand_needs_its_text_only() -> None:
    head = HEAD.replace(b"name: a", b"name: NO").replace(b"name: b", b"name: y")
    review = loads(head + b"rules:\n- rule: NO -> y\n  note: 12:30:00\n")
    assert list(map(str, review.rules)) == ["NO -> y"]
    assert review.of(review.rules[0]).note == "12:30:00"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + b"rules:\n- rule: a -> b\n  status: acepted\n", r"line 11: Invalid enum value 'acepted'"),
        (HEAD + b"rules:\n- rule: a -> b\n  statis: accepted\n", r"line 10: Object contains unknown field `statis`"),
        (HEAD + b"rules:\n- rule: a -> z\n", r"line 10: 'a -> z': the header lists no column 'z'"),
        (HEAD + b"rules:\n- rule: a ->\n", r"line 10: This rule cannot be read at character 5"),
        (HEAD + b"rules:\n- rule: a -> b\n- rule: a->b\n", r"line 11: 'a->b' stands twice"),
        (HEAD + b"rules:\n- rule: a -> b\n  id: '000000000000'\n", "the id '000000000000' is not that of 'a -> b'"),
        (HEAD + b"rules:\n- rule: a -> b\n  note: x\n  note: y\n", r"line 12: .* the key 'note' stands twice"),
        (HEAD + b"rules: &x\n- *x\n", r"line 10: \*x refers to another place"),
        (HEAD + b"rules: [\n", "this is not YAML"),
        (HEAD + b"rules:\n- !!python/object/apply:os.system ['true']\n", "could not determine a constructor"),
        (b"source: x\n", "missing required field `lawful`"),
        (b"a: 1\n", "line 1: Object contains unknown field `a`"),
        (b"lawful: 2\n" + HEAD[10:], "Invalid enum value 2"),
        (b"", "Expected `object`, got `null`"),
        (b"\xff\xfe\x00", "this is not YAML"),
    ],
)
def test_mistakes_are_told_with_their_line(text: bytes, message: str) -> None:
    with pytest.raises(RuleFileError, match=message) as told:
        loads(text, "rules.yaml")
    assert str(told.value).startswith("rules.yaml") and told.value.hint


def test_files(tmp_path: Path) -> None:
    rules = listed("a -> b")
    path = tmp_path / "rules.yaml"
    Review(rules).save(path)
    assert Review.load(path).rules == RuleSet.load(path) == rules
    rules.save(tmp_path / "rules.jsonl")
    assert Review.load(tmp_path / "rules.jsonl") == Review(rules)
    with pytest.raises(LawfulError, match="is the name of a review"):
        rules.save(path)
    assert [entry.name for entry in sorted(tmp_path.iterdir())] == ["rules.jsonl", "rules.yaml"]
    with pytest.raises(RuleFileError, match="cannot be read"):
        Review.load(tmp_path / "absent.yaml")


def test_misuse() -> None:
    review = Review(listed("a -> b"))
    with pytest.raises(OptionError, match="not among these rules"):
        review.with_verdict(parse("b -> a"), status="accepted")
    with pytest.raises(OptionError, match="no status 'acepted'") as told:
        review.with_verdict(parse("a -> b"), status="acepted")
    assert told.value.hint == "Did you mean 'accepted'?"


@pytest.mark.parametrize(
    ("source", "table"),
    [("pay.csv", "pay"), ("/x/y/2024.csv", "data"), ("a b.parquet", "data"), (None, "data"), ("s3://a/b/", "data")],
)
def test_the_table_s_name_in_queries(source: str | None, table: str) -> None:
    assert table_of(source) == table
