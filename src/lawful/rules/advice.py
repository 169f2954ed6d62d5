"""What a designer, or whoever writes queries, can do with a list of rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawful.errors import OptionError
from lawful.rules.contexts import union
from lawful.rules.dependencies import Dependencies, dependencies
from lawful.rules.model import Fd, Key, Rule
from lawful.rules.normalforms import NormalForm, Relation, normal_form
from lawful.rules.sorting import Layout, Orders, Served
from lawful.rules.text import quoted

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

_SHOWN = 12


@dataclass(frozen=True)
class Advice:
    """``keys``: what tells rows apart. ``normal_form``: how often the table repeats itself, and parts that do not.

    ``derivable``: for each column that others determine without being a key, the shortest such fd. ``sorts``: sorts by
    one column that serve another. ``joins``: those whose left column is a key, so that a range of the right column is
    a range of the key, and a table that refers to the key needs no join to be filtered by it. ``layouts``: sort orders
    for files. ``notes`` say where the list of rules does not tell all.
    """

    keys: tuple[Key, ...]
    normal_form: NormalForm
    derivable: tuple[Fd, ...]
    sorts: tuple[Served, ...]
    joins: tuple[Served, ...]
    layouts: tuple[Layout, ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> Iterator[str]:
        """What there is to say, section by section; of long sections the beginning."""
        return (line for section in self._sections() for line in section)

    def _sections(self) -> Iterator[list[str]]:
        found = self.normal_form
        yield [f"! {note}" for note in self.notes]
        yield _section("Keys", self.keys)
        if not self.keys and found.form:
            sets = (", ".join(map(quoted, key)) or "[]" for key in found.keys)
            yield _section("Sets that determine every column", sets)
        doubt = ", as far as these rules tell" if self.notes else ""
        yield [f"Normal form: {found.form or 'not known'}{doubt if found.form else ''}"]
        if found.breaking:
            yield _section("What is repeated (fds whose left side is no key)", found.breaking)
            yield _section("Parts in BCNF (a key marked *), lossless", found.bcnf)
            yield _section("To be checked across these parts", found.lost)
            yield _section("Parts in 3NF, lossless, each fd within one of them", found.third)
        yield _section("Columns that others determine", self.derivable)
        yield _section("Sorts that serve another", (served.rule for served in self.sorts))
        yield _section("A range of the right column is a range of the key: no join needed", _rules(self.joins))
        yield _section("Layouts", self.layouts)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, rules as text."""
        found = self.normal_form
        return {
            "keys": [list(key.columns) for key in self.keys],
            "normal_form": {
                "form": found.form,
                "candidate_keys": [list(key) for key in found.keys],
                "breaking": _texts(found.breaking),
                "bcnf": [_plain(part) for part in found.bcnf],
                "lost": _texts(found.lost),
                "third": [_plain(part) for part in found.third],
                "notes": list(found.notes),
            },
            "derivable": _texts(self.derivable),
            "sorts": [{"rule": str(served.rule), "proof": _texts(served.proof)} for served in self.sorts],
            "joins": [{"rule": str(served.rule), "proof": _texts(served.proof)} for served in self.joins],
            "layouts": [{"by": _lists(found.by), "also": _lists(found.also)} for found in self.layouts],
            "notes": list(self.notes),
        }


def advise(rules: RuleSet, *, min_coverage: float = 0.0) -> Advice:
    """Advice from the rules that hold without exceptions.

    ``min_coverage`` passes over fds of less coverage, which hold by chance more often, in normal forms and derivable
    columns.
    """
    if not 0 <= min_coverage <= 1:
        raise OptionError(f"min_coverage is {min_coverage}, not in 0 ≤ c ≤ 1.", hint="Leave it out for all fds.")
    fds = dependencies(rules, min_coverage=min_coverage)
    orders = Orders(rules)
    served = list(orders.served())
    unique = {rules.names[place] for place in orders.unique}
    form = normal_form(fds, looked_for="fd" in rules.kinds)
    return Advice(
        keys=tuple(rule for rule in rules if isinstance(rule, Key) and rules.holds(rule)),
        normal_form=form,
        derivable=tuple(_derivable(fds, [union(map(rules.names.index, key)) for key in form.keys])),
        sorts=tuple(one for one in served if one.rule.lhs[0][0] not in unique),
        joins=tuple(one for one in served if one.rule.lhs[0][0] in unique),
        layouts=tuple(orders.layouts()),
        notes=(*_gaps(rules), *form.notes),
    )


def _gaps(rules: RuleSet) -> Iterator[str]:
    for kind in ("fd", "key", "oc"):
        if kind not in rules.kinds:
            yield f"{kind} rules were not looked for"
    if not rules.complete:
        yield f"rules may be missing: {rules.incomplete}"


def _derivable(fds: Dependencies, keys: Sequence[int]) -> Iterator[Fd]:
    """The first of the shortest fds for each column, in table order."""
    best: dict[int, Fd] = {}
    for fd in sorted(fds.listed, key=lambda fd: fd.given.bit_count()):
        if fd.column not in best and not any(not key & ~fd.given for key in keys):
            best[fd.column] = fd.rule
    return (best[column] for column in sorted(best))


def _section(title: str, lines: Iterable[object]) -> list[str]:
    texts = list(map(str, lines))
    more = [f"  and {len(texts) - _SHOWN} more"] if len(texts) > _SHOWN else []
    return [title, *(f"  {text}" for text in texts[:_SHOWN]), *more] if texts else []


def _rules(served: Iterable[Served]) -> Iterator[Rule]:
    return (one.rule for one in served)


def _texts(rules: Iterable[Rule]) -> list[str]:
    return list(map(str, rules))


def _plain(part: Relation) -> dict[str, list[str]]:
    return {"columns": list(part.columns), "key": list(part.key)}


def _lists(order: Iterable[tuple[str, str]]) -> list[list[str]]:
    return [list(by) for by in order]
