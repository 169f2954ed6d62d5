"""The search without its pruning, to see what pruning is worth: every context, every candidate, the same kernel."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.order_watch import ones
from lawful.rules.model import Oc, Rule

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

BLOCK = 1_024


@dataclass(frozen=True)
class All:
    """All rules that hold, minimal or not: fd, and oc in both directions, contexts of every size. ``implied`` of the
    ocs hold only because the context determines one of the two columns."""

    fds: int
    ocs: int
    implied: int


def everything(table: Encoded, remember: bool) -> All:
    """Try all candidates of all 2**m contexts on the data; O(2**m * m**2 * n). ``remember``: pairs of rows that
    refuted a candidate refute others, as in the search itself."""
    from lawful.engine.local import LocalEngine
    from lawful.search.validators import Task, TryContexts
    from lawful.search.walk import ROOM
    from lawful.search.witnesses import first_pairs

    width = len(table.columns)
    places = tuple(sorted(range(width), key=lambda c: (-table.columns[c].ranks, c)))
    start = first_pairs(table.ranks, places, ROOM // 4).pairs if remember else np.zeros((0, 2), np.int32)
    ordered = tuple(table.columns[place].ordered for place in places)
    room = max(ROOM, len(start)) if remember else 0
    job = TryContexts(uuid.uuid4().hex, places, ordered, False, False, 0, room)
    fds = ocs = implied = 0
    with LocalEngine(1) as engine:
        shared = engine.share(table)
        for block in _blocks(width):
            (verdict,) = job.run(shared, Task(block, start))
            determined = np.unpackbits(verdict.valid_fd.view(np.uint8), axis=1).sum(axis=1).astype(np.int64)
            open_columns = width - block.size
            left = open_columns - determined
            fds += int(determined.sum())
            ocs += ones(verdict.valid_oc)
            implied += int((open_columns * (open_columns - 1) - left * (left - 1)).sum())
    return All(fds, ocs + implied, implied)


def one_candidate(rules: Iterable[Rule]) -> list[Rule]:
    """What is left of the minimal rules under the pruning of the released FASTOD-BID and DISTOD: they keep one
    candidate for both directions of a pair and drop it when either holds, so the other is never tried above."""
    listed = list(rules)
    seen: dict[tuple[str, str], list[tuple[frozenset[str], str]]] = {}
    for rule in listed:
        if isinstance(rule, Oc):
            seen.setdefault((rule.left, rule.right), []).append((frozenset(rule.context), rule.direction))
    return [rule for rule in listed if not (isinstance(rule, Oc) and _lost(rule, seen[rule.left, rule.right]))]


def _lost(rule: Oc, known: list[tuple[frozenset[str], str]]) -> bool:
    context = frozenset(rule.context)
    return any(direction != rule.direction and other < context for other, direction in known)


def _blocks(width: int) -> Iterator[Any]:
    """All contexts, size by size, in lexicographic order, with every candidate open."""
    from lawful.search.lattice import Block

    pairs = list(itertools.combinations(range(width), 2))
    words, pair_words = (width + 64) // 64, (2 * len(pairs) + 63) // 64
    number = 0
    for size in range(width + 1):
        every = itertools.combinations(range(width), size)
        while some := list(itertools.islice(every, BLOCK)):
            number += 1
            inside = np.zeros((len(some), words * 64), np.uint8)
            for row, members in enumerate(some):
                inside[row, list(members)] = 1
            rights = 1 - inside
            rights[:, width:] = 0
            wanted = np.zeros((len(some), pair_words * 64), np.uint8)
            for place, (left, right) in enumerate(pairs):
                free = rights[:, left] & rights[:, right]
                wanted[:, 2 * place] = wanted[:, 2 * place + 1] = free
            yield Block(number, size, _packed(inside), _packed(rights), _packed(wanted))


def _packed(bits: Any) -> Any:
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
