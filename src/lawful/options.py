"""What a person can ask for: one frozen dataclass per concern, the same names in Python, on the command line
and in ``lawful.toml``. Values are checked here, once, before any work."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from lawful.errors import OptionError

Nulls: TypeAlias = Literal["first", "last", "unknown"]
BadRows: TypeAlias = Literal["error", "skip"]
EngineName: TypeAlias = Literal["local", "spark"]

FORMATS = ("csv", "tsv", "json", "parquet", "orc", "arrow")


def _flag(default: Any, help: str, **more: Any) -> Any:
    """A field and what the command line says of it: ``flag`` where its name differs, ``whole`` where commas belong to
    the value and do not part a list."""
    return field(default=default, metadata={"help": help, **more})


def _mapping(help: str) -> Any:
    return field(default_factory=lambda: MappingProxyType({}), metadata={"help": help})


@dataclass(frozen=True, kw_only=True)
class SourceOptions:
    """How to read a source and what its values mean."""

    columns: tuple[str, ...] | None = _flag(None, "Only these columns, in the table's order.")
    types: Mapping[str, str] = _mapping("Type of a column instead of the one found: name=type.")
    order: Mapping[str, tuple[str, ...]] = _mapping("Order by meaning instead of by value: name=low,mid,high.")
    nulls: Nulls = _flag("first", "Where nulls stand in the order; unknown follows SQL.")
    null_values: tuple[str, ...] = _flag(
        (), "Text that means null, besides the empty field.", flag="null-value", whole=True
    )
    format: str | None = _flag(None, f"Format of the files: {', '.join(FORMATS)}. Found out when not given.")
    delimiter: str | None = _flag(None, "Field delimiter; tab or \\t for a tab. Found out when not given.")
    quote: str | None = _flag(None, "Quote character. Found out when not given.")
    encoding: str | None = _flag(None, "Text encoding. UTF-8, or what the byte order mark says, when not given.")
    header: bool = _flag(True, "Whether the first record names the columns.")
    bad_rows: BadRows = _flag("error", "What to do with records that have too many or too few fields.")
    strict: bool = _flag(False, "Make warnings about left-out columns an error.")
    limit_rows: int | None = _flag(None, "Read only the first N rows.")
    table: str | None = _flag(None, "Table or (query) to read from a JDBC URL.")

    def __post_init__(self) -> None:
        _one_of("nulls", self.nulls, ("first", "last", "unknown"))
        _one_of("bad_rows", self.bad_rows, ("error", "skip"))
        if self.format is not None:
            _one_of("format", self.format, FORMATS)
        if self.limit_rows is not None and self.limit_rows < 0:
            raise OptionError(f"limit_rows is {self.limit_rows}, below 0.", hint="Leave it out to read all rows.")
        if self.delimiter in ("tab", "\\t"):
            _set(self, "delimiter", "\t")
        for name in ("delimiter", "quote"):
            value = getattr(self, name)
            if value is not None and len(value.encode()) != 1 and not (name == "quote" and value == ""):
                raise OptionError(f"{name} is {value!r}, not one ASCII character.", hint="Write a tab as tab or \\t.")
        if self.columns is not None:
            _set(self, "columns", tuple(self.columns))
            twice = sorted({c for c in self.columns or () if (self.columns or ()).count(c) > 1})
            if twice:
                raise OptionError(f"Column {twice[0]!r} is chosen twice.", hint="Name each column once.")
        if isinstance(self.null_values, str):
            _set(self, "null_values", (self.null_values,))
        _set(self, "null_values", tuple(self.null_values))
        _set(self, "types", MappingProxyType(dict(self.types)))
        _set(self, "order", MappingProxyType({k: tuple(v) for k, v in self.order.items()}))
        for column, listed in self.order.items():
            if len(set(listed)) != len(listed) or not listed:
                raise OptionError(f"The order of column {column!r} is empty or names a value twice.", hint=None)

    def __reduce__(self) -> tuple[object, ...]:
        # Mapping proxies do not pickle; tasks get plain dictionaries that are wrapped again.
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        return (_source_options, (plain | {"types": dict(self.types), "order": dict(self.order)},))


def _source_options(plain: dict[str, Any]) -> SourceOptions:
    return SourceOptions(**plain)


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Where the work runs and what it may use."""

    engine: EngineName | None = _flag(None, "local (threads of this process) or spark; by the source when not given.")
    master: str | None = _flag(None, "Spark master, such as local[4], spark://host:7077 or sc://host.")
    workers: int | None = _flag(None, "Most tasks at the same time.")
    memory: str | None = _flag(
        None, "Budget of the Python processes, such as 2g; polled. 60 % of the machine when unset."
    )
    work_dir: str | None = _flag(None, "Folder for intermediate files: local, or any URL all workers reach.")

    def __post_init__(self) -> None:
        if self.engine is not None:
            _one_of("engine", self.engine, ("local", "spark"))
        if self.workers is not None and self.workers < 1:
            raise OptionError(f"workers is {self.workers}, below 1.", hint="Leave it out to use every core.")
        self.memory_bytes()

    def memory_bytes(self) -> int | None:
        return None if self.memory is None else parse_bytes(self.memory)


KINDS = ("fd", "key", "od", "oc", "pod", "dc")
FOUND = ("fd", "key", "oc", "pod", "dc")
"""The kinds that discovery finds, in the order of the rule file; ``od`` stands for fd and oc."""
_MARKED = ("pod", "dc")
"""The kinds made of comparisons of two rows, which know no error by removal."""


@dataclass(frozen=True, kw_only=True)
class DiscoverOptions:
    """Which rules to look for."""

    kinds: tuple[str, ...] = _flag(("od",), "Kinds of rules: fd, key, oc, od (fd and oc), pod, dc.")
    max_error: float = _flag(0.0, "Accept rules with at most this error, a fraction below 1.")
    measure: str | None = _flag(None, "What the error counts: removal (rows to remove) or pairs (of rows).")
    max_size: int | None = _flag(None, "Only rules over at most this many columns.")
    min_coverage: float = _flag(0.0, "Only rules whose context at least this share of row pairs has in common.")
    top: int | None = _flag(None, "Only the N rules of the highest interest.")
    list_form: bool = _flag(False, "Add the order dependencies in list form, best with --max-size.")
    cross_columns: bool = _flag(False, "For dc: also compare columns with each other, within a row and between rows.")
    share: float = _flag(0.2, "Columns are compared when they share this part of the smaller one's values; 0.2.")
    means: float = _flag(0.1, "Columns are compared by order when no mean is below this part of the other one; 0.1.")
    order_strings: bool = _flag(False, "For dc: compare strings by < and > too.")
    estimate: bool = _flag(False, "For pod and dc of long tables: figures from a sample of row pairs, marked so.")
    sample: int = _flag(20, "For pod and dc of long tables: pairs sampled for each row; 20.")
    efficiency: float = _flag(0.005, "Focused sampling ends when fewer new signatures than this come of a pair; 0.005.")
    time_limit: str | None = _flag(None, "End in order after this time, such as 90s, 10m or 2h.")
    resume: bool = _flag(False, "Go on with the search that --work-dir holds.")

    def __post_init__(self) -> None:
        kinds = (self.kinds,) if isinstance(self.kinds, str) else tuple(self.kinds)
        for kind in kinds:
            _one_of("kinds", kind, KINDS)
        _set(self, "kinds", tuple(dict.fromkeys(kinds)))
        if not self.kinds:
            raise OptionError("No kind of rule is asked for.", hint="Name some: fd, key, od.")
        if not 0 <= self.max_error < 1:
            hint = "0.01 accepts one row in a hundred."
            raise OptionError(f"max_error is {self.max_error}, not in 0 ≤ e < 1.", hint=hint)
        if not 0 <= self.min_coverage <= 1:
            hint = "It is a share of the pairs of rows."
            raise OptionError(f"min_coverage is {self.min_coverage}, not in 0 ≤ c ≤ 1.", hint=hint)
        if self.measure is not None:
            _one_of("measure", self.measure, ("removal", "pairs"))
        for name in ("max_size", "top"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise OptionError(f"{name} is {value}, below 1.", hint="Leave it out for no limit.")
        self._check_marked()
        if self.resume and self.max_error > 0 and not set(self.wanted()) <= set(_MARKED):
            raise OptionError("An approximate search for fd, key and oc cannot be resumed.", hint="Leave --resume out.")
        self.seconds()

    def _check_marked(self) -> None:
        """What concerns pod and dc."""
        marked = [kind for kind in _MARKED if kind in self.kinds]
        if marked and self.measure == "removal":
            raise OptionError(
                f"Rules of kind {marked[0]} have no error by removal.", hint="Use measure pairs, or leave it out."
            )
        for name, usual in (("share", 0.2), ("means", 0.1), ("efficiency", 0.005)):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise OptionError(f"{name} is {value}, not in 0 ≤ x ≤ 1.", hint=f"Leave it out for the usual {usual}.")
        if self.sample < 1:
            raise OptionError(f"sample is {self.sample}, below 1.", hint="Leave it out for the usual 20.")

    def wanted(self) -> tuple[str, ...]:
        """The kinds looked for, od taken apart, in the order of the rule file."""
        found = {part for kind in self.kinds for part in (("fd", "oc") if kind == "od" else (kind,))}
        return tuple(kind for kind in FOUND if kind in found)

    def seconds(self) -> float | None:
        return None if self.time_limit is None else parse_seconds(self.time_limit)


FAIL_ON = ("error", "warn", "never")


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """How rules are held against a table."""

    max_witnesses: int = _flag(10, "Show at most N violating pairs for each rule.")
    max_error: float | None = _flag(None, "Let a rule pass up to this error, a fraction below 1; else its file says.")
    measure: Literal["removal", "pairs"] | None = _flag(
        None, "What the error counts: removal (rows to remove) or pairs (of rows)."
    )
    fail_on: str = _flag("error", "Exit 1 on: error (beyond the error allowed), warn (any violation) or never.")
    repair: bool | None = _flag(None, "Look for rows to remove for pod, dc and lod too, however many take part.")

    def __post_init__(self) -> None:
        if self.max_witnesses < 0:
            raise OptionError(f"max_witnesses is {self.max_witnesses}, below 0.", hint="Give 0 to show none.")
        if self.max_error is not None and not 0 <= self.max_error < 1:
            hint = "0.01 accepts one row in a hundred."
            raise OptionError(f"max_error is {self.max_error}, not in 0 ≤ e < 1.", hint=hint)
        if self.measure is not None:
            _one_of("measure", self.measure, ("removal", "pairs"))
        _one_of("fail_on", self.fail_on, FAIL_ON)


def parse_seconds(text: str) -> float:
    """``"90s"``, ``"10m"``, ``"2h"``, ``"45"`` -> seconds."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([smh]?)\s*", text.casefold())
    if found is None or float(found[1]) == 0:
        raise OptionError(f"time_limit is {text!r}, not a time.", hint="Write 90s, 10m or 2h.")
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def parse_bytes(text: str) -> int:
    """``"2g"``, ``"512MiB"``, ``"1500000"`` -> bytes (powers of 1024)."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?\s*", text.casefold())
    if found is None or float(found[1]) == 0:
        raise OptionError(f"memory is {text!r}, not a size.", hint="Write a number with k, m, g or t, such as 2g.")
    return int(float(found[1]) * 1024 ** ("kmgt".find(found[2]) + 1 if found[2] else 0))


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise OptionError(f"{name} is {value!r}.", hint=f"Choose one of: {', '.join(known)}.")


def _set(options: object, name: str, value: object) -> None:
    object.__setattr__(options, name, value)
