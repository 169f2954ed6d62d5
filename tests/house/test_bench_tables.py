"""The benchmark tables are what they promise: the same every time, in any chunks, and lawful."""

from __future__ import annotations

import gzip
import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq
import pytest

import lawful
from bench import files, page, records, tables
from bench.dc_peer import denials_of, in_normal_form, seen_by_peer
from bench.encode_calls import differing_column
from bench.measure import interleaved
from bench.order_tables import Subject, encoded
from bench.phases import BEFORE, Phases
from bench.results import Row, Scale, at_least
from bench.rule_check import insist_hold
from lawful.errors import JobError, OptionError, SourceError
from lawful.progress import Step
from lawful.rules import parse
from lawful.rules.model import Dc, Fd, Key, Lod, Oc, Rule

ROWS = 2_000
Columns = dict[str, list[Any]]


@pytest.fixture(scope="module")
def made() -> dict[str, pa.Table]:
    return {name: tables.table(name, ROWS, seed=7) for name in tables.TABLES}


@pytest.mark.parametrize("name", tables.TABLES)
def test_a_table_is_the_same_every_time_and_in_any_chunks(name: str, made: dict[str, pa.Table]) -> None:
    pieces = list(tables.batches(name, ROWS, seed=7, chunk=317))
    assert len(pieces) == 7
    assert pa.Table.from_batches(pieces).equals(made[name])
    assert tables.table(name, 301, seed=7).equals(made[name].slice(0, 301))
    assert made[name].num_rows == ROWS
    assert made[name].schema == tables.schema(name) == tables.table(name, 0).schema


@pytest.mark.parametrize("name", [name for name in tables.TABLES if name != "date"])
def test_another_seed_is_another_table(name: str, made: dict[str, pa.Table]) -> None:
    assert not tables.table(name, ROWS, seed=8).equals(made[name])


LAWS = [(name, law) for name, recipe in tables.TABLES.items() for law in recipe.laws]


@pytest.mark.parametrize(("name", "law"), LAWS, ids=lambda value: value if isinstance(value, str) else value.kind)
def test_a_promised_law_holds(name: str, law: Rule, made: dict[str, pa.Table]) -> None:
    assert holds(law, made[name].to_pydict())


@pytest.mark.parametrize(
    "law",
    [
        Fd(("state",), "rate"),
        Fd(("city",), "state"),
        Key(("first_name", "last_name")),
        Oc((), "salary", "rate", "same"),
        Oc((), "zip", "state", "same"),
        Lod((("state", "asc"),), (("salary", "asc"),)),
    ],
    ids=str,
)
def test_what_is_not_promised_fails(law: Rule) -> None:
    assert not holds(law, tables.tax_like(20_000, seed=7).to_pydict())


def test_zip_determines_city_in_most_rows_only() -> None:
    cities: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    columns = tables.tax_like(20_000, seed=7)
    for code, city in zip(columns["zip"].to_pylist(), columns["city"].to_pylist(), strict=True):
        cities[code][city] += 1
    kept = sum(max(counts.values()) for counts in cities.values())
    assert 0.99 < kept / 20_000 < 1


def test_the_tax_table_has_the_types_of_real_ones(made: dict[str, pa.Table]) -> None:
    kinds = {str(field.type) for field in made["tax"].schema}
    assert (made["tax"].num_columns, kinds) == (15, {"string", "int64", "double", "bool"})
    assert any(code.startswith("0") for code in made["tax"]["zip"].to_pylist())
    assert {len(code) for code in made["tax"]["zip"].to_pylist()} == {5}
    assert made["flight"]["dep_time"].null_count and made["hospital"]["score"].null_count


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(OptionError, match="9999"):
        next(iter(tables.batches("date", 3_000_000, chunk=3_000_000)))
    with pytest.raises(OptionError, match="-1 rows"):
        tables.tax_like(-1)
    with pytest.raises(OptionError, match="Did you mean 'tax'"):
        tables.table("taxes", 1)


def test_files_hold_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "DATA", tmp_path)
    expected = tables.tax_like(500, seed=7)
    parquet, plain, packed = (files.written("tax", 500, form, seed=7) for form in ("parquet", "csv", "csv.gz"))
    assert pq.read_table(parquet).equals(expected)
    assert files.arrow_bytes(parquet) == pq.read_table(parquet).nbytes
    text = pa_csv.ConvertOptions(column_types=expected.schema)
    assert pa_csv.read_csv(plain, convert_options=text).equals(expected)
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    before = files.checksum(packed)
    packed.unlink()
    assert files.checksum(files.written("tax", 500, "csv.gz", seed=7)) == before
    assert not list(tmp_path.glob("*.part"))


def test_a_public_table_that_is_absent_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_BENCH_DATA", str(tmp_path))
    with pytest.raises(SourceError, match=r"'adult'.*LAWFUL_BENCH_DATA"):
        files.public("adult")


def test_ranks_and_codes_are_compared_with_nulls_in_mind() -> None:
    ranks = np.array([[0, 2, 1], [0, 1, 1]], dtype=np.int32)
    assert differing_column(ranks, {"a": np.array([-1, 1, 0]), "b": np.array([0, 1, 1])}) is None
    assert differing_column(ranks, {"a": np.array([-1, 1, 0]), "b": np.array([1, 0, 0])}) == "b"
    assert differing_column(ranks, {"a": np.array([-1, 0, 1]), "b": np.array([0, 1, 1])}) == "a"


def test_a_public_table_is_cut_as_its_subject_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWFUL_BENCH_DATA", str(tmp_path))
    text = "a(String),b(Integer),c\n1,2,\n3,4,x\n5,,\xe6\n"
    (tmp_path / "airports.csv.gz").write_bytes(gzip.compress(text.encode("latin-1")))
    two = encoded(Subject("airports", rows=2, filled=True, typed=True, encoding="latin-1"))
    assert [(c.name, c.type.name) for c in two.columns] == [("a(String)", "string"), ("b(Integer)", "integer")]
    three = encoded(Subject("airports", filled=True, encoding="latin-1"))
    assert [(c.name, c.type.name) for c in three.columns] == [("a(String)", "integer")]


DENIALS = [
    ("not(t.a < u.a and t.b = u.b)", "¬{ t.c0 < s.c0 ∧ t.c1 == s.c1 }", "dc 0< 1="),
    ("not(t.a > u.a and t.b = u.b)", "¬{ t.c1 == s.c1 ∧ t.c0 > s.c0 }", "dc 0< 1="),
    ("not(u.c < t.c and t.a != u.a)", "¬{ t.c2 < s.c2 ∧ t.c0 != s.c0 }", "dc 0!= 2<"),
    ("not(t.a = u.a)", "¬{ t.c0 == s.c0 }", "dc 0="),
]


@pytest.mark.parametrize(("ours", "theirs", "form"), DENIALS)
def test_denials_of_both_sides_have_one_form(ours: str, theirs: str, form: str) -> None:
    assert denials_of([parse(ours)], "abc") == {form} == {in_normal_form(theirs)}


def test_what_no_peer_says_is_refused() -> None:
    with pytest.raises(JobError, match="not understood"):
        in_normal_form("¬{ t.c0 == s.c1 }")
    with pytest.raises(OptionError, match="compares two columns"):
        denials_of([parse("not(t.a = u.b)")], "ab")


def test_the_peer_compares_what_we_compare() -> None:
    frame = pa.table({"n": [3, 1, None], "s": ["x", "y", "x"], "o": ["low", "high", "low"]})
    seen = seen_by_peer(lawful.encode(frame, order={"o": ["low", "high"]}, engine="local"))
    assert [list(column) for column in seen.values()] == [[2, 1, 0], ["v0", "v1", "v0"], [0, 1, 0]]


def test_rules_are_looked_at_pair_by_pair() -> None:
    table = lawful.encode(pa.table({"a": [1, 1, 2], "b": [5, 6, 7]}), engine="local")
    kept = ["not(t.a = u.a and t.b = u.b)", "not(t.a < u.a and t.b > u.b)", "a< => b<", "b= => a="]
    assert insist_hold([parse(text) for text in kept], table) == 4
    for text in ("not(t.a = u.a)", "a= => b=", "b< => a<"):
        with pytest.raises(JobError, match="does not hold"):
            insist_hold([parse(kept[0]), parse(text)], table)


def test_seconds_are_those_of_the_stage_that_was_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([10.0, 11.0, 13.0, 16.0, 20.0])
    monkeypatch.setattr("time.process_time", lambda: next(clock))
    phases = Phases()
    for stage in ("sampling", "searching", "sampling"):
        phases(Step(stage, figures={"rules": "1"}))
    assert phases.end() == {BEFORE: 1.0, "sampling": 6.0, "searching": 3.0}
    assert phases.told[1] == (3.0, "searching", {"rules": "1"})
    assert phases.stages_told() == "sampling 6 s, searching 3 s, before the first step 1 s"


def test_a_rate_has_a_least() -> None:
    assert at_least(5.0, 4.0, Scale()) and at_least(3.0, 4.0, Scale()) is False
    assert at_least(None, 4.0, Scale()) is None is at_least(5.0, 4.0, Scale(smoke=True))


def test_nothing_is_timed_before_answers_agree() -> None:
    turns: list[str] = []

    def same(answers: Any) -> None:
        turns.append("same")
        assert answers["ours"] == answers["peer"]

    calls = {"ours": lambda: turns.append("ours"), "peer": lambda: turns.append("peer")}
    timings = interleaved(calls, 2, same)
    assert turns == ["ours", "peer", "same", "ours", "peer", "ours", "peer"]
    assert timings["ours"].steady.cpu == min(spent.cpu for spent in timings["ours"].later)
    with pytest.raises(AssertionError):
        interleaved({"ours": lambda: 1, "peer": lambda: 2}, 2, same)


def test_the_page_keeps_losses_and_the_newest_record(tmp_path: Path) -> None:
    rows = [
        Row("slow", ours=3.0, peer=1.0, peer_name="it", goal="≤ 1 ×", met=False, command="python -m bench x"),
        Row("gone", note=f"no {Path.home()}/secret | here", failed=True),
    ]
    setting = {"commit": "abc", "dirty": True, "versions": {"numpy": "2", "pyspark": None}, "data": {"t": "f" * 64}}
    machine = {"cpu": "some cpu", "cores": 2, "memory_bytes": 2**33, "memcpy_bytes_per_s": 9e9}
    for date, kept in (("2026-01-02T00:00:00Z", rows), ("2026-01-01T00:00:00Z", rows[1:])):
        entry = records.record("x", "About.", kept, Scale(), {**setting, "machine": machine})
        records.save({**entry, "date": date}, tmp_path)
    (newest,) = records.latest(tmp_path)
    text = page.page([newest])
    assert "| slow | 3 s CPU | 1 s CPU (it) | 3.00 × | ≤ 1 × | **no** | – |" in text
    assert "| gone | – | – | – | – | **failed** | – |" in text
    assert "- gone: no ~/secret \\| here" in text
    assert "2026-01-02, commit abc, with uncommitted changes" in text
    assert "pyspark not installed" in text
    assert str(Path.home()) not in text
    assert newest["scale"] == asdict(Scale())


def holds(law: Rule, columns: Columns) -> bool:
    """The definition of a rule over columns of Python values, null before everything."""
    match law:
        case Fd():
            return fd(keyed(columns, law.lhs), columns[law.rhs])
        case Key():
            found = keyed(columns, law.columns)
            return len(set(found)) == len(found)
        case Oc():
            return oc(keyed(columns, law.context), ranks(columns[law.left]), ranks(columns[law.right]))
        case Lod():
            assert all(sort == "asc" for _, sort in (*law.lhs, *law.rhs))
            left, right = (keyed(columns, [name for name, _ in side]) for side in (law.lhs, law.rhs))
            return fd(left, right) and oc([()] * len(left), ranks(left), ranks(right))
        case Dc():
            (one,) = law.predicates
            assert one.op == ">" and one.left.row == one.right.row
            pairs = zip(columns[one.left.column], columns[one.right.column], strict=True)
            return not any(low > high for low, high in pairs)
    raise AssertionError(law)


def keyed(columns: Columns, names: Sequence[str]) -> list[tuple[Any, ...]]:
    """Per row its values in these columns, null before everything."""
    length = len(next(iter(columns.values())))
    cells = [[(value is not None, value) for value in columns[name]] for name in names]
    return list(zip(*cells, strict=True)) if names else [()] * length


def ranks(values: Sequence[Any]) -> list[int]:
    """Dense ranks."""
    keys = [value if isinstance(value, tuple) else (value is not None, value) for value in values]
    place = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [place[key] for key in keys]


def fd(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return all(known == value for (_, known), value in zip(firsts(left, right), right, strict=True))


def firsts(left: Sequence[Any], right: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Per row its left side, and the right side of the first row with that left side."""
    known: dict[Any, Any] = {}
    return [(key, known.setdefault(key, value)) for key, value in zip(left, right, strict=True)]


def oc(context: Sequence[Any], left: Sequence[int], right: Sequence[int]) -> bool:
    """Within a context no row is lower on the left and higher on the right than another."""
    groups: dict[Any, list[tuple[int, int]]] = defaultdict(list)
    for key, low, high in zip(context, left, right, strict=True):
        groups[key].append((low, high))
    return all(ordered(sorted(pairs)) for pairs in groups.values())


def ordered(pairs: list[tuple[int, int]]) -> bool:
    highest = -1
    for _, tied in itertools.groupby(pairs, key=lambda pair: pair[0]):
        values = [value for _, value in tied]
        if min(values) < highest:
            return False
        highest = max(highest, max(values))
    return True
