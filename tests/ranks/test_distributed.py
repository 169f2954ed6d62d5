from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lawful.engine import LocalEngine
from lawful.errors import ColumnError, LimitError, OptionError, SourceError
from lawful.limits import Budget
from lawful.options import SourceOptions
from lawful.ranks.distributed import encode_files
from lawful.ranks.encode import encode_here
from lawful.ranks.encoded import Encoded
from tests.engines.pickled import PickledEngine
from tests.made import as_arrow, random_tables
from tests.naive import ranks as naive_ranks
from tests.profiles import examples
from tests.ranks import oracle
from tests.ranks.both import (
    assert_same_outcome,
    opened,
    outcome,
    shown,
    small_steps,
    split,
    text_rows,
    write_csv,
    write_lines,
    write_typed,
)

NAMES = ["a", "b", "c d"]


def _engine(rng: random.Random) -> Any:
    choice = rng.randrange(4)
    return LocalEngine(choice + 1) if choice < 2 else PickledEngine(rng.randrange(1000), lossy=choice == 3)


def _options(rng: random.Random, **more: Any) -> SourceOptions:
    return SourceOptions(
        nulls=rng.choice(["first", "last", "unknown"]),
        null_values=rng.choice([(), (), ("NA", "?", "1")]),
        limit_rows=rng.choice([None, None, 0, 1, 3, 7, 100]),
        columns=rng.choice([None, None, ("c d", "a")]),
        **more,
    )


@pytest.mark.parametrize("seed", range(5))
def test_delimited_files(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(examples(12)):
        rows = text_rows(rng, 3)
        parts = split(rng, rows, rng.randint(1, 4))
        paths = [write_csv(tmp_path / f"{number}-{i}.csv", NAMES, part) for i, part in enumerate(parts)]
        options = _options(rng)
        with small_steps(rng):
            table = assert_same_outcome(_engine(rng), paths, options, tmp_path / f"work{number}")
        assert isinstance(table, Encoded)
        _assert_as_defined(table, rows, options)


def _assert_as_defined(table: Encoded, rows: list[list[str | None]], options: SourceOptions) -> None:
    """The third opinion: the definition, on the cells that were written."""
    rows = rows[: options.limit_rows]
    for name in table.names:
        cells = [row[NAMES.index(name)] for row in rows]
        kind, keys = oracle.infer([None if cell in options.null_values else cell for cell in cells])
        assert table.column(name).type.name == kind
        assert table.ranks[table.place(name)].tolist() == oracle.dense(keys, last=options.nulls == "last")


@pytest.mark.parametrize("seed", range(5))
def test_json_lines(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(examples(12)):
        parts = split(rng, text_rows(rng, 3), rng.randint(1, 4))
        paths = [write_lines(tmp_path / f"{number}-{i}.jsonl", NAMES, part, rng) for i, part in enumerate(parts)]
        with small_steps(rng):
            assert_same_outcome(_engine(rng), paths, _options(rng), tmp_path / f"work{number}")


def test_json_lines_that_name_other_columns_in_each_chunk(tmp_path: Path) -> None:
    rng = random.Random(1)
    path = tmp_path / "a.jsonl"
    path.write_text('{}\n{"a": 1}\n{}\n{"b": "x", "a": 2}\n{"c": {"z": [1.50, null]}}\n{"c": {"z": [1.5, null]}}\n{}\n')
    for _ in range(10):
        with small_steps(rng):
            table = assert_same_outcome(_engine(rng), path, SourceOptions(), tmp_path / "work")
        assert isinstance(table, Encoded)
        assert table.names == ("a", "b", "c")
        assert table.cells("a", range(7)) == [None, 1, None, 2, None, None, None]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow", ".orc"])
def test_typed_files(tmp_path: Path, suffix: str) -> None:
    rng = random.Random(suffix)
    for number, table in enumerate(random_tables(5, examples(25), max_rows=14)):
        whole = as_arrow(table)
        parts = [whole.slice(0, 5), whole.slice(5, 0), whole.slice(5)]
        paths = [write_typed(tmp_path / f"{number}-{i}{suffix}", part, rng) for i, part in enumerate(parts)]
        nulls = rng.choice(["first", "last"])
        options = SourceOptions(nulls=nulls, limit_rows=rng.choice([None, None, 0, 3, 5, 9]))
        with small_steps(rng):
            found = assert_same_outcome(_engine(rng), paths, options, tmp_path / f"work{number}")
        assert isinstance(found, Encoded)
        kept = table.with_rows(table.rows[: options.limit_rows])
        assert found.ranks.tolist() == naive_ranks(kept, nulls)  # type: ignore[arg-type]
        # ORC has no decimal beyond 38 digits, and calls every timestamp one of nanoseconds.
        assert [c.type.name for c in found.columns] == list(table.types)


EXOTIC = pa.table(
    {
        "list": pa.array([[1.0, None], None, [-0.0], [0.0], [float("nan")], [float("nan")]]),
        "struct": pa.array(
            [{"x": 1, "y": "é"}, {"x": 1, "y": None}, None, {"x": 1, "y": "é"}, {"x": None, "y": None}, None]
        ),
        "map": pa.array(
            [[("k", 1), ("a", 2)], [("a", 2), ("k", 1)], [], None, [("k", 1)], [("k", None)]], pa.map_("string", "int8")
        ),
        "binary": pa.array([b"b", b"\x00", None, b"", b"b", b"\xff"]),
        "fixed": pa.array([b"bb", b"aa", None, b"bb", b"zz", b"aa"], pa.binary(2)),
        "nanos": pa.array([1, 0, None, 10**18, 1, 1000], pa.timestamp("ns", "Europe/Berlin")),
        "far": pa.array([2**62, -(2**62), None, 0, 1, 2**62], pa.timestamp("us")),
        "clock": pa.array([1, 86_399_999_999, None, 0, 1, 1_000_000], pa.time64("us")),
        "single": pa.array([0.1, -0.0, 0.0, None, float("nan"), float("inf")], pa.float32()),
        "unsigned": pa.array([2**64 - 1, 0, None, 2**63, 2**63 - 1, 1], pa.uint64()),
        "category": pa.array(["b", "a", None, "b", "é", ""]).dictionary_encode(),
        "large": pa.array(["b", "a", None, "b", "é", ""], pa.large_string()),
        "nothing": pa.nulls(6),
        "big": pa.array([2**127, -1, None, 0, 1, 2], pa.decimal256(76, 0)),
        "tokens": pa.array(["NA", "?", "NA", None, "x", "-"]),
    }
)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("seed", range(3))
def test_unusual_types(tmp_path: Path, suffix: str, seed: int) -> None:
    rng = random.Random(seed)
    paths = [
        write_typed(tmp_path / f"{i}{suffix}", EXOTIC.slice(a, n), rng) for i, (a, n) in enumerate([(0, 2), (2, 4)])
    ]
    with small_steps(rng):
        found = assert_same_outcome(_engine(rng), paths, SourceOptions(null_values=("-",)), tmp_path / "work")
    assert isinstance(found, Encoded)
    assert found.cells("list", [0, 2]) == ["[1.0, null]", "[0.0]"]
    assert found.cells("map", [0]) == ['{"a": 2, "k": 1}']
    assert found.cells("nanos", [0]) == ["1970-01-01 00:00:00.000000001Z"]
    ranks = {name: found.ranks[found.place(name)].tolist() for name in found.names}
    assert ranks["map"][0] == ranks["map"][1] != ranks["map"][4]
    assert ranks["list"][2] == ranks["list"][3] and ranks["list"][4] == ranks["list"][5]
    assert ranks["struct"][0] == ranks["struct"][3] and len(set(ranks["struct"])) == 4
    assert ranks["single"] == [2, 1, 1, 0, 4, 3]
    assert ranks["unsigned"] == [5, 1, 0, 4, 3, 2]
    assert ranks["category"] == ranks["large"] == [3, 2, 0, 3, 4, 1]
    assert [c.name for c in found.columns if not c.ordered] == ["list", "struct", "map", "binary", "fixed"]
    assert dict(found.column("tokens").null_looking) == {"NA": 2, "?": 1}


def test_a_column_that_one_file_knows_only_as_null(tmp_path: Path) -> None:
    rng = random.Random(0)
    paths = [
        write_typed(tmp_path / "0.parquet", pa.table({"a": pa.nulls(2), "b": pa.nulls(2)}), rng),
        write_typed(tmp_path / "1.parquet", pa.table({"a": ["x", None], "b": [2.5, None]}), rng),
        write_typed(tmp_path / "2.parquet", pa.table({"a": pa.array(["w"], pa.large_string()), "b": [1.5]}), rng),
    ]
    table = assert_same_outcome(LocalEngine(1), paths, SourceOptions(), tmp_path / "work")
    assert isinstance(table, Encoded)
    assert table.ranks.tolist() == [[0, 0, 2, 0, 1], [0, 0, 2, 0, 1]]


def test_categories_of_several_files(tmp_path: Path) -> None:
    rng = random.Random(0)
    words = [["b", None, "a"], ["c", "a", "a"]]
    tables = [pa.table({"a": pa.array(w).dictionary_encode()}) for w in words]
    paths = [write_typed(tmp_path / f"{i}.parquet", t, rng) for i, t in enumerate(tables)]
    table = assert_same_outcome(LocalEngine(1), paths, SourceOptions(), tmp_path / "work")
    assert isinstance(table, Encoded)
    assert table.ranks.tolist() == [[2, 0, 1, 3, 1, 1]]


@pytest.mark.parametrize("limit", range(9))
def test_a_limit_at_every_row(tmp_path: Path, limit: int) -> None:
    rng = random.Random(limit)
    rows = [[[str(n), "x" * n, None] for n in part] for part in ([0, 1, 2], [], [3, 4], [5, 6])]
    csv = [write_csv(tmp_path / f"{i}.csv", NAMES, part) for i, part in enumerate(rows)]
    lines = [write_lines(tmp_path / f"{i}.jsonl", NAMES, part, rng) for i, part in enumerate(rows)]
    whole = pa.table({"a": range(7)})
    typed = [
        write_typed(tmp_path / f"{i}.parquet", whole.slice(a, n), rng) for i, (a, n) in enumerate([(0, 4), (4, 3)])
    ]
    options = SourceOptions(limit_rows=limit)
    for number, paths in enumerate((csv, lines, typed)):
        with small_steps(rng):
            table = assert_same_outcome(_engine(rng), paths, options, tmp_path / f"work{number}")
        assert isinstance(table, Encoded)
        assert table.cells("a", range(table.rows)) == list(range(min(limit, 7)))


@pytest.mark.parametrize("limit", range(9))
def test_what_is_wrong_beyond_the_limit_is_not_seen(tmp_path: Path, limit: int) -> None:
    rng = random.Random(limit)
    (tmp_path / "0.jsonl").write_text('{"a": 1}\n{"a": 2}\nno\n{"a": 3}\n')
    far = b"x" * 40_000  # beyond what is decoded at a time
    (tmp_path / "1.jsonl").write_bytes(b'{"a": 4}\n{"a": 5, "b": "' + far + b'"}\n{"a": "\xff"}\n')
    for skip in ("error", "skip"):
        options = SourceOptions(limit_rows=limit, bad_rows=skip)  # type: ignore[arg-type]
        with small_steps(rng), pytest.MonkeyPatch.context() as patch:
            patch.setattr("lawful.source.lines._ROWS", 1)
            found = assert_same_outcome(_engine(rng), sorted(tmp_path.glob("*.jsonl")), options, tmp_path / "work")
        if limit <= 2:
            assert isinstance(found, Encoded) and found.rows == limit
        elif skip == "error" or limit > 4:  # the line before the wrong byte is decoded with it
            assert isinstance(found, tuple) and found[0] is SourceError
        else:
            assert isinstance(found, Encoded) and found.rows == limit


def test_bad_records_behind_the_limit_do_not_count(tmp_path: Path) -> None:
    (tmp_path / "0.jsonl").write_text('{"a": 1}\n')
    (tmp_path / "1.jsonl").write_text('{"a": 2}\nno\n')
    rng = random.Random(0)
    with small_steps(rng), pytest.MonkeyPatch.context() as patch:
        patch.setattr("lawful.source.lines._ROWS", 1)
        paths = sorted(tmp_path.glob("*.jsonl"))
        found = assert_same_outcome(_engine(rng), paths, SourceOptions(limit_rows=2), tmp_path / "work")
    assert isinstance(found, Encoded) and found.warnings == ()


BAD: list[tuple[dict[str, Any], str]] = [
    ({"types": {"a": "integer"}}, "'x'"),
    ({"types": {"a": "date", "c d": "integer"}}, "'1'"),
    ({"types": {"a": "intger"}}, "is not a type"),
    ({"types": {"no": "integer"}}, "not there"),
    ({"types": {"b": "integer"}, "order": {"b": ("1", "2")}}, "'z'"),
    ({"order": {"b": ("1", "2")}}, "is not in the order 1, 2"),
    ({"order": {"nope": ("1", "2")}}, "not there"),
    ({"types": {"c d": "timestamp"}}, "is no timestamp"),
    ({"types": {"c d": "boolean"}}, "is no boolean"),
    ({"types": {"c d": "decimal"}, "order": {"a": ("1", "x")}}, "is not in the order 1, x"),
    ({"columns": ("b", "zz")}, "'zz'"),
]


@pytest.mark.parametrize(("more", "said"), BAD)
@pytest.mark.parametrize("seed", range(4))
def test_the_same_errors(tmp_path: Path, more: dict[str, Any], said: str, seed: int) -> None:
    rng = random.Random(seed)
    parts = [
        [["1", "1", "0.5"], ["1", "2", "7"]],
        [["x", "1", "0.5"], ["2", "z", ".5"], ["x", "z", "1"], ["y", "3", "1"]],
    ]
    csv = [write_csv(tmp_path / f"{i}.csv", NAMES, part) for i, part in enumerate(parts)]
    lines = [write_lines(tmp_path / f"{i}.jsonl", NAMES, part, rng) for i, part in enumerate(parts)]
    columns = [dict(zip(NAMES, zip(*part, strict=True), strict=True)) for part in parts]
    typed = [write_typed(tmp_path / f"{i}.parquet", pa.table(c), rng) for i, c in enumerate(columns)]
    for number, paths in enumerate((csv, lines, typed)):
        with small_steps(rng):
            found = assert_same_outcome(_engine(rng), paths, SourceOptions(**more), tmp_path / f"work{number}")
        assert isinstance(found, tuple)
        assert issubclass(found[0], ColumnError | OptionError)
        assert said in found[1], found[1]


def test_a_misfit_names_its_first_row_and_counts_all(tmp_path: Path) -> None:
    rng = random.Random(3)
    paths = [
        write_csv(tmp_path / "0.csv", ["n"], [["1"], ["2"]]),
        write_csv(tmp_path / "1.csv", ["n"], [["3"], [None], ["many"], ["few"], ["many"]]),
        write_csv(tmp_path / "2.csv", ["n"], [["few"]]),
    ]
    with small_steps(rng):
        found = assert_same_outcome(_engine(rng), paths, SourceOptions(types={"n": "integer"}), tmp_path / "work")
    assert found == (
        ColumnError,
        f"{str(paths[1])!r}, line 4, column 'n': 'many' is no integer. 4 rows hold such values. "
        "Change --types or --order, or name the value with --null-value.",
    )


def test_a_dictionary_in_another_order_than_the_rows(tmp_path: Path) -> None:
    words = pa.DictionaryArray.from_arrays(pa.array([2, 1, 0], pa.int8()), pa.array(["z", "y", "1"]))
    path = write_typed(tmp_path / "a.arrow", pa.table({"a": words}), random.Random(0))
    found = assert_same_outcome(LocalEngine(1), path, SourceOptions(types={"a": "integer"}), tmp_path / "work")
    assert isinstance(found, tuple) and "record 2, column 'a': 'y' is no integer. 2 rows" in found[1]


@pytest.mark.parametrize("asked", ["integer", "decimal", "float", "boolean", "date", "timestamp", "string"])
@pytest.mark.parametrize("seed", range(3))
def test_types_that_are_asked_for(tmp_path: Path, asked: str, seed: int) -> None:
    rng = random.Random(f"{asked}{seed}")
    for number in range(examples(8)):
        rows = text_rows(rng, 1, 4)
        options = SourceOptions(types={"a": asked})
        csv = [write_csv(tmp_path / f"{number}-{i}.csv", ["a"], p) for i, p in enumerate(split(rng, rows, 2))]
        cells = pa.table({"a": pa.array([r[0] for r in rows], pa.string())})
        typed = write_typed(tmp_path / f"{number}.parquet", cells, rng)
        with small_steps(rng):
            one = assert_same_outcome(_engine(rng), csv, options, tmp_path / f"w{number}")
            two = assert_same_outcome(_engine(rng), typed, options, tmp_path / f"v{number}")
        if isinstance(one, Encoded):
            assert isinstance(two, Encoded) and one.columns == two.columns and one.ranks.tolist() == two.ranks.tolist()
            assert one.column("a").type.name == asked


@pytest.mark.parametrize("asked", ["integer", "decimal", "float", "boolean", "date", "timestamp", "string"])
def test_types_asked_of_typed_columns(tmp_path: Path, asked: str) -> None:
    rng = random.Random(asked)
    for name in EXOTIC.column_names:
        path = write_typed(tmp_path / f"{name}.arrow", EXOTIC.select([name]), rng)
        with small_steps(rng):
            options = SourceOptions(types={name: asked})
            assert_same_outcome(_engine(rng), path, options, tmp_path / f"work-{name}")


def test_orders_by_meaning(tmp_path: Path) -> None:
    rng = random.Random(9)
    rows: list[list[str | None]] = [["mid", "2", "01/31/2024"], ["low", "1.0", None], [None, "1", "01/30/2024"]]
    paths = [write_csv(tmp_path / f"{i}.csv", ["s", "n", "d"], [row]) for i, row in enumerate(rows)]
    order = {"s": ("zero", "low", "mid", "high"), "n": ("2", "1"), "d": ("2024-01-31", "01/30/2024", "nonsense")}
    for _ in range(6):
        with small_steps(rng):
            table = assert_same_outcome(_engine(rng), paths, SourceOptions(order=order), tmp_path / "work")
        assert isinstance(table, Encoded)
        assert table.ranks.tolist() == [[2, 1, 0], [0, 1, 1], [1, 0, 2]]
        assert shown(table.cells("n", range(3))) == ["Decimal('2')", "Decimal('1')", "Decimal('1')"]


def test_ragged_rows_over_several_files(tmp_path: Path) -> None:
    rng = random.Random(2)
    for i, text in enumerate(["a,b\n1,2\n3\n", "a,b\n1,2\n", "a,b\n1,2,3\n4,5\n6,7,8\n"]):
        (tmp_path / f"{i}.csv").write_text(text)
    paths = sorted(tmp_path.glob("*.csv"))
    for skip in ("error", "skip"):
        for _ in range(5):
            with small_steps(rng):
                options = SourceOptions(bad_rows=skip)  # type: ignore[arg-type]
                found = assert_same_outcome(_engine(rng), paths, options, tmp_path / "work")
            if isinstance(found, tuple):
                assert "line 3" in found[1] and "3 such records" in found[1]
            else:
                assert found.rows == 3 and "3 bad records are left out" in found.warnings[0]


def test_a_wrong_encoding_in_the_second_file(tmp_path: Path) -> None:
    (tmp_path / "0.csv").write_bytes(b"a\nx\n")
    (tmp_path / "1.csv").write_bytes(b"a\nx\n\xff\n")
    (tmp_path / "2.csv").write_bytes(b"a,b\nx\n")
    rng = random.Random(0)
    for _ in range(5):
        with small_steps(rng):
            found = assert_same_outcome(_engine(rng), sorted(tmp_path.glob("*.csv")), SourceOptions(), tmp_path / "w")
        assert isinstance(found, tuple) and "1.csv" in found[1] and "line 3" in found[1]


def test_empty_tables(tmp_path: Path) -> None:
    rng = random.Random(0)
    (tmp_path / "a.csv").write_text("a,b\n")
    (tmp_path / "b.jsonl").write_text("\n")
    (tmp_path / "c.jsonl").write_text("{}\n{}\n")
    write_typed(tmp_path / "d.parquet", EXOTIC.slice(0, 0), rng)
    for name in ("a.csv", "b.jsonl", "c.jsonl", "d.parquet"):
        with small_steps(rng):
            found = assert_same_outcome(_engine(rng), tmp_path / name, SourceOptions(nulls="last"), tmp_path / "work")
        if isinstance(found, tuple):
            assert "has no columns" in found[1]
        else:
            assert found.rows == 0 and {c.distinct for c in found.columns} == {0}


@pytest.mark.parametrize("seed", range(4))
def test_attempts_that_die_or_run_twice_change_nothing(tmp_path: Path, seed: int) -> None:
    """Files of lost attempts stay in the folder, half written ones too, and nobody reads them."""
    rng = random.Random(seed)
    paths = [write_csv(tmp_path / f"{i}.csv", NAMES, text_rows(rng, 3, 8)) for i in range(3)]
    here = encode_here(opened(paths, SourceOptions()), SourceOptions())
    work = tmp_path / "work"
    work.mkdir()
    for name in ("codes-0-0-0-dead.i32", "run-0-dead.arrow", "ranks-0-dead.i32.part", "chunk-000000-dead.ranks"):
        (work / name).write_bytes(b"half")
    with small_steps(rng):
        there = encode_files(Dying(seed), opened(paths, SourceOptions()), SourceOptions(), str(work))
        assert there.ranks.tolist() == here.ranks.tolist()
        assert (work / "run-0-dead.arrow").read_bytes() == b"half"


class Dying(PickledEngine):
    """Runs each unit one or more times; all attempts but one die after their work is done, or in the middle of it."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, lossy=True)
        self._rng = random.Random(seed)

    def _attempts(self, job: Any, shared: Any, unit: Any) -> Any:
        for _ in range(self._rng.randrange(3)):
            self._die(job, shared, unit)
        return super()._attempts(job, shared, unit)

    def _die(self, job: Any, shared: Any, unit: Any) -> None:
        from lawful.ranks.folder import Folder

        left = self._rng.randrange(3)
        write = Folder.write

        def failing(folder: Folder, name: str, data: bytes) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                Path(folder.place, f"{name}.part").write_bytes(data[: len(data) // 2])
                raise OSError("the host went away")
            write(folder, name, data)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Folder, "write", failing)
            try:
                job.run(shared, unit)
            except OSError as error:
                assert "went away" in str(error)


def test_the_work_folder_may_be_a_url(tmp_path: Path) -> None:
    rng = random.Random(5)
    path = write_csv(tmp_path / "a.csv", NAMES, text_rows(rng, 3, 12))
    for url in ("memory://encode/run", (tmp_path / "run").as_uri()):
        with small_steps(rng):
            here = encode_here(opened(path, SourceOptions()), SourceOptions())
            there = encode_files(LocalEngine(2), opened(path, SourceOptions()), SourceOptions(), url)
            assert there.ranks.tolist() == here.ranks.tolist()
            assert shown(there.cells("a", range(here.rows))) == shown(here.cells("a", range(here.rows)))


def test_only_ranks_and_keys_stay_in_the_work_folder(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", NAMES, [["1", "x", None]] * 5)
    encode_files(LocalEngine(2), opened(path, SourceOptions()), SourceOptions(), str(tmp_path / "work"))
    kinds = {p.name.split("-")[0] for p in (tmp_path / "work").iterdir()}
    assert kinds == {"chunk", "keys"}


def test_the_budget_ends_the_work_in_order(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", NAMES, [["1", "x", None]] * 5)
    source, options = opened(path, SourceOptions()), SourceOptions()
    here = outcome(lambda: encode_here(source, options, budget=Budget(1 << 20)))
    there = outcome(lambda: encode_files(PickledEngine(1), source, options, str(tmp_path / "work"), memory=1 << 20))
    for found in (here, there):
        assert isinstance(found, tuple) and found[0] is LimitError
        assert "over the budget of 1 MiB" in found[1] and "--memory" in found[1]


def test_steps_are_told(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", NAMES, [["1", "x", None]] * 5)
    steps: list[Any] = []
    encode_files(
        LocalEngine(1), opened(path, SourceOptions()), SourceOptions(), str(tmp_path / "w"), listener=steps.append
    )
    assert list(dict.fromkeys(s.stage for s in steps)) == ["reading", "sorting", "merging", "ranking"]
    assert all(steps[i].done <= steps[i].total for i in range(len(steps)))


def test_driver_never_sees_a_value(tmp_path: Path) -> None:
    """Parts that travel back are as small for long texts as for short ones."""
    import pickle

    sizes = []
    for length in (70, 70_000):
        path = write_csv(tmp_path / f"{length}.csv", ["a"], [[f"{i}{'x' * length}"] for i in range(20)])
        engine = Weighing()
        encode_files(engine, opened(path, SourceOptions()), SourceOptions(), str(tmp_path / f"work{length}"))
        sizes.append(engine.bytes)
    assert sizes[1] < sizes[0] + 1000
    assert json.dumps(sizes) and pickle.dumps(sizes)


class Weighing(LocalEngine):
    """Counts the bytes that come back from jobs."""

    def __init__(self) -> None:
        super().__init__(1)
        self.bytes = 0

    def stream(self, job: Any, shared: Any, units: Any) -> Any:
        import pickle

        for unit, part in super().stream(job, shared, units):
            self.bytes += len(pickle.dumps(part))
            yield unit, part
