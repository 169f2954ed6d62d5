"""Rules of tables too long to compare all pairs: a sample first, then whatever breaks the rules it suggests.

Sampled signatures suggest rules. Each is tried on the whole table: the pairs of rows that break it are found without
comparing all pairs, or it is proven that there are none. Pairs found bring new signatures, which suggest other rules,
until every suggested rule is proven. These are then exactly the minimal rules: a rule that is proven hits all
signatures, and none of its parts hits even those that are known (Hydra, section 5, repeated until nothing is open).
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Evidence
from lawful.evidence.gather import once_of
from lawful.evidence.sampling import SamplePairs, draw_focused, draw_random, evidence_of
from lawful.evidence.space import Space
from lawful.families.comparing import better_compared, packing_of
from lawful.families.denials import ORDERED, UNORDERED, Denials, as_words, flags
from lawful.families.recipe import Recipe
from lawful.families.running import Run, hit
from lawful.kernels.conjunction import Conjunction
from lawful.options import DiscoverOptions
from lawful.progress import Step
from lawful.rules.model import OPERATORS
from lawful.search.conjunctions import Conjunctions
from lawful.search.ending import Ending, ended_in_order
from lawful.search.problem import Question, Words
from lawful.search.violating import Flags, Part, stream_pairs

log = logging.getLogger("lawful.discover")

SAMPLING, CHECKING = "sampling pairs", "checking rules"

Look: TypeAlias = Callable[[Conjunctions, int, Flags], Iterator[tuple[NDArray[np.int32], Part]]]
"""Tries conjunctions and finds up to so many pairs of rows for each, as ``search.violating.stream_pairs`` does."""

_SEED = 20_111
_MOST = 64
_ROOM = 1 << 22
"""Most pairs found for a rule, and for all of a round together."""


@dataclass
class Known:
    """What is known of a table: the counted ``random`` sample, distinct signatures ``seen``, and for each question the
    sets of literals that are ``proven`` to break nowhere."""

    space: Space
    random: Evidence
    seen: Evidence
    proven: list[set[bytes]]

    def add(self, pairs: NDArray[np.int32]) -> Evidence:
        """Takes in the signatures of pairs of rows; those that are new, both orders of each pair."""
        once, table = once_of(self.space.layout), self.space.table
        firsts, seconds = np.ascontiguousarray(pairs.T.astype(np.int64))
        part = evidence_of(table.ranks, packing_of(self.space), once, firsts, seconds)
        fresh = ~np.isin(as_values(part.signatures), as_values(self.seen.signatures))
        self.seen = self.seen.merge(part)
        return Evidence(part.layout, part.signatures[fresh], None, part.closed).close()

    @property
    def evidence(self) -> Evidence:
        """The signatures as a set, both orders of each pair."""
        return Evidence(self.seen.layout, self.seen.signatures, None, self.seen.closed).close()

    def sets(self, question: int, words: int) -> Words:
        """The sets that are proven, of so many words."""
        found = np.frombuffer(b"".join(sorted(self.proven[question])), np.uint64)
        return found.reshape(-1, words)


def sampled(recipe: Recipe, run: Run, options: DiscoverOptions, columns: int) -> Known:
    """Random pairs, then focused ones; ``columns`` are the table's own."""
    space = recipe.space
    job = SamplePairs(packing_of(space), once_of(space.layout), options.sample)
    shared = run.engine.share(space.table)

    def told(found: Evidence, share: float) -> None:
        figures = {"signatures": f"{len(found):,}", "memory": f"{found.bytes >> 20:,} MiB"}
        run.listener(Step(SAMPLING, int(share * space.table.rows), space.table.rows if share else None, figures))
        run.budget.check("sampling pairs of rows", 3 * found.bytes)
        run.deadline.check()

    random = draw_random(job, run.engine, shared, _SEED, told)
    seen = draw_focused(job, run.engine, shared, columns, options.efficiency, random, told)
    log.info("sampled %s pairs at random: %s signatures, %s with focus", random.pairs, len(random), len(seen))
    return Known(space, random, seen, [])


def complete(
    known: Known, recipe: Recipe, questions: Sequence[Question], run: Run
) -> tuple[Ending, Sequence[Words]] | None:
    """Goes on until every rule suggested is proven: how it ended, and for each question the sets that are rules.

    ``None`` where so many rules are hard to try that comparing all pairs of rows takes less.
    """
    look = whole_table(known.space, run)
    known.proven = [set() for _ in questions]
    _take_up(known, questions, run)
    while True:
        found, ending = hit(known.evidence, questions, run)
        needed = recipe.independent(found)
        fresh = [unproven(done, sets) for done, sets in zip(known.proven, needed, strict=True)]
        count = sum(map(len, fresh))
        log.info("%s signatures suggest %s more rules", len(known.seen), count)
        if ending.reason is None and not count:
            return ending, found
        if ending.reason is None and better_compared(known.space, _seconds(known, recipe, fresh)):
            return None
        with ended_in_order() as ended:
            if ending.reason is None:
                check(known, recipe, fresh, run, look)
        ending = ended.ending if ending.reason is None else ending
        if run.kept is not None:
            run.kept.note_known(known.seen.signatures, known.proven, now=True)
        if ending.reason is not None:
            return ending, [known.sets(i, question.literals.words) for i, question in enumerate(questions)]


def whole_table(space: Space, run: Run) -> Look:
    """Tries on all pairs of rows."""
    token, shared = uuid.uuid4().hex, run.engine.share(space.table)
    return lambda asked, most, open_: stream_pairs(shared, run.engine, asked, most, token, open_)


def _take_up(known: Known, questions: Sequence[Question], run: Run) -> None:
    """What an earlier run left behind."""
    held = None if run.kept is None else run.kept.known([question.literals.words for question in questions])
    if held is not None:
        signatures, known.proven = held
        known.seen = known.seen.merge(Evidence(known.seen.layout, signatures, None, known.seen.closed))


def as_values(signatures: Words) -> Any:
    """Each signature as one value."""
    return np.ascontiguousarray(signatures).view(np.dtype((np.void, signatures.shape[1] * 8))).reshape(-1)


def unproven(done: set[bytes], sets: Words) -> Words:
    """The sets that are not among those done."""
    return sets[np.array([row.tobytes() not in done for row in sets], np.bool_)]


def _seconds(known: Known, recipe: Recipe, fresh: Sequence[Words]) -> float:
    """About how long the hardest of some rules take to try."""
    asked = [conjunctions(known.space, denials) for denials in recipe.suggested(fresh)]
    return sum(each.seconds(known.space.table.rows) for each in asked)


def check(known: Known, recipe: Recipe, fresh: Sequence[Words], run: Run, look: Look) -> None:
    """Tries rules; those that no pair breaks are proven, pairs that break others are taken in. Where the order of the
    rows of a pair does not matter to ``look``, a rule is tried in one of its two images."""
    owner = np.repeat(np.arange(len(fresh)), [len(sets) for sets in fresh])
    place = np.concatenate([np.arange(len(sets)) for sets in fresh])
    denials = Denials(known.space.layout, np.concatenate([d.sets for d in recipe.suggested(fresh)]))
    images = denials.images() if known.space.layout.mirrored else denials
    distinct, which = np.unique(images.sets, axis=0, return_inverse=True)
    members = np.argsort(which.reshape(-1), kind="stable")
    starts = np.searchsorted(which.reshape(-1)[members], np.arange(len(distinct) + 1))
    asked = conjunctions(known.space, Denials(known.space.layout, distinct))
    open_ = np.ones(len(asked), np.bool_)
    most = max(2, min(_MOST, _ROOM // len(asked)))
    with closing(look(asked, most, open_)) as parts:  # type: ignore[type-var]
        for numbers, (found, pairs) in parts:
            open_[numbers] = False
            if len(pairs):
                _refute(distinct, open_, known.add(np.unique(pairs, axis=0)))
            for number in np.setdiff1d(numbers, found):
                for member in members[starts[number] : starts[number + 1]]:
                    known.proven[owner[member]].add(fresh[owner[member]][place[member]].tobytes())
            run.listener(_step(known, int((~open_).sum()), len(asked)))
            if run.kept is not None:
                run.kept.note_known(known.seen.signatures, known.proven)
            run.budget.check("checking rules", 3 * known.seen.bytes)
            if open_.any():
                run.deadline.check()


def _refute(sets: Words, open_: NDArray[np.bool_], fresh: Evidence) -> None:
    """Closes the rules of which a new signature shows none of the outcomes that they exclude."""
    for shown in as_words(flags(fresh.edges, len(fresh)).T):
        open_[open_] = (sets[open_] & shown).any(axis=1)


def _step(known: Known, tried: int, total: int) -> Step:
    proven = sum(map(len, known.proven))
    figures = {"proven": f"{proven:,}", "signatures": f"{len(known.seen):,}"}
    return Step(CHECKING, tried, total, figures | {"memory": f"{known.seen.bytes >> 20:,} MiB"})


def conjunctions(space: Space, denials: Denials) -> Conjunctions:
    """What pairs that break the rules satisfy, one conjunction a rule."""
    comparisons = space.layout.comparisons
    codes = np.zeros((len(denials), len(comparisons)), np.int8)
    for group, comparison in enumerate(comparisons):
        table = np.full(8, -1, np.int8)
        for pattern, operator in (ORDERED if comparison.ordered else UNORDERED).items():
            table[pattern] = OPERATORS.index(operator)
        codes[:, group] = table[denials.excluded(group)]
    rows, groups = np.nonzero(codes >= 0)
    offsets = np.searchsorted(rows, np.arange(len(denials) + 1)).astype(np.int64)
    return Conjunctions(offsets, _predicates(comparisons, groups, codes[rows, groups]))


def _predicates(comparisons: Sequence[Any], groups: NDArray[np.int64], codes: NDArray[np.int8]) -> Conjunction:
    of = [np.array([getattr(c, name) for c in comparisons]) for name in ("left", "right", "left_null", "right_null")]
    left, right, left_null, right_null = (values[groups] for values in of)
    return Conjunction(
        left.astype(np.int32), right.astype(np.int32), codes, left_null.astype(np.bool_), right_null.astype(np.bool_)
    )
