"""Files that arrive in a folder: which are whole and to be read, which are still being written.

A file's name is the name of its batch, so that each is applied once, whoever asks and however often. What names a file
that is not yet one (hidden, ``_`` before it, ``.tmp`` and the like behind it) is left alone, and so is a file whose
size or time changed within the last seconds.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from lawful.errors import SourceError

UNFINISHED = (".tmp", ".temp", ".part", ".partial", ".crdownload", ".download", ".swp", ".lock", "~")
"""How names end that programs give to files they have not finished."""

Signature: TypeAlias = tuple[int, int]


@dataclass
class Arrivals:
    """A folder that is looked into again and again; ``settle``: seconds for which a file has to stay as it is.

    ``clock`` tells the time as the files' system does.
    """

    folder: Path
    settle: float
    clock: Callable[[], float] = time.time
    _seen: dict[str, tuple[Signature, float]] = field(default_factory=dict)
    _refused: dict[str, Signature] = field(default_factory=dict)

    def look(self, known: Collection[str]) -> tuple[list[str], list[str]]:
        """The names of whole files that are not known, by name; and of those that may still grow. O(files)."""
        ready: list[str] = []
        growing: list[str] = []
        there = dict(self._files())
        self._seen = {name: seen for name, seen in self._seen.items() if name in there}
        for name in sorted(set(there) - set(known)):
            if self._refused.get(name) != there[name]:
                (ready if self._settled(name, there[name]) else growing).append(name)
        return ready, growing

    def refuse(self, name: str) -> None:
        """Pass over a file until it changes."""
        signature = dict(self._files()).get(name)
        if signature is not None:
            self._refused[name] = signature

    def changed(self, applied: dict[str, str]) -> list[str]:
        """Of the files that were applied, each with when (ISO 8601), those written to since; each is told once."""
        late = []
        for name, (_, written) in self._files():
            if name in applied and self._refused.get(name) != (0, written):
                self._refused[name] = (0, written)
                if written / 1e9 >= datetime.fromisoformat(applied[name]).timestamp() + 1:
                    late.append(name)
        return sorted(late)

    def path(self, name: str) -> str:
        """Where a file is."""
        return str(self.folder / name)

    def _files(self) -> Iterator[tuple[str, Signature]]:
        """The files of the folder itself with size and time of writing in nanoseconds."""
        try:
            with os.scandir(self.folder) as entries:
                for entry in entries:
                    if entry.name.startswith((".", "_")) or entry.name.lower().endswith(UNFINISHED):
                        continue
                    try:
                        found = entry.stat()
                    except OSError:
                        continue  # it went, or its link leads nowhere
                    if stat.S_ISREG(found.st_mode):
                        yield entry.name, (found.st_size, found.st_mtime_ns)
        except OSError as error:
            message = f"The folder {str(self.folder)!r} cannot be looked into: {error.strerror}."
            raise SourceError(message, hint="Name a folder that is there and that you may read.") from error

    def _settled(self, name: str, signature: Signature) -> bool:
        now = self.clock()
        if self._seen.get(name, (None, 0.0))[0] != signature:
            self._seen[name] = signature, now
        quiet = now - signature[1] / 1e9
        return quiet >= self.settle or now - self._seen[name][1] >= self.settle
