"""Rules and counts that follow a table through its changes: a state folder, and the batches applied to it.

    state = lawful.maintain.create("state", "orders.csv", row_key=["id"])
    delta = state.apply(inserts="new.csv", deletes="gone.csv")
    lawful.maintain.open("state").rules()

The names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawful.maintain.beginning import create as create
    from lawful.maintain.delta import Delta as Delta
    from lawful.maintain.delta import Reason as Reason
    from lawful.maintain.delta import Witness as Witness
    from lawful.maintain.state import State as State
    from lawful.maintain.state import open_state as open

_HOMES = {
    "Delta": ("lawful.maintain.delta", "Delta"),
    "Reason": ("lawful.maintain.delta", "Reason"),
    "State": ("lawful.maintain.state", "State"),
    "Witness": ("lawful.maintain.delta", "Witness"),
    "create": ("lawful.maintain.beginning", "create"),
    "open": ("lawful.maintain.state", "open_state"),
}

__all__ = ["Delta", "Reason", "State", "Witness", "create", "open"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lawful.maintain' has no attribute {name!r}")
    home, own = _HOMES[name]
    return getattr(import_module(home), own)
