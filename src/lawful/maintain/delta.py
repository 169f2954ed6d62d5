"""What a batch changed: rules that came and went, each with what the data say for it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from lawful.rules import schema
from lawful.rules.model import Rule

if TYPE_CHECKING:
    from lawful.evidence.agree import AgreeSets


@dataclass(frozen=True)
class Witness:
    """Two rows that break a rule, by their ids and values: rows of the version in which it does not hold."""

    ids: tuple[int, int]
    rows: tuple[Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Reason:
    """The share of pairs of rows that broke a rule before a batch and after it. Where the rule held on one side of it
    only, without exception, also two rows that break it; where it held on both, a smaller rule came or went. ``after``
    is ``None`` where a rule is broken and pairs are not counted."""

    before: float
    after: float | None
    witness: Witness | None = None

    def __str__(self) -> str:
        if self.witness is not None:
            a, b = self.witness.ids
            return f"rows {a} and {b} {'broke' if self.after == 0 else 'break'} it"
        if not self.before and self.after == 0:
            return "held before and after: a smaller rule came or went"
        return f"error {self.before:.6g} -> {'more' if self.after is None else f'{self.after:.6g}'}"


@dataclass(frozen=True)
class Delta:
    """A batch that was applied, and what it changed. ``reasons`` tells for each rule, by id, why.

    ``repeated``: a batch of this id was applied before, and nothing was done now. ``change`` holds the agree sets whose
    counts changed, by how much; it is there when the batch was just applied.
    """

    version: int
    batch_id: str
    inserted: int
    deleted: int
    added: tuple[Rule, ...] = ()
    removed: tuple[Rule, ...] = ()
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    repeated: bool = False
    change: AgreeSets | None = field(default=None, compare=False, repr=False)

    def reason(self, rule: Rule) -> Reason:
        """Why a rule came or went."""
        return self.reasons[rule.id]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        again = " (applied before, nothing done)" if self.repeated else ""
        rows = f"{self.inserted:,} rows inserted, {self.deleted:,} deleted"
        yield f"version {self.version}: {rows}; {len(self.added)} rules added, {len(self.removed)} removed{again}"
        for sign, rules in (("+", self.added), ("-", self.removed)):
            yield from (f"{sign} {rule}  ({self.reason(rule)})" for rule in rules)

    def to_dict(self) -> dict[str, Any]:
        """The delta as plain data."""
        plain: dict[str, Any] = {
            "version": self.version, "batch_id": self.batch_id, "inserted": self.inserted, "deleted": self.deleted,
            "repeated": self.repeated,
        }  # fmt: skip
        return plain | {"added": self._told(self.added), "removed": self._told(self.removed)}

    def _told(self, rules: Sequence[Rule]) -> list[dict[str, Any]]:
        return [{"rule": rule.to_dict(), "text": str(rule), **_reason(self.reason(rule))} for rule in rules]


def _reason(reason: Reason) -> dict[str, Any]:
    witness = None
    if reason.witness is not None:
        witness = {"ids": list(reason.witness.ids), "rows": [dict(row) for row in reason.witness.rows]}
    return {"before": reason.before, "after": reason.after, "witness": witness}


def encoded(delta: Delta) -> bytes:
    """The delta as the state keeps it."""
    return msgspec.json.encode(delta.to_dict())


def decoded(content: bytes, *, repeated: bool = False) -> Delta:
    """A delta that the state kept."""
    plain = msgspec.json.decode(content)
    rules = {part: tuple(_rule(told) for told in plain[part]) for part in ("added", "removed")}
    told = [entry for part in ("added", "removed") for entry in plain[part]]
    return Delta(
        plain["version"], plain["batch_id"], plain["inserted"], plain["deleted"], rules["added"], rules["removed"],
        {entry["rule"]["id"]: _read_reason(entry) for entry in told}, repeated,
    )  # fmt: skip


def _rule(told: Mapping[str, Any]) -> Rule:
    rule: Rule = schema.read_line(msgspec.json.encode(told["rule"])).rule()
    return rule


def _read_reason(entry: Mapping[str, Any]) -> Reason:
    found = entry["witness"]
    witness = None if found is None else Witness(tuple(found["ids"]), tuple(found["rows"]))
    return Reason(entry["before"], entry["after"], witness)


def cell(value: object) -> Any:
    """A value as JSON can keep it: numbers, truth values and texts as they are, all else as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, int) and abs(value) >= 1 << 63:
        return str(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
