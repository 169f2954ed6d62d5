"""Where the value of an option comes from: its flag, else the environment, else a configuration file, else nobody.

The environment's name of an option is ``LAWFUL_`` and the flag's name (``LAWFUL_NULL_VALUE``). The file is the one
that ``--config`` names, else ``lawful.toml``, else the table ``[tool.lawful]`` of ``pyproject.toml``, beside the data
or else in the current folder.
"""

from __future__ import annotations

import glob
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from lawful.cli.listed import Kind, from_data, from_texts
from lawful.errors import OptionError, SourceError, did_you_mean

if TYPE_CHECKING:
    from lawful.cli.screen import Screen

Options = TypeVar("Options")
FILE, TABLE = "lawful.toml", "[tool.lawful]"
_ANOTHER = "Correct it, or name another with --config."


@dataclass(frozen=True)
class Settings:
    """What a configuration file says, by field; ``place`` names the file, and is empty where there is none."""

    values: Mapping[str, Any]
    place: str = ""


class Asked:
    """What was asked for: the flags ``given`` (``None`` where one was not), and what they leave open.

    ``words`` are the positional words; the first names the data, beside which a configuration file may stand.
    """

    def __init__(self, given: Mapping[str, Any], words: tuple[str, ...] = ()) -> None:
        self._given = {name: value for name, value in given.items() if value is not None}
        self._words = words

    def __getitem__(self, name: str) -> Any:
        """A flag of this command alone, or ``None``."""
        return self._given.get(name)

    def of(self, holder: type[Options]) -> Options:
        """The options of one dataclass, all layers merged."""
        from lawful.cli.shared_options import flag_name, known_fields

        found, origins = {}, {}
        for field in fields(holder):  # type: ignore[arg-type]
            kind = known_fields()[field.name][1]
            variable = "LAWFUL_" + flag_name(field).replace("-", "_").upper()
            if field.name in self._given:
                found[field.name] = _of_flag(kind, self._given[field.name], f"--{flag_name(field)}")
            elif field.name != "config" and os.environ.get(variable):
                found[field.name] = from_texts(kind, [os.environ[variable]], variable)
                origins[field.name] = f"the environment ({variable})"
            elif field.name != "config" and field.name in self.settings.values:
                found[field.name] = self.settings.values[field.name]
                origins[field.name] = self.settings.place
        return _made(holder, found, origins)

    @cached_property
    def settings(self) -> Settings:
        """The configuration file that holds for this command, read once."""
        named = self._given.get("config") or os.environ.get("LAWFUL_CONFIG")
        return _named(named) if named else _found(self._words[0] if self._words else None)

    @cached_property
    def screen(self) -> Screen:
        """Where this command speaks; says which configuration file it uses."""
        from lawful.cli.screen import Screen
        from lawful.cli.shared_options import OutputOptions

        screen = Screen(quiet=self.of(OutputOptions).quiet)
        if self.settings.values:
            screen.note(f"note: options from {self.settings.place}")
        return screen


def _of_flag(kind: Kind, value: Any, name: str) -> Any:
    return from_texts(kind, value, name) if isinstance(value, tuple) else value


def _made(holder: type[Options], found: Mapping[str, Any], origins: Mapping[str, str]) -> Options:
    """The dataclass, whose own complaints get the place where the value stands."""
    try:
        return holder(**found)
    except OptionError as error:
        place = next((place for name, place in origins.items() if error.message.startswith(f"{name} ")), None)
        if place is None:
            raise
        raise OptionError(f"In {place}: {error.message}", hint=error.hint) from error


def _named(name: str) -> Settings:
    path = Path(name).expanduser()
    if not path.is_file():
        raise SourceError(f"There is no configuration file {name!r}.", hint="Check --config, or leave it out.")
    return _checked(path, _read(path))


def _found(data: str | None) -> Settings:
    for folder in _folders(data):
        for name in (FILE, "pyproject.toml"):
            path = folder / name
            if path.is_file() and (name == FILE or b"tool.lawful" in path.read_bytes()):
                return _checked(path, _read(path))
    return Settings({})


def _folders(data: str | None) -> Iterator[Path]:
    """Beside the data, where that is on this machine, then the current folder."""
    if data and data != "-" and "://" not in data and not data.startswith(("spark:", "jdbc:")):
        path = Path(data).expanduser()
        while glob.has_magic(str(path)) and not path.exists() and path != path.parent:
            path = path.parent
        yield path if path.is_dir() and str(path) != data else path.parent
    yield Path()


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise OptionError(f"{str(path)!r} is no TOML: {problem}.", hint=_ANOTHER) from None
    except OSError as problem:
        raise SourceError(f"{str(path)!r} cannot be read: {problem.strerror}.", hint=_ANOTHER) from None


def _checked(path: Path, table: dict[str, Any]) -> Settings:
    """The options of a file by field; a key that is no option is an error."""
    from lawful.cli.shared_options import flag_name, known_fields

    place = str(path)
    if path.name == "pyproject.toml":
        table, place = table.get("tool", {}).get("lawful", {}), f"{path} {TABLE}"
        if not isinstance(table, dict):
            raise OptionError(f"In {place}: this is no table.", hint=f"Write the options below a line {TABLE}.")
    named = {flag_name(field).replace("-", "_"): name for name, (field, _) in known_fields().items()}
    names = {**named, **{name: name for name in known_fields()}}
    values = {}
    for key, value in table.items():
        name = names.get(key.replace("-", "_"))
        if name is None or name == "config":
            known = [n for n in known_fields() if n != "config"]
            raise OptionError(f"In {place}: there is no option {key!r}.", hint=did_you_mean(key, known))
        values[name] = from_data(known_fields()[name][1], value, f"In {place}: {key}")
    return Settings(values, place)
