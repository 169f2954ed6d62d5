"""The calls that the suites ``dc`` and ``pod`` measure, here or in fresh processes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.dc_peer import FastAdc
from bench.measure import Peak, spend
from bench.order_calls import digest
from bench.order_tables import Subject, encoded
from bench.phases import Pairwise
from bench.rule_check import insist_hold

WARM_ROWS = 100_000
"""A made table longer than this is searched after its first rows were, so that no kernel is compiled on the way."""


def warm(kinds: Sequence[str] = ("dc",)) -> None:
    """Compile, or load what was compiled, on tiny tables: mostly numbers, mostly text."""
    import lawful
    from bench.tables import hospital_like, stock_like, tax_like

    for table in (stock_like(200), hospital_like(200), tax_like(200)):
        few = table if "pod" not in kinds else table.select(table.column_names[:6])  # 15 columns have millions of pods
        lawful.discover(few, kinds, engine="local", workers=1)


def first_call(cache: str | None, kind: str) -> dict[str, float]:
    """Seconds of the first and the second discovery of this process; ``cache`` is an empty folder for compiled code."""
    import os

    if cache is not None:
        os.environ["NUMBA_CACHE_DIR"] = cache  # read when Numba is imported, which is later than this
    first, _ = spend(lambda: warm((kind,)))
    second, _ = spend(lambda: warm((kind,)))
    return {"first_cpu": first.cpu, "first_wall": first.wall, "cpu": second.cpu, "wall": second.wall}


def peer_alone(subject: dict[str, Any]) -> dict[str, Any]:
    """One run of FastADC in this process: seconds, peak memory above the loaded table, answer in normal form."""
    loading, peer = spend(lambda: FastAdc(encoded(Subject(**subject))))
    with Peak() as peak:
        running, _ = spend(peer.run)
    return {
        "cpu": running.cpu,
        "wall": running.wall,
        "load_cpu": loading.cpu,
        "peak": peak.above,
        "rules": sorted(peer.statements()),
    }


def alone(
    subject: dict[str, Any], kind: str = "dc", repeats: int = 0, warmed: bool = True, **options: Any
) -> dict[str, Any]:
    """One discovery, and ``repeats`` more for the clock: seconds, peak resident bytes of the first, stages."""
    table = _warmed(Subject(**subject), kind) if warmed else encoded(Subject(**subject))
    call = Pairwise(table, (kind,), options)
    with Peak() as peak:
        spent, rules = spend(call)
    told = {
        "peak": peak.above,
        "before": peak.before,
        "rows": table.rows,
        "columns": len(table.columns),
        "rules": len(rules),
        "incomplete": rules.incomplete,
        "complete_to": rules.complete_to,
        "digest": digest(rules),
        "looked": 0 if options.get("cross_columns") else insist_hold(list(rules), table),
        "stages": dict(call.last.seconds),
        "told": call.last.stages_told(),
    }
    del rules
    runs = [spent, *(spend(call)[0] for _ in range(repeats))]
    return {**told, "cpu": min(run.cpu for run in runs), "wall": min(run.wall for run in runs), "first_cpu": spent.cpu}


def _warmed(subject: Subject, kind: str) -> Any:
    """The table, after tiny searches and, if it is long and made, one of its first rows."""
    warm((kind,))
    if subject.made > WARM_ROWS:
        Pairwise(encoded(Subject(**{**vars(subject), "made": WARM_ROWS})), (kind,))()
    return encoded(subject)
