"""Names of columns: checked as they come in, and chosen from."""

from __future__ import annotations

from collections.abc import Sequence

from lawful.errors import ColumnError, SourceError, did_you_mean


def check_names(where: str, given: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names of columns: an empty one becomes ``column_N``, one that stands twice is an error."""
    warnings: list[str] = []
    places: dict[str, int] = {}
    for place, name in enumerate(given, 1):
        if not name.strip():
            warnings.append(f"{where!r}: column {place} has no name; it is called 'column_{place}' here.")
            name = f"column_{place}"
        if name in places:
            raise SourceError(
                f"{where!r} names two columns {name!r}: column {places[name]} and column {place}.",
                hint="Rename one of them; a text file can be read without its names with --no-header.",
            )
        places[name] = place
    trimmed: dict[str, str] = {}
    for name in places:
        other = trimmed.setdefault(name.strip(), name)
        if other != name:
            warnings.append(f"{where!r}: the columns {other!r} and {name!r} differ only in spaces.")
    return tuple(places), warnings


def choose(known: Sequence[str], wanted: tuple[str, ...] | None, where: str) -> tuple[str, ...]:
    """The wanted columns in the table's order."""
    if not known:
        raise SourceError(f"{where!r} has no columns.", hint="Name a table with at least one column.")
    if wanted is None:
        return tuple(known)
    for column in wanted:
        if column not in known:
            raise ColumnError(f"{where!r} has no column {column!r}.", hint=did_you_mean(column, known))
    if not wanted:
        raise ColumnError("No column is chosen.", hint="Leave columns out to take all of them.")
    return tuple(n for n in known if n in wanted)
