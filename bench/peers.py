"""Desbordante's algorithms on the ranks of an encoded table, and their answers in one form with ours.

The peer reads the very ranks that our search works on, as integers: nulls, text and dates mean the same on both sides
(on its own it refuses nulls for order dependencies). Loading happens before the clock runs. Known of release 2.5: it
lists each order-compatible pair twice (once here), errs from 32 columns on for order dependencies (refused here), and
HyFD returns FDs that do not hold on some tables (its answer is held against Pyro's).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.results import peer_module
from lawful.errors import JobError, MissingError, OptionError, did_you_mean
from lawful.rules.model import Fd, Key, Oc, Rule

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

Statements = frozenset[str]
"""Rules in normal form, columns by place: ``fd 0,1 > 2``, ``key 0,1``, ``oc 0: 1 ~ 2 same``."""

MOST_COLUMNS = 31
NOT_INSTALLED = "Desbordante is not installed: neither compared nor checked against it"
_CONSTANT = re.compile(r"\{([\d,]*)\} : \[\] -> (\d+)<=")
_COMPATIBLE = re.compile(r"\{([\d,]*)\} : (\d+)(<=|>=) ~ (\d+)<=")


class Peer:
    """One algorithm with one table loaded; it may run any number of times."""

    def __init__(self, name: str, table: Encoded) -> None:
        desbordante, pandas = peer_module("desbordante"), peer_module("pandas")
        if desbordante is None or pandas is None:
            raise MissingError("Desbordante or pandas is not installed.", hint='Run: pip install -e ".[bench]"')
        if name not in ALGORITHMS:
            raise OptionError(f"There is no peer {name!r}.", hint=did_you_mean(name, ALGORITHMS))
        if name == "Fastod" and len(table.columns) > MOST_COLUMNS:
            message = f"{len(table.columns)} columns are more than Desbordante's FASTOD answers rightly."
            raise OptionError(message, hint=f"Compare on at most {MOST_COLUMNS} columns.")
        folder, self._statements = ALGORITHMS[name]
        self.name = name
        self._algorithm = getattr(getattr(desbordante, folder).algorithms, name)()
        names = [f"c{place}" for place in range(len(table.columns))]
        self._algorithm.load_data(table=pandas.DataFrame(table.ranks.T.copy(), columns=names))
        one = {"threads": 1} if "threads" in self._algorithm.get_possible_options() else {}
        self._execute: Callable[[], Any] = partial(self._algorithm.execute, **one)

    def run(self) -> Peer:
        """Execute on one thread; the answer stays in the algorithm until it is asked for."""
        self._execute()
        return self

    def statements(self) -> Statements:
        """What the last run found."""
        return frozenset(self._statements(self._algorithm))


def installed() -> bool:
    """Whether the peer can run here."""
    return peer_module("desbordante") is not None and peer_module("pandas") is not None


def statements_of(rules: Iterable[Rule], names: Iterable[str]) -> Statements:
    """Our rules in normal form."""
    places = {name: place for place, name in enumerate(names)}
    return frozenset(_stated(rule, places) for rule in rules)


def insist_equal(ours: Statements, theirs: Statements, peer: str) -> None:
    """Raise unless both found the very same rules."""
    if ours == theirs:
        return
    shown = "; ".join(
        f"{who} {min(only)}" for who, only in (("only ours:", ours - theirs), ("only theirs:", theirs - ours)) if only
    )
    message = f"{len(ours - theirs):,} rules are ours alone, {len(theirs - ours):,} {peer}'s alone: {shown}."
    raise JobError(message, hint="Check these rules against the definition before timing anything.")


def _stated(rule: Rule, places: dict[str, int]) -> str:
    match rule:
        case Fd():
            return _fd((places[name] for name in rule.lhs), places[rule.rhs])
        case Key():
            return _key(places[name] for name in rule.columns)
        case Oc():
            context = (places[name] for name in rule.context)
            return _oc(context, places[rule.left], places[rule.right], rule.direction)
    raise OptionError(f"Rules of kind {rule.kind} have no peer here.", hint="Compare fd, key and oc.")


def _fd(lhs: Iterable[int], rhs: int) -> str:
    return f"fd {_set(lhs)} > {rhs}"


def _key(columns: Iterable[int]) -> str:
    return f"key {_set(columns)}"


def _oc(context: Iterable[int], left: int, right: int, direction: str) -> str:
    return f"oc {_set(context)}: {min(left, right)} ~ {max(left, right)} {direction}"


def _set(columns: Iterable[int]) -> str:
    return ",".join(map(str, sorted(columns)))


def _from_fastod(algorithm: Any) -> Iterable[str]:
    for od in algorithm.get_simple_ods():
        context, rhs = _parts(_CONSTANT, od)
        yield _fd(_places(context), int(rhs) - 1)
    for ods, direction in ((algorithm.get_asc_ods(), "same"), (algorithm.get_desc_ods(), "opposite")):
        for od in ods:
            context, left, _, right = _parts(_COMPATIBLE, od)
            yield _oc(_places(context), int(left) - 1, int(right) - 1, direction)


def _parts(form: re.Pattern[str], od: object) -> tuple[str, ...]:
    found = form.fullmatch(str(od))
    if found is None:
        raise JobError(f"Desbordante's {str(od)!r} is not understood.", hint="Its text form may have changed.")
    return found.groups()


def _places(columns: str) -> list[int]:
    return [int(number) - 1 for number in columns.split(",") if number]


def _from_fds(algorithm: Any) -> Iterable[str]:
    return (_fd(fd.lhs_indices, fd.rhs_index) for fd in algorithm.get_fds())


def _from_keys(algorithm: Any) -> Iterable[str]:
    return (_key(key.indices) for key in algorithm.get_uccs())


ALGORITHMS: dict[str, tuple[str, Callable[[Any], Iterable[str]]]] = {
    "Fastod": ("od", _from_fastod),
    "Pyro": ("fd", _from_fds),
    "FDep": ("fd", _from_fds),
    "HyFD": ("fd", _from_fds),
    "HPIValid": ("ucc", _from_keys),
}
