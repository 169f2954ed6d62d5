"""What a sample of rows tells about the indexes one could have: how many runs, how many rows a probe will find.

The scores of IncPOD, section V-B, are the share of distinct values and the correlation of two columns; both are taken
of ranks here. Beside them stand shares of sampled pairs of rows: what the paper leaves to the score of a column, how
much of the table two operators leave, is measured, for all operators at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lawful.kernels.chains import AGAINST, TOGETHER
from lawful.maintain.chains import ChainIndex

Table: TypeAlias = NDArray[np.int32]
"""Ranks, int32[columns, rows]."""
Reals: TypeAlias = NDArray[np.float64]

_SEED = 20_190_408
_PAIRS = 8192
_OUTCOMES = np.array([(0, 1, 0), (1, 0, 1), (1, 0, 0), (1, 1, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)], np.bool_)
"""Which of the outcomes ``< = >`` an operator allows: those of `lawful.kernels.conjunction`, then ANY."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Some rows, int32[columns, sampled], of a table of ``rows`` rows."""

    ranks: Table
    rows: int

    @classmethod
    def of(cls, ranks: Table, size: int) -> Sample:
        """Evenly drawn rows, the same ones for the same number of rows."""
        count = ranks.shape[1]
        draws = np.random.default_rng(_SEED)
        chosen = np.arange(count) if count <= size else np.sort(draws.choice(count, size, replace=False))
        return cls(np.ascontiguousarray(ranks[:, chosen]), count)

    @cached_property
    def equality(self) -> Reals:
        """For each column one less the share of distinct values among the rows drawn. The fewer rows are drawn, the
        more distinct a column looks."""
        return np.array([self.repeated(c, c) for c in range(len(self.ranks))])

    def repeated(self, a: int, b: int) -> float:
        """One less the share of distinct values that two columns have together."""
        rows = self.ranks.shape[1]
        joint = (self.ranks[a].astype(np.int64) << 32) + self.ranks[b]
        return 1.0 - len(np.unique(joint)) / rows if rows else 0.0

    @cached_property
    def correlation(self) -> Reals:
        """Of the ranks of any two columns; 1 where one of them is constant: one chain holds all."""
        centred = self.ranks - self.ranks.mean(axis=1, keepdims=True) if self.ranks.size else self.ranks
        spread = np.sqrt((centred * centred).sum(axis=1))
        constant = spread == 0
        divided = np.where(constant, 1.0, spread)
        found: Reals = np.clip(centred @ centred.T / divided / divided[:, None], -1.0, 1.0)
        found[constant] = found[:, constant] = 1.0
        return found

    @cached_property
    def shares(self) -> Reals:
        """``shares[a, op, b, other]``: the share of ordered pairs (t, u) with ``a[t] op a[u]`` and ``b[t] other b[u]``,
        float[columns, 7, columns, 7]; both orders of a pair count."""
        columns, size = self.ranks.shape
        if size < 2:
            return np.zeros((columns, len(_OUTCOMES), columns, len(_OUTCOMES)))
        draws = np.random.default_rng(_SEED)
        t = draws.integers(size, size=_PAIRS)
        u = (t + draws.integers(1, size, _PAIRS)) % size
        t, u = np.concatenate([t, u]), np.concatenate([u, t])
        outcomes = 1 + np.sign(self.ranks[:, t] - self.ranks[:, u].astype(np.int64))
        held = _OUTCOMES.T[outcomes].transpose(0, 2, 1).reshape(-1, len(t)).astype(np.float32)
        found: Reals = (held @ held.T).astype(np.float64) / len(t)
        return found.reshape(columns, len(_OUTCOMES), columns, len(_OUTCOMES))

    def rank(self, a: int, b: int) -> float:
        """About how many chains all rows need: those of the sample, as many more as chains of unrelated columns would
        be, and never more than either column has ranks up to its highest drawn."""
        built = ChainIndex.build(self.ranks[a], self.ranks[b])
        more = np.sqrt(self.rows / max(self.ranks.shape[1], 1))
        return float(min(built.rank * more, *(1.0 + self.ranks[[a, b]].max(axis=1, initial=0))))

    def sign(self, a: int, b: int, alpha: float) -> int | None:
        """The way chains run best, by the correlation; None where it is not beyond ``alpha``."""
        correlation = self.correlation[a, b]
        return TOGETHER if correlation > alpha else AGAINST if correlation < -alpha else None
