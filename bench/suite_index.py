"""Suite ``index``: rows found by two comparisons, by length of table and batch, against DuckDB's inequality join."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bench.index_calls import Answer, Join, Probing
from bench.measure import Timing, interleaved, timed
from bench.results import Row, Scale, Suite, peer_module
from lawful.errors import JobError

OLD = (100_000, 200_000, 300_000, 400_000)
NEW = 20_000
BATCHES = (45_000, 60_000, 90_000, 120_000)
"""New rows for 300,000 old ones: 15 % to 40 %, as in IncPOD's Exp-2."""
SMOKE = (Probing(10_000, 2000, False), Probing(10_000, 2000, True))


def fetching(probing: Probing, scale: Scale) -> Iterator[Row]:
    """Fetch against the join, then what the index costs to build and to extend."""
    named = _named(probing)
    index = probing.index
    times, answer, plan = _compared(probing, scale)
    ours, peer = times["ours"].steady.cpu, times["join"].steady.cpu if "join" in times else None
    yield Row(
        f"fetch: {named}",
        ours=ours,
        peer=peer,
        peer_name="DuckDB, one thread" if peer is not None else "",
        limit=f"{probing.new / max(ours, 1e-9):,.0f} probes/s, {answer[0] / max(ours, 1e-9) / 1e6:,.3g} M rows/s",
        note=f"rank {index.rank}, {answer[0]:,} rows found; " + (f"DuckDB: {plan}" if plan else "DuckDB is not here"),
        figures={"rank": index.rank, "pairs": answer[0], **{name: each.figures() for name, each in times.items()}},
    )
    yield from _kept(probing, named, scale)


def _compared(probing: Probing, scale: Scale) -> tuple[dict[str, Timing], Answer, str]:
    """Both in turn; raises unless they find the same."""
    duckdb, found = peer_module("duckdb"), []

    def same(answers: Mapping[str, Answer]) -> None:
        found.append(answers["ours"])
        if len(set(answers.values())) > 1:
            raise JobError(f"The answers differ: {answers}.", hint="Look at bench/index_calls.py.")

    calls: dict[str, Callable[[], Answer]] = {"ours": probing.fetch}
    plan = ""
    if duckdb is not None:
        calls["join"] = join = Join(duckdb, probing)
        plan = join.plan()
    return interleaved(calls, scale.repeats, same), found[0], plan


def _kept(probing: Probing, named: str, scale: Scale) -> Iterator[Row]:
    built, extended = timed(probing.built, scale.repeats), timed(probing.extended, scale.repeats)
    index = probing.extended()
    least = index.rebuilt(*probing.columns).rank
    yield Row(
        f"extend: {named}",
        ours=extended.steady.cpu,
        peer=built.steady.cpu,
        peer_name="the old rows built anew",
        limit=f"{probing.new / max(extended.steady.cpu, 1e-9):,.0f} rows/s",
        note=f"rank {probing.index.rank} → {index.rank}, {least} at best; {index.nbytes / len(index):.2f} bytes a row",
        figures={"rank": index.rank, "least": least, "bytes": index.nbytes, "extended": extended.figures()},
    )


def _named(probing: Probing) -> str:
    return f"{probing.new:,} probes into {probing.old:,} rows, {'many' if probing.many else 'few'} values"


def _case(probing: Probing) -> Callable[[Scale], Iterator[Row]]:
    return lambda scale: fetching(probing, scale) if scale.smoke == (probing in SMOKE) else iter(())


CASES = [Probing(old, NEW, many) for many in (False, True) for old in OLD]
CASES += [Probing(300_000, new, many) for many in (False, True) for new in BATCHES]

suite = Suite(
    about="Indexes of two columns: probes by two inequalities, against an inequality join.",
    cases={_named(probing): _case(probing) for probing in (*SMOKE, *CASES)},
)
