"""Why ocs, pods and dcs came and went: the pairs of rows that break them before and after, and two rows that do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.batch import Showing
from lawful.evidence.signature import Layout
from lawful.families.denials import ORDERED, UNORDERED, Denials, as_words, count, flags
from lawful.maintain.counting import packing_of
from lawful.maintain.delta import Reason
from lawful.maintain.ranking import ranked_part, ranked_rows
from lawful.maintain.witnessing import Change, Marked, witness
from lawful.rules.model import MIRROR, NEGATION, Dc, Oc, Operator, Pod, Rule

Asked = tuple[str, Operator]


def reasons_marked(rules: Sequence[Rule], change: Change, marked: Marked) -> list[Reason]:
    """A reason for each rule. Where pairs are not counted, rows only come and rules have no exceptions: what came or
    went held before, and is broken by new pairs alone."""
    layout = marked.signed.layout
    denials = Denials(layout, as_words(np.array([_bits(rule, change.names, layout) for rule in rules])))
    delta = count(denials, marked.signed).broken
    after = delta if marked.after is None else count(denials, marked.after).broken
    before = after - delta
    # An oc is broken by a pair in one of its orders; the others are told by ordered pairs.
    orders = np.array([1 if isinstance(rule, Oc) else 2 for rule in rules])
    shares = [_shares(counts, len(rows), orders) for counts, rows in ((before, change.before), (after, change.after))]
    turned = ((before == 0) != (after == 0)) & marked.exact
    pairs = _Pairs(change, marked)
    shown = [
        witness(pairs.breaking(denials.bits[r], rising=bool(after[r])), change, bool(after[r])) if turned[r] else None
        for r in range(len(rules))
    ]
    return [Reason(float(b), float(a), w) for b, a, w in zip(*shares, shown, strict=True)]


def _shares(broken: NDArray[np.int64], rows: int, orders: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(broken / np.maximum(orders * (rows * (rows - 1) // 2), 1))


class _Pairs:
    """Pairs of rows of a batch that show signatures; each signature is looked for once."""

    def __init__(self, change: Change, marked: Marked) -> None:
        self._change, self._signed = change, marked.signed
        self._tables = marked.tables
        self._known: dict[bytes, NDArray[np.int64]] = {}
        self._shows = flags(self._signed.edges(), len(self._signed)).T

    def breaking(self, excluded: NDArray[np.bool_], *, rising: bool) -> NDArray[np.int64]:
        """Ids of two rows that show nothing of what a rule excludes: one of them new, or, not ``rising``, gone."""
        counts = self._signed.counts
        assert counts is not None
        fitting = (counts > 0 if rising else counts < 0) & ~(self._shows & excluded).any(axis=1)
        signature = self._signed.signatures[int(np.argmax(fitting))]
        if signature.tobytes() not in self._known:
            self._known[signature.tobytes()] = self._found(signature[None, :], rising)
        return self._known[signature.tobytes()]

    def _found(self, signature: NDArray[np.uint64], rising: bool) -> NDArray[np.int64]:
        change, layout = self._change, self._signed.layout
        batch, rows = (change.new, change.after) if rising else (change.gone, change.before)
        batch, rows = ranked_part(batch, self._tables), ranked_rows(rows, self._tables)
        both = np.unique(np.concatenate([signature, layout.mirror(signature)]), axis=0)
        showing = Showing(packing_of(rows, batch.codes, layout), both)
        for part, alive in rows:
            showing.look(batch.codes, batch.ids, part.codes, part.ids, alive)
        found: NDArray[np.int64] = showing.pairs[showing.pairs[:, 0] >= 0][0]
        return found


def _bits(rule: Rule, names: Sequence[str], layout: Layout) -> NDArray[np.bool_]:
    """The literals of a layout that a rule excludes: those of which a pair shows none when it breaks the rule."""
    bits = np.zeros(layout.literals, np.bool_)
    for name, operator in _broken_by(rule):
        group = names.index(name)
        ordered = layout.comparisons[group].ordered
        pattern = next(p for p, op in (ORDERED if ordered else UNORDERED).items() if op == operator)
        for outcome in range(layout.comparisons[group].outcomes):
            bits[layout.first_literal[group] + outcome] |= bool(pattern >> outcome & 1)
    return bits


def _broken_by(rule: Rule) -> list[Asked]:
    """The comparisons that a pair which breaks a rule satisfies, all of them."""
    if isinstance(rule, Oc):
        last: Operator = ">" if rule.direction == "same" else "<"
        return [*((name, "=") for name in rule.context), (rule.left, "<"), (rule.right, last)]
    if isinstance(rule, Dc):
        return [(p.left.column, p.op if p.left.row == "t" else MIRROR[p.op]) for p in rule.predicates]
    assert isinstance(rule, Pod)
    return [*rule.lhs, (rule.rhs[0], NEGATION[rule.rhs[1]])]
