"""What a search has settled so far, on disk: a run that was killed goes on from there.

A journal is a folder of numbered files, each with some blocks and their verdicts (arrays, no pickle), written under a
temporary name and renamed, and a manifest that says of which table and which plan they speak. To resume is to take the
verdicts in again: the lattice, the witnesses and the rules follow from them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from lawful.errors import InputError, SourceError
from lawful.search.lattice import Block
from lawful.search.validators import Verdict

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.search.walk import Walk

FORMAT: Final = 1
_PREFIX: Final = "search-"
EVERY: Final = 2.0
"""Seconds between two writes."""
_VERDICT: Final = (
    "free", "grow", "viol", "valid_fd", "valid_oc", "shared", "pairs", "counters", "fd_errors", "oc_errors"
)  # fmt: skip


class Journal:
    """The journal of one search under a work folder. ``resumed`` says that it holds verdicts of an earlier run."""

    def __init__(self, folder: Path, *, resumed: bool) -> None:
        self.folder = folder
        self.resumed = resumed
        self._pending: list[tuple[Block, Verdict]] = []
        self._written = time.monotonic()
        self._next = 1 + max((int(p.stem) for p in folder.glob("*.npz")), default=0)

    @classmethod
    def begin(cls, work_dir: str, table: Encoded, plan: dict[str, Any]) -> Journal:
        """A new journal, beside any others there."""
        identity = _identity(table, plan)
        folder = Path(work_dir, f"{_PREFIX}{identity['search'][:12]}-{os.getpid()}-{time.time_ns():x}")
        try:
            folder.mkdir(parents=True)
            write_file(folder / "manifest.json", json.dumps(identity, indent=1).encode())
        except OSError as problem:
            raise SourceError(
                f"The work folder {work_dir!r} cannot be written: {problem.strerror}.", hint="Name another --work-dir."
            ) from problem
        return cls(folder, resumed=False)

    @classmethod
    def resume(cls, work_dir: str, table: Encoded, plan: dict[str, Any]) -> Journal:
        """The newest journal of this very search; an error, with nothing touched, when there is none."""
        identity = _identity(table, plan)
        found = sorted(Path(work_dir).glob(f"{_PREFIX}*/manifest.json"), key=lambda p: p.stat().st_mtime, reverse=True)
        if not found:
            raise InputError(f"{work_dir!r} holds no search to resume.", hint="Run without --resume to begin one.")
        reasons = []
        for manifest in found:
            there = _read_manifest(manifest)
            odd = [what for what in ("format", "table", "search") if there.get(what) != identity[what]]
            reason = f"{odd[0]} is another" if odd else None
            if reason is None:
                return cls(manifest.parent, resumed=True)
            reasons.append(reason)
        raise InputError(
            f"No search in {work_dir!r} can be resumed with this table and these options: its {reasons[0]}.",
            hint="Use the same table and options, or run without --resume.",
        )

    def note(self, block: Block, verdict: Verdict) -> None:
        """Remember a verdict; it is on disk within a few seconds."""
        self._pending.append((block, verdict))
        if time.monotonic() - self._written > EVERY:
            self.flush()

    def flush(self) -> None:
        """Write what is pending."""
        if not self._pending:
            return
        arrays: dict[str, Any] = {}
        for i, (block, verdict) in enumerate(self._pending):
            arrays[f"{i}:size"] = np.array([block.size])
            arrays[f"{i}:sets"] = block.sets
            arrays |= {f"{i}:{name}": getattr(verdict, name) for name in _VERDICT}
        self._pending = []
        self.write(**arrays)

    def write(self, **arrays: Any) -> None:
        """Write the next file."""
        sink = io.BytesIO()
        np.savez(sink, **arrays)
        write_file(self.folder / f"{self._next:08d}.npz", sink.getvalue())
        self._next += 1
        self._written = time.monotonic()

    def keep(self, state: Callable[[], dict[str, Any]], *, now: bool = False) -> None:
        """Write the whole state of a search in place of what was written before, every few seconds or ``now``."""
        if now or time.monotonic() - self._written > EVERY:
            self.write(**state())
            (self.folder / f"{self._next - 2:08d}.npz").unlink(missing_ok=True)

    def kept(self) -> dict[str, Any] | None:
        """The state that was written last."""
        found = sorted(self.folder.glob("*.npz"))
        if not found:
            return None
        with np.load(found[-1], allow_pickle=False) as arrays:
            return dict(arrays.items())

    def replay(self, walk: Walk) -> int:
        """Take in every verdict that is on disk; how many contexts they settle."""
        settled: dict[int, list[Any]] = {}
        for path in sorted(self.folder.glob("*.npz")):
            with np.load(path, allow_pickle=False) as arrays:
                for i in range(sum(name.endswith(":size") for name in arrays.files)):
                    parts = {name: arrays[f"{i}:{name}"] for name in _VERDICT}
                    size, sets = int(arrays[f"{i}:size"][0]), arrays[f"{i}:sets"]
                    block = Block(0, size, sets, sets[:, :0], sets[:, :0])
                    walk.add(block, Verdict(number=0, **parts), known=False)
                    settled.setdefault(size, []).append(sets)
        for size, tried in settled.items():
            walk.lattice.skip(np.concatenate(tried), size)
        return sum(len(part) for tried in settled.values() for part in tried)

    def discard(self) -> None:
        """Remove the journal: the search is done. First the manifest, so that half a journal is never resumed."""
        (self.folder / "manifest.json").unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)


def _identity(table: Encoded, plan: dict[str, Any]) -> dict[str, Any]:
    state = hashlib.blake2b(digest_size=16)
    for column in table.ranks:
        state.update(np.ascontiguousarray(column).data)
    about = [[c.name, c.type.name, c.ranks, c.ordered] for c in table.columns]
    state.update(json.dumps([table.rows, table.nulls, about]).encode())
    search = hashlib.blake2b(json.dumps(plan, sort_keys=True).encode(), digest_size=16).hexdigest()
    return {"format": FORMAT, "table": state.hexdigest(), "search": search, "plan": plan}


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_file(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, and rename it when it is on disk."""
    part = path.with_suffix(path.suffix + ".part")
    with part.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
