"""Suite ``follow``: pods of a growing table, a batch of inserts against a discovery over all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bench.files import checksum
from bench.follow_calls import Growing, Grown
from bench.measure import Timing
from bench.order_tables import NOT_HERE
from bench.results import Row, Scale, Suite, at_least, judged
from lawful.errors import SourceError

TIMES = 3.0
"""So many times cheaper than a discovery over all rows."""

BATCHES = (
    Grown("flights", 2_000, 400, smoke=True),
    Grown("flights", 300_000, 60_000, seconds=15.0, times=TIMES),
    Grown("voters", 60_000, 20_000, times=TIMES),
    Grown("stock_sp500", 90_000, 27_000, seconds=1.0),
    Grown("airport_original", 30_000, 14_418, then="airport_incremental"),
)
GROWTH = (Grown("flights", 100_000, 1_000, settled=True), Grown("voters", 20_000, 1_000, settled=True))
"""The same batch, cut into ten, into tables of so many rows, twice and four times as many."""
TOO_LONG = {
    "voters, 300,000 + 100,000 rows": "not finished: laws change with the batch, and what they are refined to is "
    "slow to try; 100,000 + 30,000 rows took 84 s",
    "letter, 15,000 + 4,500 rows × 12": "no answer within three minutes, of the first rows or of all",
}
"""Asked for, and not measured."""


def batch(grown: Grown, scale: Scale) -> Iterator[Row]:
    """One batch, from opening the state to its commit; the rules are compared before anything is told."""
    with Growing(grown) as call:
        first = call()
        peer = call.insist_right()
        timing = Timing(first, tuple(call() for _ in range(scale.repeats)))
        cpu, delta = timing.steady.cpu, call.state.delta()
        times = peer.cpu / max(cpu, 1e-9)
        goals = [f"≤ {grown.seconds:g} s"] if grown.seconds else []
        goals += [f"≥ {grown.times:g} × cheaper"] if grown.times else []
        met = [judged(cpu, grown.seconds, scale)] if grown.seconds else []
        met += [at_least(times, grown.times, scale)] if grown.times else []
        yield Row(
            f"insert {grown.label} × {call.base.num_columns}",
            ours=cpu,
            peer=peer.cpu,
            peer_name="our discovery over all rows",
            goal=", ".join(goals),
            met=None if not met or None in met else all(met),
            limit=f"{grown.new / max(cpu, 1e-9):,.0f} rows/s",
            note=f"{times:.1f} × cheaper; {call.before:,} rules before, {len(delta.removed):,} went, "
            f"{len(delta.added):,} came; the first version cost {call.beginning.cpu:.3g} s",
            figures={"batch": timing.figures(), "anew": peer.cpu, "rules": len(call.state.rules())},
        )


def growth(grown: Grown, scale: Scale) -> Iterator[Row]:
    """What a small batch costs by the length of the table, the process having applied others before."""
    for times in (1, 2, 4):
        longer = replace(grown, base=grown.base * times)
        with Growing(longer) as call:
            least = call(10)
            yield Row(
                f"insert {longer.new // 10:,} rows, {longer.name}, into {longer.base:,} × {call.base.num_columns}",
                ours=least.cpu,
                limit=f"{longer.new / 10 / max(least.cpu, 1e-9):,.0f} rows/s",
                note=f"the least of ten batches; {len(call.state.rules()):,} rules",
                figures={"cpu": least.cpu, "rows": longer.base},
            )


def left_out(scale: Scale) -> Iterator[Row]:
    """What does not end in reasonable time, by name."""
    if not scale.smoke:
        yield from (Row(f"insert {name}", goal="≤ 15 s", met=False, note=why) for name, why in TOO_LONG.items())


def _case(measure: Callable[[Grown, Scale], Iterator[Row]], grown: Grown) -> Callable[[Scale], Iterator[Row]]:
    def run(scale: Scale) -> Iterator[Row]:
        if grown.smoke != scale.smoke:
            return
        try:
            grown.files  # noqa: B018, raises where a file is missing
        except SourceError:
            yield Row(f"insert {grown.label}", note=NOT_HERE)
            return
        yield from measure(grown, scale)

    return run


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    found = {}
    for grown in BATCHES:
        if grown.smoke == scale.smoke:
            try:
                found |= {path.name: checksum(path) for path in grown.files}
            except SourceError:
                continue
    return found


suite = Suite(
    about="Pods of a growing table: batches of inserts against discoveries over all rows, on one core.",
    cases={
        **{f"insert {grown.label}": _case(batch, grown) for grown in BATCHES},
        "left out": left_out,
        **{f"growth {grown.name}": _case(growth, grown) for grown in GROWTH},
    },
    data=data,
)
