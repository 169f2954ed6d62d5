"""What became of rules that went, and what else explains a difference."""

from __future__ import annotations

import random

from lawful.rules import Column, RuleSet, parse
from tests.naive import holds
from tests.rules.test_logic import found
from tests.strategies import random_tables

COLUMNS = tuple(Column(name, "integer") for name in "abc")


def listed(*texts: str, **header: object) -> RuleSet:
    given = {"columns": COLUMNS, "kinds": ("fd", "key", "oc")} | header
    return RuleSet([parse(text) for text in texts], **given)  # type: ignore[arg-type]


def test_rules_that_went_hold_or_not_as_the_table_says() -> None:
    rng, counts = random.Random(1), {True: 0, False: 0}
    for table in random_tables(41, 300, min_rows=3, min_cols=2, max_cols=4):
        rows = [row for row in table.rows if rng.random() < 0.7]
        small = table.with_rows(rows)
        for old, new, now in ((small, table, table), (table, small, small)):
            change = found(old).diff(found(new))
            assert len(change.verdicts) == len(change.removed)
            for rule, verdict in zip(change.removed, change.verdicts, strict=True):
                assert verdict is holds(rule, now)
                counts[bool(verdict)] += 1
            assert all(holds(rule, now) for rule in change.added)
            assert set(change.broken) == {rule for rule in change.removed if not holds(rule, now)}
            assert not change.caveats
    assert min(counts.values()) > 100


def test_by_hand() -> None:
    change = listed("a -> b", "a, c -> b", "key(c)").diff(listed("[] -> b", "key(a, c)"))
    assert str(change).splitlines() == [
        "2 added, 3 removed, 0 kept, 0 of these changed",
        "+ [] -> b",
        "+ key(a, c)",
        "- a -> b  (still follows)",
        "- a, c -> b  (still follows)",
        "- key(c)  (no longer holds)",
    ]
    assert list(map(str, change.broken)) == ["key(c)"]


def test_what_the_new_list_cannot_tell() -> None:
    old = listed("a -> b", "key(a)", "not(t.a = u.a)", kinds=("fd", "key", "dc"), options={"nulls": "first"})
    change = old.diff(listed(kinds=("fd",), columns=COLUMNS[1:], options={"nulls": "first"}))
    assert change.verdicts == (None, None, None)
    assert change.broken == ()
    assert change.caveats == ("the new table lacks column 'a'", "only the old list looked for key, dc")


def test_lists_made_otherwise() -> None:
    old = listed(options={"nulls": "first", "max_error": 0.0, "top": 3})
    wide = tuple(Column(f"x{n}", "string") for n in range(7))
    new = listed(options={"nulls": "last", "max_error": 0.0}, columns=(Column("a", "string"), *COLUMNS[1:], *wide))
    assert old.diff(new).caveats == (
        "the old table lacks columns 'x0', 'x1', 'x2', 'x3', 'x4', …",
        "column 'a' was of type integer and is of type string",
        "nulls was 'first' and is 'last'",
    )
    assert not old.diff(new)
