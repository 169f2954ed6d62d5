"""Suite ``evidence``: signatures of all pairs of rows a second, as a set and counted; on Spark against this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.dc_tables import EVIDENCE_SUBJECTS, MULTISET_GOAL, SET_GOAL, SPARK_SMOKE, SPARK_SUBJECTS
from bench.evidence_calls import Gathering, insist_right, insist_whole, pairs_of
from bench.evidence_spark import spark
from bench.files import checksum
from bench.measure import timed
from bench.order_tables import NOT_HERE, Subject, encoded, files, is_here
from bench.results import Row, Scale, Suite, at_least

MILLION = 1e6


def gathering(subject: Subject, scale: Scale) -> Iterator[Row]:
    """One table, set and multiset, each checked before it is timed."""
    from lawful.engine.local import LocalEngine

    label = subject.label + (" (made)" if subject.made else "")
    if not is_here(subject):
        yield Row(f"evidence {label}", note=NOT_HERE)
        return
    table = encoded(subject)
    pairs = pairs_of(table)
    with LocalEngine(1) as engine:
        for counted, least in ((False, SET_GOAL), (True, MULTISET_GOAL)):
            insist_right(table, counted, engine)
            call = Gathering(table, counted, engine)
            found = call()
            insist_whole(table, found)
            distinct, bits = len(found.close()), found.layout.bits
            del found
            timing = timed(call, scale.repeats)
            rate = pairs / max(timing.steady.cpu, 1e-9) / MILLION
            yield Row(
                f"evidence {label}, {table.rows:,} × {len(table.columns)}, {'multiset' if counted else 'set'}",
                ours=rate,
                unit="M pairs/s",
                goal=f"≥ {least:g} M pairs/s",
                met=at_least(rate, least, scale),
                limit=f"{rate * len(table.columns) / 1e3:.2f} G comparisons/s; {distinct:,} signatures of {bits} bits",
                note=f"{pairs:,} unordered pairs in {timing.steady.cpu:.3f} s CPU; higher is better",
                figures={"timing": timing.figures(), "pairs": pairs, "distinct": distinct},
            )


def _case(subject: Subject) -> Callable[[Scale], Iterator[Row]]:
    return lambda scale: gathering(subject, scale) if subject.smoke == scale.smoke else iter(())


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    spark_subjects = SPARK_SMOKE if scale.smoke else SPARK_SUBJECTS
    used = (*(each for each in EVIDENCE_SUBJECTS if each.smoke == scale.smoke), *spark_subjects)
    return {name: checksum(path) for name, path in files(iter(used)).items()}


suite = Suite(
    about="Evidence: the distinct signatures of all pairs of rows, as a set and counted, on one core; on Spark.",
    cases={
        **{f"evidence {subject.label}{subject.made or ''}": _case(subject) for subject in EVIDENCE_SUBJECTS},
        "spark": spark,
    },
    data=data,
)
