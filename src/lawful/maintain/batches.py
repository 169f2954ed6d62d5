"""Which version a batch made: asked of an index of batch ids, and of the manifests that are younger than it.

The index is a file beside the versions, and it is never more than a help: it names the newest version that it knows by
that manifest's checksum, and what does not fit is made anew from the manifests. So it may be old, damaged or missing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from lawful.errors import StateError
from lawful.maintain.folder import StateFolder
from lawful.maintain.manifest import Manifest, read

YOUNG = 64
"""So many manifests are read before the index is written again."""


class Batches(msgspec.Struct, frozen=True):
    """Versions by batch id, up to ``version``, whose manifest has this ``manifest`` checksum; of two versions of one id
    the later one. ``checksum`` is of all the rest."""

    version: int = 0
    manifest: str = ""
    ids: Mapping[str, int] = {}
    checksum: str = ""


def version_of(folder: StateFolder, batch: str, known: Batches | None = None) -> tuple[Manifest | None, Batches]:
    """The version that a batch made, if it did; and the ids of all versions, to be handed in next time. Reads the
    manifests that ``known``, or else the index, does not know. Only for who holds the lock: it may write the index."""
    versions = folder.versions()
    newest = versions[-1] if versions else 0
    old = known if known is not None and _fits(folder, known, versions) else _indexed(folder, versions)
    young = [version for version in versions if version > old.version]
    now = _with(folder, old, young)
    if len(young) >= YOUNG:
        with suppress(StateError):  # where there is no room for it the batch itself says so
            folder.note_batches(_encoded(now))
    version = now.ids.get(batch)
    if version is None or version > newest:
        return None, now
    return read(folder, version), now


def _fits(folder: StateFolder, known: Batches, versions: list[int]) -> bool:
    """Whether the newest version known is still there, and the same one: versions may be taken back by hand."""
    if known.version == 0:
        return True
    return known.version in versions and read(folder, known.version).checksum == known.manifest


def _indexed(folder: StateFolder, versions: list[int]) -> Batches:
    """What the index says; nothing where it is damaged or speaks of other versions."""
    try:
        found = msgspec.json.decode(folder.batches.read_bytes(), type=Batches)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Batches()
    return found if found.checksum == _checksum(found) and _fits(folder, found, versions) else Batches()


def _with(folder: StateFolder, old: Batches, young: list[int]) -> Batches:
    if not young:
        return old
    ids, manifest = dict(old.ids), None
    for version in young:
        manifest = read(folder, version)
        ids[manifest.made.batch] = version
    assert manifest is not None
    return Batches(manifest.version, manifest.checksum, ids)


def _encoded(known: Batches) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(known, checksum=_checksum(known)))


def _checksum(known: Batches) -> str:
    bare = msgspec.structs.replace(known, checksum="")
    return hashlib.sha256(msgspec.json.encode(bare, order="sorted")).hexdigest()
