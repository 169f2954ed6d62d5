"""Options as text, and as values of a configuration file: the same few kinds for both."""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Mapping
from enum import Enum, auto
from typing import Any, Union, get_args, get_origin

from lawful.errors import OptionError

_SWITCHES = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
_PART = re.compile(r'\s*(?:"((?:[^"]|"")*)"([^,]*)|((?!\s*")[^,]*))(?=,|$)')
_DECIMAL = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*", re.I)
_QUOTED = re.compile(r'\s*"((?:[^"]|"")*)"\s*=(.*)', re.S)


class Kind(Enum):
    """What an option holds. ``NAMES``: texts parted by commas; ``WHOLE``: texts as they stand, commas and all."""

    TEXT = auto()
    NUMBER = auto()
    SHARE = auto()
    SWITCH = auto()
    NAMES = auto()
    WHOLE = auto()
    PAIRS = auto()
    ORDERS = auto()


_PLAIN = {
    Kind.TEXT: "a text",
    Kind.NUMBER: "a whole number",
    Kind.SHARE: "a number",
    Kind.SWITCH: "true or false",
    Kind.NAMES: "a list of texts",
    Kind.WHOLE: "a list of texts",
    Kind.PAIRS: 'a table such as { zip = "string" }',
    Kind.ORDERS: 'a table such as { size = ["S", "M", "L"] }',
}


def kind_of(hint: Any, metadata: Mapping[Any, Any]) -> Kind:
    """The kind of an option, from the type of its field."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    origin = get_origin(hint)
    if origin is tuple:
        return Kind.WHOLE if metadata.get("whole") else Kind.NAMES
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return Kind.PAIRS if get_args(hint)[1] is str else Kind.ORDERS
    return {bool: Kind.SWITCH, int: Kind.NUMBER, float: Kind.SHARE}.get(hint, Kind.TEXT)


def from_texts(kind: Kind, texts: Iterable[str], name: str) -> Any:
    """The value of an option that was written once or more on the command line, or once in the environment."""
    texts = list(texts)
    if kind is Kind.WHOLE:
        return tuple(texts)
    if kind is Kind.NAMES:
        return tuple(part for text in texts for part in parted(text, name))
    if kind is Kind.PAIRS:
        return _once((_pair(part, name) for text in texts for part in parted(text, name)), name)
    if kind is Kind.ORDERS:
        return _once((_order(text, name) for text in texts), name)
    return _single(kind, texts[-1], name)


def _single(kind: Kind, text: str, name: str) -> Any:
    found: bool | int | float | None
    if kind is Kind.SWITCH:
        found = _SWITCHES.get(text.strip().casefold())
    elif kind is Kind.NUMBER:
        found = int(text) if re.fullmatch(r"\s*[+-]?\d{1,18}\s*", text) else None
    elif kind is Kind.SHARE:
        found = float(text) if _DECIMAL.fullmatch(text) else None
    else:
        return text
    if found is None:
        raise OptionError(f"{name} is {text!r}, which is not {_PLAIN[kind]}.", hint="Correct it, or leave it out.")
    return found


def from_data(kind: Kind, value: Any, name: str) -> Any:
    """The value of an option in a configuration file; a list or a table may be written as on the command line too."""
    lists = kind in (Kind.NAMES, Kind.WHOLE, Kind.PAIRS, Kind.ORDERS)
    if lists and isinstance(value, str):
        return from_texts(kind, [value], name)
    if kind in (Kind.PAIRS, Kind.ORDERS) and isinstance(value, list) and _texts(value):
        return from_texts(kind, value, name)
    if not _fits(kind, value):
        raise OptionError(f"{name} is {value!r}, which is not {_PLAIN[kind]}.", hint="Correct it in the file.")
    if kind is Kind.ORDERS:
        return {column: tuple(listed) for column, listed in value.items()}
    return tuple(value) if isinstance(value, list) else value


def _fits(kind: Kind, value: Any) -> bool:
    if kind in (Kind.NAMES, Kind.WHOLE):
        return isinstance(value, list) and _texts(value)
    if kind in (Kind.PAIRS, Kind.ORDERS):
        inner = value.values() if isinstance(value, dict) else [None]
        return _texts(inner) if kind is Kind.PAIRS else all(isinstance(v, list) and _texts(v) for v in inner)
    if kind in (Kind.NUMBER, Kind.SHARE):
        return isinstance(value, int if kind is Kind.NUMBER else int | float) and not isinstance(value, bool)
    return isinstance(value, bool if kind is Kind.SWITCH else str)


def _texts(values: Iterable[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def parted(text: str, name: str) -> list[str]:
    """``a, b`` -> a and b; a part with a comma, or with spaces at its ends, begins with it in double quotes."""
    parts, at = [], 0
    while found := _PART.match(text, at):
        quoted, rest, plain = found.groups()
        parts.append(plain.strip() if quoted is None else quoted.replace('""', '"') + rest.strip())
        at = found.end() + 1
        if at > len(text):
            break
    if found is None:
        hint = "Quote a name with a comma whole: '\"a,b\",c'."
        raise OptionError(f"{name} is {text!r}, whose quotes do not match.", hint=hint)
    if "" in parts:
        raise OptionError(f"{name} is {text!r}, in which a name is empty.", hint="Write names parted by commas: a,b.")
    return parts


def _pair(part: str, name: str) -> tuple[str, str]:
    column, sign, value = part.rpartition("=")
    if not (sign and column and value):
        raise OptionError(f"{name} has {part!r}, not name=type.", hint="Write --types zip=string,born=date.")
    return column.strip(), value.strip()


def _order(text: str, name: str) -> tuple[str, tuple[str, ...]]:
    quoted = _QUOTED.fullmatch(text)
    column, sign, listed = (quoted[1].replace('""', '"'), "=", quoted[2]) if quoted else text.partition("=")
    if not (sign and column and listed):
        raise OptionError(f"{name} is {text!r}, not name=low,high.", hint="Write --order size=S,M,L.")
    return column.strip(), tuple(parted(listed, name))


def _once(pairs: Iterable[tuple[str, Any]], name: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for column, value in pairs:
        if found.setdefault(column, value) != value:
            raise OptionError(f"{name} speaks of column {column!r} twice.", hint="Say it once.")
    return found
