from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lawful
from lawful.errors import ColumnError
from lawful.options import SourceOptions
from lawful.ranks.encode import encode_here
from lawful.ranks.encoded import Encoded
from lawful.ranks.places import origins_of
from lawful.source.frames import FrameSource
from tests.made import as_arrow, random_tables
from tests.naive import ranks as naive_ranks
from tests.profiles import examples
from tests.ranks.both import assert_same, opened, shown


def _encoded(table: pa.Table, **options: Any) -> Encoded:
    return encode_here(FrameSource("frame", table), SourceOptions(**options))


@pytest.mark.parametrize("nulls", ["first", "last"])
def test_frames_rank_as_defined(nulls: Any) -> None:
    for table in random_tables(3, examples(150), max_rows=12):
        found = _encoded(as_arrow(table), nulls=nulls)
        assert found.ranks.tolist() == naive_ranks(table, nulls)
        for name in table.names:
            cells = found.cells(name, range(len(table)))
            assert all(a == b or (a != a and b != b) for a, b in zip(cells, table.column(name), strict=True))


def test_frames_of_all_kinds_equal_their_parquet_file(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    for number, table in enumerate(random_tables(4, examples(15), min_rows=1, max_rows=12)):
        arrow = as_arrow(table)
        pq.write_table(arrow, tmp_path / f"{number}.parquet")
        stored = lawful.encode(tmp_path / f"{number}.parquet", engine="local")
        for frame in (arrow, arrow.to_pandas(types_mapper=_arrow_backed()), polars.from_arrow(arrow)):
            found = lawful.encode(frame)
            assert [c.type.name for c in found.columns] == [c.type.name for c in stored.columns]
            assert [(c.distinct, c.nulls, c.null_rank) for c in found.columns] == [
                (c.distinct, c.nulls, c.null_rank) for c in stored.columns
            ]
            assert found.ranks.tolist() == stored.ranks.tolist()
            every = range(found.rows)
            assert all(shown(found.cells(n, every)) == shown(stored.cells(n, every)) for n in found.names)


def _arrow_backed() -> Any:
    import pandas as pd

    return pd.ArrowDtype


def test_categories_of_polars_and_pandas() -> None:
    import pandas as pd
    import polars as pl

    words = ["b", None, "a", "c", "b"]
    frames = [
        pl.DataFrame({"w": pl.Series(words, dtype=pl.Categorical)}),
        pl.DataFrame({"w": pl.Series(words, dtype=pl.Enum(["c", "b", "a"]))}),
        pl.DataFrame({"w": words}),
        pd.DataFrame({"w": pd.Categorical(words, ["c", "b", "a"], ordered=True)}),
        pd.DataFrame({"w": words}),
    ]
    for frame in frames:
        assert lawful.encode(frame).ranks.tolist() == [[2, 0, 1, 3, 2]]


def test_spellings_of_one_value_are_shown_as_one() -> None:
    table = _encoded(pa.table({"f": [-0.0, 0.0], "n": [[-0.0], [0.0]]}))
    assert shown(table.cells("f", [0, 1])) == ["0.0", "0.0"]
    assert table.cells("n", [0, 1]) == ["[0.0]", "[0.0]"]


def test_ranks_are_read_only_and_contiguous() -> None:
    table = _encoded(pa.table({"a": [1, 2], "b": ["x", None]}))
    assert table.ranks.dtype == np.int32 and table.ranks.flags.c_contiguous and not table.ranks.flags.writeable
    assert table.ranks.tolist() == [[0, 1], [1, 0]]


def test_unknown_columns() -> None:
    table = _encoded(pa.table({"salary": [1]}))
    with pytest.raises(ColumnError, match=r"no column 'salry'\. Did you mean 'salary'\?"):
        table.cells("salry", [0])
    for options in ({"types": {"salry": "integer"}}, {"order": {"salry": ("1",)}}):
        with pytest.raises(ColumnError, match=r"'salry', which is not there\. Did you mean 'salary'\?"):
            _encoded(pa.table({"salary": [1]}), **options)


def test_rows_have_the_names_of_their_files(tmp_path: Path) -> None:
    for name, text in {"0.csv": "a,b\n1,2\n\n3\n5,6\n", "1.csv": "a,b\n", "2.csv": "a,b\n7,8\n"}.items():
        (tmp_path / name).write_text(text)
    options = SourceOptions(bad_rows="skip")
    table = encode_here(opened(sorted(tmp_path.glob("*.csv")), options), options)
    assert [table.row_name(r) for r in range(3)] == [f"{tmp_path}/{n}" for n in ("0.csv:1", "0.csv:2", "2.csv:1")]
    assert [o.rows for o in table.origins] == [2, 1]


def test_rows_of_frames_have_their_position() -> None:
    assert _encoded(pa.table({"a": [1, 2]})).row_name(1) == "2"
    with pytest.raises(ColumnError, match="'frame', row 2, column 'a': 'x' is no integer"):
        _encoded(pa.table({"a": ["1", "x"]}), types={"a": "integer"})


def test_origins_join_the_pieces_of_a_file() -> None:
    found = origins_of([("a", 2), ("b", 0), ("c", 1), ("c", 3)])
    assert [(o.path, o.start, o.rows, o.record) for o in found] == [("a", 0, 2, 1), ("c", 2, 4, 1)]


def test_a_single_column_keeps_its_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('a\n1\n\n""\n')
    table = encode_here(opened(path, SourceOptions()), SourceOptions())
    assert table.cells("a", range(3)) == ["1", None, ""]


def test_dates_in_three_formats_leading_zeros_and_strings(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("i,s,g,z,u\n2024-02-29,02/29/2024,29.02.2024,01,é\n2023-12-31,12/31/2023,31.12.2023,1,z\n")
    table = encode_here(opened(path, SourceOptions()), SourceOptions())
    assert [c.type.name for c in table.columns] == ["date", "date", "date", "string", "string"]
    assert table.ranks.tolist() == [[1, 0], [1, 0], [1, 0], [0, 1], [1, 0]]


def test_the_same_table_twice(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": ["x", None, "y"] * 9}), tmp_path / "a.parquet", row_group_size=4)
    one, two = (encode_here(opened(tmp_path / "a.parquet", SourceOptions()), SourceOptions()) for _ in range(2))
    assert_same(one, two)
