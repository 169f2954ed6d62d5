"""Walks through the tokens of one rule and says what was expected where it stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar, cast

from lawful.rules.model import Operator, Sort
from lawful.rules.tokens import Token, syntax_error, tokenize

T = TypeVar("T")

FORMS = {
    "fd": "zip, city -> state",
    "key": "key(first, last)",
    "oc": "{year}: bin ~ salary",
    "lod": "[year, salary desc] -> [tax]",
    "pod": "salary<, exemption> => rate<=",
    "dc": "not(t.zip = u.zip and t.state != u.state)",
}
"""One example of every kind, for the hints."""


class Reader:
    """A place in the tokens of one text; ``kinds`` are the kinds that the rule can still be."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, self.at = text, tokenize(text), 0
        self.kinds: Sequence[str] = tuple(FORMS)

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    @property
    def ended(self) -> bool:
        return self.next.kind == "end"

    def sees(self, *values: str) -> bool:
        ahead = self.tokens[self.at : self.at + len(values)]
        return len(ahead) == len(values) and all(token.is_(value) for token, value in zip(ahead, values, strict=True))

    def take(self) -> Token:
        token = self.next
        self.at += token.kind != "end"
        return token

    def accept(self, value: str) -> bool:
        return bool(self.sees(value) and self.take())

    def fail(self, problem: str, *, token: Token | None = None, hint: str | None = None) -> NoReturn:
        at = (token or self.next).start
        forms = "; ".join(FORMS[kind] for kind in self.kinds)
        raise syntax_error(self.text, at, problem, hint or f"The form is: {forms}")

    def missing(self, wanted: str) -> NoReturn:
        self.fail(f"expected {wanted}, found {self.next}")

    def expect(self, *values: str, also: str = "") -> str:
        for value in values:
            if self.accept(value):
                return value
        self.missing(" or ".join([*filter(None, [also]), *map(repr, values)]))

    def name(self) -> str:
        if self.next.kind not in ("quoted", "word"):
            self.missing("a column name")
        return self.take().value

    def several(self, item: Callable[[], T]) -> tuple[T, ...]:
        items = [item()]
        while self.accept(","):
            items.append(item())
        return tuple(items)

    def enclosed(self, opening: str, item: Callable[[], T], closing: str) -> tuple[T, ...]:
        self.expect(opening)
        if self.accept(closing):
            return ()
        items = self.several(item)
        self.expect(closing, also="','")
        return items

    def order(self) -> tuple[str, Sort]:
        return self.name(), self.direction()

    def direction(self) -> Sort:
        if self.accept("desc"):
            return "desc"
        self.accept("asc")
        return "asc"

    def operator(self, allowed: Sequence[Operator], hint: str | None = None) -> Operator:
        if self.next.kind != "sign" or self.next.value not in allowed:
            self.fail(f"expected one of {' '.join(allowed)}, found {self.next}", hint=hint)
        return cast(Operator, self.take().value)
