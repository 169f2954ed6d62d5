"""A work folder, on a local path or behind any fsspec URL: small named files, written once, read whole."""

from __future__ import annotations

import os
import uuid
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast


def is_url(place: str) -> bool:
    """Whether ``place`` is for fsspec (``s3://…``, ``file://…``) and not a plain path."""
    return "://" in place


def unique(stem: str, suffix: str) -> str:
    """A name no other attempt at the same thing has: a retried or speculated task never meets its twin's file."""
    return f"{stem}-{uuid.uuid4().hex[:12]}{suffix}"


@dataclass(frozen=True)
class Folder:
    """Where the files of a run live. Picklable; fsspec is loaded only for a URL."""

    place: str

    def write(self, name: str, data: bytes) -> None:
        """Write ``data`` under ``name.part`` and rename it, so that a file under its final name is whole."""
        if is_url(self.place):
            files, root = self._remote
            files.makedirs(root, exist_ok=True)
            files.pipe_file(f"{root}/{name}.part", data)
            files.mv(f"{root}/{name}.part", f"{root}/{name}")
        else:
            os.makedirs(self.place, exist_ok=True)
            part = Path(self.place, f"{name}.part")
            part.write_bytes(data)
            os.replace(part, Path(self.place, name))

    def read(self, name: str) -> bytes:
        """All bytes of ``name``; OSError (FileNotFoundError where it is not there) as the file system raises it."""
        if is_url(self.place):
            files, root = self._remote
            return cast(bytes, files.cat_file(f"{root}/{name}"))
        return Path(self.place, name).read_bytes()

    def path(self, name: str) -> str:
        """The full path or URL of ``name``."""
        return f"{self.place.rstrip('/')}/{name}"

    def read_range(self, name: str, start: int, size: int) -> bytes:
        """``size`` bytes of ``name`` from byte ``start`` on."""
        if is_url(self.place):
            files, root = self._remote
            return cast(bytes, files.cat_file(f"{root}/{name}", start=start, end=start + size))
        with open(Path(self.place, name), "rb") as file:
            file.seek(start)
            return file.read(size)

    def remove(self, name: str) -> None:
        """Remove ``name``; one that is gone already is fine."""
        try:
            if is_url(self.place):
                files, root = self._remote
                files.rm_file(f"{root}/{name}")
            else:
                os.remove(Path(self.place, name))
        except FileNotFoundError:
            pass

    @cached_property
    def _remote(self) -> tuple[Any, str]:
        import fsspec

        files, root = fsspec.core.url_to_fs(self.place)
        return files, root.rstrip("/")

    def __getstate__(self) -> dict[str, str]:
        return {"place": self.place}
