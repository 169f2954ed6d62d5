"""lawful: the laws a table obeys, the rows that break them, and both answers kept current.

The names below are loaded when they are first used, so that importing lawful costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawful import errors as errors
    from lawful import maintain as maintain
    from lawful.api import agree_sets as agree_sets
    from lawful.api import discover as discover
    from lawful.api import encode as encode
    from lawful.api import profile as profile
    from lawful.checks import check as check
    from lawful.checks import split as split
    from lawful.evidence.agree import AgreeSets as AgreeSets
    from lawful.ranks.encoded import Encoded as Encoded
    from lawful.ranks.profiling import Profile as Profile
    from lawful.rules import Dc as Dc
    from lawful.rules import Fd as Fd
    from lawful.rules import Figures as Figures
    from lawful.rules import Key as Key
    from lawful.rules import Lod as Lod
    from lawful.rules import Oc as Oc
    from lawful.rules import Operand as Operand
    from lawful.rules import Pod as Pod
    from lawful.rules import Predicate as Predicate
    from lawful.rules import Rule as Rule
    from lawful.rules import RuleDiff as RuleDiff
    from lawful.rules import RuleSet as RuleSet
    from lawful.rules import parse as parse
    from lawful.rules.review import Review as Review
    from lawful.violations.checked import CheckResult as CheckResult

__version__ = "0.1.0"

_HOMES = {
    "check": "lawful.checks",
    "split": "lawful.checks",
    "CheckResult": "lawful.violations.checked",
    "AgreeSets": "lawful.evidence.agree",
    "agree_sets": "lawful.api",
    "discover": "lawful.api",
    "encode": "lawful.api",
    "profile": "lawful.api",
    "Encoded": "lawful.ranks.encoded",
    "Profile": "lawful.ranks.profiling",
    "Review": "lawful.rules.review",
    **dict.fromkeys(
        (
            "Dc",
            "Fd",
            "Figures",
            "Key",
            "Lod",
            "Oc",
            "Operand",
            "Pod",
            "Predicate",
            "Rule",
            "RuleDiff",
            "RuleSet",
            "parse",
        ),
        "lawful.rules",
    ),
}

_MODULES = ("errors", "maintain")

__all__ = [*sorted(_HOMES), *_MODULES]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"lawful.{name}")
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'lawful' has no attribute {name!r}")
    found = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
