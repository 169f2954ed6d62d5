"""The answer of a discovery: rules in order, with what is known about how they were found."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field, fields
from functools import cached_property
from importlib import import_module
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, overload

from lawful.errors import OptionError
from lawful.rules.canonical import canonical, in_file_order, places
from lawful.rules.columns import Column, refuse_unknown
from lawful.rules.model import KINDS, Dc, Fd, Key, Lod, Oc, Pod, Rule

__all__ = ["Column", "RuleSet"]

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from lawful.rules.advice import Advice
    from lawful.rules.clauses import Clauses, Wanted
    from lawful.rules.diff import RuleDiff
    from lawful.rules.logic import Answer, Judge


@dataclass(frozen=True, eq=False, repr=False)
class RuleSet(Sequence[Rule]):
    """Rules in the order of the rule file, each in canonical form and once; immutable.

    ``columns`` are those of the table, in its order; left out, they are those that the rules name. ``incomplete`` says
    why the list may miss rules (None: it misses none of ``kinds``), and ``complete_to`` up to how many columns it
    misses none all the same. ``engine`` is the one that ran. Two sets are equal when they hold the same rules in the
    same order: figures, and how the rules were found, take no part. ``in_order`` promises that the rules are as the
    rule file lists them, each in canonical form and once, and name no other than the given columns, which saves the
    work.
    """

    rules: Sequence[Rule] = ()
    _: KW_ONLY
    source: str | None = None
    rows: int | None = None
    columns: tuple[Column, ...] = ()
    kinds: tuple[str, ...] = ()
    incomplete: str | None = None
    complete_to: int | None = None
    note: str | None = None
    engine: str | None = None
    warnings: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    in_order: InitVar[bool] = False
    as_listed: ClassVar[bool] = False
    """Whether the rules are known to stand as the rule file lists them."""

    def __post_init__(self, in_order: bool) -> None:
        rules = tuple(self.rules)
        columns = tuple(Column(*column) for column in self.columns)
        if not (in_order and columns):
            mentioned = dict.fromkeys(chain.from_iterable(map(attrgetter("columns"), rules)))
            columns = columns or tuple(map(Column, mentioned))
            refuse_unknown(mentioned, columns)
            rules = rules if in_order else tuple(in_file_order(rules, [column.name for column in columns]))
        kinds = tuple(self.kinds) or tuple(kind for kind in KINDS if kind in {rule.kind for rule in rules})
        options = MappingProxyType(dict(self.options))
        self._set(
            rules=rules, columns=columns, kinds=kinds, warnings=tuple(self.warnings), options=options, as_listed=True
        )

    def _set(self, **fields: Any) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def complete(self) -> bool:
        """Whether no rule of ``kinds`` is missing."""
        return self.incomplete is None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the table's columns, in its order."""
        return tuple(column.name for column in self.columns)

    def header(self) -> dict[str, Any]:
        """The first line of the rule file; what is not known or empty is left out where the file allows it."""
        columns = [column._asdict() for column in self.columns]
        head = {"lawful": 1, "source": self.source, "rows": self.rows, "columns": columns, "kinds": list(self.kinds)}
        extras: dict[str, Any] = {name: getattr(self, name) for name in ("incomplete", "complete_to", "note", "engine")}
        extras["warnings"] = list(self.warnings) or None
        told = {name: value for name, value in extras.items() if value is not None}
        return head | {"complete": self.complete} | told | {"options": dict(self.options)}

    # -- a sequence ---------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> RuleSet: ...
    def __getitem__(self, index: int | slice) -> Rule | RuleSet:
        if isinstance(index, slice):
            return self._part(self.rules[index], "slice")
        return self.rules[index]

    def __contains__(self, rule: object) -> bool:
        """Whether the set states the rule, in whatever form it is written."""
        if not isinstance(rule, (Fd, Key, Oc, Lod, Pod, Dc)) or not set(rule.columns) <= set(self.names):
            return False
        return canonical(rule, places(self.names)) in self._rules

    @cached_property
    def _rules(self) -> frozenset[Rule]:
        return frozenset(self.rules)

    def __eq__(self, other: object) -> bool:
        return self.rules == other.rules if isinstance(other, RuleSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.rules)

    def __repr__(self) -> str:
        from lawful.rules.notebook import short

        return short(self)

    def _repr_html_(self) -> str:
        from lawful.rules.notebook import html

        return html(self)

    def __getstate__(self) -> dict[str, Any]:
        return {entry.name: self.__dict__[entry.name] for entry in fields(self)} | {"options": dict(self.options)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._set(**state | {"options": MappingProxyType(state["options"])})

    # -- parts and orders ---------------------------------------------------------------------------------------

    def filter(
        self,
        kind: str | Iterable[str] | None = None,
        columns: str | Iterable[str] | None = None,
        *,
        within: str | Iterable[str] | None = None,
        max_error: float | None = None,
        predicate: Callable[[Rule], bool] | None = None,
    ) -> RuleSet:
        """The rules that pass every test given, in their order.

        ``kind``: of these kinds (``od`` means ``fd`` and ``oc``). ``columns``: naming any of these columns.
        ``within``: naming no column but these. ``max_error``: with a known error of at most that.
        """
        from lawful.rules.selecting import tests, wanted_kinds

        kinds = wanted_kinds(kind)
        part = self.with_rules((rule for rule in self.rules if rule.kind in kinds), ordered=True)
        part._set(kinds=tuple(kind for kind in self.kinds if kind in kinds))
        passes = tests(self, columns, within, max_error, predicate)
        return part._part([rule for rule in part.rules if all(test(rule) for test in passes)], "filter")

    def by_interest(self) -> RuleSet:
        """The same rules, most interesting first, those of unknown interest last; ties in the order they had."""
        ranked = sorted(self.rules, key=lambda rule: -_interest(rule))
        return self.with_rules(ranked, ordered=True)

    def top(self, n: int) -> RuleSet:
        """The ``n`` most interesting rules."""
        if n < 0:
            raise OptionError(f"top takes a number of rules, not {n}.", hint="Give 0 or more.")
        ranked = self.by_interest()
        return ranked._part(ranked.rules[:n], f"top {n}")

    def with_rules(self, rules: Iterable[Rule], *, ordered: bool = False) -> RuleSet:
        """Other rules on the same table, under the same header; ``ordered`` keeps canonical rules as they come."""
        part = object.__new__(RuleSet)
        part._set(**{entry.name: getattr(self, entry.name) for entry in fields(self)} | {"rules": tuple(rules)})
        if not ordered:
            part.__post_init__(in_order=False)
        return part

    def _part(self, rules: Sequence[Rule], how: str) -> RuleSet:
        """Some of the rules, which no longer are all of them: the header says so."""
        part = self.with_rules(rules, ordered=True)
        if len(part) < len(self):
            left = f"{how}: {len(part)} of {len(self)} rules kept"
            part._set(incomplete=f"{self.incomplete}; {left}" if self.incomplete else left, complete_to=None)
        return part

    def diff(self, newer: RuleSet) -> RuleDiff:
        """What ``newer`` adds to these rules, drops from them and measures otherwise; compared by id."""
        from lawful.rules.diff import diff

        return diff(self, newer)

    # -- what follows from the rules ----------------------------------------------------------------------------

    def holds(self, statement: str | Rule) -> Answer:
        """Whether the rules entail an fd, key, oc or list rule, such as ``"[year, salary desc] -> [tax]"``.

        The answer is exact where the list has every fd and oc over as many columns as the statement needs (every key,
        for a key); elsewhere it is a proof or "not known", never a false no. It names the rules that prove the
        statement, or what is missing. The table is not needed. The first call indexes the rules, in a few
        microseconds each.
        """
        from lawful.rules.grammar import parse

        return self._judge.answer(parse(statement) if isinstance(statement, str) else statement)

    def simplify(self, *, order_by: Wanted | None = None, group_by: Wanted | None = None) -> Clauses:
        """The shortest clauses that sort and group the table as these do, such as ``order_by=["year", "month desc"]``.

        Up to a second; other columns of the table take part only where they make a clause shorter.
        """
        from lawful.rules.clauses import simplify

        return simplify(self, order_by=order_by, group_by=group_by)

    def advise(self, *, min_coverage: float = 0.0) -> Advice:
        """Keys, normal form with lossless parts, derivable columns, needless sorts and joins, orders to keep files in.

        ``min_coverage`` leaves fds of less coverage, which hold by chance more often, out of what concerns design.
        """
        from lawful.rules.advice import advise

        return advise(self, min_coverage=min_coverage)

    @cached_property
    def _judge(self) -> Judge:
        from lawful.rules.logic import Judge

        return Judge(self)

    # -- for other tools and readers ----------------------------------------------------------------------------

    def export(self, target: str, **options: Any) -> Any:
        """The rules for another tool, such as ``export("sql", dialect="postgres", table="pay", path="pay.sql")``.

        The result prints as the file; ``left`` has the rules that the target cannot express, with reasons.
        """
        return _above("export").export(self, target, **options)

    def report(self, path: str | os.PathLike[str], source: Any = None, **options: Any) -> None:
        """Writes the rules as one HTML page that needs nothing else; with the table, also its columns and example rows.

        ``source`` is a table encoded, or anything ``encode`` takes, with its options.
        """
        _above("checks").report(self, path, source, **options)

    # -- other shapes -------------------------------------------------------------------------------------------

    def to_dicts(self) -> list[dict[str, Any]]:
        """Every rule's fields, as its line in the rule file has them."""
        return [rule.to_dict() for rule in self.rules]

    def to_arrow(self) -> pyarrow.Table:
        """kind, text, id: string; columns: list of string; error, coverage, interest, surprise: double; measure."""
        from lawful.rules.frames import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> pandas.DataFrame:
        """The columns of ``to_arrow``; a figure that was not gathered is NaN."""
        from lawful.rules.frames import to_pandas

        return to_pandas(self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the rule file, in file order; an older file is replaced in one step."""
        from lawful.rules.rulefile import save

        save(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> RuleSet:
        """The rules of a rule file, indexed to be asked: the first question is answered as fast as the next ones."""
        from lawful.rules.rulefile import load

        rules = load(path)
        _ = rules._judge
        return rules


def _above(name: str) -> Any:
    """A package of a layer above: what is made of rules knows rules, and they know of it by name only."""
    return import_module(f"lawful.{name}")


def _interest(rule: Rule) -> float:
    interest = rule.figures.interest
    return float("-inf") if interest is None else interest
