"""Minimal denial constraints, by trying every conjunction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawful.rules.model import Dc, Operand, Operator, Predicate
from tests.naive.marks import canonical_dc, canonical_key, mirrored, next_weaker
from tests.naive.masks import Judge
from tests.naive.space import Comparison, Space
from tests.naive.worlds import Meaning, Worlds, entails, possible

Conjunction = tuple[Predicate, ...]
Operators = dict[tuple[Operand, Operand], tuple[Operator, ...]]
Meant = tuple[Conjunction, Meaning, Meaning]


def dcs(judge: Judge, space: Space, max_size: int) -> Iterator[Dc]:
    if len(judge.table) < 2:
        return
    comparisons = space.comparisons(judge.table)
    operators = {(c.left, c.right): c.operators for c in comparisons}
    minimal = [c for c in _accepted(judge, comparisons, max_size) if not _can_weaken(judge, operators, c)]
    if space.cross_columns:
        minimal = _not_implied(minimal, Worlds(comparisons), judge.table.names)
    yield from (canonical_dc(conjunction, judge.table.names) for conjunction in minimal)


def _accepted(judge: Judge, comparisons: Sequence[Comparison], max_size: int) -> Iterator[Conjunction]:
    """Every accepted conjunction, less those with a predicate that could plainly be weaker.

    One that excludes no more pairs than a weaker operator would, or than none, could be that, whatever follows; and
    one added to an accepted conjunction could go: what is left would be accepted too.
    """

    def grow(chosen: Conjunction, pairs: int, rest: Sequence[Comparison]) -> Iterator[Conjunction]:
        if chosen and judge.accepts(pairs):
            yield chosen
            return
        for i, c in enumerate(rest):
            left: dict[Operator | None, int] = {None: pairs}
            left |= {op: pairs & judge.masks.comparison(c.left, op, c.right) for op in c.operators}
            for op in c.operators:
                longer = (*chosen, Predicate(c.left, op, c.right))
                needed = all(left[op] != left[weaker] for weaker in next_weaker(op, c.operators))
                if needed and len(Dc(longer).columns) <= max_size:
                    yield from grow(longer, left[op], rest[i + 1 :])

    yield from grow((), judge.masks.every, comparisons)


def _can_weaken(judge: Judge, operators: Operators, conjunction: Conjunction) -> bool:
    """Whether a conjunction one step weaker is accepted; as pairs only grow on the way, one step is enough."""
    for i, p in enumerate(conjunction):
        others = conjunction[:i] + conjunction[i + 1 :]
        for op in next_weaker(p.op, operators[p.left, p.right]):
            weaker = others if op is None else (*others, Predicate(p.left, op, p.right))
            if weaker and judge.accepts(judge.masks.conjunction(weaker)):
                return True
    return False


def _not_implied(conjunctions: list[Conjunction], worlds: Worlds, names: Sequence[str]) -> list[Conjunction]:
    """Satisfiable conjunctions that imply no other accepted one, seen from either row.

    Of conjunctions that imply each other the shortest stays, of these the smallest in canonical form.
    """
    ranked = sorted(conjunctions, key=lambda c: (len(c), canonical_key(c, names)))
    meant = [(c, worlds.meaning(c), worlds.meaning([mirrored(p) for p in c])) for c in ranked]
    meant = [found for found in meant if possible(found[1])]
    numbered = list(enumerate(meant))
    return [found[0] for i, found in numbered if not any(_beats(o, found, j < i) for j, o in numbered if j != i)]


def _beats(other: Meant, this: Meant, first: bool) -> bool:
    """Whether ``other`` is implied by ``this`` and is either strictly weaker or the one that comes first."""
    (_, own, _), (_, theirs, image) = this, other
    there = entails(own, theirs) or entails(own, image)
    return there and (first or not (entails(theirs, own) or entails(image, own)))
