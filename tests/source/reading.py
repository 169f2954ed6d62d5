"""What the tests of sources say in one word: read a table here, and meet an error."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import lawful
from lawful.errors import LawfulError


def read(source: Any, **options: Any) -> dict[str, list[object]]:
    """The cells of a source, column by column, as encoded in this process."""
    table = lawful.encode(source, engine="local", **options)
    return {name: table.cells(name, range(table.rows)) for name in table.names}


def refused(kind: type[LawfulError], source: Any, **options: Any) -> str:
    """The message of the error that reading raises; every one is a paragraph with a hint."""
    with pytest.raises(kind) as met:
        read(source, **options)
    assert type(met.value) is kind
    assert met.value.hint
    assert "\n" not in str(met.value)
    return str(met.value)


def written(path: Path, text: str | bytes) -> Path:
    """A file, packed if its name ends so, with exactly these letters (UTF-8) or bytes."""
    data = text.encode() if isinstance(text, str) else text
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
