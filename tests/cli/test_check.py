"""`lawful check`: what it prints, in every form, how it ends, and what it makes of mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import lawful as library
from tests.cli.conftest import Run

PAY = """\
id,zip,state,grade,years,pay
1,01234,MA,low,1,1000
2,01234,MA,mid,4,1250.50
3,90210,CA,high,1,
4,90210,NV,mid,7,1400
5,01234,MA,low,7,900
"""


@pytest.fixture
def pay(elsewhere: Path) -> Path:
    path = elsewhere / "pay.csv"
    path.write_text(PAY)
    return path


def test_text(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "zip -> state", "key(id)", "{grade}: years ~ pay")
    assert (said.code, said.err) == (1, "")
    lines = said.out.splitlines()
    assert lines[:5] == [
        "broken     zip -> state",
        "           error 0.2 (removal): 2 of 20 pairs, 2 rows; mended by removing 1 row",
        "              row        zip    state",
        "           t  pay.csv:3  90210  CA",
        "           u  pay.csv:4  90210  NV",
    ]
    assert "holds      key(id)" in lines
    assert lines[-1].startswith("pay.csv: 5 rows, 3 rules: 2 broken, 1 holds, checked in ")


def test_all_is_well(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "key(id)", "id -> zip")
    assert said.code == 0 and said.out.startswith("holds      key(id)\nholds      id -> zip\n")


def test_rules_that_hold_are_not_listed_among_many(pay: Path, lawful: Run) -> None:
    fine = [f"key(id, {name})" for name in ("zip", "state", "grade", "years", "pay")]
    assert lawful("check", "pay.csv", *fine, "zip -> state").out.count("holds  ") == 5
    names = ("id", "zip", "state", "grade", "years", "pay")
    more = [f"id, {a} -> {b}" for a in names for b in names] + [f"{{id}}: {a} ~ {b}" for a in names for b in names]
    said = lawful("check", "pay.csv", *more, "zip -> state")
    assert "holds  " not in said.out and said.out.startswith("broken     zip -> state\n")
    assert " 1 broken, " in said.out.splitlines()[-1]


def test_json(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "zip -> state", "not(t.pay > u.pay and t.years < u.years)", "--json")
    assert said.code == 1 and said.out.count("\n") == 1
    assert said.json["version"] == library.__version__
    zips, pays = said.json["rules"]
    assert zips == {
        "id": library.parse("zip -> state").id, "kind": "fd", "rule": "zip -> state", "status": "broken",
        "severity": "error",
        "error": 0.2, "measure": "removal", "max_error": 0.0, "errors": {"pairs": 0.1, "removal": 0.2},
        "pairs": 2, "of_pairs": 20, "rows": 2, "of_rows": 5,
        "repair": {"rows": 1, "how": "exact", "at_least": 1},
        "witnesses": [{
            "t": {"row": "pay.csv:3", "line": 4, "values": {"zip": "90210", "state": "CA"}},
            "u": {"row": "pay.csv:4", "line": 5, "values": {"zip": "90210", "state": "NV"}},
        }],
    }  # fmt: skip
    assert pays["witnesses"][0]["t"]["values"] == {"years": 1, "pay": "1000.0"}, "decimals come as texts"
    assert lawful("check", "pay.csv", "zip -> state", "--format", "json").json["rules"] == [zips]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 1),
        (("--max-error", "0.2"), 0),
        (("--max-error", "0.19"), 1),
        (("--max-error", "0.2", "--fail-on", "warn"), 1),
        (("--max-error", "0.1", "--measure", "pairs"), 0),
        (("--max-error", "0.09", "--measure", "pairs"), 1),
        (("--fail-on", "never"), 0),
    ],
    ids=str,
)
def test_exit_codes(pay: Path, lawful: Run, words: tuple[str, ...], code: int) -> None:
    assert lawful("check", "pay.csv", "zip -> state", "key(id)", *words).code == code


def test_a_rule_file_says_what_is_allowed(pay: Path, elsewhere: Path, lawful: Run) -> None:
    assert lawful("discover", "pay.csv", "--kinds", "fd", "--max-error", "0.2", "-o", "rules.jsonl").code == 0
    found = lawful("check", "pay.csv", "rules.jsonl", "--json")
    assert found.code == 0
    statuses = {rule["rule"]: rule["status"] for rule in found.json["rules"]}
    assert statuses["zip -> state"] == "tolerated" and statuses["id -> zip"] == "holds"
    assert lawful("check", "pay.csv", "rules.jsonl", "--max-error", "0").code == 1
    assert lawful("check", "pay.csv", "rules.jsonl", "--fail-on", "warn").code == 1
    both = lawful("check", "pay.csv", "rules.jsonl", "zip -> state", "zip, state -> grade", "--json").json["rules"]
    assert len(both) == len({rule["id"] for rule in both}), "each rule once"


def test_rules_of_a_table_that_was_read_otherwise(pay: Path, lawful: Run) -> None:
    order = ("--order", "grade=low,mid,high")
    assert lawful("discover", "pay.csv", "--nulls", "last", *order, "-o", "rules.jsonl").code == 0
    assert lawful("check", "pay.csv", "rules.jsonl", "--nulls", "last", *order).err == ""
    assert lawful("check", "pay.csv", "rules.jsonl", *order).err == (
        "warning: Rules were found with nulls last, and are checked with nulls first.\n"
    )
    said = lawful("check", "pay.csv", "rules.jsonl", "--nulls", "last").err
    assert said == "warning: Rules were found with another order of column 'grade' than they are checked with.\n"


def test_a_budget_that_is_too_small_ends_in_order(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "zip -> state", "--memory", "1k")
    assert said.code == 3 and "over the budget" in said.err


def test_junit(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "zip -> state", "key(id)", "grade -> zip", "--format", "junit")
    root = ElementTree.fromstring(said.out)
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("errors")) == ("testsuites", "3", "2", "0")
    (suite,) = root
    assert suite.tag == "testsuite" and suite.get("name") == "pay.csv"
    cases = {case.get("name"): case for case in suite}
    assert {name: [child.tag for child in case] for name, case in cases.items()} == {
        "zip -> state": ["failure"], "key(id)": [], "grade -> zip": ["failure"],
    }  # fmt: skip
    assert "pay.csv:4" in str(cases["zip -> state"][0].text)
    tolerated = lawful("check", "pay.csv", "zip -> state", "--format", "junit", "--max-error", "0.5")
    assert [child.tag for child in ElementTree.fromstring(tolerated.out)[0][0]] == ["system-out"]


def test_sarif(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "key(id)", "zip -> state", "--format", "sarif")
    log = json.loads(said.out)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver, (result,) = run["tool"]["driver"], run["results"]
    assert driver["name"] == "lawful" and [rule["id"] for rule in driver["rules"]][1] == result["ruleId"]
    assert (result["ruleIndex"], result["level"]) == (1, "error")
    assert result["message"]["text"].startswith("zip -> state is broken\n")
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "pay.csv"}, "region": {"startLine": line}}} for line in (4, 5)
    ]
    tolerated = lawful("check", "pay.csv", "zip -> state", "--format", "sarif", "--max-error", "0.5")
    assert json.loads(tolerated.out)["runs"][0]["results"][0]["level"] == "warning"


def test_github(pay: Path, lawful: Run) -> None:
    said = lawful("check", "pay.csv", "zip, grade -> id", "zip -> state", "key(id)", "--format", "github")
    first, second, last = said.out.splitlines()
    assert first.startswith("::error file=pay.csv,line=2,title=zip%2C grade -> id::error 0.2 (removal)")
    assert (
        second.startswith("::error file=pay.csv,line=4,title=zip -> state::")
        and "%0At  pay.csv:3  90210  CA%0Au" in second
    )
    assert last == "pay.csv: 3 rules, 2 broken"
    assert lawful("check", "pay.csv", "zip -> state", "--format", "github", "--max-error", "0.5").out.startswith(
        "::warning file=pay.csv,line=4,title="
    )


def test_lines_are_those_of_the_file(elsewhere: Path, lawful: Run) -> None:
    """Records of several lines, blank lines, records of another width, several files; none where there are no lines."""
    (elsewhere / "a.csv").write_text('k,v\n1,"x\ny"\n\nbad\n1,z\n')
    (elsewhere / "b.csv").write_text("k,v\n\n1,w\n")
    words = ("k -> v", "--json", "--bad-rows", "skip")
    (check,) = lawful("check", "*.csv", *words).json["rules"]
    lines = {side["row"]: side["line"] for pair in check["witnesses"] for side in pair.values()}
    assert lines == {"a.csv:1": 2, "a.csv:2": 6, "b.csv:1": 3}
    (elsewhere / "c.jsonl").write_text('{"k": 1, "v": 2}\n{"k": 1, "v": 3}\n')
    (check,) = lawful("check", "c.jsonl", *words).json["rules"]
    assert [set(side) for pair in check["witnesses"] for side in pair.values()] == 2 * [{"row", "values"}]


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_bad_rows(pay: Path, elsewhere: Path, lawful: Run, form: str) -> None:
    said = lawful("check", "pay.csv", "zip -> state", "grade -> zip", "key(id)", "--write-bad-rows", f"bad.{form}")
    assert said.code == 1 and said.err == f"3 rows that break rules written to bad.{form}\n"
    zips, grades = (library.parse(text).id for text in ("zip -> state", "grade -> zip"))
    path = elsewhere / f"bad.{form}"
    kept = {"csv": csv.read_csv, "parquet": parquet.read_table, "jsonl": _lines}[form](path)
    assert kept.column_names == ["lawful_row", "id", "zip", "state", "grade", "years", "pay", "lawful_rules"]
    found = {row["lawful_row"]: row["lawful_rules"] for row in kept.to_pylist()}
    ids = {2: [grades], 3: [zips], 4: [zips, grades]}
    assert {row: rules.split() if form == "csv" else rules for row, rules in found.items()} == ids
    assert [entry.name for entry in elsewhere.iterdir() if entry.name.startswith(".")] == []


def _lines(path: Path) -> pa.Table:
    return pa.Table.from_pylist([json.loads(line) for line in path.read_text().splitlines()])


def test_no_bad_rows(pay: Path, elsewhere: Path, lawful: Run) -> None:
    assert lawful("check", "pay.csv", "key(id)", "--write-bad-rows", "bad.csv").code == 0
    assert (elsewhere / "bad.csv").read_text().splitlines() == [
        '"lawful_row","id","zip","state","grade","years","pay","lawful_rules"'
    ]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (("zp -> state",), "names column 'zp', which pay.csv lacks", "Did you mean 'zip'?"),
        (("zip -> (state",), "cannot be read at character 8", "The form is"),
        ((), "RULES", "--help"),
        (("zip -> state", "--against", "x.jsonl"), "Rules were given, and --against too", "one after the other"),
        (("--against", "x.jsonl"), "There is no rule file 'x.jsonl'", "Give rules such as"),
        (("rules.jsonl",), "There is no rule file 'rules.jsonl'", "Give rules such as"),
        (("pay.csv",), "pay.csv, line 1: this is not JSON", "one JSON object"),
        (("not(t.zip < u.years)",), "'zip' (string) and 'years' (integer)", "one type"),
        (("zip -> state", "--format", "csv"), "format is 'csv'", "--source-format"),
        (("zip -> state", "--fail-on", "always"), "fail_on is 'always'", "error, warn, never"),
        (("zip -> state", "--max-error", "1"), "max_error is 1.0", "one row in a hundred"),
        (("zip -> state", "--max-witnesses", "-1"), "max_witnesses is -1", "0"),
        (("zip< => pay<", "--measure", "removal"), "has no error by removal", "pairs"),
        (("[zip] -> [pay]", "--nulls", "unknown"), "nulls is 'unknown'", "first or last"),
        (("zip -> state", "--write-bad-rows", "bad.txt"), "'bad.txt' is not known", ".parquet"),
        (("zip -> state", "--write-bad-rows", "none/bad.csv"), "there is no folder", "Choose a file"),
        (("zip -> state", "--write-bad-rows", "pay.csv"), "which is the table", "another"),
    ],
    ids=str,
)
def test_mistakes(pay: Path, lawful: Run, words: tuple[str, ...], message: str, hint: str) -> None:
    said = lawful("check", "pay.csv", *words)
    assert (said.code, said.out) == (2, "")
    assert message in said.err and hint in said.err.split("hint: ")[-1]
    assert "Traceback" not in said.err and pay.read_text() == PAY


def test_the_caret_stands_under_the_mistake(pay: Path, lawful: Run) -> None:
    lines = lawful("check", "pay.csv", "zip -> state -> id").err.splitlines()
    assert lines[1:3] == ["  zip -> state -> id", "               ^"]


def test_a_rule_file_of_another_version(pay: Path, elsewhere: Path, lawful: Run) -> None:
    (elsewhere / "new.jsonl").write_text('{"lawful": 99, "columns": []}\n')
    said = lawful("check", "pay.csv", "new.jsonl")
    assert said.code == 2 and "version 99" in said.err


def test_hostile_values_and_names(elsewhere: Path, lawful: Run) -> None:
    long, script, name = "x" * 10_000, "<script>alert(1)</script>", 'a"; DROP TABLE t; --'
    header = '"' + name.replace('"', '""') + '"'
    (elsewhere / "t.csv").write_text(f"{header},b\n{script},{long}\n{script},\x07::error::%0A]]>\n")
    rule = f"`{name}` -> b"
    for form in ("text", "json", "junit", "sarif", "github"):
        said = lawful("check", "t.csv", rule, "--format", form, "--delimiter", ",")
        assert said.code == 1, said.err
        assert all(c == "\n" or c.isprintable() for c in said.out)
        assert form == "json" or len(said.out) < 3_000
        if form == "junit":
            assert script in str(ElementTree.fromstring(said.out)[0][0][0].text)


def test_hostile_cells_are_set_aside_as_they_are(elsewhere: Path, lawful: Run) -> None:
    """Cells of markup and of ten thousand characters survive --write-bad-rows in every format."""
    long, script = "x" * 10_000, "<script>alert(1)</script>"
    (elsewhere / "t.csv").write_text(f"a,b\n{script},{long}\n{script},c\n")
    for name in ("bad.csv", "bad.parquet", "bad.jsonl"):
        assert lawful("check", "t.csv", "a -> b", "--write-bad-rows", name).code == 1
        read = {"csv": csv.read_csv, "parquet": parquet.read_table, "jsonl": _lines}[name.split(".")[1]]
        assert read(elsewhere / name).select(["a", "b"]).to_pylist() == [{"a": script, "b": b} for b in (long, "c")]


def test_two_thousand_columns(elsewhere: Path, lawful: Run) -> None:
    names = [f"c{n}" for n in range(2_000)]
    rows = [",".join(str(n % 7 * row) for n in range(2_000)) for row in range(3)]
    (elsewhere / "t.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    said = lawful("check", "t.csv", "c1 -> c1999", "{}: c1 ~ c2", f"key({', '.join(names)})")
    assert said.code == 0


def test_the_source_may_have_its_format_named(elsewhere: Path, lawful: Run) -> None:
    (elsewhere / "t.dat").write_text("a,b\n1,2\n")
    assert lawful("check", "t.dat", "key(a)", "--source-format", "csv").code == 0


def _review(*lines: str) -> None:
    """A review of the table, each line a rule's text and what was decided of it."""
    entries = "".join(f"  - {{{line}}}\n" for line in lines)
    names = ("id", "zip", "state", "grade", "years", "pay")
    columns = "".join(f"  - {{name: {name}, type: string}}\n" for name in names)
    head = "lawful: 1\nsource: null\nrows: null\nkinds: []\ncomplete: true\n"
    Path("rules.yaml").write_text(f"{head}columns:\n{columns}rules:\n{entries}")


WRITTEN = ("text", "junit", "sarif", "github")
ZIP, GRADE, ID = ('rule: "zip -> state"', 'rule: "grade -> zip"', 'rule: "key(id)"')


def test_the_accepted_rules_of_a_review_are_checked(pay: Path, lawful: Run) -> None:
    _review(f"{ZIP}, status: rejected", f"{GRADE}, status: muted", ID)
    said = lawful("check", "pay.csv", "rules.yaml", "--json")
    assert (said.code, [rule["rule"] for rule in said.json["rules"]]) == (0, ["key(id)"])
    _review(f"{ZIP}, status: accepted, found: false", GRADE, ID)
    said = lawful("check", "pay.csv", "rules.yaml", "--json")
    assert (said.code, [rule["rule"] for rule in said.json["rules"]]) == (1, ["zip -> state"])
    _review(f"{ZIP}, status: rejected", f"{GRADE}, status: muted")
    said = lawful("check", "pay.csv", "rules.yaml")
    assert said.code == 2 and "no rules to check" in said.err


def test_an_accepted_rule_of_a_column_that_is_gone_is_told(pay: Path, lawful: Run) -> None:
    _review('rule: "zip -> county", status: accepted, found: false', f"{ID}, status: accepted")
    said = lawful("check", "pay.csv", "rules.yaml")
    assert said.code == 0
    assert said.err == (
        "warning: zip -> county was accepted and is not checked: the table last discovered lacks a column of it.\n"
    )


@pytest.mark.parametrize(
    ("severities", "words", "code"),
    [
        (("warn", "warn"), (), 0),
        (("warn", "warn"), ("--fail-on", "warn"), 1),
        (("warn", "warn"), ("--fail-on", "never"), 0),
        (("error", "warn"), (), 1),
        (("error", "warn"), ("--max-error", "0.2"), 0),
        (("warn", "error"), (), 1),
    ],
    ids=str,
)
def test_only_rules_of_severity_error_fail(
    pay: Path, lawful: Run, severities: tuple[str, str], words: tuple[str, ...], code: int
) -> None:
    _review(*(f"{rule}, severity: {severity}" for rule, severity in zip((ZIP, GRADE), severities, strict=True)), ID)
    said = lawful("check", "pay.csv", "rules.yaml", "--json", *words)
    assert said.code == code and said.json["ok"] == (code == 0 or "--fail-on" in words)
    told = {rule["rule"]: rule["severity"] for rule in said.json["rules"]}
    assert told == {"zip -> state": severities[0], "grade -> zip": severities[1], "key(id)": "error"}


def test_severity_in_every_form(pay: Path, lawful: Run) -> None:
    _review(f"{ZIP}, severity: warn", GRADE)
    by_form = {form: lawful("check", "pay.csv", "rules.yaml", "--format", form).out for form in WRITTEN}
    assert "broken     zip -> state  (severity warn)\n" in by_form["text"]
    assert "broken     grade -> zip\n" in by_form["text"]
    root = ElementTree.fromstring(by_form["junit"])
    assert root.get("failures") == "1"
    assert {case.get("name"): case[0].tag for case in root[0]} == {
        "zip -> state": "system-out", "grade -> zip": "failure",
    }  # fmt: skip
    (run,) = json.loads(by_form["sarif"])["runs"]
    levels = {run["tool"]["driver"]["rules"][each["ruleIndex"]]["shortDescription"]["text"]: each["level"]
              for each in run["results"]}  # fmt: skip
    assert levels == {"zip -> state": "warning", "grade -> zip": "error"}
    assert "::warning file=pay.csv,line=4,title=zip -> state::" in by_form["github"]
    assert "::error file=pay.csv,line=3,title=grade -> zip::" in by_form["github"]


def _before(elsewhere: Path, lawful: Run, *words: str) -> None:
    """The rules of a table of which two have changed in the meantime."""
    clean = PAY.replace("4,90210,NV", "4,90210,CA")
    (elsewhere / "before.csv").write_text(clean)
    assert lawful("discover", "before.csv", "--kinds", "fd,key,oc,dc", "-o", "before.jsonl", *words).code == 0


def test_laws_that_no_longer_hold(pay: Path, elsewhere: Path, lawful: Run) -> None:
    _before(elsewhere, lawful)
    rules = library.RuleSet.load("before.jsonl")
    gone = {str(check.rule) for check in library.check("pay.csv", rules).violated}
    assert "zip -> state" in gone and 0 < len(gone) < len(rules)
    said = lawful("check", "pay.csv", "--against", "before.jsonl")
    assert (said.code, said.err) == (1, "")
    lines = said.out.splitlines()
    assert {line.removeprefix("broken     ") for line in lines if line.startswith("broken")} == gone
    assert not any(line.startswith("holds") for line in lines) and "t  pay.csv:3  90210  CA" in said.out
    told = f"pay.csv: 5 rows: of {len(rules)} rules that held in before.jsonl, {len(gone)} no longer do, checked in "
    assert lines[-1].startswith(told)
    found = lawful("check", "pay.csv", "--against", "before.jsonl", "--json").json
    assert found["against"] == "before.jsonl" and len(found["rules"]) == len(rules)
    same = lawful("check", "before.csv", "--against", "before.jsonl")
    assert same.code == 0 and f"{len(rules)} rules that held in before.jsonl, 0 no longer do" in same.out
    assert lawful("check", "pay.csv", "--against", "before.jsonl", "--fail-on", "never").code == 0
    junit = ElementTree.fromstring(lawful("check", "pay.csv", "--against", "before.jsonl", "--format", "junit").out)
    assert junit.get("failures") == str(len(gone))


def test_only_laws_without_exceptions_held(pay: Path, elsewhere: Path, lawful: Run) -> None:
    assert lawful("discover", "pay.csv", "--kinds", "fd", "--max-error", "0.2", "-o", "loose.jsonl").code == 0
    rules = library.RuleSet.load("loose.jsonl")
    exact = {str(rule) for rule in rules if rule.figures.error == 0}
    assert 0 < len(exact) < len(rules)
    found = lawful("check", "pay.csv", "--against", "loose.jsonl", "--json")
    assert found.code == 0 and {rule["rule"] for rule in found.json["rules"]} == exact
    assert all(rule["max_error"] == 0 for rule in found.json["rules"])


def test_laws_of_columns_that_are_gone(pay: Path, elsewhere: Path, lawful: Run) -> None:
    _before(elsewhere, lawful, "--kinds", "fd")
    lines = [line.split(",") for line in PAY.splitlines()]
    (elsewhere / "less.csv").write_text("\n".join(",".join(cells[:3] + cells[4:]) for cells in lines) + "\n")
    said = lawful("check", "less.csv", "--against", "before.jsonl", "--json")
    away = [rule for rule in library.RuleSet.load("before.jsonl") if "grade" in rule.columns]
    assert said.err == f"warning: {len(away)} rules that held are not checked: the table lacks column 'grade'.\n"
    assert {rule["rule"] for rule in said.json["rules"]}.isdisjoint(map(str, away)) and said.code == 1


def test_laws_of_a_review(pay: Path, lawful: Run) -> None:
    _review(f"{ZIP}, severity: warn", f"{GRADE}, status: rejected", f"{ID}, found: false")
    said = lawful("check", "pay.csv", "--against", "rules.yaml")
    assert said.code == 0 and said.out.startswith("broken     zip -> state  (severity warn)\n")
    assert "of 1 rule that held in rules.yaml, 1 no longer does, checked in" in said.out
