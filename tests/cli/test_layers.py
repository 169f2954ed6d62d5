"""A flag comes before the environment, the environment before the file, the file before the default."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawful.cli.layers import Asked
from lawful.errors import LawfulError
from lawful.options import EngineOptions, SourceOptions
from tests.cli.conftest import Run


def test_each_layer_in_turn(elsewhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = {"nulls": "unknown"}
    assert Asked({}).of(SourceOptions).nulls == "first"
    (elsewhere / "lawful.toml").write_text('nulls = "last"\n')
    assert Asked({}).of(SourceOptions).nulls == "last"
    monkeypatch.setenv("LAWFUL_NULLS", "first")
    assert Asked({}).of(SourceOptions).nulls == "first"
    assert Asked(flags).of(SourceOptions).nulls == "unknown"


def test_a_switch_can_be_turned_back(elsewhere: Path, table: Path, lawful: Run) -> None:
    (elsewhere / "lawful.toml").write_text("header = false\n")
    assert lawful("profile", "table.csv", "--json").json["rows"] == 5
    assert lawful("profile", "table.csv", "--json", "--header").json["rows"] == 4


def test_every_kind_of_value_in_a_file(elsewhere: Path) -> None:
    (elsewhere / "lawful.toml").write_text(
        'columns = ["a", "b"]\nnull-value = ["?", "NA"]\nlimit_rows = 7\nheader = false\nworkers = 1\n'
        'types = { a = "string" }\n[order]\nb = ["low", "high"]\n'
    )
    reading, running = Asked({}).of(SourceOptions), Asked({}).of(EngineOptions)
    assert (reading.columns, reading.null_values) == (("a", "b"), ("?", "NA"))
    assert (reading.limit_rows, reading.header, running.workers) == (7, False, 1)
    assert (dict(reading.types), dict(reading.order)) == ({"a": "string"}, {"b": ("low", "high")})


def test_every_kind_of_value_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "COLUMNS": "a,b", "NULL_VALUE": "N,A", "LIMIT_ROWS": "7", "HEADER": "no", "ORDER": "b=low,high",
        "TYPES": "a=string", "DELIMITER": "tab",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"LAWFUL_{name}", value)
    reading = Asked({}).of(SourceOptions)
    assert (reading.columns, reading.null_values, reading.limit_rows) == (("a", "b"), ("N,A",), 7)
    assert (reading.header, reading.delimiter) == (False, "\t")
    assert (dict(reading.types), dict(reading.order)) == ({"a": "string"}, {"b": ("low", "high")})


def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_LIMIT_ROWS", "")
    assert Asked({}).of(SourceOptions).limit_rows is None


def test_the_file_beside_the_data_comes_before_the_one_here(elsewhere: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (elsewhere / "lawful.toml").write_text("limit_rows = 1\n")
    assert Asked({}, (str(data / "t.csv"),)).of(SourceOptions).limit_rows == 1
    (data / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert Asked({}, (str(data / "t.csv"),)).of(SourceOptions).limit_rows == 1
    (data / "pyproject.toml").write_text("[tool.lawful]\nlimit-rows = 2\n")
    assert Asked({}, (str(data / "t.csv"),)).of(SourceOptions).limit_rows == 2
    (data / "lawful.toml").write_text("limit_rows = 3\n")
    for named in ("t.csv", "*.csv", "year=*/*.csv"):
        assert Asked({}, (str(data / named),)).of(SourceOptions).limit_rows == 3
    for elsewhere_named in ("-", "s3://bucket/t.csv", "spark:t"):
        assert Asked({}, (elsewhere_named,)).of(SourceOptions).limit_rows == 1
    named = {"config": str(data / "pyproject.toml")}
    assert Asked(named, (str(data / "t.csv"),)).of(SourceOptions).limit_rows == 2


def test_the_file_in_use_is_told_unless_quiet(elsewhere: Path, table: Path, lawful: Run) -> None:
    (elsewhere / "lawful.toml").write_text("limit_rows = 2\n")
    said = lawful("profile", "table.csv", "--json")
    assert (said.json["rows"], said.err) == (2, "note: options from lawful.toml\n")
    assert lawful("profile", "table.csv", "--json", "-q").err == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('colums = ["a"]', "In lawful.toml: there is no option 'colums'. Did you mean 'columns'"),
        ("limit_rows = '3'", "In lawful.toml: limit_rows is '3', which is not a whole number."),
        ("nulls = 'frist'", "In lawful.toml: nulls is 'frist'."),
        ("config = 'x'", "In lawful.toml: there is no option 'config'"),
        ("nulls = ", "'lawful.toml' is no TOML"),
    ],
)
def test_a_wrong_file(elsewhere: Path, table: Path, lawful: Run, text: str, message: str) -> None:
    (elsewhere / "lawful.toml").write_text(text)
    said = lawful("profile", "table.csv")
    assert (said.code, said.out) == (2, "")
    assert message in said.err.replace("\nhint:", "")


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch, table: Path, lawful: Run) -> None:
    monkeypatch.setenv("LAWFUL_NULLS", "frist")
    assert "In the environment (LAWFUL_NULLS): nulls is 'frist'." in lawful("profile", "table.csv").err
    monkeypatch.setenv("LAWFUL_NULLS", "last")
    monkeypatch.setenv("LAWFUL_WORKERS", "two")
    assert "LAWFUL_WORKERS is 'two', which is not a whole number." in lawful("profile", "table.csv").err


def test_a_named_file_must_be_there() -> None:
    with pytest.raises(LawfulError, match=r"no configuration file 'gone\.toml'"):
        Asked({"config": "gone.toml"}).of(SourceOptions)


def test_the_environment_may_name_the_file(
    elsewhere: Path, table: Path, lawful: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (elsewhere / "lawful.toml").write_text("limit_rows = 1\n")
    (elsewhere / "other.toml").write_text("limit-rows = 2\nquiet = true\n")
    monkeypatch.setenv("LAWFUL_CONFIG", "other.toml")
    assert lawful("profile", "table.csv", "--json").json["rows"] == 2
    assert lawful("profile", "table.csv", "--json").err == ""
    assert lawful("profile", "table.csv", "--json", "--config", "lawful.toml").json["rows"] == 1
