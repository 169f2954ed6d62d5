"""Suite ``pod``: pointwise order dependencies of whole tables: rules a second of enumeration, rate of evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from bench.dc_calls import warm
from bench.dc_tables import POD_GOAL, POD_SUBJECTS
from bench.evidence_calls import gathered
from bench.files import checksum
from bench.measure import Timing, timed
from bench.order_tables import NOT_HERE, Subject, encoded, files, is_here
from bench.phases import Pairwise
from bench.results import Row, Scale, Suite, at_least
from bench.rule_check import insist_hold
from lawful.errors import JobError

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded

TIME_LIMIT = "5m"
SHORT = 0.01
"""CPU seconds of enumeration from which its rate is judged: below, starting weighs more."""


def pointwise(subject: Subject, scale: Scale) -> Iterator[Row]:
    """One table: a look at the rules, then the clock for the whole and for the evidence alone."""
    if not is_here(subject):
        yield Row(f"pod {subject.label}", note=NOT_HERE)
        return
    warm(("pod",))
    table = encoded(subject)
    call = Pairwise(table, ("pod",), {"time_limit": TIME_LIMIT})
    rules = call()
    looked = insist_hold(list(rules), table)
    count, ending = len(rules), rules.incomplete
    del rules
    whole, evidence = timed(call, scale.repeats), _evidence(table, scale)
    if ending is None and count == 0:
        raise JobError("No rule was found.", hint="Look at the answer.")
    pairs = table.rows * (table.rows - 1) // 2
    cpu = whole.steady.cpu
    searching = max(cpu - evidence.steady.cpu, 1e-9)
    rate = count / searching
    yield Row(
        f"pod {subject.label}, {table.rows:,} × {len(table.columns)}, enumeration",
        ours=rate,
        unit="rules/s",
        goal=f"≥ {POD_GOAL:,.0f} rules/s",
        met=at_least(rate, POD_GOAL, scale) if searching >= SHORT else None,
        limit=f"{searching:.3g} s CPU for all but the evidence, rule objects included",
        note=f"{count:,} rules, {ending or 'complete'}; {looked} looked at on the first rows; higher is better"
        + ("" if searching >= SHORT else f"; not judged, below {SHORT:g} s"),
        figures={"rules": count, "searching": searching},
    )
    yield Row(
        f"pod {subject.label}, {table.rows:,} × {len(table.columns)}, whole discovery",
        ours=cpu,
        limit=f"{pairs / max(evidence.steady.cpu, 1e-9) / 1e6:,.0f} M pairs/s of evidence, {count / cpu:,.0f} rules/s; "
        f"{call.last.stages_told()}",
        note=f"evidence alone {evidence.steady.cpu:.3g} s",
        figures={"whole": whole.figures(), "evidence": evidence.figures(), "stages": call.last.seconds},
    )


def _evidence(table: Encoded, scale: Scale) -> Timing:
    from lawful.engine.local import LocalEngine
    from lawful.evidence.space import pod_space

    with LocalEngine(1) as engine:
        space = pod_space(table)
        return timed(lambda: gathered(space, engine, True), scale.repeats)


def _case(subject: Subject) -> Callable[[Scale], Iterator[Row]]:
    return lambda scale: pointwise(subject, scale) if subject.smoke or not scale.smoke else iter(())


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    used = [each for each in POD_SUBJECTS if each.smoke or not scale.smoke]
    return {name: checksum(path) for name, path in files(iter(used)).items()}


suite = Suite(
    about="Pointwise order dependencies: rules a second of enumeration, evidence, whole discoveries.",
    cases={f"pod {subject.label}": _case(subject) for subject in POD_SUBJECTS},
    data=data,
)
