"""Pods that follow inserted rows: the experiments on IncPOD by rows, batch and columns, and on its indexes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from bench.follow_calls import Growing, Grown
from bench.order_tables import Subject, is_here
from bench.papers.figures import Curve, Figure, Panel

if TYPE_CHECKING:
    from lawful.maintain.indexes import Indexes

BASE = 40_000
SHARES = (0.15, 0.20, 0.25, 0.30, 0.40)
SHARE = 0.20
HEAD = 20_000
"""Rows of which the rules are those that indexes are chosen for."""
PAIRS = 100
SEED = 7
FLIGHTS = Grown("flights", BASE, int(BASE * SHARE), columns=17)
VOTERS = Grown("voters", 20_000, int(20_000 * SHARE), columns=18)
PUBLIC = (Grown("stock_sp500", 90_000, 18_000), Grown("abalone", 3_400, 680))
RANGES = ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.01))


@dataclass(frozen=True)
class Point:
    """CPU seconds of a batch and of a discovery over all rows, and how many rules there are."""

    batch: float
    anew: float
    rules: int


def _measured(grown: Grown) -> Point:
    with Growing(grown) as call:
        spent = call()
        anew = call.insist_right()
        return Point(spent.cpu, anew.cpu, len(call.state.rules()))


def _figure(name: str, title: str, shape: str, x: str, points: Mapping[int, Point]) -> Figure:
    batch = tuple((at, point.batch) for at, point in points.items())
    anew = tuple((at, point.anew) for at, point in points.items())
    rules = tuple((at, float(point.rules)) for at, point in points.items())
    panels = (Panel("CPU s", (Curve("batch", batch), Curve("anew", anew))), Panel("rules", (Curve("pod", rules),)))
    return Figure(name, title, f"{shape} The rules were found equal.", x, panels)


def _tables(smoke: bool) -> Sequence[Grown]:
    return (replace(FLIGHTS, base=1_000, new=200, columns=6),) if smoke else (FLIGHTS, VOTERS)


def rows(smoke: bool) -> Iterator[Figure]:
    """Growing tables, and batches of a fifth of them."""
    for grown in _tables(smoke):
        sizes = [grown.base * factor // 2 for factor in ((1, 2) if smoke else (1, 2, 3, 4))]
        points = {size: _measured(replace(grown, base=size, new=int(size * SHARE))) for size in sizes}
        shape = "Shape of IncPOD's figures 14(a) and (d): a batch of a fifth of the rows, in which some laws change."
        title = f"Rows: {grown.name}, {grown.columns} columns"
        yield _figure(f"incpod-rows-{grown.name}", title, shape, "rows before", points)


def batches(smoke: bool) -> Iterator[Figure]:
    """Batches of a growing share of the table."""
    for grown in _tables(smoke):
        shares = SHARES[:2] if smoke else SHARES
        points = {round(100 * share): _measured(replace(grown, new=int(grown.base * share))) for share in shares}
        shape = "Shape of IncPOD's figures 14(b) and (e): batches in per cent of the rows before."
        title = f"Size of the batch: {grown.name}, {grown.base:,} rows"
        yield _figure(f"incpod-batches-{grown.name}", title, shape, "% of the rows", points)


def columns(smoke: bool) -> Iterator[Figure]:
    """More and more columns."""
    for grown in _tables(smoke):
        widths = (3, 6) if smoke else (5, 8, 11, 14, grown.columns or 17)
        points = {width: _measured(replace(grown, columns=width)) for width in widths}
        shape = "Shape of IncPOD's figures 14(c) and (f): the first columns of a table."
        title = f"Columns: {grown.name}, {grown.base:,} + {grown.new:,} rows"
        yield _figure(f"incpod-columns-{grown.name}", title, shape, "columns", points)


def indexes(smoke: bool) -> Iterator[Figure]:
    """What indexes leave to look at, and their ranks after a batch against the least."""
    from lawful.maintain.indexes import Indexes

    tables = [grown for grown in (*_tables(smoke), *(() if smoke else PUBLIC)) if _is_here(grown)]
    found: dict[int, tuple[float, float, float, float]] = {}
    notes = []
    for at, grown in enumerate(tables, 1):
        ranks, names = _ranks(grown)
        marks = _rules_of(grown, names)
        built = Indexes.of(marks, np.ascontiguousarray(ranks[:, : grown.base]))
        looked = np.array([plan.shares(marks, built.sample) for plan in built.planned]).min(axis=0).mean()
        more = built.extended(ranks, grown.base)
        anew = [index.rebuilt(ranks[p.a], ranks[p.b]) for p, index in zip(more.planned, more.built, strict=True)]
        chains = _chains(built)
        found[at] = (float(looked), *(float(np.mean([each[i].rank for i in chains] or [0])) for each in
                                      (built.built, more.built, anew)))  # fmt: skip
        notes.append(f"{at}: {grown.name}, {grown.base:,} + {grown.new:,} rows; {len(chains)} indexes of chains and "
                     f"{len(built) - len(chains)} of clusters for {len(marks):,} rules.")  # fmt: skip
    ranked = tuple(
        Curve(name, tuple((at, four[k]) for at, four in found.items()))
        for k, name in ((1, "before"), (2, "after the batch"), (3, "built anew"))
    )
    candidates = Curve("candidates", tuple((at, four[0]) for at, four in found.items()))
    yield Figure(
        "incpod-indexes",
        "What indexes leave to look at, and their ranks",
        "Shape of IncPOD's figures 16(a) to (e): the share of all rows that a probe of the best index for a rule "
        "finds, mean over the rules of the first rows, by a sample; and the mean rank of the indexes of chains.",
        "table",
        (Panel("share of rows", (candidates,)), Panel("mean rank", ranked)),
        tuple(notes),
    )


def scores(smoke: bool) -> Iterator[Figure]:
    """Correlation against rank, and how often the sign that a correlation tells is the better one."""
    from lawful.kernels.chains import AGAINST, TOGETHER
    from lawful.maintain.chains import ChainIndex
    from lawful.maintain.scoring import Sample

    tables = [grown for grown in (*_tables(smoke), *(() if smoke else PUBLIC)) if _is_here(grown)]
    met: list[tuple[float, int, int]] = []
    for grown in tables:
        ranks, _ = _ranks(replace(grown, base=min(grown.base, HEAD), new=0, columns=None))
        sample = Sample.of(ranks, 2048)
        pairs = list(combinations(np.flatnonzero(ranks.max(axis=1)).tolist(), 2))
        drawn = np.random.default_rng(SEED).permutation(len(pairs))[: 10 if smoke else PAIRS]
        for a, b in (pairs[k] for k in drawn):
            both = [ChainIndex.build(ranks[a], ranks[b], sign).rank for sign in (TOGETHER, AGAINST)]
            met.append((float(sample.correlation[a, b]), *both))
    strength = np.abs([r for r, _, _ in met])
    least = np.array([min(both) for _, *both in met])
    right = np.array([(both[0] <= both[1]) == (r > 0) for r, *both in met])
    means = [(low, least[(strength >= low) & (strength < high)]) for low, high in RANGES]
    alphas = [(alpha, right[strength > alpha]) for alpha in (0.05, 0.1, 0.2, 0.3, 0.5)]
    yield Figure(
        "incpod-scores",
        "Correlation and rank",
        f"Shape of IncPOD's figures 16(g) and (h): {len(met)} pairs of columns of {len(tables)} tables; the mean rank "
        "by the strength of the correlation, from so much on; and how often the direction that a correlation beyond α "
        "tells needs no more chains than the other.",
        "correlation, α",
        (
            Panel("mean rank", (Curve("rank", tuple((low, float(some.mean())) for low, some in means if len(some))),)),
            Panel("share right", (Curve("direction", tuple((x, float(a.mean())) for x, a in alphas if len(a))),)),
        ),
    )


def _is_here(grown: Grown) -> bool:
    return grown.name in ("flights", "voters") or is_here(Subject(grown.name))


def _ranks(grown: Grown) -> tuple[Any, tuple[str, ...]]:
    import lawful

    table = lawful.encode(pa.concat_tables(grown.parts()), engine="local", workers=1)
    return table.ranks, table.names


def _rules_of(grown: Grown, names: Sequence[str]) -> Any:
    import lawful
    from lawful.maintain.choosing import marks_of

    found: Iterable[Any] = lawful.discover(grown.parts()[0].slice(0, HEAD), ["pod"], engine="local", workers=1)
    return marks_of(list(found), {name: at for at, name in enumerate(names)})


def _chains(built: Indexes) -> list[int]:
    from lawful.kernels.chains import CLUSTERED

    return [at for at, plan in enumerate(built.planned) if plan.sign != CLUSTERED]
