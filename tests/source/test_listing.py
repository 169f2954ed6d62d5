"""Which files a name means, and in which order."""

from __future__ import annotations

import os
import pickle
import threading
import zipfile
from pathlib import Path

import fsspec
import pytest

import lawful
from lawful.errors import MissingError, SourceError
from lawful.options import SourceOptions
from lawful.source.finding import open_files
from lawful.source.listing import expand
from lawful.source.location import format_of, size_of
from tests.source.reading import read, refused, written


def below(folder: Path, *names: str | Path) -> list[str]:
    return [os.path.relpath(f.path, folder) for f in expand(list(names))]


def test_order_is_that_of_paths_as_text(tmp_path: Path) -> None:
    for name in ("b.csv", "a10.csv", "a9.csv", "B.csv", "sub/a.csv", "é.csv"):
        written(tmp_path / name, f"x\n{name}\n")
    expected = ["B.csv", "a10.csv", "a9.csv", "b.csv", "sub/a.csv", "é.csv"]
    assert below(tmp_path, tmp_path) == expected
    assert read(tmp_path) == {"x": expected}
    top = [n for n in expected if "/" not in n]
    assert below(tmp_path, tmp_path / "*.csv") == top
    assert below(tmp_path, tmp_path / "**" / "*.csv") == expected
    assert below(tmp_path, tmp_path / "b.csv", tmp_path / "a9.csv", tmp_path / "b.csv") == ["a9.csv", "b.csv"]


def test_a_name_with_wildcards_in_it_is_a_name_first(tmp_path: Path) -> None:
    written(tmp_path / "a[1].csv", "x\n1\n")
    written(tmp_path / "a1.csv", "x\n2\n")
    assert read(tmp_path / "a[1].csv") == {"x": [1]}


def test_hidden_files_are_left_out_of_folders(tmp_path: Path) -> None:
    for name in ("a.csv", ".b.csv.crc", "_SUCCESS", "_log/c.csv", ".git/d.csv", "_k=1/e.csv"):
        written(tmp_path / name, "x\n1\n")
    assert below(tmp_path, tmp_path) == ["_k=1/e.csv", "a.csv"]
    assert below(tmp_path, tmp_path / "_SUCCESS") == ["_SUCCESS"]


@pytest.mark.parametrize("url", [False, True])
def test_folders_tell_columns_below_what_was_named(tmp_path: Path, url: bool) -> None:
    root = tmp_path / "run=5"
    for year, state in (("2020", "N%20Y"), ("2021", "__HIVE_DEFAULT_PARTITION__")):
        written(root / f"year={year}" / f"state={state}" / "a.csv", f"x\n{year[-1]}\n")
    base = f"memory://{root}" if url else str(root)
    if url:
        fsspec.filesystem("memory").put(str(root), str(root), recursive=True)
    full = {"x": [0, 1], "year": [2020, 2021], "state": ["N Y", None]}
    assert read(base) == full
    assert read(base + "/year=*/*/*.csv") == full
    assert read(base + "/year=2021/*/*.csv") == {"x": [1], "state": [None]}
    assert read(base + "/year=2021/state=__HIVE_DEFAULT_PARTITION__/a.csv") == {"x": [1]}
    assert read(base, columns=["year"]) == {"year": [2020, 2021]}
    if not url:
        assert read(base + "/year=*") == full


def test_a_folder_s_column_outranks_the_file_s(tmp_path: Path) -> None:
    written(tmp_path / "k=7" / "a.csv", "x,k\n1,2\n")
    assert read(tmp_path) == {"x": [1], "k": [7]}


def test_urls(tmp_path: Path) -> None:
    path = written(tmp_path / "a b.csv", "x,y\n1,2\n")
    assert read(f"file://{path}") == {"x": [1], "y": [2]}
    memory = fsspec.filesystem("memory")
    for name in ("one", "two"):
        memory.pipe(f"/urls/{name}.csv", f"x\n{name}\n".encode())
    memory.pipe("/urls/.hidden.csv", b"y\n1\n")
    assert read("memory://urls/one.csv") == {"x": ["one"]}
    assert read("memory://urls/*.csv") == {"x": ["one", "two"]}
    assert read("memory://urls") == {"x": ["one", "two"]}
    assert size_of("memory://urls/one.csv") == 6
    assert "There is nothing at 'memory://urls/none.csv'" in refused(SourceError, "memory://urls/none.csv")
    assert "There is nothing at 'memory://urls/*.orc'" in refused(SourceError, "memory://urls/*.orc")
    assert "There is no file" in refused(SourceError, f"file://{tmp_path}/none.csv")
    assert "is no address known here" in refused(SourceError, "nonsense://x.csv")


def test_urls_of_packed_and_columnar_files(tmp_path: Path) -> None:
    import gzip

    import pyarrow as pa
    import pyarrow.parquet as pq

    memory = fsspec.filesystem("memory")
    memory.pipe("/packed/a.csv.gz", gzip.compress(b"x\n1\n"))
    assert read("memory://packed/a.csv.gz") == {"x": [1]}
    pq.write_table(pa.table({"x": [1, 2]}), tmp_path / "a.parquet")
    memory.put(str(tmp_path / "a.parquet"), "/packed/a.parquet")
    assert read("memory://packed/a.parquet") == {"x": [1, 2]}


def test_files_in_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("d/one.csv", "x\n1\n")
        archive.writestr("d/two.csv", "x\n2\n")
    assert read(f"zip://d/two.csv::file://{tmp_path}/a.zip") == {"x": [2]}
    assert read(f"zip://d/*.csv::file://{tmp_path}/a.zip") == {"x": [1, 2]}
    assert "compressed" in refused(SourceError, tmp_path / "a.zip")


def test_a_protocol_whose_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(url: str) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", absent)
    assert "needs another package: Install s3fs to access S3." in refused(MissingError, "s3://bucket/a.csv")


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.CSV", "csv"),
        ("a.csv.gz", "csv"),
        ("a.tab", "tsv"),
        ("a.gz", None),
        ("a", None),
        ("zip://a.orc::x.zip", "orc"),
    ],
)
def test_endings(name: str, format: str | None) -> None:
    assert format_of(name) == format


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("x,y\n1,2\n",), daemon=True)
    writer.start()
    assert read(path) == {"x": [1], "y": [2]}
    writer.join(5)


def test_a_source_travels(tmp_path: Path) -> None:
    """Tasks get the source, and read it from another folder by absolute names."""
    written(tmp_path / "k=1" / "a.csv", "x\n1\n")
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        source = open_files(".", SourceOptions())
        sent = pickle.loads(pickle.dumps(source.absolute()))
    finally:
        os.chdir(before)
    assert [b.to_pydict() for p in sent.pieces for b in sent.read(p)] == [{"x": ["1"], "k": ["1"]}]


def test_many_files(tmp_path: Path) -> None:
    for i in range(1500):
        written(tmp_path / f"{i:04}.csv", f"x,y\n{i},a\n")
    table = lawful.encode(tmp_path, engine="local")
    assert table.cells("x", [0, 1499]) == [0, 1499]
