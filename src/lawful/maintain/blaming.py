"""Why ocs, pods and dcs came and went: the pairs of rows that break them before and after, and two rows that do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.batch import Showing
from lawful.evidence.signature import Layout, Signatures
from lawful.families.denials import ORDERED, UNORDERED, Denials, as_words, count
from lawful.maintain.counting import packing_of
from lawful.maintain.delta import Reason, Witness
from lawful.maintain.ranking import ranked_part, ranked_rows
from lawful.maintain.witnessing import Arrived, Change, Marked, witnesses
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
    turned = np.flatnonzero((before == 0) != (after == 0)) if marked.exact else np.zeros(0, np.int64)
    shown = _witnesses(denials, turned, after > 0, change, marked)
    return [Reason(float(b), float(a), shown.get(r)) for r, (b, a) in enumerate(zip(*shares, strict=True))]


def reasons_of_rows(rules: Sequence[Rule], change: Change, came: Arrived) -> list[Reason]:
    """A reason for each pod that came or went with new rows. It held before; whoever it went for shows two rows."""
    layout = came.following.space.layout
    denials = Denials(layout, as_words(np.array([_bits(rule, change.names, layout) for rule in rules])))
    pairs = came.following.breaking(denials, came.found)
    distinct = sorted({tuple(pair.tolist()) for pair in pairs if pair is not None})
    shown = witnesses(change.after.ids[np.array(distinct, np.int64).reshape(-1, 2)], change, rising=True)
    broken = {two: Reason(0.0, None, each) for two, each in zip(distinct, shown, strict=True)}
    return [Reason(0.0, 0.0) if pair is None else broken[tuple(pair.tolist())] for pair in pairs]


def _shares(broken: NDArray[np.int64], rows: int, orders: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.asarray(broken / np.maximum(orders * (rows * (rows - 1) // 2), 1))


def _witnesses(
    denials: Denials, turned: NDArray[np.int64], broken: NDArray[np.bool_], change: Change, marked: Marked
) -> dict[int, Witness]:
    """Two rows for each rule that held on one side of the batch only: on which, tells whether it is ``broken`` now."""
    counts = marked.signed.counts
    assert counts is not None
    edges = marked.signed.edges
    found: dict[int, Witness] = {}
    for rising in (True, False):
        rules = turned[broken[turned] == rising]
        if len(rules):
            matter = _packed(counts > 0 if rising else counts < 0, edges.shape[1])
            chosen = [_breaking(edges[denials.bits[r]], matter) for r in rules]
            wanted, of = np.unique(chosen, return_inverse=True)
            pairs = _pairs(marked.signed.signatures[wanted], change, marked, rising=rising)
            shown = witnesses(pairs, change, rising)
            found |= {int(r): shown[w] for r, w in zip(rules, of.reshape(-1).tolist(), strict=True)}
    return found


def _packed(bits: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    out = np.zeros(words, np.uint64)
    packed = np.packbits(bits, bitorder="little")
    out.view(np.uint8)[: len(packed)] = packed
    return out


def _breaking(excluded: NDArray[np.uint64], matter: NDArray[np.uint64]) -> int:
    """The first signature that matters and shows none of the excluded literals."""
    left = matter & ~np.bitwise_or.reduce(excluded, axis=0)
    word = int(np.flatnonzero(left)[0])
    bits = int(left[word])
    return 64 * word + (bits & -bits).bit_length() - 1


def _pairs(signatures: Signatures, change: Change, marked: Marked, *, rising: bool) -> NDArray[np.int64]:
    """Ids of a pair of rows for each signature, in either order: one of them new, or, not ``rising``, gone."""
    layout, tables = marked.signed.layout, marked.tables
    batch, rows = (change.new, change.after) if rising else (change.gone, change.before)
    batch, rows = ranked_part(batch, tables), ranked_rows(rows, tables)
    both, of = np.unique(np.concatenate([signatures, layout.mirror(signatures)]), axis=0, return_inverse=True)
    showing = Showing(packing_of(rows, batch.codes, layout), both)
    for part, alive in rows:
        showing.look(batch.codes, batch.ids, part.codes, part.ids, alive)
    here, there = showing.pairs[of.reshape(-1)].reshape(2, -1, 2)
    return np.asarray(np.where(here[:, :1] >= 0, here, there))


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
