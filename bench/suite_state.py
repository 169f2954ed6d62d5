"""Suite ``state``: what a batch of rows costs, its agree sets alone and a whole commit, against a state made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.files import checksum
from bench.measure import Timing, spend
from bench.order_tables import NOT_HERE, Subject, encoded, files, is_here
from bench.results import Row, Scale, Suite, at_least, judged
from bench.state_calls import Commits, Counting
from lawful.errors import JobError

PRINTED = {"bridges": 644, "iris": 27, "claims_encoded": 512, "flight": 19_099, "adult": 9_555, "uniprot": 326_698}
"""Distinct agree sets in Table 4 of the DynASt paper."""

OFF = {"flight": "no two rows differ everywhere; with the line of names as a row, which does, there is one set more"}
"""Why a table has another number of them, confirmed by a plain loop over the texts."""

BATCHES = (
    (Subject("bridges", smoke=True), 10, None),
    (Subject("flight"), 50, 0.004),
    (Subject("uniprot"), 50, 0.012),
    (Subject("claims_encoded"), 50, 0.060),
    (Subject("adult"), 50, 0.050),
)
"""A table, the rows of the last batch, and the goal in CPU seconds, for inserts and deletes alike."""

COMMITS = (
    (Subject("iris", smoke=True), 100, 10, None),
    (Subject("letter"), 15_000, 100, 10.0),
    (Subject("adult"), 20_000, 50, 10.0),
)
"""A table, the rows of the first version, those of each of five batches, and how many times cheaper than anew."""


def counts(subject: Subject, scale: Scale) -> Iterator[Row]:
    """How many distinct agree sets a table has, and whether the paper prints that number."""
    if not is_here(subject):
        yield Row(f"agree sets {subject.label}", note=NOT_HERE)
        return
    import lawful as lw

    table = encoded(subject)
    spent, found = spend(lambda: lw.agree_sets(table, engine="local", workers=1))
    printed = PRINTED[subject.name]
    off = "as printed" if len(found) == printed else f"{printed:,} are printed: {len(found) - printed:+,}"
    if len(found) != printed and subject.name in OFF:
        off += f" ({OFF[subject.name]})"
    yield Row(
        f"agree sets {subject.label}, {table.rows:,} × {len(table.columns)}",
        ours=spent.cpu,
        limit=f"{found.pairs / max(spent.cpu, 1e-9) / 1e6:,.0f} M pairs/s",
        note=f"{len(found):,} distinct sets, {off}; the first call",
        figures={"distinct": len(found), "printed": printed},
    )


def batch(subject: Subject, rows: int, goal: float | None, scale: Scale) -> Iterator[Row]:
    """The agree sets of a batch at the end of a table: counted, and taken into the multiset."""
    if not is_here(subject):
        yield Row(f"batch {subject.label}", note=NOT_HERE)
        return
    table = encoded(subject)
    for what in ("insert", "delete"):
        call = Counting(table, rows, what)
        call.insist_right()
        timing = Timing(call(), tuple(call() for _ in range(scale.repeats)))
        cpu = timing.steady.cpu
        yield Row(
            f"{what} {rows} rows, {subject.label}, {table.rows:,} × {len(table.columns)}",
            ours=cpu,
            goal="" if goal is None else f"≤ {goal * 1000:g} ms",
            met=None if goal is None else judged(cpu, goal, scale),
            limit=f"{rows * table.rows / max(cpu, 1e-9) / 1e6:,.0f} M pairs/s",
            note=f"{call.changed:,} distinct sets change",
            figures={"timing": timing.figures(), "changed": call.changed},
        )


def commits(subject: Subject, first: int, rows: int, goal: float | None, scale: Scale) -> Iterator[Row]:
    """Five batches of inserts and then of deletes, whole commits with rules and reasons; against a state made anew."""
    if not is_here(subject):
        yield Row(f"commits {subject.label}", note=NOT_HERE)
        return
    with Commits(encoded(subject), first, rows) as calls:
        calls.warm()
        for what in ("insert", "delete"):
            ours = calls.five(what)
            anew = calls.anew()
            times = anew / max(ours, 1e-9)
            yield Row(
                f"{what} 5 × {rows} rows, {subject.label}, from {first:,} rows on",
                ours=ours / 5,
                peer=anew,
                peer_name="a state made anew",
                goal="" if goal is None else f"≥ {goal:g} × cheaper",
                met=None if goal is None else at_least(times * 5, goal, scale),
                note=f"CPU seconds a batch, {times * 5:.1f} × cheaper; {calls.rules:,} rules at the end, as anew",
                figures={"batch": ours / 5, "anew": anew},
            )


def _case(measure: Callable[..., Iterator[Row]], *case: object) -> Callable[[Scale], Iterator[Row]]:
    subject = case[0]
    if not isinstance(subject, Subject):
        raise JobError("A case begins with its table.", hint="Put the subject first.")
    return lambda scale: measure(*case, scale) if subject.smoke == scale.smoke else iter(())


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    subjects = {case[0] for case in (*BATCHES, *COMMITS) if case[0].smoke == scale.smoke and is_here(case[0])}
    return {name: checksum(path) for name, path in files(iter(subjects)).items()}


suite = Suite(
    about="States: the agree sets of a batch, and whole commits, on one core.",
    cases={
        **{f"counts {name}": _case(counts, Subject(name, smoke=name in ("bridges", "iris"))) for name in PRINTED},
        **{f"batch {case[0].label}": _case(batch, *case) for case in BATCHES},
        **{f"commits {case[0].label}": _case(commits, *case) for case in COMMITS},
    },
    data=data,
)
