"""From an encoded table to the rule set: the family runs, and what it found is described."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from lawful.engine.port import Engine
from lawful.errors import InputError, LimitError, OptionError
from lawful.families.answer import Answer, together
from lawful.families.bod import discover_bod
from lawful.families.key import discover_keys, keys_alone
from lawful.families.marked import discover_marked
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.rules import RuleSet
from lawful.rules.listing import list_rules
from lawful.rules.model import Rule
from lawful.rules.ruleset import Column
from lawful.search.ending import Ending, interrupted
from lawful.search.journal import Journal
from lawful.search.kept import Kept

_BATCH = 4096


def discover_all(
    table: Encoded,
    engine: Engine,
    options: DiscoverOptions,
    *,
    budget: Budget,
    work_dir: str | None = None,
    listener: Listener = silent,
) -> tuple[RuleSet, Ending]:
    """The rules of every kind asked for, and how the search ended."""
    _check(table, options, work_dir)
    answer = together(list(_answers(table, engine, options, budget, work_dir, listener)))
    rules, ending = _described(table, engine, options, answer), answer.ending
    if options.list_form and ending.code in (0, 3):
        rules, listed = _with_lists(rules, options, budget)
        ending = ending if ending.reason else listed
    return (rules if options.top is None else _best(rules, options.top, answer.bounded)), ending


def _best(rules: RuleSet, count: int, bounded: bool) -> RuleSet:
    """The most interesting rules. How many more there are is not known where the search was ``bounded`` by them."""
    best = rules.top(count)
    if not bounded:
        return best
    why = f"top {count}: rules that cannot be among them were not looked for"
    why = f"{rules.incomplete}; {why}" if rules.incomplete else why
    return replace(best, incomplete=why, complete_to=None, in_order=True)


def _answers(
    table: Encoded, engine: Engine, options: DiscoverOptions, budget: Budget, work_dir: str | None, listener: Listener
) -> Iterator[Answer]:
    """One answer a family; after one that was ended from outside no other begins."""
    kinds = options.wanted()
    families = [*(["sets"] if set(kinds) & {"fd", "key", "oc"} else []), *(k for k in kinds if k in ("pod", "dc"))]
    tables = {f: _apart(table) if f == "sets" and table.nulls == "unknown" else table for f in families}
    journals = _journals(tables, options, work_dir)
    ended = False
    for family in families:
        if ended:
            yield Answer((), Ending("an earlier kind was ended", 3), None)
            continue
        own, kept = tables[family], journals.get(family)
        if family == "sets":
            discover = discover_keys if keys_alone(options) else discover_bod
            answer = discover(own, engine, options, budget=budget, journal=kept, listener=listener)
        else:
            answer = discover_marked(family, own, engine, options, budget=budget, listener=listener, kept=kept)
        ended = answer.ending.code != 0
        if kept is not None and not ended:
            kept.discard()
        yield answer


def _check(table: Encoded, options: DiscoverOptions, work_dir: str | None) -> None:
    if table.nulls == "unknown" and not set(options.wanted()) <= {"key", "dc"}:
        raise OptionError(
            "nulls='unknown' has no meaning for discovering fd, oc and pod.",
            hint="Discover keys and dcs alone, or set nulls to first or last.",
        )
    if options.resume and work_dir is None:
        raise OptionError("There is nothing to resume without a work folder.", hint="Name it with --work-dir.")
    if options.resume and "://" in str(work_dir):
        raise OptionError(f"Nothing to resume is kept in {work_dir!r}, a URL.", hint="Leave --resume out.")
    if options.list_form and not {"fd", "oc"} <= set(options.wanted()):
        raise OptionError("The list form needs fd and oc.", hint="Ask for the kind od.")
    if options.list_form and options.max_error > 0:
        raise OptionError("The list form follows from exact rules only.", hint="Leave max_error or list_form out.")


def _apart(table: Encoded) -> Encoded:
    """The table with a rank of its own for every null: a comparison with null is never true, so no null repeats."""
    ranks = np.array(table.ranks)
    columns = []
    for at, column in enumerate(table.columns):
        if column.null_rank is not None:
            null = ranks[at] == column.null_rank
            ranks[at, null] = column.ranks + np.arange(int(null.sum()), dtype=np.int32)
            column = replace(column, distinct=column.ranks + column.nulls - 1)
        columns.append(column)
    ranks.flags.writeable = False
    return replace(table, columns=tuple(columns), held=ranks, store=None)


def _journals(tables: dict[str, Encoded], options: DiscoverOptions, work_dir: str | None) -> dict[str, Any]:
    """The journal of each family that keeps one; to resume, one of them at least has to be there."""
    if work_dir is None or "://" in work_dir:
        return {}
    asked = {
        family: (Journal if family == "sets" else Kept, table, _plan(family, options))
        for family, table in tables.items()
        if table.rows >= 2 and (family != "sets" or options.max_error == 0)
    }
    found, missing = {}, None
    for family, (kind, table, plan) in asked.items() if options.resume else ():
        try:
            found[family] = kind.resume(work_dir, table, plan)
        except InputError as problem:
            missing = missing or problem
    if missing is not None and not found:
        raise missing
    return {f: found.get(f) or kind.begin(work_dir, table, plan) for f, (kind, table, plan) in asked.items()}


def _plan(family: str, options: DiscoverOptions) -> dict[str, Any]:
    """What of the options shapes a search."""
    if family == "sets":
        return {"kinds": options.wanted(), "max_size": options.max_size, "min_coverage": options.min_coverage}
    shaping = ("max_size", "max_error", "cross_columns", "share", "means", "order_strings")
    return {"kind": family, **{name: getattr(options, name) for name in shaping}}


def _described(table: Encoded, engine: Engine, options: DiscoverOptions, answer: Answer) -> RuleSet:
    incomplete, complete_to = _limits(options, answer)
    return RuleSet(
        answer.rules,
        source=table.name,
        rows=table.rows,
        columns=tuple(Column(c.name, c.type.name) for c in table.columns),
        kinds=options.wanted(),
        incomplete=incomplete,
        complete_to=complete_to,
        note=answer.note,
        engine=engine.name,
        warnings=(*table.warnings, *answer.remarks),
        options=_shown(table, options),
        in_order=True,
    )


def _limits(options: DiscoverOptions, answer: Answer) -> tuple[str | None, int | None]:
    """Why rules may be missing, and up to how many columns none is."""
    if answer.ending.reason is not None:
        most = [n for n in (answer.complete_to, options.max_size) if n is not None]
        return answer.ending.reason, min(most) if answer.complete_to is not None and not options.min_coverage else None
    if options.min_coverage > 0:
        return f"only rules of coverage {options.min_coverage:g} and more", None
    if options.max_size is not None:
        return f"only rules over at most {options.max_size} columns", options.max_size
    return None, None


def _shown(table: Encoded, options: DiscoverOptions) -> dict[str, Any]:
    """The options that shape the answer, as the header keeps them."""
    kept: tuple[str, ...] = ("max_error", "measure", "max_size", "min_coverage", "top")
    if "dc" in options.wanted():
        kept += ("order_strings", "cross_columns", *(("share", "means") if options.cross_columns else ()))
    if set(options.wanted()) & {"pod", "dc"}:
        kept += ("estimate", *(("sample", "efficiency") if options.estimate else ()))
    asked = {name: value for name, value in asdict(options).items() if name in kept and _given(name, value)}
    listed = {c.name: list(c.listed) for c in table.columns if c.listed}
    return {"nulls": table.nulls, **({"order": listed} if listed else {}), **asked}


def _given(name: str, value: Any) -> bool:
    """Whether a value says anything: of thresholds also 0 does."""
    return name in ("share", "means", "sample", "efficiency") or bool(value)


def _with_lists(rules: RuleSet, options: DiscoverOptions, budget: Budget) -> tuple[RuleSet, Ending]:
    """The rules with their list forms, up to as many columns as asked for: all of them when nothing was."""
    lists: list[Rule] = []
    ending = Ending()
    try:
        for rule in list_rules(rules, max_size=options.max_size):
            lists.append(rule)
            if len(lists) % _BATCH == 0:
                budget.check("listing order dependencies")
    except LimitError as limit:
        ending = Ending(limit.message.rstrip("."), limit.code, "Set --max-size; lists grow with the factorial of it.")
    except KeyboardInterrupt as stop:
        ending = interrupted(stop)
    return replace(
        rules,
        rules=(*rules.rules, *lists),
        kinds=(*rules.kinds, "lod"),
        incomplete=ending.reason or rules.incomplete,
        options={**rules.options, "list_form": True},
    ), ending
