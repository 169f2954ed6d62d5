"""Merging many parts by their merge law."""

from __future__ import annotations

from collections.abc import Iterable

from lawful.engine.failure import failed_merge
from lawful.engine.port import Job, Part, Unit


def merge_all(job: Job[Unit, Part], parts: Iterable[Part]) -> Part:
    """The merge of ``parts``, ``job.zero()`` when there are none.

    Equal sizes are merged with each other, as digits carry in a binary counter: a part takes part in O(log n) merges
    (a running total would take part in all n), and O(log n) parts are alive at a time.
    """
    digits: list[tuple[Part, ...]] = []  # each holds one part or none
    for part in parts:
        _add(job, digits, part)
    total = job.zero()
    for digit in digits:
        for part in digit:
            total = _merged(job, part, total)
    return total


def _add(job: Job[Unit, Part], digits: list[tuple[Part, ...]], part: Part) -> None:
    for place, digit in enumerate(digits):
        if not digit:
            digits[place] = (part,)
            return
        part = _merged(job, digit[0], part)
        digits[place] = ()
    digits.append((part,))


def _merged(job: Job[Unit, Part], left: Part, right: Part) -> Part:
    try:
        return job.merge(left, right)
    except Exception as error:
        raise failed_merge(job, error) from error
