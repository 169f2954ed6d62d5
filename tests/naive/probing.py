"""Rows that compare with a probe, and how few chains rows can stand in, by looking at every row and every pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq, ge, gt, le, lt

HOLDS: dict[str, Callable[[int, int], bool]] = {
    "=": eq, "<": lt, "<=": le, ">": gt, ">=": ge, "": lambda left, right: True,
}  # fmt: skip
"""What an operator says of the row's value and the probe's; the empty one always holds."""


def found(a: Sequence[int], b: Sequence[int], probe: tuple[int, int], ops: tuple[str, str]) -> list[int]:
    """The rows t with ``a[t] op probe`` in both columns, ascending."""
    first, second = HOLDS[ops[0]], HOLDS[ops[1]]
    return [t for t in range(len(a)) if first(a[t], probe[0]) and second(b[t], probe[1])]


def follows(t: tuple[int, int], u: tuple[int, int], together: bool) -> bool:
    """Whether u may come after t in a chain: it is not less in the first column, nor turned back in the second."""
    return t[0] <= u[0] and (t[1] <= u[1] if together else t[1] >= u[1])


def fewest_chains(a: Sequence[int], b: Sequence[int], together: bool) -> int:
    """The least number of chains that hold all rows: rows less the most that can each have a successor of its own
    (Dilworth through König, by augmenting paths). Rows alike in both columns follow each other in the order given."""
    values = sorted(zip(a, b if together else [-value for value in b], strict=True))
    after = [[u for u in range(t + 1, len(values)) if follows(values[t], values[u], True)] for t in range(len(values))]
    taken: dict[int, int] = {}
    return len(values) - sum(_augmented(t, after, taken, set()) for t in range(len(values)))


def _augmented(t: int, after: Sequence[Sequence[int]], taken: dict[int, int], seen: set[int]) -> bool:
    for u in after[t]:
        if u not in seen:
            seen.add(u)
            if u not in taken or _augmented(taken[u], after, taken, seen):
                taken[u] = t
                return True
    return False
