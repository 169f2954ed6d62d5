"""What a check says of each rule and of the table as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from lawful.errors import OptionError, did_you_mean
from lawful.rules.model import Measure, Rule
from lawful.rules.review import Severity
from lawful.violations.finding import EXACT, flags

if TYPE_CHECKING:
    import pyarrow as pa

    from lawful.ranks.encoded import Encoded

Status: TypeAlias = Literal["holds", "tolerated", "broken"]
Level: TypeAlias = Literal["none", "warning", "error"]
Flags: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Witness:
    """Two rows that break a rule, t and u: their names (``None`` in Spark frames, whose rows have no place) and their
    values in the rule's columns, for such frames also in a column whose values are all different. ``u`` is empty
    where the rule speaks of one row alone. ``lines`` are those of delimited files, where they were looked up."""

    rows: tuple[str | None, str | None]
    columns: tuple[str, ...]
    t: tuple[object, ...]
    u: tuple[object, ...]
    lines: tuple[int | None, int | None] = (None, None)

    @property
    def sides(self) -> dict[str, tuple[str | None, tuple[object, ...]]]:
        """Name and values of t and, where there is one, of u."""
        found = {"t": (self.rows[0], self.t)}
        return found | ({"u": (self.rows[1], self.u)} if self.u else {})

    def to_dict(self) -> dict[str, Any]:
        """Plain data: for t and u the row, its line where it is known, and the values by column."""
        found = {}
        for line, (side, (row, cells)) in zip(self.lines, self.sides.items(), strict=False):
            known = {} if line is None else {"line": line}
            found[side] = {"row": row, **known, "values": dict(zip(self.columns, cells, strict=True))}
        return found


@dataclass(frozen=True)
class Repair:
    """How many rows to remove to mend a rule. ``exact``: no fewer do; else they were chosen greedily, and at least
    ``least`` have to go whatever the choice."""

    rows: int
    exact: bool
    least: int


@dataclass(frozen=True)
class RuleCheck:
    """One rule held against a table: ``pairs`` ordered pairs out of ``of_pairs`` break it, and ``rows`` rows out of
    ``of_rows`` take part in one.

    ``measure`` is what ``error`` counts, ``max_error`` how much of it is allowed. ``repair`` is ``None`` where it was
    not looked for. ``parts`` are the fds and ocs for which a rule between lists stands. ``severity`` is that of the
    review that the rule came from.
    """

    rule: Rule
    pairs: int
    of_pairs: int
    rows: int
    of_rows: int
    measure: Measure
    max_error: Fraction
    repair: Repair | None
    witnesses: tuple[Witness, ...]
    parts: tuple[RuleCheck, ...] = ()
    bad: NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8), repr=False, compare=False)
    gone: NDArray[np.uint8] | None = field(default=None, repr=False, compare=False)
    severity: Severity = "error"

    @property
    def id(self) -> str:
        """The rule's id."""
        return self.rule.id

    @property
    def holds(self) -> bool:
        """Whether no pair breaks the rule."""
        return self.pairs == 0

    @property
    def exact_error(self) -> Fraction:
        """The error by the measure, as a fraction of integers."""
        if self.measure == "pairs":
            return Fraction(self.pairs, self.of_pairs) if self.of_pairs else Fraction(0)
        return Fraction(self.repair.rows, self.of_rows) if self.repair and self.of_rows else Fraction(0)

    @property
    def error(self) -> float:
        """The error by the measure."""
        return float(self.exact_error)

    @property
    def errors(self) -> dict[str, float]:
        """The error by every measure that the kind has: ``pairs``, and ``removal`` for fd, key and oc."""
        found = {"pairs": self.pairs / self.of_pairs if self.of_pairs else 0.0}
        if self.repair is not None and self.rule.kind in EXACT:
            found["removal"] = self.repair.rows / self.of_rows if self.of_rows else 0.0
        return found

    @property
    def status(self) -> Status:
        """``holds``; ``tolerated``: broken within the error allowed; ``broken``: beyond it."""
        if self.holds:
            return "holds"
        return "tolerated" if self.exact_error <= self.max_error else "broken"

    @property
    def level(self) -> Level:
        """``error``: broken, and the rule's severity is error; ``warning``: broken otherwise, or tolerated."""
        if self.holds:
            return "none"
        return "error" if self.status == "broken" and self.severity == "error" else "warning"

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``lawful check --json`` prints it; values as they are."""
        found: dict[str, Any] = {
            "id": self.id, "kind": self.rule.kind, "rule": str(self.rule), "status": self.status,
            "severity": self.severity,
            "error": self.error, "measure": self.measure, "max_error": float(self.max_error), "errors": self.errors,
            "pairs": self.pairs, "of_pairs": self.of_pairs, "rows": self.rows, "of_rows": self.of_rows,
        }  # fmt: skip
        if self.repair is not None:
            how = "exact" if self.repair.exact else "greedy"
            found["repair"] = {"rows": self.repair.rows, "how": how, "at_least": self.repair.least}
        found["witnesses"] = [witness.to_dict() for witness in self.witnesses]
        if self.parts:
            found["parts"] = [part.to_dict() for part in self.parts]
        return found


@dataclass(frozen=True, repr=False)
class CheckResult(Sequence[RuleCheck]):
    """Every rule held against one table, in the order the rules were given."""

    source: str
    rows: int
    checks: tuple[RuleCheck, ...]
    engine: str
    seconds: float = field(compare=False)
    warnings: tuple[str, ...] = ()
    table: Encoded | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.checks)

    def __iter__(self) -> Iterator[RuleCheck]:
        return iter(self.checks)

    @overload
    def __getitem__(self, index: int) -> RuleCheck: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RuleCheck, ...]: ...
    def __getitem__(self, index: int | slice) -> RuleCheck | tuple[RuleCheck, ...]:
        return self.checks[index]

    @property
    def ok(self) -> bool:
        """Whether no rule is broken beyond the error allowed, but for rules whose severity is warn."""
        return all(check.level != "error" for check in self.checks)

    @property
    def violated(self) -> tuple[RuleCheck, ...]:
        """The rules that some pair breaks, tolerated or not."""
        return tuple(check for check in self.checks if not check.holds)

    def of(self, rule: str | Rule) -> RuleCheck:
        """The check of one rule, given as an object, its text or its id."""
        for check in self.checks:
            if rule == check.rule or rule in (check.id, str(check.rule)):
                return check
        if isinstance(rule, str):
            from lawful.errors import RuleSyntaxError
            from lawful.rules import parse

            try:
                rule = parse(rule)
            except RuleSyntaxError:
                known = [str(check.rule) for check in self.checks]
                raise OptionError(f"{rule!r} was not checked.", hint=did_you_mean(str(rule), known)) from None
        for check in self.checks:
            if check.id == rule.id:
                return check
        raise OptionError(f"{rule} was not checked.", hint="Give one of the rules that were.")

    def violations(self, rule: str | Rule, to: str = "arrow") -> Any:
        """The rows that take part in a violating pair of the rule, as an ``arrow``, ``pandas`` or ``spark`` table.

        The first column, ``lawful_row``, is the row's place in the table, from 1 (left out where rows have none).
        """
        return self._shaped(self.of(rule).bad, to)

    def removable(self, rule: str | Rule, to: str = "arrow") -> Any:
        """The rows whose removal mends the rule (see `Repair`), in the same shape."""
        check = self.of(rule)
        if check.gone is None:
            hint = "Ask for it with repair=True; it may take long."
            raise OptionError(f"What would mend {check.rule} was not looked for.", hint=hint)
        return self._shaped(check.gone, to)

    def bad_rows(self) -> pa.Table:
        """Every row that breaks a rule, with the list of the ids of the rules it breaks, ``lawful_rules`` (with
        underscores behind it where the table has such a column)."""
        from lawful.violations.rows import RULES, free_name, reasons, row_table

        assert self.table is not None
        found = row_table(self.table, np.flatnonzero(self.bad))
        return found.append_column(free_name(RULES, self.table.names), reasons(self))

    @cached_property
    def bad(self) -> Flags:
        """The rows that break a rule, bool[rows]."""
        found = np.zeros(self.rows, np.bool_)
        for check in self.violated:
            found |= flags(check.bad, self.rows)
        return found

    def _shaped(self, packed: NDArray[np.uint8], to: str) -> Any:
        from lawful.violations.rows import row_table, shaped

        assert self.table is not None
        return shaped(row_table(self.table, np.flatnonzero(flags(packed, self.rows))), to)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as ``lawful check --json`` prints it."""
        return {
            "source": self.source, "rows": self.rows, "engine": self.engine, "ok": self.ok,
            "warnings": list(self.warnings), "rules": [check.to_dict() for check in self.checks],
        }  # fmt: skip

    def __repr__(self) -> str:
        broken = sum(check.status == "broken" for check in self.checks)
        tolerated = len(self.violated) - broken
        within = f", {tolerated} within the error allowed" if tolerated else ""
        return f"<CheckResult: {len(self)} rules on {self.source!r}, {self.rows} rows: {broken} broken{within}>"

    def _repr_html_(self) -> str:
        from lawful.violations.notebook import html

        return html(self)
