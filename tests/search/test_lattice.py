"""Contexts come out when they are ready and no sooner, in any schedule; what is finished is truly finished."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from lawful.errors import LimitError
from lawful.search.lattice import Block, Lattice, Tried
from tests.profiles import examples

Context = frozenset[int]


def contexts_of(block: Block) -> list[Context]:
    return [frozenset(c for c in range(64 * len(row)) if int(row[c // 64]) >> c % 64 & 1) for row in block.sets]


def words_of(sets: list[Context], words: int) -> Any:
    found = np.zeros((len(sets), words), np.uint64)
    for q, columns in enumerate(sets):
        for column in columns:
            found[q, column // 64] |= np.uint64(1 << column % 64)
    return found


class World:
    """A table of laws: which columns each context determines, monotone, as on rows."""

    def __init__(self, rng: random.Random, width: int, deepest: int, room: int = 3) -> None:
        self.width, self.deepest = width, deepest
        self.laws = [
            (frozenset(rng.sample(range(width), rng.randint(0, min(room, width)))), rng.randrange(width))
            for _ in range(rng.randint(0, width))
        ]

    def determined(self, context: Context) -> Context:
        closed = set(context)
        while more := {rhs for lhs, rhs in self.laws if lhs <= closed} - closed:
            closed |= more
        return frozenset(closed)

    def lattice(self, allow: Callable[[int], None] | None = None) -> Lattice:
        words = (self.width + 63) // 64
        everything = words_of([frozenset(range(self.width))], words)[0]
        return Lattice(self.width, everything, np.zeros(0, np.uint64), self.deepest, -1, allow)

    def tried(self, block: Block) -> Tried:
        open_before = contexts_of(Block(0, 0, block.cand_fd, block.cand_fd, block.cand_oc))
        free = [cand - self.determined(y) for y, cand in zip(contexts_of(block), open_before, strict=True)]
        words = words_of(free, block.sets.shape[1])
        return Tried(block, words, words, np.zeros((len(block), 0), np.uint64))

    def expected(self) -> dict[Context, Context]:
        """The contexts worth trying with their candidates: no proper subset determines another column of them."""
        found = {}
        for size in range(self.deepest + 1):
            for chosen in combinations(range(self.width), size):
                context = frozenset(chosen)
                smaller = [self.determined(context - {c}) for c in context]
                if any(c in self.determined(context - {c}) for c in context):
                    continue
                candidates = frozenset(range(self.width)) - context - frozenset().union(*smaller)
                if candidates or not context:
                    found[context] = candidates
        return found


def walked(world: World, rng: random.Random, most: int, flying: int, lattice: Lattice | None = None) -> list[Context]:
    """The contexts in the order they were tried, up to so many blocks being under way and coming back at random."""
    lattice, wanted = lattice or world.lattice(), world.expected()
    done: list[Context] = []
    under_way: list[Block] = []
    while True:
        while len(under_way) < flying and (block := lattice.take(rng.randint(1, most))) is not None:
            candidates = contexts_of(Block(0, 0, block.cand_fd, block.cand_fd, block.cand_oc))
            assert [wanted.get(context) for context in contexts_of(block)] == candidates
            under_way.append(block)
        if not under_way:
            break
        block = under_way.pop(rng.randrange(len(under_way)))
        lattice.absorb(world.tried(block))
        done += contexts_of(block)
        assert_finished(lattice, wanted, done)
        assert lattice.tried == len(done)
    assert lattice.waiting == lattice.flying == 0
    return done


def assert_finished(lattice: Lattice, wanted: dict[Context, Context], done: list[Context]) -> None:
    """Every context of at most ``finished`` columns was tried, and it is not more modest than it may be."""
    left = [len(context) for context in set(wanted) - set(done)]
    assert lattice.finished == (min(left) - 1 if left else lattice.deepest)


@pytest.mark.parametrize(("most", "flying"), [(1, 1), (1, 6), (4, 3), (100, 2), (3, 20)])
def test_every_context_worth_it_is_tried_once_in_any_schedule(most: int, flying: int) -> None:
    rng = random.Random(most * 100 + flying)
    for _ in range(examples(40)):
        width = rng.randint(1, 8)
        world = World(rng, width, rng.randint(0, width + 1))
        done = walked(world, rng, most, flying)
        assert len(done) == len(set(done))
        assert set(done) == set(world.expected())


def test_sixty_six_columns_and_growing_tables() -> None:
    rng = random.Random(5)
    world = World(rng, 66, 2, room=2)
    assert set(walked(world, rng, 500, 3)) == set(world.expected())


def test_one_slow_block_holds_back_only_what_contains_it() -> None:
    """The block of column 0 never ends: all the contexts without column 0 are tried, up to the deepest."""
    world = World(random.Random(6), 7, 7)
    world.laws = []
    lattice = world.lattice()
    lattice.absorb(world.tried(lattice.take(1)))  # type: ignore[arg-type]
    blocks = [lattice.take(1) for _ in range(7)]
    slow = next(block for block in blocks if block is not None and contexts_of(block) == [frozenset({0})])
    for block in blocks:
        if block is not None and block is not slow:
            lattice.absorb(world.tried(block))
    done: set[Context] = set()
    while (block := lattice.take(3)) is not None:
        done |= set(contexts_of(block))
        lattice.absorb(world.tried(block))
        assert lattice.finished == 0
    assert done == {frozenset(c) for size in range(2, 7) for c in combinations(range(1, 7), size)}
    lattice.absorb(world.tried(slow))
    while (block := lattice.take(3)) is not None:
        done |= set(contexts_of(block))
        lattice.absorb(world.tried(block))
    assert lattice.finished == lattice.deepest
    assert done == {context for context in world.expected() if len(context) > 1}


def test_a_limit_in_the_midst_of_growing_leaves_the_size_unfinished() -> None:
    """No successor is ready yet when the table of them would have to grow: they are missing, not absent."""

    def refuse(more: int) -> None:
        raise LimitError(f"{more} are too much.")

    rng = random.Random(7)
    world = World(rng, 1200, 3)
    world.laws = []
    lattice = world.lattice(refuse)
    root = lattice.take(1)
    assert root is not None
    with pytest.raises(LimitError):
        lattice.absorb(world.tried(root))
    assert lattice.finished == -1


def test_contexts_tried_before_are_skipped() -> None:
    rng = random.Random(8)
    for _ in range(examples(20)):
        world = World(rng, rng.randint(2, 7), 7)
        first = world.lattice()
        blocks: list[Block] = []
        while (block := first.take(rng.randint(1, 4))) is not None and len(blocks) < 9:
            blocks.append(block)
            first.absorb(world.tried(block))
        second = world.lattice()
        for block in blocks:
            second.absorb(world.tried(block), known=False)
        for size in {block.size for block in blocks}:
            second.skip(np.concatenate([block.sets for block in blocks if block.size == size]), size)
        before = {context for block in blocks for context in contexts_of(block)}
        assert second.tried == len(before)
        after = set()
        while (block := second.take(3)) is not None:
            after |= set(contexts_of(block))
            second.absorb(world.tried(block))
        assert not before & after
        assert before | after == set(world.expected())
        assert second.finished == second.deepest


def test_sizes_and_bytes() -> None:
    world = World(random.Random(9), 4, 4)
    world.laws = []
    lattice = world.lattice()
    assert lattice.sizes() == {0: (1, 0)}
    lattice.absorb(world.tried(lattice.take(1)))  # type: ignore[arg-type]
    assert lattice.sizes() == {0: (0, 1), 1: (4, 0)}
    assert (lattice.waiting, lattice.flying) == (4, 0)
    lattice.take(3)
    assert (lattice.waiting, lattice.flying) == (1, 3)
    assert lattice.bytes > 0
