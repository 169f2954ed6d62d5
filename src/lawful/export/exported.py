"""What an export gives: files for another tool, and the rules that the tool has no words for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeAlias

from lawful.errors import OptionError
from lawful.rules import Rule, RuleSet
from lawful.rules.rulefile import replaced
from lawful.rules.sqltext import Wording, worded


class Left(NamedTuple):
    """A rule that is not expressed, and why."""

    rule: Rule
    reason: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


@dataclass(frozen=True)
class Exported:
    """``files`` by their names, ``kept`` the rules expressed in them, ``left`` the others; ``str`` is the text.

    Each file lists in a comment, where its form has comments, what was left out.
    """

    target: str
    files: Mapping[str, str]
    kept: tuple[Rule, ...]
    left: tuple[Left, ...] = ()

    def __str__(self) -> str:
        if len(self.files) == 1:
            return next(iter(self.files.values()))
        return "\n".join(f"==> {name} <==\n{text}" for name, text in self.files.items())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, or where there are several a folder of them; each is replaced in one step."""
        if len(self.files) == 1:
            replaced(path, iter([str(self).encode()]))
            return
        folder = Path(path)
        if folder.exists() and not folder.is_dir():
            raise OptionError(f"output is {str(path)!r}, a file, and this makes several.", hint="Name a folder.")
        for name, text in self.files.items():
            target = folder.joinpath(*PurePosixPath(name).parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            replaced(target, iter([text.encode()]))


@dataclass(frozen=True)
class Asked:
    """What is exported and how: ``severities`` by a rule's id (``error`` where there is none)."""

    rules: RuleSet
    table: str
    dialect: str | None = None
    severities: Mapping[str, str] = field(default_factory=dict)

    def wording(self, collation: str = "") -> Wording:
        """How queries about these rules are worded."""
        return worded(self.rules.columns, self.rules.options, self.table, collation)

    def severity(self, rule: Rule) -> str:
        """``error`` or ``warn``."""
        return self.severities.get(rule.id, "error")

    def about(self) -> Iterator[str]:
        """What the head of a file says."""
        rules = self.rules
        source = "" if rules.source is None else f" of {rules.source!r}"
        count = "1 rule" if len(rules) == 1 else f"{len(rules):,} rules"
        yield f"{count}{source}, exported by lawful; nulls {rules.options.get('nulls') or 'first'}"
        if rules.incomplete is not None:
            yield f"this list may miss rules: {rules.incomplete}"


Exporter: TypeAlias = Callable[[Asked], Exported]


def one_line(text: str) -> str:
    """Text that cannot leave its line, nor turn others around."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def sorted_out(
    asked: Asked, express: Callable[[Rule], str | Left], *, exceptions: bool = False
) -> tuple[list[tuple[Rule, str]], list[Left]]:
    """Each rule in the words of a target, and those for which it has none.

    A test that fails on the very table that it came from is of no use: rules with ``exceptions`` are left out of tests.
    """
    said: list[tuple[Rule, str]] = []
    left: list[Left] = []
    for rule in asked.rules:
        error = rule.figures.error
        if error and not exceptions:
            left.append(Left(rule, f"it has exceptions (error {error:.3g}), so that a test of it would fail"))
            continue
        found = express(rule)
        if isinstance(found, Left):
            left.append(found)
        else:
            said.append((rule, found))
    return said, left


def left_out(left: list[Left], sign: str = "#") -> Iterator[str]:
    """Comments that list what is not expressed."""
    if left:
        yield f"{sign} Not expressed here, {len(left):,} of the rules:"
        yield from (f"{sign}   {one_line(str(one))}" for one in left)
