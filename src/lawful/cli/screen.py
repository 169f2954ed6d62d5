"""Where a command speaks: results on standard output, everything else on standard error, all of it plain text.

Whatever comes from a table or a file is shown with its control characters escaped and never read as markup.
"""

from __future__ import annotations

import json
import math
import sys
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import IO, Any

from rich.console import Console, RenderableType
from rich.text import Text

from lawful.errors import LawfulError

_UNCUT = 10_000
_PIECE = 1 << 14
_JOINERS = "\u200c\u200d"
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class ReaderGone(Exception):
    """Whoever read the output has closed it, as ``head`` does."""


class Output(Console):
    """A console that reads no markup, and that tells its caller when nobody reads any more."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=False)

    def on_broken_pipe(self) -> None:
        raise ReaderGone


class Screen:
    """Both streams of one command; ``quiet`` keeps all but errors off standard error."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.quiet = quiet

    @cached_property
    def out(self) -> Output:
        return Output()

    @cached_property
    def err(self) -> Output:
        return Output(stderr=True)

    def say(self, text: str = "") -> None:
        """A line of the result."""
        self._write(f"{shown(text)}\n")

    def show(self, thing: RenderableType) -> None:
        """A table or the like. Where no person looks on, nothing is cut or padded."""
        if is_terminal(self.out.file):
            self.out.print(thing)
            return
        self.out.width = _UNCUT
        with self.out.capture() as drawn:
            self.out.print(thing)
        self._write("".join(f"{line.rstrip()}\n" for line in drawn.get().split("\n")[:-1]))

    def data(self, plain: Any) -> None:
        """One JSON object on one line; what JSON has no number for is null."""
        ascii = not (self.out.encoding or "").lower().replace("_", "-").startswith("utf")
        self._write(json.dumps(_finite(plain), ensure_ascii=ascii, allow_nan=False) + "\n")

    def flush(self) -> None:
        """What was said so far reaches its reader now."""
        try:
            self.out.file.flush()
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as problem:
            raise unwritable(problem) from problem

    def _write(self, text: str) -> None:
        try:
            # In pieces, for an unbuffered stream does not tell that its reader left in the middle of one.
            for start in range(0, len(text), _PIECE):
                self.out.file.write(text[start : start + _PIECE])
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as problem:
            raise unwritable(problem) from problem

    def note(self, text: str) -> None:
        """A line about the work, unless the person asked for quiet."""
        if not self.quiet:
            self.tell(text)

    def warn(self, warnings: Iterable[str]) -> None:
        for warning in warnings:
            self.note(f"warning: {warning}")

    def error(self, message: str, hint: str | None = None) -> None:
        self.tell(f"error: {message}")
        if hint:
            self.tell(f"hint: {hint}")

    def tell(self, text: str) -> None:
        """A line on standard error; that nobody reads it is no reason to stop."""
        with suppress(ReaderGone, OSError):
            self.err.print(Text(shown(text, keep="\n")), soft_wrap=True)


def unwritable(problem: OSError) -> LawfulError:
    """The error for results that find no room, or no place."""
    return LawfulError(f"The output cannot be written: {problem.strerror}.", hint="Send it elsewhere, or make room.")


def shown(text: str, *, keep: str = "") -> str:
    """``text`` with what would move the cursor, hide or turn around other text written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if c in keep or c in _JOINERS or not _hides(c) else _escaped(c) for c in text)


def _hides(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def lenient() -> None:
    """Signs that a stream cannot encode are written as escapes rather than ending the command."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            if stream.errors in ("strict", "surrogateescape"):
                stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a person looks at this stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def _finite(plain: Any) -> Any:
    if isinstance(plain, float) and not math.isfinite(plain):
        return None
    if isinstance(plain, dict):
        return {str(key): _finite(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [_finite(value) for value in plain]
    return plain
