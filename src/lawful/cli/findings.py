"""What a check found, in text for people and in the forms that build servers read."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from lawful.cli.screen import Screen, shown

if TYPE_CHECKING:
    from lawful.violations.checked import CheckResult, RuleCheck, Witness

_LONGEST = 60
_LISTED = 50
"""Rules up to which those that hold are listed too."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def printed(found: CheckResult, form: str, screen: Screen, against: str | None = None) -> None:
    """The result on standard output, in one of ``FORMATS``. ``against`` is the list in which all of its rules held."""
    if against is None:
        FORMATS[form](found, screen)
    elif form == "text":
        _drift(found, screen, against)
    elif form == "json":
        screen.data(_all_of(found) | {"against": against})
    else:
        FORMATS[form](found, screen)


def _text(found: CheckResult, screen: Screen) -> None:
    for check in found if len(found) <= _LISTED else found.violated:
        _listed(check, screen)
    counts = Counter(check.status for check in found)
    counted = (
        (counts["broken"], "broken"), (counts["tolerated"], "tolerated"),
        (counts["holds"], "holds" if counts["holds"] == 1 else "hold"),
    )  # fmt: skip
    told = ", ".join(f"{count:,} {word}" for count, word in counted if count)
    size = f"{found.rows:,} rows, {len(found):,} rule{'' if len(found) == 1 else 's'}"
    screen.say(f"{found.source}: {size}: {told}, checked in {found.seconds:.2f} s ({found.engine})")


def _drift(found: CheckResult, screen: Screen, against: str) -> None:
    """The rules that no longer hold, and how many do."""
    for check in found.violated:
        _listed(check, screen)
    gone, count = len(found.violated), len(found)
    of = f"of {count:,} rule{'' if count == 1 else 's'} that held in {against}"
    ending = f"{gone:,} no longer {'does' if gone == 1 else 'do'}, checked in {found.seconds:.2f} s ({found.engine})"
    screen.say(f"{found.source}: {found.rows:,} rows: {of}, {ending}")


def _listed(check: RuleCheck, screen: Screen) -> None:
    screen.say(f"{check.status:9}  {check.rule}{_marked(check)}")
    for line in () if check.holds else _details(check):
        screen.say(f"           {line}")


def _marked(check: RuleCheck) -> str:
    """A word on a broken rule that fails nothing."""
    return "  (severity warn)" if check.status == "broken" and check.severity == "warn" else ""


def _details(check: RuleCheck) -> Iterator[str]:
    yield summary(check)
    for part in check.parts:
        yield f"{part.status}: {part.rule}" + ("" if part.holds else f" ({summary(part)})")
    yield from _side_by_side(check.witnesses)


def summary(check: RuleCheck) -> str:
    """The figures of a broken rule in a line."""
    allowed = f" of {float(check.max_error):.4g} allowed" if check.max_error else ""
    counts = f"{check.pairs:,} of {check.of_pairs:,} pairs, {check.rows:,} row{'' if check.rows == 1 else 's'}"
    return f"error {check.error:.4g}{allowed} ({check.measure}): {counts}; {_mended(check)}"


def _mended(check: RuleCheck) -> str:
    if check.repair is None:
        return "what would mend it was not looked for (--repair)"
    gone = f"mended by removing {check.repair.rows:,} row{'' if check.repair.rows == 1 else 's'}"
    return gone if check.repair.exact else f"{gone} (greedy; at least {check.repair.least:,} are needed)"


def _side_by_side(witnesses: tuple[Witness, ...]) -> Iterator[str]:
    """The rows of each pair below each other, columns aligned."""
    if not witnesses:
        return
    placed = any(row is not None for witness in witnesses for row in witness.rows)
    lines = [["", *(["row"] if placed else []), *witnesses[0].columns]]
    for witness in witnesses:
        for side, (row, cells) in witness.sides.items():
            lines.append([side, *([row or ""] if placed else []), *map(_told, cells)])
    lines = [[_cut(cell) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _told(cell: object) -> str:
    return "null" if cell is None else str(cell)


def _cut(text: str) -> str:
    text = shown(text[: _LONGEST + 1])
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _json(found: CheckResult, screen: Screen) -> None:
    screen.data(_all_of(found))


def _all_of(found: CheckResult) -> dict[str, Any]:
    import lawful

    return {"version": lawful.__version__, **_plain(found.to_dict())}


def _plain(value: Any) -> Any:
    """Values that JSON knows; what it does not know as text."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value.isoformat() if isinstance(value, date) else str(value)


def _junit(found: CheckResult, screen: Screen) -> None:
    """One test case a rule; an error is a failure, a warning is told in its output."""
    failures = sum(check.level == "error" for check in found)
    figures = {"tests": str(len(found)), "failures": str(failures), "errors": "0", "time": f"{found.seconds:.3f}"}
    root = ElementTree.Element("testsuites", {"name": "lawful check", **figures})
    suite = ElementTree.SubElement(root, "testsuite", {"name": _safe(found.source), "skipped": "0", **figures})
    for check in found:
        case = {"name": _safe(str(check.rule)), "classname": f"lawful.{check.rule.kind}", "time": "0"}
        element = ElementTree.SubElement(suite, "testcase", case)
        if not check.holds:
            broken = check.level == "error"
            attributes = {"message": _safe(summary(check)), "type": check.rule.kind} if broken else {}
            inner = ElementTree.SubElement(element, "failure" if broken else "system-out", attributes)
            inner.text = _safe("\n".join(_details(check)), keep="\n")
    ElementTree.indent(root)
    lines = ElementTree.tostring(root, encoding="unicode").split("\n")
    for line in ('<?xml version="1.0" encoding="UTF-8"?>', *lines):
        screen.say(line)


def _safe(text: str, keep: str = "") -> str:
    """Text without what XML cannot hold."""
    return "".join(c if c not in "\ufffe\uffff" else "\ufffd" for c in shown(text, keep=keep))


def _sarif(found: CheckResult, screen: Screen) -> None:
    """A result for each broken rule, its files as places; one within its error, or of severity warn, is a warning."""
    import lawful

    rules = [
        {"id": check.id, "name": check.rule.kind, "shortDescription": {"text": str(check.rule)}} for check in found
    ]
    driver = {"name": "lawful", "version": lawful.__version__, "rules": rules}
    results = [_sarif_result(check, place, found.source) for place, check in enumerate(found) if not check.holds]
    screen.data({"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]})


def _sarif_result(check: RuleCheck, place: int, source: str) -> dict[str, Any]:
    return {
        "ruleId": check.id,
        "ruleIndex": place,
        "level": check.level,
        "message": {"text": "\n".join([f"{check.rule} is broken", *_details(check)])},
        "locations": _locations(check, source),
        "partialFingerprints": {"rule/v1": check.id},
        "properties": {"pairs": check.pairs, "rows": check.rows, "error": check.error, "measure": check.measure},
    }


def _locations(check: RuleCheck, source: str) -> list[dict[str, Any]]:
    """The rows shown, by file and line; the file alone where lines are not known, the source where files are not."""
    from urllib.parse import quote

    found = []
    for file, line in _whereabouts(check) or [(source, None)]:
        region = {} if line is None else {"region": {"startLine": line}}
        found.append({"physicalLocation": {"artifactLocation": {"uri": quote(file, safe="/:")}, **region}})
    return found


def _whereabouts(check: RuleCheck) -> list[tuple[str, int | None]]:
    """Files and lines of the rows shown, each once."""
    from lawful.violations.locating import placed

    found: dict[tuple[str, int | None], None] = {}
    for witness in check.witnesses:
        for row, line in zip(witness.rows, witness.lines, strict=True):
            path, record = placed(row)
            if record:
                found[path, line] = None
    return list(found)


def _github(found: CheckResult, screen: Screen) -> None:
    """An annotation for each broken rule, as the log of a workflow shows it."""
    for check in found:
        if not check.holds:
            place = "".join(_properties(check))
            title = _escaped(f"{check.rule}", ":,")
            text = _escaped("\n".join(_details(check)))
            screen.say(f"::{check.level} {place}title={title}::{text}")
    broken = sum(check.status == "broken" for check in found)
    screen.say(f"{found.source}: {len(found):,} rule{'' if len(found) == 1 else 's'}, {broken:,} broken")


def _properties(check: RuleCheck) -> Iterator[str]:
    """File and line of the first row shown, where they are known."""
    for file, line in _whereabouts(check)[:1]:
        yield f"file={_escaped(file, ':,')},"
        if line is not None:
            yield f"line={line},"


def _escaped(text: str, more: str = "") -> str:
    escapes = {"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"}
    return "".join(escapes[c] if c in "%\r\n" + more else c for c in text)


FORMATS: dict[str, Callable[[CheckResult, Screen], None]] = {
    "text": _text, "json": _json, "junit": _junit, "sarif": _sarif, "github": _github,
}  # fmt: skip
