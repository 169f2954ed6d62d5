"""Rules of two rows, denial constraints and pointwise dependencies: evidence first, then what hits all of it."""

from __future__ import annotations

import logging
from fractions import Fraction

import numpy as np

from lawful.engine.port import Engine
from lawful.errors import OptionError
from lawful.evidence.evidence import Evidence
from lawful.families.answer import Answer
from lawful.families.comparing import Choice, choose, compare_all, most_rows, refuse_large
from lawful.families.dc import DcRecipe
from lawful.families.denials import as_words
from lawful.families.pod import PodRecipe
from lawful.families.recipe import Bounds, Recipe
from lawful.families.running import Best, Run, hit
from lawful.limits import Budget
from lawful.options import DiscoverOptions
from lawful.progress import Listener, silent
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Rule
from lawful.search.ending import Deadline, Ending, ended_in_order
from lawful.search.kept import Kept

log = logging.getLogger("lawful.discover")


def discover_marked(
    kind: str,
    table: Encoded,
    engine: Engine,
    options: DiscoverOptions,
    *,
    budget: Budget,
    listener: Listener = silent,
    kept: Kept | None = None,
) -> Answer:
    """All minimal rules of the kind ``dc`` or ``pod`` that ``options`` ask for."""
    if table.rows < 2:
        return Answer((), Ending(), None, note="fewer than two rows")
    run = Run(engine, budget, Deadline(options.seconds()), listener, kept)
    this = _Search(kind, table, options, run)
    try:
        with ended_in_order() as ended:
            this.go()
    finally:
        if kept is not None:
            kept.flush()
    if ended.ending.reason is not None:
        this.ending = ended.ending
    if this.ending.code and kind == "dc" and options.cross_columns:
        this.remarks += ("Some of these dc may follow from others that were not found, by the order of values.",)
    return Answer(tuple(this.rules), this.ending, None, remarks=this.remarks, bounded=this.bounded)


class _Search:
    """One discovery: the rules so far, how it ended, remarks."""

    def __init__(self, kind: str, table: Encoded, options: DiscoverOptions, run: Run) -> None:
        self.recipe: Recipe = DcRecipe(table, options) if kind == "dc" else PodRecipe(table, options)
        self.rules: list[Rule] = []
        self.ending = Ending()
        self.remarks: tuple[str, ...] = ()
        self.bounded = False
        self._table, self._options, self._run = table, options, run

    def go(self) -> None:
        """Search; what is found stands in ``rules`` also when this is ended by an error."""
        refuse_large(self.recipe.space, self._run.budget)
        choice = choose(self.recipe.space, self._table.rows, self._counts_needed)
        log.info("%s: %s: %s", self.recipe.kind, "all pairs" if choice.full else "sampled pairs", choice.why)
        if choice.full:
            self._all_pairs()
        elif self._counts_needed:
            self._estimated(choice)
        else:
            self._completed()

    @property
    def _counts_needed(self) -> bool:
        return self._options.max_error > 0 or self._options.min_coverage > 0

    def _all_pairs(self) -> None:
        """Complete evidence: every set found is a rule, also of a search that was ended."""
        run = self._run
        evidence = compare_all(
            self.recipe.space,
            run.engine,
            counted=True,
            budget=run.budget,
            deadline=run.deadline,
            listener=run.listener,
            kept=run.kept,
        )
        self._found_in(evidence, Bounds(self._options, self._table.rows * (self._table.rows - 1)))

    def _found_in(self, evidence: Evidence, bounds: Bounds) -> None:
        best = self._best(evidence)
        found, self.ending = hit(evidence, self.recipe.questions(bounds), self._run, best)
        self.bounded = best is not None and best.bounded
        denials = self.recipe.denials(found, evidence, bounds)
        self.rules = self._covering(self.recipe.rules(denials, evidence, self._table))

    def _best(self, evidence: Evidence) -> Best | None:
        """Of the rules asked for by ``top``, twice as many, since most come with their mirror image."""
        nothing = as_words(np.zeros((0, self.recipe.space.layout.literals), np.bool_))
        top = self._options.top
        if top is None or self._options.min_coverage > 0 or self.recipe.interest(nothing, evidence) is None:
            return None
        return Best(2 * top, lambda sets: self.recipe.interest(sets, evidence) or ())

    def _covering(self, rules: list[Rule]) -> list[Rule]:
        least = float(Fraction(str(self._options.min_coverage)))
        return [r for r in rules if r.figures.coverage is not None and r.figures.coverage >= least] if least else rules

    def _completed(self) -> None:
        """From a sample to proven rules; those proven by the time the search is ended are minimal and hold."""
        from lawful.families.completing import complete, sampled

        bounds = Bounds(self._options, self._table.rows * (self._table.rows - 1))
        questions = self.recipe.questions(bounds)
        known = sampled(self.recipe, self._run, self._options, len(self._table.columns))
        completed = complete(known, self.recipe, questions, self._run)
        if completed is None:
            log.info("%s: all pairs after all: the rules that a sample suggests are hard to try", self.recipe.kind)
            return self._all_pairs()
        self.ending, sets = completed
        denials = self.recipe.denials(sets, known.evidence, bounds)
        told = known.evidence
        if self._options.estimate or self._options.top is not None:
            told = known.random.close()
            self.remarks = (_estimates("Coverage, interest and surprise", self.recipe.kind, known.random),)
        self.rules = self.recipe.rules(denials, told, self._table)

    def _estimated(self, choice: Choice) -> None:
        """Where counts of all pairs are out of reach: refused, or estimated when that was asked for."""
        from lawful.families.completing import sampled

        if not self._options.estimate:
            asked = "max_error" if self._options.max_error > 0 else "min_coverage"
            raise OptionError(
                f"{asked} for {self.recipe.kind} needs every pair of rows counted, and {choice.why}.",
                hint=f"It works up to {most_rows():,} rows (--limit-rows); --estimate judges by a sample of pairs.",
            )
        random = sampled(self.recipe, self._run, self._options, len(self._table.columns)).random.close()
        self._found_in(random, Bounds(self._options, random.pairs or 0))
        self.remarks = (_estimates("Errors and figures", self.recipe.kind, random),)
        if self.ending.reason is None:
            self.ending = Ending("errors are estimated from a sample of pairs", 0)


def _estimates(what: str, kind: str, sample: Evidence) -> str:
    return f"{what} of {kind} are estimates, from {sample.pairs or 0:,} sampled pairs of rows."
