"""Order compatibilities from evidence: what a context of two columns must hit are the pairs of rows that swap in them.

``X: A ~ B`` breaks where two rows are equal on X, less in A and greater in B (the other way round for the opposite
direction: less in both). So the minimal contexts hit all columns but A and B in which such pairs differ, and of these
pairs only the maximal agree sets matter. A context that determines A or B is no rule: it follows from the fd. Contexts
are kept with those, as an fd may come and go without any change to the swaps (Propagate has to be looked at again).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from lawful.errors import OptionError
from lawful.evidence.agree import agree_layout
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset, maximal_sets
from lawful.evidence.relaying import relaid
from lawful.families.agreeing import KEY, as_columns, figures_of, raise_ended
from lawful.families.denials import flags
from lawful.families.running import Run, hit
from lawful.options import DiscoverOptions
from lawful.ranks.encoded import Encoded
from lawful.rules.canonical import places, sort_key
from lawful.rules.model import Direction, Oc, Rule
from lawful.search.literals import POD_EQUALITY, Literals
from lawful.search.problem import Question, Words

Pair = tuple[int, int, Direction]

_LESS, _GREATER = 0, 2


class Compatible:
    """The order compatibilities of all pairs of columns that have an order; without exceptions."""

    kind = "oc"

    def __init__(self, table: Encoded, options: DiscoverOptions) -> None:
        if options.max_error > 0:
            raise OptionError(
                "The errors of ocs cannot be told from signatures.", hint="Leave max_error out, or oc (od)."
            )
        enough = options.max_size is None or options.max_size >= 2
        ordered = [c for c, column in enumerate(table.columns) if column.ordered and enough]
        self._table, self._most = table, options.max_size
        self._layout = agree_layout(len(table.columns))
        self.pairs: list[Pair] = [
            (a, b, direction) for a, b in combinations(ordered, 2) for direction in ("same", "opposite")
        ]

    def words(self) -> list[int]:
        """Contexts are kept as sets of columns."""
        return [self._layout.words] * len(self.pairs)

    def concerned(self, changed: Evidence) -> NDArray[np.bool_]:
        """Those in whose columns a pair of rows swaps that was not known to, or no pair does so any more."""
        return np.array([swaps.any() for swaps in self._swaps(changed, range(len(self.pairs)))], np.bool_)

    def answers(self, evidence: Evidence, numbers: Sequence[int], run: Run) -> list[Words]:
        """For each pair of columns the minimal contexts in which they do not swap."""
        found = self._swaps(evidence, numbers)
        return [self._contexts(number, evidence, swaps, run) for number, swaps in zip(numbers, found, strict=True)]

    def _swaps(self, evidence: Evidence, numbers: Sequence[int]) -> Iterator[NDArray[np.bool_]]:
        """Flags of the signatures that swap, for each pair of columns."""
        asked = sorted({column for number in numbers for column in self.pairs[number][:2]})
        outcomes = {column: evidence.layout.outcome(evidence.signatures, column) for column in asked}
        for number in numbers:
            a, b, direction = self.pairs[number]
            yield (outcomes[a] == _LESS) & (outcomes[b] == (_GREATER if direction == "same" else _LESS))

    def _contexts(self, number: int, evidence: Evidence, swaps: NDArray[np.bool_], run: Run) -> Words:
        a, b, _ = self.pairs[number]
        swapping = relaid(Evidence(evidence.layout, evidence.signatures[swaps], None), self._layout)
        width = len(self._table.columns)
        groups = tuple(c for c in range(width) if c not in (a, b))
        kinds, columns = (POD_EQUALITY,) * len(groups), tuple((c,) for c in groups)
        literals = Literals(self._layout, groups, kinds, columns, width)
        question = Question(literals, most_columns=self._most, fixed=(a, b))
        tops = Evidence(self._layout, maximal_sets(swapping.signatures), None, closed=False)
        found, ending = hit(tops, [question], run)
        raise_ended(ending)
        return as_columns(literals, found[0])

    def rules(self, answers: Sequence[Words], evidence: Evidence, agreed: Multiset) -> list[Rule]:
        """The contexts that determine neither of their columns, with the share of pairs of rows they hold together."""
        made: list[Rule] = []
        for pair, sets in zip(self.pairs, answers, strict=True):
            made += self._rules(pair, sets, agreed)
        at = places(self._table.names)
        return sorted(made, key=lambda rule: sort_key(rule, at))

    def _rules(self, pair: Pair, sets: Words, agreed: Multiset) -> Iterator[Oc]:
        a, b, direction = pair
        varied = np.ones(len(sets), np.bool_)
        for column in (a, b):
            varied &= agreed.masses(sets, np.full(len(sets), column))[1] > 0
        kept, names, rows = sets[varied], self._table.names, self._table.rows
        within = agreed.masses(kept, np.full(len(kept), KEY))[0]
        for there, count in zip(flags(kept, len(names)), within.tolist(), strict=True):
            context = tuple(names[c] for c in np.flatnonzero(there))
            figures = figures_of(count, 0, len(context) + 2, rows, rows * (rows - 1) // 2, None)
            yield Oc(context, names[a], names[b], direction, figures)
