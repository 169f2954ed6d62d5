"""Where a rule file goes: to standard output, or to a file that is known to be writable before the work begins."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lawful.cli.screen import ReaderGone, unwritable
from lawful.errors import OptionError

if TYPE_CHECKING:
    from lawful.rules import RuleSet

STANDARD = "-"
_PIECE = 1 << 14
_ELSEWHERE = "Choose a file in a folder that exists and that you may write to, or - for standard output."


def check_writable(path: str) -> None:
    """An error where a rule file cannot be written, found out without touching what is there."""
    try:
        reason = _obstacle(Path(os.path.realpath(path)))
    except OSError as problem:
        reason = problem.strerror or str(problem)
    if reason is not None:
        raise OptionError(f"output is {path!r}, which cannot be written: {reason}.", hint=_ELSEWHERE)


def check_distinct(paths: Iterable[str]) -> None:
    """An error where two things would be written to one file."""
    seen: set[str] = set()
    for path in paths:
        place = os.path.realpath(path)
        if place in seen:
            raise OptionError(f"{path!r} is to hold two things.", hint="Give each a file of its own.")
        seen.add(place)


def _obstacle(target: Path) -> str | None:
    if target.is_dir():
        return "it is a folder"
    if not target.parent.is_dir():
        return f"there is no folder {str(target.parent)!r}"
    if target.exists() and not os.access(target, os.W_OK):
        return "it may only be read"
    if target.exists() and not target.is_file():
        return None  # a pipe or a device, into which the rules go as they are
    with tempfile.TemporaryFile(dir=target.parent):
        return None


def check_apart(path: str, data: Iterable[str]) -> None:
    """An error where the rule file would take the place of one of the files that the rules are about."""
    for file in data:
        with suppress(OSError):
            if os.path.samefile(path, file):
                raise OptionError(f"output is {path!r}, which is the table.", hint="Choose another file.")


def print_rule_file(rules: RuleSet) -> None:
    """The rule file on standard output: the very bytes that a file would hold."""
    from lawful.rules.rulefile import pieces

    try:
        sys.stdout.flush()
        for content in pieces(rules):
            # In small pieces, for an unbuffered stream does not tell that its reader left in the middle of one.
            for start in range(0, len(content), _PIECE):
                sys.stdout.buffer.write(content[start : start + _PIECE])
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise ReaderGone from None
    except OSError as problem:
        raise unwritable(problem) from problem
