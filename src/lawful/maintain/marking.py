"""What a state of kinds oc, pod and dc holds: signatures of pairs of rows, and what the questions of each kind were
answered.

One signature serves all kinds: the agree sets of fds and keys are a projection of it. Of a pair of rows and its mirror
image the lesser one is kept. A state that follows deletes counts how many pairs have each; one of inserts alone keeps
the set, each signature counted once. A question is asked again when a signature that matters to it came or went; with
exceptions all are asked after every batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lawful.engine.port import Engine
from lawful.errors import LimitError, OptionError
from lawful.evidence.evidence import Evidence
from lawful.evidence.multiset import Multiset, Turned
from lawful.families.comparing import most_rows
from lawful.families.evident import Asked, asked_of, run_on
from lawful.limits import Budget
from lawful.maintain.indexes import Indexes
from lawful.maintain.manifest import MARKED, Manifest, Options
from lawful.maintain.ranking import described
from lawful.options import DiscoverOptions
from lawful.rules.model import Rule
from lawful.search.problem import Words


@dataclass(frozen=True, eq=False)
class Marks:
    """Signatures, the answers by kind, one for each question, and the rules these make; ``indexes`` of the rows, where
    some were needed, which are not stored."""

    held: Multiset
    answers: Mapping[str, Sequence[Words]]
    rules: tuple[Rule, ...]
    indexes: Indexes | None = None


def keeps_counts(kinds: Sequence[str], deletes: bool | None) -> bool:
    """Whether a state follows deletes: as asked for, else unless it compares rows by order."""
    return deletes if deletes is not None else not set(kinds) & set(MARKED)


def check_marked(options: Options) -> None:
    """What states of oc, pod and dc cannot follow."""
    if options.max_error == 0 or not set(options.kinds) & set(MARKED):
        return
    if "oc" in options.kinds:
        raise OptionError(
            "A state follows ocs without exceptions alone.", hint="Leave max_error out, or the kinds oc and od."
        )
    if not options.deletes:
        raise OptionError(
            "Rules with exceptions need counts, which a state of inserts alone does not keep.",
            hint="Make it with deletes (--deletes).",
        )


def refuse_long(rows: int) -> None:
    """End before pairs of rows are compared that are too many to compare all of them."""
    if rows > most_rows():
        raise LimitError(
            f"A state of oc, pod or dc compares all pairs of rows, of at most {most_rows():,} rows; here are {rows:,}.",
            hint="Follow fd and key alone, or discover anew with: lawful discover.",
        )


def refuse_many(held: Multiset, more: int, budget: Budget) -> None:
    """End when the signatures, so many new ones among them, do not fit into memory with what is done with them."""
    budget.check("keeping signatures of pairs of rows", 3 * more * (held.layout.words + 1) * 8)


def evidence_of(manifest: Manifest, held: Multiset) -> Evidence:
    """Both orders of every pair; with counts, where they are kept."""
    both = held.evidence().close()
    return both if manifest.options.deletes else replace(both, counts=None)


def questions(manifest: Manifest, rows: int) -> list[Asked]:
    """What is asked of the signatures, by kind; nothing of a table that has no pairs of rows."""
    options = manifest.options
    kinds = [kind for kind in options.kinds if kind in MARKED] if rows > 1 else []
    asked = {"max_error": options.max_error, "measure": options.measure, "max_size": options.max_size}
    return [asked_of(k, described(manifest, rows), DiscoverOptions(kinds=(k,), **asked)) for k in kinds]  # type: ignore[arg-type]


def asked_anew(manifest: Manifest, rows: int, held: Multiset, agreed: Multiset, engine: Engine) -> Marks:
    """All rules of a table of so many rows; ``agreed`` are its agree sets."""
    return _asked(manifest, rows, Marks(held, {}, ()), None, agreed, engine)


def asked_again(
    before: Marks, turned: Turned, manifest: Manifest, rows: int, agreed: Multiset, engine: Engine
) -> Marks:
    """The rules after a change that was added to the signatures and made some of them come and go."""
    both = np.concatenate([turned.born, turned.died])
    changed = Evidence.of(before.held.layout, both, None, closed=False).close()
    return _asked(manifest, rows, before, None if manifest.options.max_error > 0 else changed, agreed, engine)


def _asked(
    manifest: Manifest, rows: int, before: Marks, changed: Evidence | None, agreed: Multiset, engine: Engine
) -> Marks:
    answers: dict[str, list[Words]] = {}
    rules: list[Rule] = []
    evidence = evidence_of(manifest, before.held)
    for asked in questions(manifest, rows):
        known = before.answers.get(asked.kind)
        again = np.ones(len(asked.words()), np.bool_)
        if changed is not None and known is not None:
            again = asked.concerned(changed)
        numbers = np.flatnonzero(again).tolist()
        found = dict(zip(numbers, asked.answers(evidence, numbers, run_on(engine)), strict=True))
        answers[asked.kind] = [found[n] if n in found else known[n] for n in range(len(again))]  # type: ignore[index]
        rules += asked.rules(answers[asked.kind], evidence, agreed)
    return Marks(before.held, answers, tuple(rules))


def absorbed(held: Multiset, change: Evidence, *, counted: bool) -> tuple[Turned, Evidence]:
    """Add a change to the signatures; what came and went, and what a segment has to keep of it. Where they are not
    counted, that is the signatures that are new."""
    if not counted:
        known = _whole(held.evidence())
        fresh = ~np.isin(_whole(change), known)
        change = Evidence(change.layout, change.signatures[fresh], np.ones(int(fresh.sum()), np.int64), closed=False)
    return held.add(change), change


def once_each(evidence: Evidence) -> Evidence:
    """The same signatures, each counted once."""
    return replace(evidence, counts=np.ones(len(evidence), np.int64))


def _whole(evidence: Evidence) -> np.ndarray:
    """Each signature as one value."""
    words = np.ascontiguousarray(evidence.signatures)
    return words.view(np.dtype((np.void, 8 * words.shape[1]))).reshape(-1)
