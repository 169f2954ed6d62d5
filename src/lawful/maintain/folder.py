"""The folder of a state: files that are written once under a temporary name and renamed, and one lock for writers.

``data/`` holds what versions are made of, ``versions/`` one manifest a version. A version exists from the moment its
manifest has its name; whatever else a killed writer left behind belongs to no version and is swept by the next one.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec

from lawful.errors import StateError

DATA, VERSIONS, LOCK, BATCHES, WORK = "data", "versions", "lock", "batches.json", "work"
_FILE = re.compile(r"(rows|rules|delta)-(\d{8})-\w+\.\w+")
_MANIFEST = re.compile(r"(\d{8})\.json")


class Piece(msgspec.Struct, frozen=True):
    """A file of a version: its name in ``data/``, how many bytes it has, the SHA-256 of them."""

    name: str
    bytes: int
    sha256: str


class StateFolder:
    """The files of one state."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if "://" in os.fspath(path):
            raise StateError(
                f"{os.fspath(path)} is a URL; a state lives in a folder of a file system.",
                hint="Name a folder of this machine, or of a file system that is mounted here.",
            )
        self.root = Path(path)

    def __str__(self) -> str:
        return str(self.root)

    def make(self) -> None:
        """Make the folder; one that holds anything but the remains of an unfinished beginning is refused."""
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            found = {entry.name for entry in self.root.iterdir()}
            if found - {DATA, VERSIONS, LOCK, BATCHES, f".{BATCHES}.tmp", WORK} or self.versions():
                what = "holds a state already" if self.versions() else "is not empty"
                raise StateError(f"{self} {what}.", hint="Name a folder that is new or empty.")
            for name in (DATA, VERSIONS):
                (self.root / name).mkdir(exist_ok=True)
        except OSError as error:
            raise self.unwritable(error) from error

    def versions(self) -> list[int]:
        """The versions that were committed, ascending."""
        with suppress(FileNotFoundError, NotADirectoryError):
            names = (_MANIFEST.fullmatch(entry.name) for entry in (self.root / VERSIONS).iterdir())
            return sorted(int(name[1]) for name in names if name)
        return []

    def manifest(self, version: int) -> Path:
        """Where the manifest of a version is, or would be."""
        return self.root / VERSIONS / f"{version:08d}.json"

    def path(self, name: str) -> Path:
        """Where a file of a version is."""
        return self.root / DATA / name

    def write(self, stem: str, suffix: str, fill: Callable[[IO[bytes]], None]) -> Piece:
        """Write a new file of ``data/``; its name is not used by any other attempt."""
        target = self.path(f"{stem}-{os.urandom(6).hex()}{suffix}")
        hashed = _whole(target, fill, self)
        return Piece(target.name, hashed.size, hashed.digest.hexdigest())

    def commit(self, version: int, content: bytes) -> None:
        """Give a version its manifest: the one moment in which it comes to be."""
        _whole(self.manifest(version), lambda out: _put(out, content), self)

    @property
    def batches(self) -> Path:
        """Where the index of batch ids is, or would be."""
        return self.root / BATCHES

    @property
    def work(self) -> str:
        """Where the workers of a cluster find rows to compare, if the state lies where they reach it."""
        return str((self.root / WORK).absolute())

    def note_batches(self, content: bytes) -> None:
        """Write the index of batch ids in the place of the one before."""
        _whole(self.batches, lambda out: _put(out, content), self)

    def verified(self, piece: Piece) -> Path:
        """The path of a file, after its size and checksum were found to be right; O(bytes)."""
        path = self.path(piece.name)
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except FileNotFoundError:
            raise Missing(f"{path} of the state is missing.", hint=_BACKUP) from None
        except OSError as error:
            raise StateError(f"{path} of the state cannot be read: {error.strerror}.", hint=_BACKUP) from error
        if size != piece.bytes:
            raise StateError(f"{path} is damaged: it has {size:,} bytes and had {piece.bytes:,}.", hint=_BACKUP)
        if digest != piece.sha256:
            raise StateError(f"{path} is damaged: its checksum is not the one it was written with.", hint=_BACKUP)
        return path

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other writers out. The system lets go of the lock when this process ends, however it ends."""
        try:
            handle = os.open(self.root / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise self.unwritable(error) from error
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    raise self.unwritable(error) from error
                raise InUse(
                    f"Another process is writing to the state {self}.",
                    hint="Try again when it is done; readers need not wait.",
                ) from None
            yield
        finally:
            os.close(handle)

    def sweep(self, segments: set[str], newest: int) -> None:
        """Remove what belongs to no version: what killed writers left, and segments that are none of these."""
        for entry in (self.root / DATA).iterdir():
            known = _FILE.fullmatch(entry.name)
            kept = entry.name in segments or (known and known[1] != "rows" and int(known[2]) <= newest)
            if not kept:
                _remove(entry)
        for entry in (self.root / VERSIONS).iterdir():
            if not _MANIFEST.fullmatch(entry.name):
                _remove(entry)
        shutil.rmtree(self.root / WORK, ignore_errors=True)

    def unwritable(self, error: OSError) -> StateError:
        """What to say of a folder that cannot be written."""
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        hint = "Free some space; nothing of this batch was applied." if full else "Name a folder that you may write to."
        return StateError(f"The state {self} cannot be written: {error.strerror or error}.", hint=hint)


_BACKUP = "See: lawful state check DIR, which says what is whole and how to go back to it."


def _remove(entry: Path) -> None:
    with suppress(OSError):
        entry.unlink()


class InUse(StateError):
    """Another process is writing to the state."""


class Missing(StateError):
    """A file of a version that is not there (any more)."""


class _Hashed:
    """A file that is hashed while it is written."""

    closed = False

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest, self.size = hashlib.sha256(), 0

    def write(self, data: bytes) -> int:
        self.digest.update(data)
        size = memoryview(data).nbytes
        self.size += size
        self._file.write(data)
        return size

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self.closed = True


def _put(out: IO[bytes], content: bytes) -> None:
    out.write(content)


def _whole(target: Path, fill: Callable[[IO[bytes]], None], folder: StateFolder) -> _Hashed:
    """Write under a temporary name, force to disk, rename, force the name to disk."""
    draft = target.with_name(f".{target.name}.tmp")
    try:
        with draft.open("wb") as file:
            hashed = _Hashed(file)
            fill(hashed)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
        handle = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        raise folder.unwritable(error) from error
    return hashed
