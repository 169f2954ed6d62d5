"""Exports to other tools: complete, in form, and where the tool is installed, read and carried out by it."""

from __future__ import annotations

import ast
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from lawful.errors import OptionError
from lawful.export import TARGETS
from lawful.rules import Figures, RuleSet, parse, yamltext
from tests.export.listed import rules, staff
from tests.made import as_arrow
from tests.naive import violations

ODD = ["a{b}", "{{ x }}", "{% raw %}", '"""', "a\nb", "\\", "<script>", "a|b", "it's", "# no", ": x", "%s"]


def read(text: str) -> Any:
    return yamltext.read(text.encode(), "export")


def odd() -> RuleSet:
    """Keys whose names mean something to templates and languages."""
    return RuleSet([parse(f"`{name}` -> plain") for name in ODD], source="a{{b}}.csv", kinds=("fd",))


@pytest.mark.parametrize("target", TARGETS)
def test_every_rule_is_expressed_or_listed(target: str) -> None:
    for listed in (rules(), rules(options={"nulls": "unknown"}), odd(), RuleSet(kinds=("fd",))):
        said = listed.export(target)
        assert {*said.kept, *(one.rule for one in said.left)} == set(listed)
        assert len(said.kept) + len(said.left) == len(listed)
        assert all(one.reason for one in said.left)
        for rule in said.kept:
            assert any(rule.id in text or rule.id in name for name, text in said.files.items()) or target == "pandera"


def test_rules_with_exceptions_are_no_tests() -> None:
    listed = rules("grade -> born", "key(id)")
    errors = {"fd": Figures(0.125, "pairs"), "key": Figures(0.0, "pairs")}
    listed = listed.with_rules([replace(rule, figures=errors[rule.kind]) for rule in listed])
    for target in set(TARGETS) - {"sql", "markdown"}:
        said = listed.export(target)
        assert list(map(str, said.kept)) == ["key(id)"]
        assert said.left[0].reason == "it has exceptions (error 0.125), so that a test of it would fail"
    said = listed.export("sql", dialect="postgres")
    assert len(said.kept) == 2 and "  grade -> born  (with exceptions: error 0.125)\n" in str(said)


def test_a_list_that_may_miss_rules_says_so() -> None:
    for target in ("sql", "markdown", "odcs", "dqx", "pandera", "great-expectations"):
        text = str(rules(incomplete="time limit").export(target))
        assert "this list may miss rules: time limit" in text.replace("\\", "")


def test_markdown() -> None:
    text = str(rules("grade -> born", "{}: id ~ grade desc", "key(id)").export("markdown"))
    assert "| `grade -> born` | Rows with the same grade have the same born. |" in text
    assert "| `{}: id ~ grade desc` | grade never rises while id rises. |" in text
    nasty = str(odd().export("markdown"))
    assert "| <script>" not in nasty and "\\<script\\>" in nasty and "a\\|b" in nasty
    assert all(line.count("|") - line.count("\\|") == 6 for line in nasty.splitlines() if line.startswith("|"))


def test_dbt_tests_run_as_sql() -> None:
    table, listed = staff(2), rules()
    said = listed.export("dbt", severities={listed[0].id: "warn"})
    described = read(said.files["lawful/lawful.yml"])
    names = {f"lawful/{entry['name']}.sql" for entry in described["data_tests"]}
    assert names == set(said.files) - {"lawful/lawful.yml"} and len(names) == len(listed)
    with duckdb.connect() as database:
        database.register("staff", as_arrow(table))
        for rule in listed:
            text = said.files[f"lawful/lawful_staff_{rule.kind}_{rule.id}.sql"]
            config, _, query = text.partition("\n")
            severity = "warn" if rule == listed[0] else "error"
            assert config == f"{{{{ config(severity='{severity}', tags=['lawful']) }}}}"
            found = database.execute(query.replace("{{ ref('staff') }}", "staff")).fetchall()
            expected = len(violations(rule, table))
            assert found == ([(expected,)] if expected else [])


def test_placeholders_are_not_mistaken() -> None:
    left = {one.rule.columns[0] for one in odd().export("dbt").left}
    assert left == {"{{ x }}", "{% raw %}"}
    left = {one.rule.columns[0] for one in odd().export("great-expectations").left}
    assert left == {"a{b}", "{{ x }}", "{% raw %}"}
    assert {one.rule.columns[0] for one in odd().export("dqx").left} == {"{{ x }}"}


def project(folder: Path, model: str) -> None:
    """A dbt project of one model, ``staff``, on DuckDB."""
    (folder / "models").mkdir()
    (folder / "models/staff.sql").write_text(model)
    (folder / "dbt_project.yml").write_text("name: p\nversion: 1.0.0\nconfig-version: 2\nprofile: p\n")
    (folder / "profiles.yml").write_text("p: {target: d, outputs: {d: {type: duckdb, path: ':memory:', threads: 1}}}\n")


def test_dbt_parses(tmp_path: Path, dbt: Any) -> None:
    for listed in (rules(), RuleSet(odd().rules, source="staff.csv")):
        listed.export("dbt", path=tmp_path / "tests")
    project(tmp_path, "select 1 as id")
    done = dbt(tmp_path, "parse")
    assert done.returncode == 0, done.stdout
    manifest = json.loads((tmp_path / "target/manifest.json").read_text())
    tests = [node for node in manifest["nodes"].values() if node["resource_type"] == "test"]
    assert len(tests) == len(rules()) + len(odd()) - 2
    assert all(node["depends_on"]["nodes"] == ["model.p.staff"] for node in tests)


def test_dbt_judges_as_the_definitions(tmp_path: Path, dbt: Any) -> None:
    from pyarrow import parquet

    table, listed = staff(2), rules()
    listed.export("dbt", path=tmp_path / "tests", severities={listed[0].id: "warn"})
    parquet.write_table(as_arrow(table), tmp_path / "staff.parquet")
    project(tmp_path, "select * from read_parquet('staff.parquet')")
    done = dbt(tmp_path, "build")
    results = json.loads((tmp_path / "target/run_results.json").read_text())["results"]
    judged = {each["unique_id"].split(".")[2]: each["status"] for each in results if each["unique_id"][:5] == "test."}
    assert set(judged) == {f"lawful_staff_{rule.kind}_{rule.id}" for rule in listed}, done.stdout
    for rule in listed:
        broken = "warn" if rule == listed[0] else "fail"
        expected = broken if violations(rule, table) else "pass"
        assert judged[f"lawful_staff_{rule.kind}_{rule.id}"] == expected, (str(rule), done.stdout)
    assert len(set(judged.values())) > 1


def test_great_expectations() -> None:
    table, listed = staff(4), rules()
    suite = json.loads(str(listed.export("great-expectations", severities={listed[1].id: "warn"})))
    assert [entry["severity"] for entry in suite["expectations"]][:2] == ["critical", "warning"]
    with duckdb.connect() as database:
        database.register("staff", as_arrow(table))
        for rule, entry in zip(listed, suite["expectations"], strict=True):
            query = entry["kwargs"]["unexpected_rows_query"].format(batch="staff")
            assert bool(database.execute(query).fetchall()) == bool(violations(rule, table))


def test_great_expectations_reads_its_suite() -> None:
    gx = pytest.importorskip("great_expectations")
    suite = json.loads(str(rules().export("great-expectations")))
    gx.get_context(mode="ephemeral")
    loaded = gx.ExpectationSuite(**suite)
    assert len(loaded.expectations) == len(rules())
    assert {type(entry).__name__ for entry in loaded.expectations} == {"UnexpectedRowsExpectation"}


def test_odcs() -> None:
    listed = rules()
    contract = read(str(listed.export("odcs", dialect="postgres", severities={listed[0].id: "warn"})))
    (schema,) = contract["schema"]
    assert (contract["apiVersion"], contract["kind"], schema["name"]) == ("v3.1.0", "DataContract", "staff")
    assert [entry["name"] for entry in schema["properties"]] == list(listed.names)
    assert [entry["id"] for entry in schema["quality"]] == [rule.id for rule in listed]
    assert [entry["severity"] for entry in schema["quality"]][:2] == ["warning", "error"]
    assert {entry["mustBe"] for entry in schema["quality"]} == {0}
    assert len(read(str(odd().export("odcs")))["schema"][0]["quality"]) == len(ODD)


def test_odcs_is_valid() -> None:
    model = pytest.importorskip("open_data_contract_standard.model")
    for listed in (rules(), odd()):
        contract = model.OpenDataContractStandard.from_string(str(listed.export("odcs")))
        assert len(contract.schema_[0].quality) == len(listed)


def test_dqx() -> None:
    table, listed = staff(5), rules()
    checks = read(str(listed.export("dqx")))
    assert len(checks) == len(listed) and {check["criticality"] for check in checks} == {"error"}
    by_name = {check["name"]: check["check"] for check in checks}
    assert by_name[f"lawful_key_{parse('key(id)').id}"] == {
        "function": "is_unique",
        "arguments": {"columns": ["id"], "nulls_distinct": False},
    }
    plain = read(str(listed.export("dqx", dialect="duckdb")))
    with duckdb.connect() as database:
        database.register("staff", as_arrow(table))
        for rule, check in zip(listed, plain, strict=True):
            if check["check"]["function"] == "sql_query":
                query = check["check"]["arguments"]["query"].replace("{{ input_view }}", "staff")
                assert database.execute(query).fetchall() == [(bool(violations(rule, table)),)]
    assert read(str(RuleSet(kinds=("fd",)).export("dqx"))) == []


def test_dqx_accepts_its_checks() -> None:
    engine = pytest.importorskip("databricks.labs.dqx.engine")
    for listed in (rules(), odd()):
        status = engine.DQEngine.validate_checks(read(str(listed.export("dqx"))))
        assert not status.has_errors, status.errors


def test_pandera_is_python() -> None:
    said = rules().export("pandera")
    assert {rule.kind for rule in said.kept} == {"fd", "key", "oc"}
    assert "key()" in {str(one.rule) for one in said.left}
    for listed in (rules(), odd(), rules(options={"nulls": "unknown"}), RuleSet(kinds=("fd",))):
        ast.parse(str(listed.export("pandera")))
    left = {str(one.rule) for one in rules(options={"nulls": "unknown"}).export("pandera").left}
    assert "not(t.id > t.grade)" not in left and "key(id)" in left
    assert "# Not expressed here" in str(said)


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_pandera_judges_as_the_definitions(nulls: Any, tmp_path: Path) -> None:
    pytest.importorskip("pandera.pandas")
    judged = {True: 0, False: 0}
    for seed in range(30):
        table, listed = staff(seed, rows=3 + seed % 5), rules(options={"nulls": nulls})
        said = listed.export("pandera")
        names: dict[str, Any] = {}
        exec(compile(str(said), "schema.py", "exec"), names)
        frame = as_arrow(table).to_pandas()
        for rule, check in zip(said.kept, names["schema"].checks, strict=True):
            holds = bool(check(frame).check_passed)
            assert check.name == str(rule) and holds is not bool(violations(rule, table, nulls)), (rule, frame)
            judged[holds] += 1
    assert min(judged.values()) > 30


def test_deequ_checks_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlglot

    class Check:
        """Remembers what it was asked for."""

        def __init__(self, spark: object, level: str, name: str) -> None:
            self.level, self.asked = level, []  # type: ignore[var-annotated]

        def __getattr__(self, name: str) -> Any:
            return lambda *words: self.asked.append((name, *words)) or self

    module = SimpleNamespace(Check=Check, CheckLevel=SimpleNamespace(Error="error", Warning="warn"))
    monkeypatch.setitem(sys.modules, "pydeequ", SimpleNamespace(checks=module))
    monkeypatch.setitem(sys.modules, "pydeequ.checks", module)
    listed, table = rules(), staff(6)
    said = listed.export("deequ", severities={parse("key(id)").id: "warn"})
    names: dict[str, Any] = {}
    exec(compile(str(said), "checks.py", "exec"), names)
    errors, warnings = names["checks"](None)
    assert [asked[:2] for asked in warnings.asked] == [("hasUniqueness", ["id"])]
    assert [asked[0] for asked in errors.asked] == ["hasUniqueness", "satisfies"]
    assert set(map(str, said.kept)) == {"key(id)", "key(grade, `it's`)", "not(t.id > t.grade)"}
    assert names["_all"](1.0) and not names["_all"](0.99)
    condition = sqlglot.transpile(errors.asked[1][1], read="spark", write="duckdb")[0]
    with duckdb.connect() as database:
        database.register("staff", as_arrow(table))
        broken = database.execute(f"SELECT count(*) FROM staff WHERE NOT ({condition})").fetchall()[0][0]
    assert broken * (len(table) - 1) == len(violations(parse("not(t.id > t.grade)"), table)) > 0


def test_several_files_need_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OptionError, match="makes several"):
        rules().export("dbt", path=tmp_path / "file")
    said = rules().export("dbt", path=tmp_path / "tests")
    assert {str(path.relative_to(tmp_path / "tests")) for path in (tmp_path / "tests").rglob("*.*")} == set(said.files)
    assert str(said).startswith("==> lawful/") and re.search(r"^==> lawful/lawful.yml <==$", str(said), re.M)
