"""How far a table is from one that says everything once, and how to take it apart without loss.

Terms are the usual ones (E. F. Codd; P. Bernstein, Synthesizing third normal form relations, 1976). A *superkey*
determines every column, a *candidate key* is a smallest one, a column of some candidate key is *prime*. An fd whose
left side is no superkey repeats its right side in many rows: it breaks BCNF; 3NF too unless its right side is prime;
2NF too if its left side is a proper part of a candidate key.

A decomposition is lossless when joining the parts gives the rows of the table (duplicates aside) and no others. That
is so whenever each step parts a relation along an fd that holds, or one part holds a key: it needs no complete list.
That the parts are in normal form is true as far as the list tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from lawful.rules.contexts import bits
from lawful.rules.dependencies import Dependencies, Dependency
from lawful.rules.model import Fd
from lawful.rules.text import quoted

Form: TypeAlias = Literal["1NF", "2NF", "3NF", "BCNF"]

_KEYS = 100
"""Candidate keys looked for where the list has no rules of kind key."""
_FDS = 2_000
"""Fds that are looked at: the cost grows with their square."""


@dataclass(frozen=True)
class Relation:
    """A part of a decomposition: columns, in table order, and a key of it."""

    columns: tuple[str, ...]
    key: tuple[str, ...]

    def __str__(self) -> str:
        marked = [f"{quoted(name)}*" if name in self.key else quoted(name) for name in self.columns]
        return f"({', '.join(marked)})"


@dataclass(frozen=True)
class NormalForm:
    """``form`` is the highest normal form of the table, None where fds are not known, and ``breaking`` the fds that
    keep it from BCNF.

    ``third`` keeps every fd within one part (synthesis), ``bcnf`` may lose some, which are ``lost``: they have to be
    checked across parts. ``keys`` are candidate keys. ``notes`` say what was left out.
    """

    form: Form | None
    keys: tuple[tuple[str, ...], ...]
    breaking: tuple[Fd, ...]
    third: tuple[Relation, ...]
    bcnf: tuple[Relation, ...]
    lost: tuple[Fd, ...]
    notes: tuple[str, ...] = ()


def normal_form(fds: Dependencies, *, looked_for: bool = True) -> NormalForm:
    """The report, in some seconds at most: each fd is compared with all others."""
    notes, known = [], len(fds.listed)
    if known > _FDS:
        notes.append(f"looked at the {_FDS:,} most interesting of {known:,} fds")
        fds = replace(fds, listed=fds.listed[:_FDS])
    keys, all_keys = candidate_keys(fds)
    breaking = [fd for fd in fds.listed if not _superkey(fds, fd.given, keys)]
    cover = _cover(fds)
    parts = list(_split(fds, fds.everything))
    if not all_keys:
        notes.append(f"looked at {len(keys):,} candidate keys; there are more")
    return NormalForm(
        form=_form(keys, breaking) if looked_for or breaking else None,
        keys=tuple(map(fds.named, keys)),
        breaking=tuple(fd.rule for fd in breaking),
        third=tuple(_synthesis(fds, cover, keys)),
        bcnf=tuple(_relation(fds, part) for part in parts),
        lost=tuple(fd.rule for fd in cover if not _preserved(fds, fd, parts)),
        notes=tuple(notes),
    )


def candidate_keys(fds: Dependencies) -> tuple[list[int], bool]:
    """The smallest sets that determine every column, and whether these are all of them.

    Rules of kind key name them at once. Without any, each key found is followed through the fds to others
    (C. Lucchesi, S. Osborn, 1978).
    """
    if fds.keys:
        return list(fds.keys), True
    found = [_shrunk(fds, fds.everything)]
    for key in found:
        for fd in fds.listed:
            if key >> fd.column & 1:
                other = fd.given | key & ~(1 << fd.column)
                if not any(not known & ~other for known in found):
                    found.append(_shrunk(fds, other))
        if len(found) >= _KEYS:
            return found, False
    return found, True


def _shrunk(fds: Dependencies, columns: int, of: int | None = None) -> int:
    """A smallest part of the columns that determines them, or ``of``; the last columns go first."""
    target = fds.everything if of is None else of
    for place in reversed(range(len(fds.names))):
        rest = columns & ~(1 << place)
        if rest != columns and not target & ~fds.closure(rest):
            columns = rest
    return columns


def _superkey(fds: Dependencies, given: int, keys: Sequence[int]) -> bool:
    return any(not key & ~given for key in keys) or not fds.everything & ~fds.closure(given)


def _form(keys: Sequence[int], breaking: Sequence[Dependency]) -> Form:
    if not breaking:
        return "BCNF"
    prime = 0
    for key in keys:
        prime |= key
    worse = [fd for fd in breaking if not prime >> fd.column & 1]
    if not worse:
        return "3NF"
    partial = any(fd.given != key and not fd.given & ~key for fd in worse for key in keys)
    return "1NF" if partial else "2NF"


def _cover(fds: Dependencies) -> list[Dependency]:
    """The fds less those that the others imply; the least interesting are tried first."""
    left_out: set[int] = set()
    for number in reversed(range(len(fds.listed))):
        fd = fds.listed[number]
        left_out.add(number)
        if not fds.closure_without(fd.given, left_out) >> fd.column & 1:
            left_out.remove(number)
    return [fd for number, fd in enumerate(fds.listed) if number not in left_out]


def _synthesis(fds: Dependencies, cover: Sequence[Dependency], keys: Sequence[int]) -> Iterator[Relation]:
    """A part for each left side with all its right sides, and one that all others hang on; none within another."""
    parts: dict[int, int] = {}
    for fd in cover:
        parts[fd.given] = parts.get(fd.given, fd.given) | fd.columns
    alone = Dependencies(fds.names, tuple(cover), ())
    if not any(alone.closure(part) == fds.everything for part in parts.values()):
        parts[keys[0]] = parts.get(keys[0], 0) | _root(alone, keys[0])
    for given, part in parts.items():
        twins = [other for other, columns in parts.items() if columns == part]
        inside = any(part != columns and not part & ~columns for columns in parts.values())
        if not inside and twins[0] == given:
            yield Relation(fds.named(part), fds.named(given))


def _root(alone: Dependencies, key: int) -> int:
    """A key, and what it determines though no fd of the cover says so."""
    columns = key | alone.everything & ~alone.closure(key)
    for place in bits(columns & ~key):
        rest = columns & ~(1 << place)
        if alone.closure(rest) >> place & 1:
            columns = rest
    return columns


def _split(fds: Dependencies, columns: int) -> Iterator[int]:
    """Parts without an fd whose left side is no superkey of the part; parted along the most interesting one."""
    pending = [columns]
    while pending:
        part = pending.pop()
        given = next((fd.given for fd in fds.listed if not fd.columns & ~part and part & ~fds.closure(fd.given)), None)
        if given is None:
            yield part
        else:
            determined = fds.closure(given) & part
            pending += [part & ~determined | given, determined]


def _relation(fds: Dependencies, columns: int) -> Relation:
    return Relation(fds.named(columns), fds.named(_shrunk(fds, columns, columns)))


def _preserved(fds: Dependencies, fd: Dependency, parts: Sequence[int]) -> bool:
    """Whether the fd follows from what holds within the parts."""
    known = fd.given
    if any(not fd.columns & ~part for part in parts):
        return True
    while True:
        wider = known
        for part in parts:
            wider |= fds.closure(wider & part) & part
        if wider == known:
            return bool(known >> fd.column & 1)
        known = wider
