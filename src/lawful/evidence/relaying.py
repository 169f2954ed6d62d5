"""Evidence seen through another layout, and evidence of which every pair is taken in one order, always the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lawful.evidence.evidence import Evidence
from lawful.evidence.signature import Layout, Signatures

_EQUAL = 1


def relaid(evidence: Evidence, layout: Layout) -> Evidence:
    """What a layout of the same comparisons, in this order, sees of some evidence: those it has without order are equal
    or not, and those after the last known one are equal in every pair. Signatures that look alike become one, their
    counts added. Only of comparisons whose outcomes are all known. O(k * comparisons + k log k)."""
    known, signatures = evidence.layout, evidence.signatures
    out = np.zeros((len(signatures), layout.words), np.uint64)
    for group, (comparison, place) in enumerate(zip(layout.comparisons, layout.places, strict=True)):
        found = np.full(len(signatures), _EQUAL, np.uint64)
        if group < len(known.comparisons):
            outcome = known.outcome(signatures, group)
            bare = known.comparisons[group].ordered and not comparison.ordered
            found = ((outcome == _EQUAL) if bare else outcome).astype(np.uint64)
        out[:, place >> 6] |= found << np.uint64(place & 63)
    return Evidence.of(layout, out, evidence.counts, evidence.closed)


def one_image(evidence: Evidence) -> Evidence:
    """Of each signature and its mirror image the lesser one, with the counts of both: the same evidence, whichever row
    of a pair was taken first. Of closed evidence every pair is then counted twice."""
    image = evidence.layout.mirror(evidence.signatures)
    turned = _less(image, evidence.signatures)
    signatures = np.where(turned[:, None], image, evidence.signatures)
    return Evidence.of(evidence.layout, signatures, evidence.counts, closed=False)


def odd(evidence: Evidence) -> Evidence:
    """Without the signatures of which as many came as went."""
    assert evidence.counts is not None
    there = evidence.counts != 0
    return Evidence(evidence.layout, evidence.signatures[there], evidence.counts[there], evidence.closed)


def _less(left: Signatures, right: Signatures) -> NDArray[np.bool_]:
    """Which rows of words come before those beside them, the first word before the second."""
    found = np.zeros(len(left), np.bool_)
    for a, b in zip(left.T[::-1], right.T[::-1], strict=True):
        found = (a < b) | (a == b) & found
    return found
