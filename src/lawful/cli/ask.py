"""``lawful ask``: whether the rules of a file entail a statement, and by which of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from lawful.cli.ending import VIOLATIONS
from lawful.cli.layers import Asked
from lawful.cli.rulebook import RulesFile, loaded
from lawful.cli.shared_options import OutputOptions, with_options

if TYPE_CHECKING:
    from lawful.rules.logic import Answer

_VERDICTS = {True: "yes", False: "no", None: "not known"}


def ask(
    rules: RulesFile,
    statement: Annotated[str, Parameter(help="An fd, key, oc or list rule, such as '[year, pay desc] -> [tax]'.")],
    /,
    asked: Asked,
) -> int:
    """Say whether the rules of a file imply a statement, and name those that prove it; the table is not needed."""
    known = loaded(rules)
    _ = known._judge  # indexed beforehand, as part of reading the file
    started = time.perf_counter()
    answer = known.holds(statement)
    seconds = time.perf_counter() - started
    if asked.of(OutputOptions).json:
        asked.screen.data(plain(answer) | {"seconds": seconds})
    else:
        for line in told(answer):
            asked.screen.say(line)
    return VIOLATIONS if asked["exit_code"] and not answer else 0


_EXIT_CODE = Parameter(name="--exit-code", negative="", help="End with 1 unless the statement is implied.")
command = with_options(ask, exit_code=(bool, _EXIT_CODE))


def told(answer: Answer) -> Iterator[str]:
    """The verdict, then the rules that prove it, each behind its id, or what is missing."""
    yield f"{answer.statement}: {_VERDICTS[answer.holds]}"
    if answer.holds and not answer.rules:
        yield "  it holds in every table"
    for rule in answer.rules:
        yield f"  {rule.id}  {rule}"
    if answer.missing is not None and answer.missing != answer.statement:
        yield f"  {answer.missing} {'does not hold' if answer.known else 'is open'}"
    if answer.reason is not None:
        yield f"  {answer.reason}"


def plain(answer: Answer) -> dict[str, Any]:
    """The answer as data; ``holds`` is null where it is not known."""
    return {
        "statement": str(answer.statement),
        "holds": answer.holds,
        "proof": [{"id": rule.id, "rule": str(rule)} for rule in answer.rules],
        "missing": None if answer.missing is None else str(answer.missing),
        "reason": answer.reason,
    }
