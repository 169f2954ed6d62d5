"""What a family hands back, whatever it searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawful.rules.model import Rule
from lawful.search.ending import Ending


@dataclass(frozen=True)
class Answer:
    """What a discovery found: rules, how it ended, up to how many columns it misses none, and remarks."""

    rules: tuple[Rule, ...]
    ending: Ending
    complete_to: int | None
    note: str | None = None
    remarks: tuple[str, ...] = ()
    counters: tuple[int, ...] = ()
    contexts: int = 0
    bounded: bool = False
    """Whether rules were passed over that could not be among the best."""


def together(answers: Sequence[Answer]) -> Answer:
    """The answers of several families as one: complete as far as each of them is, ended as the first that was ended."""
    first, *others = answers
    for other in others:
        ended = first.ending if first.ending.reason else other.ending
        known = [a.complete_to for a in (first, other) if a.ending.reason]
        first = replace(
            first,
            rules=(*first.rules, *other.rules),
            ending=ended,
            complete_to=None if None in known else min((k for k in known if k is not None), default=None),
            note=first.note or other.note,
            bounded=first.bounded or other.bounded,
            remarks=tuple(dict.fromkeys((*first.remarks, *other.remarks))),
        )
    return first
