"""Rules of two rows, denial constraints and pointwise dependencies: evidence first, then what hits all of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lawful.engine.port import Engine
from lawful.errors import OptionError
from lawful.evidence.evidence import Evidence
from lawful.families.answer import Answer
from lawful.families.comparing import choose, compare_all, refuse_large
from lawful.families.dc import DcRecipe
from lawful.families.pod import PodRecipe
from lawful.families.recipe import Bounds, Recipe
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, Step, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Rule
from lawful.search.covers import Branches, SearchBranch
from lawful.search.ending import Deadline, Ending, ended_in_order
from lawful.search.problem import Question, Words

log = logging.getLogger("lawful.discover")

SEARCHING = "searching"
_RULE = 1200
"""Bytes that a rule takes once it is more than a row of words, while it is being made."""


@dataclass(frozen=True)
class Run:
    """What a discovery may use."""

    engine: Engine
    budget: Budget
    deadline: Deadline
    listener: Listener = silent
    kept: Any = None


def discover_marked(
    kind: str,
    table: Encoded,
    engine: Engine,
    options: DiscoverOptions,
    *,
    budget: Budget,
    listener: Listener = silent,
    kept: Any = None,
) -> Answer:
    """All minimal rules of the kind ``dc`` or ``pod`` that ``options`` ask for."""
    if table.rows < 2:
        return Answer((), Ending(), None, note="fewer than two rows")
    recipe: Recipe = DcRecipe(table, options) if kind == "dc" else PodRecipe(table, options)
    bounds = Bounds(options, table.rows)
    run = Run(engine, budget, Deadline(options.seconds()), listener, kept)
    rules: list[Rule] = []
    remarks: tuple[str, ...] = ()
    with ended_in_order() as ended:
        refuse_large(recipe.space, budget)
        choice = choose(recipe.space, table.rows)
        log.info("%s: %s: %s", kind, "all pairs are compared" if choice.full else "pairs are sampled", choice.why)
        if choice.full:
            evidence = compare_all(
                recipe.space,
                engine,
                counted=True,
                budget=budget,
                deadline=run.deadline,
                listener=listener,
                kept=kept,
            )
            ending, rules = _all_known(recipe, evidence, bounds, table, run)
        else:
            raise OptionError(
                f"{table.rows:,} rows are too many to compare all pairs for {kind} ({choice.why}).",
                hint="Use --limit-rows or fewer --columns.",
            )
        return _answer(rules, ending, options, remarks)
    return _answer(rules, ended.ending, options, remarks)


def _all_known(
    recipe: Recipe, evidence: Evidence, bounds: Bounds, table: Encoded, run: Run
) -> tuple[Ending, list[Rule]]:
    """The rules of complete evidence: every set found is a rule, also of a search that was ended."""
    found, ending = hit(evidence, recipe.questions(bounds), run)
    denials = recipe.denials(found, evidence, bounds, ending.reason is None)
    return ending, recipe.rules(denials, evidence, table)


def hit(evidence: Evidence, questions: Sequence[Question], run: Run) -> tuple[list[Words], Ending]:
    """The minimal hitting sets for each question, and how the search for them ended."""
    branches, job = Branches.of(questions, len(evidence)), SearchBranch(evidence, tuple(questions))
    workers = run.engine.parallelism
    started = time.perf_counter()
    with ended_in_order() as ended:
        shared: Any = run.engine.share(_NOTHING)
        with closing(run.engine.stream(job, shared, branches.units())) as parts:  # type: ignore[type-var]
            for branch, part in parts:
                branches.take_in(branch, part, workers)
                run.listener(_step(branches, time.perf_counter() - started))
                run.budget.check("searching", branches.rules * _RULE)
                if not branches.done:
                    run.deadline.check()
    return [branches.sets(i) for i in range(len(questions))], ended.ending


def _step(branches: Branches, seconds: float) -> Step:
    figures = {
        "rules": f"{branches.rules:,}",
        "open": f"{branches.open:,}",
        "nodes/s": f"{branches.nodes / max(seconds, 1e-9):,.0f}",
        "memory": f"{branches.bytes >> 20:,} MiB",
    }
    return Step(SEARCHING, branches.nodes, None, figures)


def _answer(rules: Sequence[Rule], ending: Ending, options: DiscoverOptions, remarks: tuple[str, ...]) -> Answer:
    least = Fraction(str(options.min_coverage))
    if least:
        rules = [r for r in rules if r.figures.coverage is not None and r.figures.coverage >= float(least)]
    return Answer(tuple(rules), ending, None, remarks=remarks)


def check_marked(options: DiscoverOptions, rows: int) -> None:
    """What cannot be asked of pod and dc together with other options."""
    if options.list_form and not {"fd", "oc"} <= set(options.wanted()):
        raise OptionError("The list form needs fd and oc.", hint="Ask for the kind od.")


class _Nothing:
    """A table without columns: the search for hitting sets looks at no rows."""

    rows = 0
    columns: tuple[Any, ...] = ()
    store = None

    @property
    def ranks(self) -> Any:
        import numpy as np

        return np.zeros((0, 0), np.int32)


_NOTHING: Any = _Nothing()
