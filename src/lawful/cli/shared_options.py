"""The options that commands share, derived from the dataclasses that hold them: a new field is a new flag.

A flag is the field's name with hyphens, or what its metadata call it; its help is the field's. Every flag is unset
unless it is given, so that the environment and the configuration file come after it (`lawful.cli.layers`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import lru_cache, wraps
from typing import Annotated, Any, TypeAlias, get_args, get_origin, get_type_hints

from cyclopts import Group, Parameter

from lawful.cli.layers import Asked
from lawful.cli.listed import Kind, kind_of
from lawful.options import CheckOptions, DiscoverOptions, EngineOptions, SourceOptions

HYPHEN = "\0-"
"""Stands for a lone ``-`` (standard input) while the words are parsed, which would take it for a flag."""

Command: TypeAlias = Callable[..., int]


@dataclass(frozen=True, kw_only=True)
class OutputOptions:
    """What a command says, and where its other options may stand."""

    json: bool = field(default=False, metadata={"help": "Print JSON instead of text."})
    verbose: int = field(
        default=0, metadata={"help": "Log to standard error what is being done; -vv more of it.", "short": "-v"}
    )
    quiet: bool = field(default=False, metadata={"help": "Nothing on standard error but errors.", "short": "-q"})
    config: str | None = field(default=None, metadata={"help": "File with options, such as lawful.toml."})


GROUPS: dict[type, str] = {
    SourceOptions: "The table",
    DiscoverOptions: "What to look for",
    CheckOptions: "What to check",
    EngineOptions: "Where the work runs",
    OutputOptions: "Output",
}
"""Every dataclass of options with the heading it has in the help; the keys of a configuration file are their fields."""

_LISTS = {
    Kind.NAMES: "Separated by commas, or repeated; a name with a comma as '\"a,b\"'.",
    Kind.WHOLE: "Repeat it for more.",
    Kind.PAIRS: "Separated by commas, or repeated.",
    Kind.ORDERS: "Repeat it for more columns.",
}
_SHOWN = {Kind.NAMES: "A,B", Kind.PAIRS: "NAME=TYPE", Kind.ORDERS: "NAME=LOW,HIGH", Kind.NUMBER: "N"}


def with_options(
    command: Command, *holders: type, renamed: Mapping[str, str] | None = None, **extra: tuple[Any, Parameter]
) -> Command:
    """``command(positional…, asked)`` as a function whose signature has one flag for every field of ``holders``.

    The function it gives takes what the parser found and hands over `Asked`, which merges the layers when asked to.
    ``extra`` are flags of this command alone, unset (``None``) like the others; ``renamed`` gives fields another flag
    here, where the command means something else by theirs.
    """
    positional = [_optional(p) for p in inspect.signature(command, eval_str=True).parameters.values()][:-1]
    own = [_own_flag(name, type, parameter) for name, (type, parameter) in extra.items()]
    flags = [*own, *(flag for holder in (*holders, OutputOptions) for flag in _flags(holder, renamed or {}))]
    signature = inspect.Signature([*positional, *flags], return_annotation=int)

    @wraps(command)
    def run(*words: Any, **given: Any) -> int:
        words = tuple(_restored(word) for word in words) + (None,) * (len(positional) - len(words))
        return command(*words, Asked({name: _restored(value) for name, value in given.items()}, words))

    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {name: p.annotation for name, p in signature.parameters.items()}
    del run.__wrapped__  # the parser is to see this signature, not that one
    return run


def _optional(positional: inspect.Parameter) -> inspect.Parameter:
    """A word that may be None may be left out."""
    hint = get_args(positional.annotation)[:1]
    may_miss = any(type(None) in get_args(kind) for kind in hint)
    return positional.replace(default=None) if may_miss else positional


def marked(words: list[str]) -> list[str]:
    """The words with every lone hyphen made safe; `with_options` gives it back."""
    return [HYPHEN if word == "-" else word for word in words]


def _restored(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_restored(v) for v in value)
    return "-" if value == HYPHEN else value


@lru_cache
def known_fields() -> Mapping[str, tuple[Field[Any], Kind]]:
    """Every shared option by the name of its field."""
    return {entry.name: (entry, kind) for holder in GROUPS for entry, _, kind in _described(holder)}


def _described(holder: type) -> Iterator[tuple[Field[Any], Any, Kind]]:
    hints = get_type_hints(holder)
    for entry in fields(holder):
        yield entry, hints[entry.name], kind_of(hints[entry.name], entry.metadata)


def flag_name(entry: Field[Any]) -> str:
    """The flag of a field without its hyphens, such as ``null-value``."""
    return str(entry.metadata.get("flag", entry.name.replace("_", "-")))


def _own_flag(name: str, type: Any, parameter: Parameter) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[type | None, parameter]
    )


def _flags(holder: type, renamed: Mapping[str, str]) -> Iterator[inspect.Parameter]:
    group = Group(GROUPS[holder], sort_key=list(GROUPS).index(holder) + 1)
    for entry, hint, kind in _described(holder):
        name = f"--{renamed.get(entry.name, flag_name(entry))}"
        short = entry.metadata.get("short")
        parameter = Parameter(
            name=[name, short] if short else name,
            help=_help(entry, kind),
            group=group,
            negative=f"--no-{flag_name(entry)}" if kind is Kind.SWITCH and holder is not OutputOptions else "",
            count=kind is Kind.NUMBER and short is not None,
            metavar=_SHOWN.get(kind),
            show_default=False,
            allow_leading_hyphen=kind is Kind.WHOLE,
        )
        yield _own_flag(entry.name, _flag_type(hint, kind), parameter)


def _flag_type(hint: Any, kind: Kind) -> Any:
    if kind in _LISTS:
        return tuple[str, ...]
    plain = [arg for arg in get_args(hint) if arg is not type(None)] if type(None) in get_args(hint) else []
    return plain[0] if len(plain) == 1 and get_origin(hint) is not tuple else hint


def _help(entry: Field[Any], kind: Kind) -> str:
    parts = [str(entry.metadata.get("help", "")), _LISTS.get(kind, "")]
    default = ",".join(entry.default) if isinstance(entry.default, tuple) else entry.default
    if isinstance(default, str) and default:
        parts.append(f"[default: {default}]")
    return " ".join(part for part in parts if part)
