"""Of many conjunctions those that imply no other one stay: judged by all worlds, and by paths between cells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import cast

import numpy as np
import pytest

from lawful.evidence.signature import Comparison, Layout
from lawful.evidence.space import Space
from lawful.ranks.encoded import Encoded
from lawful.rules.model import OPERATORS, OUTCOMES, Operand, Operator, Predicate
from lawful.search.implied import Masks, implies_no_other
from tests.kernels.test_closure import Compares, Literal, consistent, said, turned
from tests.naive import space as naive
from tests.naive.denials import Conjunction, _not_implied
from tests.naive.marks import canonical_key
from tests.naive.worlds import Worlds
from tests.profiles import examples


def space_of(ordered: Sequence[bool], pairs: Sequence[tuple[int, int, str, bool]]) -> Space:
    """Columns c0, c1, ..., ordered or not; pairs of them, with the row of the right one, ordered or not."""
    sides = [(c, c, "u", o) for c, o in enumerate(ordered)] + list(pairs)
    operands = tuple((Operand("t", f"c{a}"), Operand("u" if row == "u" else "t", f"c{b}")) for a, b, row, _ in sides)
    columns = tuple((a,) if a == b else (a, b) for a, b, _, _ in sides)
    layout = Layout(tuple(Comparison(i, i, o) for i, (*_, o) in enumerate(sides)))
    return Space(operands, columns, layout, cast("Encoded", None))


def masks_of(space: Space, conjunctions: Sequence[Conjunction]) -> Masks:
    words = max(-(-space.layout.literals // 64), 1)
    masks = np.zeros((len(conjunctions), words), np.uint64)
    for i, conjunction in enumerate(conjunctions):
        for p in conjunction:
            group = space.operands.index((p.left, p.right))
            outcomes = "<=>" if space.layout.comparisons[group].ordered else "<="
            for place, outcome in enumerate(outcomes):
                if outcome not in OUTCOMES[p.op]:
                    literal = space.layout.first_literal[group] + place
                    masks[i, literal >> 6] |= np.uint64(1 << (literal & 63))
    return masks


def kept(space: Space, conjunctions: Sequence[Conjunction]) -> list[Conjunction]:
    found = implies_no_other(space, masks_of(space, conjunctions))
    return [c for c, keep in zip(conjunctions, found.tolist(), strict=True) if keep]


def random_space(draw: Random, tied: int, free: int) -> Space:
    """So many columns that may be compared with each other, and others that are not, in one order of the table."""
    places = list(range(tied + free))
    draw.shuffle(places)
    pairs = []
    for a, b in combinations(sorted(places[:tied]), 2):
        rows = [(a, b, "u", draw.random() < 0.7), (a, b, "t", draw.random() < 0.2)]
        pairs += [pair for pair in rows if draw.random() < 0.8]
    return space_of([draw.random() < 0.7 for _ in places], pairs)


def operators(space: Space, group: int) -> tuple[Operator, ...]:
    return OPERATORS if space.layout.comparisons[group].ordered else OPERATORS[:2]


def random_conjunctions(draw: Random, space: Space, count: int, longest: int) -> list[Conjunction]:
    """Distinct ones, many of which are like an earlier one, less, more or changed by a predicate."""
    found: dict[Conjunction, None] = {}
    groups = range(len(space.operands))
    for _ in range(count):
        chosen = draw.choice(list(found)) if found and draw.random() < 0.5 else ()
        ops = {space.operands.index((p.left, p.right)): p.op for p in chosen}
        for group in draw.sample(groups, min(len(groups), draw.randint(1, longest if not ops else 2))):
            if group in ops and len(ops) > 1 and draw.random() < 0.4:
                del ops[group]
            else:
                ops[group] = draw.choice(operators(space, group))
        found[tuple(Predicate(space.operands[g][0], ops[g], space.operands[g][1]) for g in sorted(ops))] = None
    return list(found)


def worlds_of(space: Space) -> Worlds:
    return Worlds([naive.Comparison(a, b, operators(space, g)) for g, (a, b) in enumerate(space.operands)])


def names_of(space: Space) -> list[str]:
    return [f"c{i}" for i in range(1 + max(max(c) for c in space.columns))]


@pytest.mark.parametrize(
    ("tied", "free", "spaces", "count", "longest"),
    [(0, 3, 200, 20, 3), (2, 0, 600, 20, 4), (2, 2, 600, 20, 5), (3, 0, 150, 24, 5), (3, 2, 100, 24, 6)],
)
def test_what_stays_is_what_stays_in_every_world(tied: int, free: int, spaces: int, count: int, longest: int) -> None:
    draw = Random(10 * tied + free)
    sizes = []
    for _ in range(examples(spaces)):
        space = random_space(draw, tied, free)
        conjunctions = random_conjunctions(draw, space, count, longest)
        expected = _not_implied(conjunctions, worlds_of(space), names_of(space))
        assert set(kept(space, conjunctions)) == set(expected), (space.operands, conjunctions)
        sizes.append((len(expected), len(conjunctions) - len(expected)))
    assert all(sum(size) > spaces for size in zip(*sizes, strict=True)), "many stay and many go"


@pytest.mark.parametrize("columns", [4, 6, 40])
def test_what_stays_among_many_columns(columns: int) -> None:
    """Judged as the naive search does it, but by paths between cells in place of worlds, which would be too many."""
    draw = Random(columns)
    dropped = 0
    for _ in range(examples(12)):
        space = random_space(draw, min(columns, 6), max(columns - 6, 0))
        conjunctions = random_conjunctions(draw, space, 14, 7)
        expected = by_paths(space, conjunctions)
        assert set(kept(space, conjunctions)) == set(expected), (space.operands, conjunctions)
        dropped += len(conjunctions) - len(expected)
    assert dropped > 12


def by_paths(space: Space, conjunctions: list[Conjunction]) -> list[Conjunction]:
    """The definition: drop the impossible, then what implies another that is weaker, or equal and before it."""
    names = names_of(space)
    cells = [
        (_cell(a), _cell(b), c.ordered) for (a, b), c in zip(space.operands, space.layout.comparisons, strict=True)
    ]
    ranked = sorted(conjunctions, key=lambda c: (len(c), canonical_key(c, names)))
    meant = {c: excluded_by(space, c) for c in ranked}
    possible = [c for c in ranked if consistent(meant[c], cells)]
    implied = {(a, b): implies(meant[a], meant[b], cells) for a in possible for b in possible}
    return [
        c
        for i, c in enumerate(possible)
        if not any(implied[c, o] and (j < i or not implied[o, c]) for j, o in enumerate(possible) if i != j)
    ]


def excluded_by(space: Space, conjunction: Conjunction) -> set[Literal]:
    found = set()
    for p in conjunction:
        group = space.operands.index((p.left, p.right))
        outcomes = "<=>" if space.layout.comparisons[group].ordered else "<="
        found |= {(group, place) for place, outcome in enumerate(outcomes) if outcome not in OUTCOMES[p.op]}
    return found


def implies(one: set[Literal], other: set[Literal], compares: list[Compares]) -> bool:
    """Whether what the one excludes makes each outcome that the other, or its mirror image, excludes impossible."""
    image, more = turned(other, compares)
    return any(all(not consistent(one | said(o, more), more) for o in rest) for rest in (other, image))


def _cell(operand: Operand) -> int:
    return 2 * int(operand.column[1:]) + (operand.row == "u")


def parsed(text: str) -> Conjunction:
    """``"t.c0 < u.c1, t.c1 = u.c1"`` as predicates."""
    parts = [part.split() for part in text.split(",")]
    cells = [[Operand("t" if c[0] == "t" else "u", c[2:]) for c in (left, right)] for left, _, right in parts]
    return tuple(Predicate(a, cast("Operator", op), b) for (a, b), (_, op, _) in zip(cells, parts, strict=True))


@pytest.mark.parametrize(
    ("conjunctions", "staying"),
    [
        (["t.c0 < u.c1, t.c1 = u.c1", "t.c0 != t.c1"], [1]),
        (["t.c0 < u.c0", "t.c1 = u.c1, t.c0 < u.c1, t.c0 = t.c1"], [0]),
        (["t.c0 != u.c0", "t.c1 = u.c1, t.c0 = t.c1, t.c0 < u.c0"], [0]),
        (["t.c0 = u.c0, t.c0 = t.c1, t.c1 != u.c1", "t.c0 = u.c1, t.c1 != u.c1"], [1]),
        (["t.c0 = u.c0, t.c0 = t.c1", "t.c0 = u.c1, t.c1 != u.c1"], [0, 1]),
        (["t.c0 > u.c0", "t.c0 < u.c0"], [0]),
        (["t.c0 = u.c0, t.c0 = u.c1", "t.c0 = u.c0, t.c0 = t.c1", "t.c0 = t.c1, t.c0 = u.c0, t.c1 = u.c1"], [1]),
        (["t.c0 < u.c0, t.c1 < u.c1, t.c0 = u.c1, t.c0 = t.c1"], []),
        (["t.c0 <= u.c0, t.c0 >= u.c1", "t.c0 <= u.c0, t.c1 <= u.c1, t.c0 = u.c1"], [0]),
        ([], []),
    ],
)
def test_a_few_by_hand(conjunctions: list[str], staying: list[int]) -> None:
    space = space_of([True, True], [(0, 1, "u", True), (0, 1, "t", False)])
    found = implies_no_other(space, masks_of(space, [parsed(text) for text in conjunctions]))
    assert np.flatnonzero(found).tolist() == staying


def test_no_outcome_left_is_impossible_and_none_excluded_is_implied_by_all() -> None:
    space = space_of([True, False], [])
    full, unordered, nothing, less = ([0b111], [0b11000], [0], [0b110])
    assert implies_no_other(space, np.array([full, unordered, less], np.uint64)).tolist() == [False, False, True]
    assert implies_no_other(space, np.array([less, nothing], np.uint64)).tolist() == [False, True]


def test_more_literals_than_a_word_has_bits() -> None:
    """Every conjunction of a few among 40 columns and its mirror image: one of each two stays."""
    space = space_of([True] * 40, [(0, 39, "u", True)])
    singles = [parsed(f"t.c{c} {op} u.c{c}") for c in range(40) for op in ("<", ">")]
    assert kept(space, singles) == singles[::2]
    through, direct = parsed("t.c0 >= u.c39, t.c39 > u.c39"), parsed("t.c1 = u.c1, t.c0 != u.c39")
    assert kept(space, [through, direct, *singles[:2]]) == [through, direct, singles[0]]
    assert kept(space, [through, direct, *singles[2:]]) == [direct, *singles[2::2]]
