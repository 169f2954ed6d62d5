"""Agree sets that follow a table: the experiments on DynASt by size of the batch, by columns, and on the index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from bench.measure import spend
from bench.order_tables import Subject, encoded, is_here
from bench.papers.batches import WAYS, Took, Whole
from bench.papers.figures import Curve, Figure, Panel
from bench.papers.running import part

LONG = (Subject("adult"), Subject("claims_encoded"))
WIDE = (Subject("flight"), Subject("uniprot"))
SHORT = (Subject("iris"), Subject("bridges"))
SIZES = (10, 20, 50, 100, 200, 500, 1000)
WIDE_SIZES = (10, 20, 50, 100, 150)
BATCH = 50
FIRST = 500
QUERIES = 200
SEED = 7


def batches(smoke: bool) -> Iterator[Figure]:
    """Batches of growing size at the end of a table."""
    for subject in filter(is_here, SHORT if smoke else (*LONG, *WIDE)):
        table = encoded(subject)
        whole = Whole(table)
        sizes = (5, 20) if smoke else WIDE_SIZES if subject in WIDE else SIZES
        found = {size: whole.both(size) for size in sizes}
        yield Figure(
            f"dynast-batches-{subject.name}",
            f"Size of the batch: {subject.name}, {table.rows:,} rows, {len(table.columns)} columns",
            "Shape of DynASt's figures 4 and 5: the last rows of a table come, or go; the pairs are counted and taken "
            "into the multiset. After each the agree sets were found to be those of the whole table.",
            "rows of the batch",
            (_ms(found), _changed(found)),
            (f"{len(whole.all):,} distinct agree sets.",),
            log_x=True,
        )


def columns(smoke: bool) -> Iterator[Figure]:
    """Tables of few rows that grow in width."""
    for subject in filter(is_here, SHORT if smoke else (*LONG, *WIDE)):
        table = encoded(subject)
        rows = min(FIRST + BATCH, table.rows)
        widths = sorted({round(len(table.columns) * share) for share in (0.2, 0.4, 0.6, 0.8, 1.0)})
        found = {width: Whole(part(table, range(width), rows)).both(min(BATCH, rows // 2)) for width in widths}
        yield Figure(
            f"dynast-columns-{subject.name}",
            f"Columns: {subject.name}, {rows - BATCH:,} rows and {BATCH} more" if rows > BATCH else subject.name,
            "Shape of DynASt's figure 6: the first columns of a table, 500 rows, a batch of 50.",
            "columns",
            (_ms(found), _changed(found)),
        )


def index(smoke: bool) -> Iterator[Figure]:
    """What a batch of fifty rows costs the multiset and its index alone, and what asking for an error costs."""
    subjects = [subject for subject in (SHORT if smoke else (*LONG, *WIDE)) if is_here(subject)]
    taking: dict[int, Mapping[str, Took]] = {}
    asking: dict[int, float] = {}
    notes = ["Tables: " + ", ".join(f"{at} {subject.name}" for at, subject in enumerate(subjects, 1)) + "."]
    for at, subject in enumerate(subjects, 1):
        whole = Whole(encoded(subject))
        taking[at] = whole.both(BATCH)
        asking[at] = _asked(whole)
        changed = max(took.changed for took in taking[at].values())
        notes.append(f"{subject.name}: {len(whole.all):,} distinct sets, of which a batch changes {changed:,}.")
    if not subjects:
        return
    curves = (Curve(way, tuple((at, 1000 * took[way].taking_in) for at, took in taking.items())) for way in WAYS)
    yield Figure(
        "dynast-index",
        "The index of agree sets",
        f"Shape of DynASt's table 9: the counts of a batch of {BATCH} rows are taken into the multiset and its index; "
        f"and the error of an fd from counts alone, one pass over the index, mean of {QUERIES} drawn at random.",
        "table",
        (
            Panel("ms of CPU a batch", tuple(curves), log=True),
            Panel("µs of CPU an error", (Curve("error", tuple(asking.items())),), log=True),
        ),
        tuple(notes),
    )


def _asked(whole: Whole) -> float:
    """Microseconds of CPU for the error of one fd."""
    draw, width = np.random.default_rng(SEED), len(whole.ranks)
    words = whole.all.layout.words
    sets, rights = np.zeros((QUERIES, words), np.uint64), np.zeros(QUERIES, np.int64)
    for query in range(QUERIES):
        chosen = draw.choice(width, min(4, width), replace=False)
        rights[query] = chosen[0]
        for column in chosen[1:]:
            sets[query, column >> 6] |= np.uint64(1 << (int(column) & 63))
    whole.sets.masses(sets, rights)
    return min(spend(lambda: whole.sets.masses(sets, rights))[0].cpu for _ in range(3)) / QUERIES * 1e6


def _ms(found: Mapping[int, Mapping[str, Took]]) -> Panel:
    return Panel(
        "ms of CPU a batch",
        tuple(Curve(way, tuple((x, took[way].ms) for x, took in found.items())) for way in WAYS),
        log=True,
    )


def _changed(found: Mapping[int, Mapping[str, Took]]) -> Panel:
    points = tuple((x, float(max(took.changed for took in both.values()))) for x, both in found.items())
    return Panel("distinct sets that change", (Curve("sets", points),))
