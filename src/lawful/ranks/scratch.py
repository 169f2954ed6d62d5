"""This host's scratch folder: files that all its processes share, each made once, under a lock.

The lock is ``flock``, which the kernel drops when its holder dies, so a killed process never blocks the next one.
Where ``fcntl`` is missing (Windows) there is no lock: two processes may both make a file, each under its own
temporary name, and the first rename stands. That costs time and disk for a moment, never a wrong file.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lawful.errors import SourceError

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

KEEP_SECONDS = 7 * 24 * 3600.0
"""How long an entry nobody opened is kept."""


def scratch_folder() -> Path:
    """``$LAWFUL_SCRATCH``, else ``lawful-<uid>`` in the temporary folder, made with mode 0700 where it is missing."""
    chosen = os.environ.get("LAWFUL_SCRATCH")
    folder = Path(chosen) if chosen else Path(tempfile.gettempdir(), f"lawful-{_uid()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not chosen:
        _refuse_strangers(folder)
    return folder


def entry(name: str, make: Callable[[Path], None]) -> Path:
    """The path of entry ``name``, which ``make(path)`` fills if this host does not have it yet.

    One process at a time makes it, under a temporary name that is then renamed; the others wait and use the result.
    Making one also removes what no one opened for ``KEEP_SECONDS``.
    """
    folder = scratch_folder()
    final = folder / name
    if _touch(final):
        return final
    with _locked(folder / f"{name}.lock"):
        if not _touch(final):
            sweep(folder)
            _clear_halves(final)
            _make(folder, final, make)
    return final


def sweep(folder: Path, keep_seconds: float = KEEP_SECONDS) -> None:
    """Remove entries, and what a killed process left half made, that were last used ``keep_seconds`` ago or earlier.

    An entry that is mapped somewhere stays readable there; one whose lock is held is left alone.
    """
    oldest = time.time() - keep_seconds
    for path in list(folder.iterdir()):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                _remove_unlocked(path)


def forget(name: str) -> None:
    """Remove entry ``name`` from this host."""
    folder = scratch_folder()
    with _locked(folder / f"{name}.lock"):
        (folder / name).unlink(missing_ok=True)
        (folder / f"{name}.lock").unlink(missing_ok=True)


def _clear_halves(final: Path) -> None:
    """Remove what killed makers of ``final`` left; we hold its lock, so nobody is making it now."""
    if fcntl is not None:
        for half in final.parent.glob(f"{final.name}-*.part"):
            half.unlink(missing_ok=True)


def _make(folder: Path, final: Path, make: Callable[[Path], None]) -> None:
    handle, part = tempfile.mkstemp(prefix=f"{final.name}-", suffix=".part", dir=folder)
    os.close(handle)
    try:
        make(Path(part))
        _settle(Path(part), final)
    finally:
        Path(part).unlink(missing_ok=True)


def _settle(part: Path, final: Path) -> None:
    try:
        os.replace(part, final)
    except PermissionError:  # Windows, where a mapped file cannot be replaced: then it is there, and equal
        if not final.exists():
            raise


def _touch(path: Path) -> bool:
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    return True


@contextlib.contextmanager
def _locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    if fcntl is None:
        yield
        return
    handle = _acquire(path, wait)
    try:
        yield
    finally:
        os.close(handle)


def _acquire(path: Path, wait: bool) -> int:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _same_file(handle, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # its holder removed the file while we waited: a lock on it excludes nobody


def _same_file(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _remove_unlocked(path: Path) -> None:
    lock = path if path.suffix == ".lock" else path.with_name(f"{path.name}.lock")
    with _locked(lock, wait=False):
        path.unlink(missing_ok=True)
        lock.unlink(missing_ok=True)


def _uid() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _refuse_strangers(folder: Path) -> None:
    """In a temporary folder that everyone may write to, someone else could have put it there first."""
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and found.st_uid != os.getuid()):
        raise SourceError(
            f"The scratch folder {folder} is not a folder of your own.",
            hint="Set LAWFUL_SCRATCH to a folder of your own.",
        )
    if hasattr(os, "getuid") and stat.S_IMODE(found.st_mode) & 0o077:
        folder.chmod(0o700)
