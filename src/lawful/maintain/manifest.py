"""The manifest of a version: what the state is, which files it consists of, and which batch made it.

JSON with a checksum over itself. Its first field names the format; another one is refused by that name.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec

from lawful.errors import OptionError, StateError
from lawful.maintain.folder import Missing, Piece, StateFolder

FORMAT = 1
KINDS = ("fd", "key")
MARKED = ("oc", "pod", "dc")
"""The kinds that follow from agree sets, and those that need the order of values too."""
MARKED_BY_ROWS = "pod"
"""The kind of these that exact rules can be followed of without signatures of all pairs."""
AGREE = "agree"
"""Asked for instead of kinds: no rules, agree sets alone."""


class StoredColumn(msgspec.Struct, frozen=True):
    """A column: its name, its type as rules and profiles call it, and whether its timestamps have a zone."""

    name: str
    type: str
    zoned: bool = False


class Made(msgspec.Struct, frozen=True):
    """How a version came to be: the batch, what it did, and when. ``digest`` is of the rows the batch was given."""

    batch: str
    digest: str
    at: str
    inserted: int = 0
    deleted: int = 0
    added: int = 0
    removed: int = 0
    counting: str = "batch"


class Options(msgspec.Struct, frozen=True):
    """What a state follows, and how its rows are named and its sources read."""

    kinds: tuple[str, ...] = KINDS
    max_error: float = 0.0
    measure: str | None = None
    max_size: int | None = None
    row_key: tuple[str, ...] = ()
    deletes: bool = True
    nulls: str = "first"
    null_values: tuple[str, ...] = ()
    chosen: bool = False


def follows_rows(options: Options) -> bool:
    """Whether pods are followed by trying rules on new rows, not by signatures of all pairs: exact ones under inserts
    alone, unless other kinds need all signatures anyway."""
    return (
        MARKED_BY_ROWS in options.kinds
        and options.max_error == 0
        and not options.deletes
        and not (set(options.kinds) & set(MARKED) - {MARKED_BY_ROWS})
    )


def keeps_agree_sets(options: Options) -> bool:
    """Whether the agree sets of all pairs of rows are counted."""
    return not follows_rows(options) or bool(set(options.kinds) & set(KINDS))


class Manifest(msgspec.Struct, frozen=True):
    """A version. ``segments`` are read in order; ``rules`` and ``changes`` are kept for every version."""

    lawful_state: int
    version: int
    source: str
    columns: tuple[StoredColumn, ...]
    options: Options
    rows: int
    next_id: int
    segments: tuple[Piece, ...]
    rules: Piece
    changes: Piece
    made: Made
    checksum: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in the table's order."""
        return tuple(column.name for column in self.columns)


class _Probe(msgspec.Struct):
    lawful_state: Any = None


def encoded(manifest: Manifest) -> bytes:
    """The manifest as the file holds it."""
    bare = msgspec.structs.replace(manifest, checksum="")
    signed = msgspec.structs.replace(bare, checksum=_checksum(bare))
    return msgspec.json.format(msgspec.json.encode(signed), indent=1) + b"\n"


def _checksum(bare: Manifest) -> str:
    return hashlib.sha256(msgspec.json.encode(bare)).hexdigest()


def read(folder: StateFolder, version: int | None = None) -> Manifest:
    """The manifest of a version, or of the newest one."""
    known = folder.versions()
    if not known:
        raise StateError(f"{folder} is no state.", hint="Make one with: lawful state init DIR SOURCE.")
    if version is None:
        version = known[-1]
    elif version not in known:
        raise StateError(
            f"The state {folder} has no version {version}.", hint=f"It has versions {known[0]} to {known[-1]}."
        )
    return _decoded(folder, version)


def _decoded(folder: StateFolder, version: int) -> Manifest:
    path = folder.manifest(version)
    try:
        content = path.read_bytes()
        found = msgspec.json.decode(content, type=_Probe).lawful_state
        if found is not None and found != FORMAT:
            raise StateError(
                f"{path} has format {found} of a state; this lawful reads format {FORMAT}.",
                hint="Use the lawful that wrote it, or make the state anew.",
            )
        manifest = msgspec.json.decode(content, type=Manifest)
    except FileNotFoundError as error:
        raise Missing(f"{path} of the state is missing.", hint=_back(folder, version)) from error
    except OSError as error:
        raise StateError(f"{path} cannot be read: {error.strerror}.", hint=_back(folder, version)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise StateError(f"{path} is damaged: {error}.", hint=_back(folder, version)) from error
    if _checksum(msgspec.structs.replace(manifest, checksum="")) != manifest.checksum:
        raise StateError(f"{path} is damaged: its checksum is not that of its content.", hint=_back(folder, version))
    return manifest


def _back(folder: StateFolder, version: int) -> str:
    """What to do about a damaged manifest."""
    before = [v for v in folder.versions() if v < version]
    return f"Restore it from a backup; or remove it to go back to version {before[-1]}." if before else "Restore it."


def kinds_of(kinds: Sequence[str] | str) -> tuple[str, ...]:
    """The kinds that a state can follow, in the order of the rule file; none for `AGREE`."""
    named = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if named == (AGREE,):
        return ()
    asked = {part for kind in named for part in (("fd", "oc") if kind == "od" else (kind,))}
    for kind in named:
        if kind not in (*KINDS, *MARKED, "od"):
            raise OptionError(
                f"A state cannot follow rules of kind {kind!r}.",
                hint=f"It follows {', '.join((*KINDS, *MARKED))}, od (fd and oc); or, with {AGREE}, agree sets alone.",
            )
    if not asked:
        raise OptionError("No kind of rule is asked for.", hint=f"Name some: {', '.join((*KINDS, *MARKED))}.")
    return tuple(kind for kind in (*KINDS, *MARKED) if kind in asked)
