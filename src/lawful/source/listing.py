"""The files meant by paths, globs, folders and URLs: one sorted list, with what the folders' names tell."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from lawful.errors import SourceError
from lawful.source.location import filesystem, is_url, one_line
from lawful.source.pieces import Partitions

_PARTITION: Final = re.compile(r"^([^=/\\]+)=([^/\\]*)$")
_NULL_PARTITION: Final = "__HIVE_DEFAULT_PARTITION__"
_SHOWN: Final = 200


@dataclass(frozen=True, order=True)
class Listed:
    """A file, and the columns told by those ``key=value`` folders that lie below what was named."""

    path: str
    partitions: Partitions = ()


def expand(names: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> tuple[Listed, ...]:
    """Every file meant, each once, sorted by path: the order of rows. Hidden and ``_`` files of folders are left out.

    Only folders below a named folder, or below the fixed part of a glob, become columns: where a person keeps a
    file says nothing about its rows.
    """
    found: dict[str, Listed] = {}
    for name in [names] if isinstance(names, str | os.PathLike) else names:
        text = os.fspath(name)
        for listed in _expand_url(text) if is_url(text) else _expand_local(text):
            found[listed.path] = listed
    if not found:
        raise SourceError("No file was named.", hint="Name a file, a folder or a glob such as 'data/*.csv'.")
    return tuple(sorted(found.values()))


def _expand_local(name: str) -> list[Listed]:
    if not name.strip():
        raise SourceError(
            "The name of the file is empty.", hint="Name a file, a folder or a glob such as 'data/*.csv'."
        )
    try:
        path = Path(name).expanduser()
        if path.is_dir():
            return _folder(path)
        if path.exists():
            return [Listed(str(path))]
        if glob.has_magic(name):
            return _glob(name, str(path))
        missing = _missing(name, path)
    except (OSError, ValueError, RuntimeError) as problem:
        reason = getattr(problem, "strerror", None) or one_line(problem)
        raise SourceError(f"There is no file {_shown(name)}: {reason}.", hint="Name a file by its path.") from problem
    raise missing


def _folder(path: Path, above: str = "") -> list[Listed]:
    """The files of a folder; ``above`` are the folders over it that vary."""
    files = [p for p in path.rglob("*") if p.is_file() and not _hidden(p.relative_to(path).parts)]
    if not files:
        raise SourceError(f"The folder {str(path)!r} holds no files.", hint="Name a folder with data files in it.")
    return [Listed(str(p), _partitions(f"{above}/{p.relative_to(path)}")) for p in files]


def _glob(name: str, pattern: str) -> list[Listed]:
    root = _fixed(pattern)
    files: list[Listed] = []
    for match in glob.glob(pattern, recursive=True):
        if os.path.isfile(match):
            files.append(Listed(match, _partitions(match[len(root) :])))
        elif os.path.isdir(match) and "**" not in pattern:
            files += _folder(Path(match), match[len(root) :])
    if not files:
        raise SourceError(f"No file matches {name!r}.", hint="Check the pattern; quote it so that the shell keeps it.")
    return files


def _fixed(pattern: str) -> str:
    """The folders of a glob before the first that varies."""
    parts = re.split(r"(?<=[/\\])", pattern)
    varying = next(i for i, part in enumerate(parts) if glob.has_magic(part))
    return "".join(parts[:varying])


def _missing(name: str, path: Path) -> SourceError:
    if path.is_symlink():
        hint = f"It is a link to {str(path.readlink())!r}, which is not there."
    elif path.parent.is_dir():
        near = get_close_matches(path.name, os.listdir(path.parent), n=2, cutoff=0.6)
        hint = f"Did you mean {' or '.join(repr(str(path.parent / n)) for n in near)}?" if near else "Check the path."
    else:
        hint = f"The folder {str(path.parent)!r} does not exist either."
    return SourceError(f"There is no file {_shown(name)}.", hint=hint)


def _shown(name: str) -> str:
    return repr(name if len(name) <= _SHOWN else name[: _SHOWN - 1] + "…")


def _hidden(parts: tuple[str, ...]) -> bool:
    return any(p.startswith(".") or (p.startswith("_") and "=" not in p) for p in parts)


def _partitions(below: str) -> Partitions:
    """``year=2020/part-0.parquet`` -> ``(("year", "2020"),)``."""
    found = (_PARTITION.match(part) for part in re.split(r"[/\\]", below)[:-1])
    told = {m[1]: None if m[2] == _NULL_PARTITION else unquote(m[2]) for m in found if m}
    return tuple(told.items())


def _expand_url(url: str) -> list[Listed]:
    system, path = filesystem(url)
    if url.startswith(("file:", "local:")):
        return _expand_local(path)
    try:
        # A question mark is a wildcard to a glob and a query to a web server: what is there comes first.
        if system.isfile(path):
            return [Listed(url)]
        found = _found_in(system, path)
    except Exception as problem:
        raise SourceError(
            f"{url!r} cannot be read: {one_line(problem)}.", hint="Check the address and your access."
        ) from problem
    if not found:
        raise SourceError(f"There is nothing at {url!r}.", hint="Check the address.")
    return [Listed(_address(url, system, file.path), file.partitions) for file in found]


def _found_in(system: Any, path: str) -> list[Listed]:
    if system.isdir(path):
        below = [(p, p[len(path) :].strip("/")) for p in system.find(path)]
        return [Listed(p, _partitions(rest)) for p, rest in below if not _hidden(tuple(rest.split("/")))]
    if not glob.has_magic(path):
        return []
    # As among local files, only a pattern with a dot of its own finds hidden files.
    root, dotted = len(_fixed(path)), "/." in path
    files = [p for p in system.glob(path) if (dotted or "/." not in f"/{p[root:]}") and not system.isdir(p)]
    return [Listed(p, _partitions(p[root:])) for p in files]


def _address(url: str, system: Any, path: str) -> str:
    """The address of a file found; one inside an archive keeps the address of the archive."""
    inner, chained, outer = url.partition("::")
    if not chained:
        return str(system.unstrip_protocol(path))
    if "://" in inner:
        return f"{inner.partition('://')[0]}://{path}::{outer}"
    return f"{inner}::{outer.partition('://')[0]}://{path.lstrip('/')}"
