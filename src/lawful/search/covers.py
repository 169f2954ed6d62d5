"""Minimal hitting sets for many questions as a stream of tasks: each searches below some nodes for a while.

A task that has seen enough nodes hands the rest back, so that a hard branch is divided while it is searched and no
worker waits for another. What is found does not depend on how branches were cut.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.engine.port import PAUSE, Pause
from lawful.evidence.evidence import Evidence
from lawful.search.problem import Question, Words

DEPTH = 16
"""Literals that nodes have room for to begin with; more is made when a search needs it."""

FIRST = 256
ROOM = 1 << 15
_OPERATIONS = 2e8
"""Word operations that are about a tenth of a second."""


@dataclass(frozen=True, eq=False)
class Branch:
    """Nodes of one question to search below, at most ``most`` nodes: see ``kernels.hitting.Nodes``.

    Sets that cannot reach ``least_interest`` are left out.
    """

    question: int
    depth: NDArray[np.int64]
    literals: NDArray[np.int16]
    open: Words
    most: int
    least_interest: float = 0.0

    def __len__(self) -> int:
        return len(self.depth)


@dataclass(frozen=True, eq=False)
class Searched:
    """What came of a branch: minimal sets of literals uint64[k, w], what is left of it, nodes seen, seconds."""

    question: int
    sets: Words
    left: Branch
    nodes: int
    seconds: float


Part: TypeAlias = tuple[Searched, ...]


@dataclass(frozen=True, eq=False)
class SearchBranch:
    """Searches branches of some questions to evidence. The edges of a few questions are kept between tasks."""

    evidence: Evidence
    questions: tuple[Question, ...]
    built: _Built = field(default_factory=lambda: _Built(), repr=False, compare=False)

    def zero(self) -> Part:
        return ()

    def merge(self, left: Part, right: Part) -> Part:
        return tuple(sorted((*left, *right), key=_order))

    def run(self, shared: Any, unit: Branch) -> Part:
        from lawful.kernels.hitting import Nodes, hitting_sets, room_for

        started = time.thread_time()
        question = self.questions[unit.question]
        deepest, width = unit.literals.shape[1], unit.open.shape[1]
        room = len(unit) + room_for(len(question.literals), deepest)
        left = Nodes(np.zeros(room, np.int64), np.zeros((room, deepest), np.int16), np.zeros((room, width), np.uint64))
        found = np.zeros((ROOM, width), np.uint64)
        nodes = Nodes(unit.depth, unit.literals, unit.open)
        edges, groups = self.built.of(unit.question, lambda: (question.edges(self.evidence), question.groups()))
        bounds = question.bounds(unit.least_interest)
        made, kept, seen, deep = hitting_sets(edges, groups, bounds, nodes, unit.most, found, left)
        literals = left.literals[:kept].copy()
        if deep:
            literals = np.pad(literals, ((0, 0), (0, deepest)))
        rest = Branch(unit.question, left.depth[:kept].copy(), literals, left.open[:kept].copy(), unit.most)
        return (Searched(unit.question, found[:made].copy(), rest, seen, time.thread_time() - started),)


def _order(part: Searched) -> Any:
    return part.question, part.sets.tobytes(), part.left.open.tobytes(), part.left.literals.tobytes(), part.seconds


class _Built:
    """What was made of the last few questions; it does not travel."""

    _MOST = 6

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Any] = OrderedDict()

    def of(self, question: int, make: Callable[[], Any]) -> Any:
        with self._lock:
            if question in self._kept:
                self._kept.move_to_end(question)
            else:
                self._kept[question] = make()
            while len(self._kept) > self._MOST:
                self._kept.popitem(last=False)
            return self._kept[question]

    def __reduce__(self) -> Any:
        return _Built, ()


@dataclass
class Branches:
    """What is still to be searched, and what was found: the state of a search for hitting sets.

    ``size`` is the number of signatures, by which the work of a branch is judged; ``least_interest`` is passed on to
    every branch that is handed out.
    """

    questions: Sequence[Question]
    size: int
    waiting: deque[Branch] = field(default_factory=deque)
    flying: dict[int, Branch] = field(default_factory=dict)
    found: list[list[Words]] = field(default_factory=list)
    nodes: int = 0
    rules: int = 0
    least_interest: float = 0.0

    @classmethod
    def of(cls, questions: Sequence[Question], size: int) -> Branches:
        """The roots of some questions."""
        roots = [_root(i, question) for i, question in enumerate(questions)]
        return cls(questions, size, deque(roots), {}, [[] for _ in questions])

    @classmethod
    def below(cls, questions: Sequence[Question], size: int, seeds: Sequence[Words | None]) -> Branches:
        """Of each question the sets that contain one of its ``seeds``, all where it has none."""
        made = cls.of(questions, size)
        made.waiting = deque(
            _root(n, questions[n]) if sets is None else _seeded(n, questions[n], sets, _most(size))
            for n, sets in enumerate(seeds)
            if sets is None or len(sets)
        )
        return made

    def units(self) -> Iterator[Branch | Pause]:
        """Branches to search; a pause while all that is left hangs on others being searched."""
        while True:
            if self.waiting:
                branch = replace(self.waiting.popleft(), least_interest=self.least_interest)
                self.flying[id(branch)] = branch
                yield branch
            elif self.flying:
                yield PAUSE
            else:
                return

    def take_in(self, branch: Branch, parts: Part, parallelism: int) -> None:
        """What came of a branch; its rest is divided among as many workers as there are."""
        del self.flying[id(branch)]
        for part in parts:
            self.nodes += part.nodes
            self.rules += len(part.sets)
            if len(part.sets):
                self.found[part.question].append(part.sets)
            if len(part.left):
                pieces = min(len(part.left), 1 if parallelism == 1 else 4 * parallelism)
                most = _most(self.size)
                self.waiting.extendleft(_cut(part.left, i, pieces, most) for i in range(pieces))

    @property
    def done(self) -> bool:
        """Whether nothing is left."""
        return not self.waiting and not self.flying

    @property
    def open(self) -> int:
        """How many branches wait or are searched."""
        return len(self.waiting) + len(self.flying)

    @property
    def bytes(self) -> int:
        """What the sets that were found hold."""
        return sum(sets.nbytes for found in self.found for sets in found)

    def sets(self, question: int) -> Words:
        """What was found for a question, in ascending order, each once."""
        words = self.questions[question].literals.words
        found = self.found[question]
        return np.unique(np.concatenate(found), axis=0) if found else np.zeros((0, words), np.uint64)


def _most(size: int) -> int:
    """Nodes of a task."""
    return max(int(_OPERATIONS / (size / 10 + 300)), 64)


def _seeded(number: int, question: Question, sets: Words, most: int) -> Branch:
    bits = np.unpackbits(np.ascontiguousarray(sets).view(np.uint8), axis=1, bitorder="little")
    depth = bits.sum(axis=1, dtype=np.int64)
    literals = np.zeros((len(sets), max(DEPTH, int(depth.max(initial=0)) + 1)), np.int16)
    rows, chosen = np.nonzero(bits)
    literals[rows, np.arange(len(rows)) - np.repeat(np.cumsum(depth) - depth, depth)] = chosen
    open_ = np.repeat(_root(number, question).open, len(sets), axis=0)
    return Branch(number, depth, literals, open_, most)


def _root(number: int, question: Question) -> Branch:
    count, words = len(question.literals), question.literals.words
    whole = (1 << count) - 1
    open_ = np.array([[whole >> 64 * w & (1 << 64) - 1 for w in range(words)]], np.uint64)
    return Branch(number, np.zeros(1, np.int64), np.zeros((1, DEPTH), np.int16), open_, FIRST)


def _cut(branch: Branch, piece: int, pieces: int, most: int) -> Branch:
    part = slice(piece, None, pieces)
    return Branch(branch.question, branch.depth[part], branch.literals[part], branch.open[part], most)
