"""Pointwise dependencies that follow inserted rows: what new pairs of rows break is refined, the rest stays as it is.

What a state knows of its table is a set of signatures that is enough: the smallest sets of marks that hit these are the
rules, for each mark on the right. All its rules are tried on pairs of which one row is new at least. Pairs that break
some bring new signatures; only questions some of whose rules broke are searched again, with the new signatures beside
those known. What is found then contains a set that was a rule, so it holds for all old pairs, and is tried on new ones
alone, until nothing is open (IncPOD, section VI, by signatures instead of pairs of rows).
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lawful.engine.local import LocalEngine
from lawful.evidence.batch import Showing, paired_here, runs_of
from lawful.evidence.evidence import Evidence
from lawful.evidence.relaying import one_image
from lawful.evidence.signature import Signatures
from lawful.families.agreeing import raise_ended
from lawful.families.comparing import choose, compare_all, packing_of
from lawful.families.completing import Look, check, complete, conjunctions, sampled, unproven
from lawful.families.denials import Denials, as_words, flags
from lawful.families.noting import Found, Grounds, Noting
from lawful.families.pod import PodRecipe
from lawful.families.recipe import Bounds
from lawful.families.running import Run, hit
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.model import Rule
from lawful.search.literals import POD_ORDERED, Literals
from lawful.search.problem import Question, Words
from lawful.search.violating import find_pairs

log = logging.getLogger("lawful.maintain")

_COMPARED = 1 << 25
"""Pairs of rows compared at once when rules broke: a few tenths of a second."""
_GLANCES = 4
_STEP = 256
_SEEDS = 1 << 16


class Following:
    """The pods of one table. ``table`` has its ranks; of the ``options`` the number of columns counts."""

    def __init__(self, table: Encoded, options: DiscoverOptions) -> None:
        self.recipe = PodRecipe(table, options)
        self.space = self.recipe.space
        self._table, self._options = table, options
        self._bounds = Bounds(options, table.rows * (table.rows - 1))
        self.questions: list[Question] = self.recipe.questions(self._bounds)

    def begun(self, run: Run, seen: Evidence | None = None) -> Grounds:
        """The grounds of a table of which nothing is known but, maybe, some signatures. As a discovery costs."""
        space = self.space
        if self._table.rows < 2:
            return self._answered(Evidence.none(space.layout, closed=False), run)
        if choose(space, self._table.rows, counts=False).full:
            return self._of_all_pairs(run)
        known = sampled(self.recipe, run, self._options, len(self._table.columns))
        known.seen = known.seen if seen is None else known.seen.merge(seen)
        completed = complete(known, self.recipe, self.questions, run)
        if completed is None:
            return self._of_all_pairs(run)
        ending, answers = completed
        raise_ended(ending)
        return Grounds(one_image(_uncounted(known.seen)), answers)

    def _of_all_pairs(self, run: Run) -> Grounds:
        limits = {"budget": run.budget, "deadline": run.deadline, "listener": run.listener}
        return self._answered(compare_all(self.space, run.engine, counted=False, **limits), run)  # type: ignore[arg-type]

    def _answered(self, evidence: Evidence, run: Run) -> Grounds:
        answers, ending = hit(evidence.close(), self.questions, run)
        raise_ended(ending)
        return Grounds(one_image(evidence), answers)

    def followed(self, before: Grounds, old: int, look: Look, run: Run) -> tuple[Grounds, Found]:
        """The grounds after rows came to the first ``old`` ones, and what was found. ``look`` finds pairs of which one
        row is new at least; that it finds others too does no harm, as none of them breaks a rule."""
        nothing = Evidence.none(before.seen.layout, closed=False)
        known = Noting(self.space, nothing, _uncounted(before.seen), [set() for _ in self.questions])
        found = list(before.answers)
        if self._is_small(old):
            return self._compared(known, found, old, run)
        for rows in self._samples(old):
            known.compared = np.concatenate([known.compared, rows])
            if not len(self._glance(known, found, rows, run, shown=True)):
                break
        while True:
            fresh = [unproven(done, sets) for done, sets in zip(known.proven, found, strict=True)]
            if not any(map(len, fresh)):
                return Grounds(one_image(known.seen), found), known.noted
            check(known, self.recipe, fresh, run, look)
            broken = [
                np.array([row.tobytes() not in done for row in sets], np.bool_)
                for done, sets in zip(known.proven, found, strict=True)
            ]
            if any(flags_.any() for flags_ in broken):
                self._compare(known, self._guilty(known, old), [s[b] for s, b in zip(found, broken, strict=True)])
                more, count = len(known.seen) - len(before.seen), sum(int(flags_.sum()) for flags_ in broken)
                log.info("%s signatures more: %s rules broke", more, count)
                self._refine(known, found, broken, run)

    def _is_small(self, old: int) -> bool:
        """Whether to compare all pairs of new rows costs no more than to try rules on them, or little enough."""
        rows = self._table.rows
        pairs = (rows - old) * (rows + old) / 2
        return pairs <= _COMPARED or choose(self.space, rows, counts=False).full

    def _samples(self, old: int) -> Iterator[NDArray[np.int32]]:
        """A few new rows at a time: what breaks rules often is met by these, and the rules need not be tried one by
        one."""
        each = max(_COMPARED // max(self._table.rows, 1), 1)
        drawn = np.random.default_rng(old).permutation(np.arange(old, self._table.rows, dtype=np.int32))
        return (np.sort(drawn[k * each : (k + 1) * each]) for k in range(_GLANCES))

    def _compared(self, known: Noting, found: list[Words], old: int, run: Run) -> tuple[Grounds, Found]:
        """The same by all signatures of new rows: what they break is refined once, and holds then."""
        kept = self._glance(known, found, np.arange(old, self._table.rows, dtype=np.int32), run)
        return Grounds(one_image(known.seen), found), Found(kept, None, old)

    def _glance(
        self, known: Noting, found: list[Words], rows: NDArray[np.int32], run: Run, *, shown: bool = False
    ) -> Signatures:
        """Compares some new rows with all, refines what they break, and returns the signatures that do; with ``shown``,
        notes rows that have them, for each rule that broke."""
        kept = self._compare(known, rows, found)
        both = np.concatenate([kept, self.space.layout.mirror(kept)])
        edges = Evidence(self.space.layout, both).edges
        suggested = self.recipe.suggested(found)
        at = [[_lacking(edges[bits], len(both)) for bits in denials.bits] for denials in suggested]
        if shown and len(kept):
            wanted = both[sorted({a for each in at for a in each if a is not None})]
            known.parts.append((wanted, self._showing(wanted, rows)))
        self._refine(known, found, [np.array([a is not None for a in each], np.bool_) for each in at], run)
        return kept

    def _refine(self, known: Noting, found: list[Words], broken: Sequence[NDArray[np.bool_]], run: Run) -> None:
        """Answers the questions anew of which some sets are ``broken``: the others stay, and what comes contains one of
        those that broke, or the same with marks made strict."""
        again = [n for n, flags_ in enumerate(broken) if flags_.any()]
        seeds = [_strengthened(self.questions[n].literals, found[n][broken[n]]) for n in again]
        answers, ending = hit(known.evidence, [self.questions[n] for n in again], run, None, seeds)
        raise_ended(ending)
        for n, sets in zip(again, answers, strict=True):
            found[n] = np.unique(np.concatenate([found[n][~broken[n]], sets]), axis=0)

    def _guilty(self, known: Noting, old: int) -> NDArray[np.int32]:
        """New rows that took part in breaking rules and were not asked for yet: some, if they are many."""
        most = max(_COMPARED // max(self._table.rows, 1), 1)
        pairs = np.concatenate([np.zeros((0, 2), np.int32), *(pairs for _, pairs in known.parts)])
        rows = np.setdiff1d(pairs[pairs >= old], known.compared)
        rows = rows[:: -(-len(rows) // most)] if len(rows) else rows
        known.compared = np.concatenate([known.compared, rows])
        return rows

    def _compare(self, known: Noting, rows: NDArray[np.int32], sets: Sequence[Words]) -> Signatures:
        """Takes in all signatures of pairs of some rows with any rows that break one of some sets, which it returns,
        those of most pairs first. Without this only few pairs of a row that breaks much are met at a time, and what is
        made of these breaks again."""
        ranks, layout = self._table.ranks, self.space.layout
        others = np.ones(self._table.rows, np.bool_)
        others[rows] = False
        met = paired_here(packing_of(self.space), ranks[:, rows], [(ranks, runs_of(others))])
        shown = met.signatures[np.argsort(-np.asarray(met.counts), kind="stable")]
        both = np.concatenate([shown, layout.mirror(shown)])
        edges, broken = Evidence(layout, both).edges, np.zeros(-(-len(both) // 64), np.uint64)
        for denials in self.recipe.suggested(sets):
            for bits in denials.bits:
                broken |= ~np.bitwise_or.reduce(edges[bits], axis=0)
        which = np.unpackbits(broken.view(np.uint8), bitorder="little")[: len(both)].astype(np.bool_)
        kept = shown[which[: len(shown)] | which[len(shown) :]]
        known.seen = known.seen.merge(Evidence.of(layout, kept, None, closed=False))
        return kept

    def breaking(self, denials: Denials, found: Found) -> list[NDArray[np.int32] | None]:
        """For each rule two rows that break it, ``None`` where no signature that was found does. Rows are looked for
        in the table where they were not kept."""
        both = np.concatenate([found.signatures, self.space.layout.mirror(found.signatures)])
        edges = Evidence(self.space.layout, both).edges
        at = [_lacking(edges[bits], len(both)) for bits in denials.bits]
        if found.pairs is not None:
            return [None if a is None else found.pairs[a % len(found.pairs)] for a in at]
        broken = [r for r, a in enumerate(at) if a is not None]
        if found.old is not None:
            pairs = self._showing(both[[a for a in at if a is not None]], np.arange(found.old, self._table.rows))
        else:
            asked = conjunctions(self.space, Denials(denials.layout, denials.sets[broken]))
            with LocalEngine(1) as engine:
                numbers, pairs = find_pairs(self.space.table, engine, asked, 2)
            pairs = pairs[np.searchsorted(numbers, np.arange(len(broken)))]
        places = {r: k for k, r in enumerate(broken)}
        return [pairs[places[r]] if r in places else None for r in range(len(denials))]

    def _showing(self, signatures: Signatures, rows: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
        """For each signature a pair of rows that has it or its mirror image, one of them of some ``rows``. Common ones
        are met with the first of these."""
        ranks, ids = self._table.ranks, np.arange(self._table.rows)
        turned = self.space.layout.mirror(signatures)
        both, of = np.unique(np.concatenate([signatures, turned]), axis=0, return_inverse=True)
        here, there = of.reshape(2, -1)
        showing = Showing(packing_of(self.space), both)
        for start in range(0, len(rows), _STEP):
            if (np.maximum(showing.pairs[here, 0], showing.pairs[there, 0]) >= 0).all():
                break
            some = rows[start : start + _STEP]
            showing.look(ranks[:, some], ids[some], ranks, ids, np.ones(len(ids), np.bool_))
        shown = np.where(showing.pairs[here, :1] >= 0, showing.pairs[here], showing.pairs[there])
        return shown.astype(np.int32)

    def rules(self, grounds: Grounds) -> list[Rule]:
        """The rules in the order of the rule file. Pairs were not counted, so they have no figures but their error."""
        if self._table.rows < 2:
            return []
        bare = _uncounted(grounds.seen).close()
        return self.recipe.rules(self.recipe.denials(grounds.answers, bare, self._bounds), bare, self._table)


def _strengthened(literals: Literals, sets: Words) -> Words | None:
    """Sets of marks, and the same with any of ``<=`` and ``>=`` made strict; ``None`` where these are very many."""
    chosen = flags(sets, len(literals))
    for first, kind in zip(literals.first, literals.kinds, strict=False):
        if kind == POD_ORDERED:
            weak = chosen[chosen[:, first] ^ chosen[:, first + 1]]
            strict = weak.copy()
            strict[:, first + 2 : first + 4] |= weak[:, first : first + 2]
            strict[:, first : first + 2] = False
            chosen = np.concatenate([chosen, strict])
        if len(chosen) > _SEEDS:
            return None
    return as_words(chosen)


def _lacking(excluded: NDArray[np.uint64], count: int) -> int | None:
    """The first of ``count`` signatures that holds none of some literals, each given by bits of those that hold it."""
    left = ~np.bitwise_or.reduce(excluded, axis=0)
    words = np.flatnonzero(left)
    if not len(words):
        return None
    word = int(left[words[0]])
    at = 64 * int(words[0]) + (word & -word).bit_length() - 1
    return at if at < count else None


def _uncounted(evidence: Evidence) -> Evidence:
    return replace(evidence, counts=None)
