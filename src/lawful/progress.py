"""What long work tells of itself while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True)
class Step:
    """Where the work stands: ``done`` of ``total`` (``None`` where nobody knows) of a stage."""

    stage: str
    done: int = 0
    total: int | None = None
    figures: dict[str, str] = field(default_factory=dict)


Listener: TypeAlias = Callable[[Step], None]


def silent(step: Step) -> None:
    """A listener that does not listen."""
