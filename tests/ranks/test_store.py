"""Rank columns on disk: whole or not at all, copied once a host, and damage is seen."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.errors import SourceError
from lawful.ranks import scratch as scratch_module
from lawful.ranks import store as store_module
from lawful.ranks.folder import Folder, unique
from lawful.ranks.store import Chunk, Ranks, Store, read_chunk, write_chunk, write_store

spawn = multiprocessing.get_context("spawn")


@pytest.fixture
def own_scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A scratch folder for one test."""
    folder = tmp_path / "scratch"
    monkeypatch.setenv("LAWFUL_SCRATCH", str(folder))
    yield folder


def some_ranks(width: int = 3, rows: int = 50, seed: int = 0) -> Ranks:
    return np.random.default_rng(seed).integers(0, 1000, size=(width, rows), dtype=np.int32)


@pytest.fixture(params=["path", "url"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "work") if request.param == "path" else f"file://{tmp_path}/work"


@pytest.mark.parametrize("chunk_rows", [1, 7, 50, 60, None])
def test_what_was_written_is_what_is_mapped(place: str, own_scratch: Path, chunk_rows: int | None) -> None:
    ranks = some_ranks()
    store = write_store(place, ranks, chunk_rows)
    mapped = store.open()
    assert np.array_equal(mapped, ranks)
    assert (mapped.dtype, mapped.shape, type(mapped)) == (np.int32, (3, 50), np.ndarray)
    assert mapped.flags.c_contiguous
    assert not mapped.flags.writeable
    assert (store.rows, store.width) == (50, 3)
    assert sum(chunk.rows for chunk in store.chunks) == 50


@given(st.integers(0, 5), st.integers(0, 30), st.integers(1, 40), st.booleans())
def test_any_shape(tmp_path_factory: pytest.TempPathFactory, width: int, rows: int, step: int, fortran: bool) -> None:
    ranks = np.asarray(some_ranks(width, rows, seed=width * 100 + rows), order="F" if fortran else "C")
    store = write_store(tmp_path_factory.mktemp("any"), ranks, step)
    assert store.open().shape == (width, rows)
    assert np.array_equal(store.open(), ranks)
    store.discard()


def test_other_numbers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        write_chunk(tmp_path, 0, np.zeros((1, 1), np.int64))  # type: ignore[arg-type]


def test_chunks_may_be_written_in_any_order_and_several_times(tmp_path: Path, own_scratch: Path) -> None:
    """What a retried task leaves behind is not part of the store; the order is that of the list."""
    ranks = some_ranks()
    late = write_chunk(tmp_path, 1, ranks[:, 20:])
    lost = write_chunk(tmp_path, 0, ranks[:, :20])
    early = write_chunk(tmp_path, 0, ranks[:, :20])
    assert lost.name != early.name
    assert np.array_equal(Store.of(tmp_path, [early, late], 3).open(), ranks)


def test_a_store_pickles_small(tmp_path: Path) -> None:
    store = write_store(tmp_path, some_ranks(10, 10_000), 1000)
    data = pickle.dumps(store)
    assert pickle.loads(data) == store
    assert len(data) < 2000


def test_equal_tables_share_a_copy_and_others_do_not(tmp_path: Path, own_scratch: Path) -> None:
    one, two = (write_store(tmp_path / name, some_ranks(), 10) for name in "ab")
    other = write_store(tmp_path / "c", some_ranks(seed=1), 10)
    turned = write_store(tmp_path / "d", np.ascontiguousarray(some_ranks().T), 10)
    assert one.key == two.key
    assert len({one.key, other.key, turned.key}) == 3
    for store in (one, two, other):
        store.open()
    assert len(list(own_scratch.glob("*.ranks"))) == 2


def test_one_array_per_process(tmp_path: Path, own_scratch: Path) -> None:
    store = write_store(tmp_path, some_ranks())
    assert store.open() is store.open()
    assert pickle.loads(pickle.dumps(store)).open() is store.open()


def damaged(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "missing":
        path.unlink()
    elif how == "truncated":
        path.write_bytes(data[:-4])
    else:
        path.write_bytes(data[:8] + bytes([data[8] ^ 1]) + data[9:])


@pytest.mark.parametrize(("how", "text"), [("missing", "cannot be read"), ("truncated", "damaged"), ("bit", "damaged")])
def test_damage_is_named(place: str, own_scratch: Path, how: str, text: str) -> None:
    store = write_store(place, some_ranks(), 20)
    damaged(Path(place.removeprefix("file://")) / store.chunks[1].name, how)
    with pytest.raises(SourceError, match=f"{store.chunks[1].name} .*{text}") as caught:
        store.open()
    assert caught.value.hint
    assert list(own_scratch.glob("*.ranks")) == list(own_scratch.glob("*.part")) == []


def test_a_chunk_that_is_read_alone(tmp_path: Path) -> None:
    chunk = write_chunk(tmp_path, 3, some_ranks()[:, 5:9])
    assert chunk == Chunk(chunk.name, 4, chunk.checksum)
    assert np.array_equal(read_chunk(tmp_path, chunk, 3), some_ranks()[:, 5:9])


def test_a_name_that_is_taken_is_replaced_whole(place: str) -> None:
    """Names do not collide, but if one did, a reader would see one file or the other."""
    folder = Folder(place)
    folder.write("a", b"first")
    folder.write("a", b"second")
    assert folder.read("a") == b"second"
    assert len(list(Path(place.removeprefix("file://")).iterdir())) == 1
    folder.remove("a")
    folder.remove("a")
    with pytest.raises(FileNotFoundError):
        folder.read("a")


def test_unique_names_differ() -> None:
    assert len({unique("a", ".b") for _ in range(100)}) == 100


def test_discard_removes_everything_but_what_is_open(place: str, own_scratch: Path) -> None:
    store = write_store(place, some_ranks(), 20)
    mapped = store.open()
    store.discard()
    assert np.array_equal(mapped, some_ranks())
    assert list(own_scratch.iterdir()) == list(Path(place.removeprefix("file://")).iterdir()) == []
    with pytest.raises(SourceError):
        store.open()
    store.discard()


def open_and_report(store: Store, barrier: object, results: object) -> None:
    barrier.wait()  # type: ignore[attr-defined]
    array = store.open()
    results.put((int(array.sum(dtype=np.int64)), os.stat(next(scratch_of(store))).st_ino))  # type: ignore[attr-defined]


def scratch_of(store: Store) -> Iterator[Path]:
    yield Path(os.environ["LAWFUL_SCRATCH"]) / f"{store.key}.ranks"


def test_many_processes_make_one_copy(tmp_path: Path, own_scratch: Path) -> None:
    ranks = some_ranks(20, 50_000)
    store = write_store(tmp_path / "work", ranks, 5000)
    barrier, results = spawn.Barrier(4), spawn.Queue()
    workers = [spawn.Process(target=open_and_report, args=(store, barrier, results)) for _ in range(4)]
    for worker in workers:
        worker.start()
    answers = [results.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join(60)
    assert {total for total, _ in answers} == {int(ranks.sum(dtype=np.int64))}
    assert len({inode for _, inode in answers}) == 1
    assert sorted(path.suffix for path in own_scratch.iterdir()) == [".lock", ".ranks"]


STUCK = """
import pickle, sys, time
from lawful.ranks import store as module
def stuck(self, out, at, block):
    out.write(b"half"); out.flush()
    print("in the middle", flush=True)
    time.sleep(60)
module.Store._place = stuck
pickle.loads(sys.stdin.buffer.read()).open()
"""


def test_a_process_killed_while_copying_stops_nobody(tmp_path: Path, own_scratch: Path) -> None:
    store = write_store(tmp_path / "work", some_ranks())
    with subprocess.Popen([sys.executable, "-c", STUCK], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(pickle.dumps(store))
        process.stdin.close()
        assert process.stdout.readline() == b"in the middle\n"
        assert len(list(own_scratch.glob("*.part"))) == 1
        process.send_signal(signal.SIGKILL)
    assert np.array_equal(store.open(), some_ranks())
    assert list(own_scratch.glob("*.part")) == []


def test_without_locks_it_works_too(tmp_path: Path, own_scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch_module, "fcntl", None)
    store = write_store(tmp_path / "work", some_ranks())
    assert np.array_equal(store.open(), some_ranks())
    assert [path.suffix for path in own_scratch.iterdir()] == [".ranks"]


def test_what_nobody_used_for_long_is_removed(tmp_path: Path, own_scratch: Path) -> None:
    old, used = (write_store(tmp_path / str(seed), some_ranks(seed=seed)) for seed in (1, 2))
    kept = old.open()
    used.open()
    half = own_scratch / "other.ranks-x.part"
    half.touch()
    long_ago = time.time() - 30 * 24 * 3600
    for path in own_scratch.iterdir():
        os.utime(path, (long_ago, long_ago))
    store_module._open.cache_clear()
    used.open()  # which counts as use
    write_store(tmp_path / "3", some_ranks(seed=3)).open()
    assert not (own_scratch / f"{old.key}.ranks").exists()
    assert not half.exists()
    assert (own_scratch / f"{used.key}.ranks").exists()
    assert np.array_equal(kept, some_ranks(seed=1))
    assert np.array_equal(old.open(), some_ranks(seed=1))


def test_a_full_disk_is_told(tmp_path: Path, own_scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    store = write_store(tmp_path / "work", some_ranks())
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(SourceError, match="No space left on device") as caught:
        store.open()
    assert "LAWFUL_SCRATCH" in (caught.value.hint or "")


def test_the_default_scratch_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LAWFUL_SCRATCH")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = scratch_module.scratch_folder()
    assert folder == tmp_path / f"lawful-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o777)
    assert scratch_module.scratch_folder().stat().st_mode & 0o777 == 0o700
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SourceError, match="not a folder of your own"):
        scratch_module.scratch_folder()


def test_a_lock_on_a_removed_file_is_no_lock(tmp_path: Path) -> None:
    """The holder removes the lock file while another waits for it: the waiter must not believe it holds the new one."""
    path = tmp_path / "x.lock"
    first = scratch_module._acquire(path, wait=True)
    with pytest.raises(BlockingIOError):
        scratch_module._acquire(path, wait=False)
    path.unlink()
    second = scratch_module._acquire(path, wait=False)
    assert os.path.samestat(os.fstat(second), path.stat())
    os.close(first)
    os.close(second)


def test_local_paths_need_no_fsspec() -> None:
    code = (
        "import sys, tempfile, numpy as np; from lawful.ranks.store import write_store; "
        "write_store(tempfile.mkdtemp(), np.zeros((1, 2), np.int32)).open(); "
        "print('fsspec' in sys.modules, 'pyarrow' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["False", "False"], done.stderr
