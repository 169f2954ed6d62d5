"""The words and signs of a rule in text, and the error that points into it."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple, TypeAlias

from lawful.errors import RuleSyntaxError

TokenKind: TypeAlias = Literal["quoted", "word", "sign", "end"]

PLAIN = re.compile(r"[^\W\d]\w*")
"""A name that needs no backticks, unless it is a keyword: a letter or ``_``, then letters, digits and ``_``."""

# ``a<=>b=`` means ``a< => b=``: no rule has a ``<=`` or ``>=`` followed by ``>``.
_TOKEN = re.compile(
    r"(?P<quoted>`(?:[^`]+|``)*+`)"
    rf"|(?P<word>{PLAIN.pattern})"
    r"|(?P<sign><->|->|=>|<=(?!>)|>=(?!>)|!=|[=<>~,.:(){}\[\]])"
)
_SPACE = re.compile(r"\s*")


class Token(NamedTuple):
    """``value`` is the name without its backticks for ``quoted``, the text as written for the others."""

    kind: TokenKind
    value: str
    start: int

    def is_(self, value: str) -> bool:
        """Whether this is the sign or (in any case) the keyword ``value``; a quoted name never is."""
        return self.kind in ("word", "sign") and self.value.lower() == value

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.value)


def tokenize(text: str) -> list[Token]:
    """All tokens of ``text``, closed by one of kind ``end``; any white space between tokens is ignored."""
    tokens: list[Token] = []
    at = _skip(text, 0)
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _unreadable(text, at)
        tokens.append(_token(match))
        at = _skip(text, match.end())
    return [*tokens, Token("end", "", len(text))]


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _token(match: re.Match[str]) -> Token:
    if match["quoted"] is not None:
        return Token("quoted", match["quoted"][1:-1].replace("``", "`"), match.start())
    return Token("word" if match["word"] is not None else "sign", match[0], match.start())


def _unreadable(text: str, at: int) -> RuleSyntaxError:
    if text[at] == "`":
        return syntax_error(text, at, "this backtick is never closed", "A backtick inside a quoted name is doubled.")
    hint = "Put a name that is not a plain identifier in backticks, such as `2nd year`."
    return syntax_error(text, at, f"{text[at]!r} has no meaning here", hint)


def syntax_error(text: str, at: int, problem: str, hint: str) -> RuleSyntaxError:
    """An error that names the problem and shows the text with a caret under character ``at`` (counted from 0)."""
    shown = "".join(" " if c.isspace() or not c.isprintable() else c for c in text)
    caret = " " * sum(map(_width, shown[:at])) + "^"
    message = f"This rule cannot be read at character {at + 1}: {problem}.\n  {shown}\n  {caret}"
    return RuleSyntaxError(message, hint=hint)


def _width(character: str) -> int:
    """Columns of a terminal that a character takes, so that the caret stands where the eye looks."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
