"""How much of the evidence sampling knows, and when: Hydra's figure 8."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from bench.measure import cpu_seconds
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.hydra import HEAD, SEED, Table, read, tables
from lawful.engine.local import LocalEngine

if TYPE_CHECKING:
    from lawful.evidence.evidence import Evidence
    from lawful.evidence.space import Space
    from lawful.ranks.encoded import Encoded

PARTNERS = (1, 2, 5, 10, 20, 40, 80)
"""Random pairs for each row."""
EFFICIENCIES = (0.05, 0.01, 0.005, 0.002, 0.001)
"""Focused sampling goes on until no way brings new signatures for so many of its pairs."""
RANDOM = 20
"""Random pairs for each row that focused sampling begins with."""

Reached: TypeAlias = tuple[float, int]
"""CPU seconds, and the signatures known then."""


def recall(smoke: bool) -> Iterator[Figure]:
    """Random pairs alone, and with focus, against the evidence of all pairs."""
    for table in tables(smoke):
        yield _figure(replace(table, rows=min(table.rows, HEAD)), smoke)


def _figure(table: Table, smoke: bool) -> Figure:
    encoded = read(table)
    known = _all(table, encoded)
    partners, efficiencies = (PARTNERS[:2], EFFICIENCIES[:1]) if smoke else (PARTNERS, EFFICIENCIES)
    ways = {
        "random": [_sampled(table, encoded, many, None) for many in partners],
        "focused": [_sampled(table, encoded, RANDOM, efficiency) for efficiency in efficiencies],
    }
    curves = [Curve(way, tuple((cpu, count / known) for cpu, count in sorted(found))) for way, found in ways.items()]
    settings = (("random pairs a row", partners), ("efficiency", efficiencies))
    notes = [f"{name}: {', '.join(f'{value:g}' for value in values)}" for name, values in settings]
    return Figure(
        f"hydra-recall-{table.name}",
        f"Recall of sampling: {table.name}, {encoded.rows:,} rows",
        f"Shape of Hydra's figure 8: the share of all {known:,} distinct signatures that sampling knows after some "
        "seconds. What it does not know is found when rules are completed.",
        "CPU s",
        (Panel("share of signatures", tuple(curves)),),
        tuple(notes),
        log_x=True,
    )


def _all(table: Table, encoded: Encoded) -> int:
    from lawful.families.comparing import compare_all
    from lawful.limits import Budget
    from lawful.progress import silent
    from lawful.search.ending import Deadline

    with LocalEngine(1) as engine:
        return len(
            compare_all(
                _space(table, encoded),
                engine,
                counted=False,
                budget=Budget.of(None),
                deadline=Deadline(None),
                listener=silent,
            )
        )


def _sampled(table: Table, encoded: Encoded, partners: int, efficiency: float | None) -> Reached:
    """Random pairs, then focused ones unless ``efficiency`` is None."""
    from lawful.evidence.gather import once_of
    from lawful.evidence.sampling import SamplePairs, draw_focused, draw_random
    from lawful.families.comparing import packing_of

    space = _space(table, encoded)
    job = SamplePairs(packing_of(space), once_of(space.layout), partners)
    with LocalEngine(1) as engine:
        shared, begun = engine.share(space.table), cpu_seconds()
        found = draw_random(job, engine, shared, SEED, _unheard)
        if efficiency is not None:
            found = draw_focused(job, engine, shared, len(encoded.columns), efficiency, found, _unheard)
        return round(cpu_seconds() - begun, 4), len(found.close())


def _space(table: Table, encoded: Encoded) -> Space:
    from lawful.evidence.space import dc_space
    from lawful.options import DiscoverOptions

    return dc_space(encoded, DiscoverOptions(kinds=("dc",), cross_columns=table.cross))


def _unheard(_found: Evidence, _share: float) -> None:
    """Progress that nobody reads."""
