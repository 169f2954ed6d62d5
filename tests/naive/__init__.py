"""The definitions, executable: what every rule means and which rules there are, by trying everything.

Nothing here is clever and nothing here is shared with what it judges, save the vocabulary of rules.
"""

from tests.naive.discovery import discover
from tests.naive.interest import coverage, interest, succinctness, surprise
from tests.naive.pairs import agree_sets, holds, pairs_error, violations
from tests.naive.removal import removal_error, removal_formula
from tests.naive.table import NUMERIC, TYPES, Nulls, Outcome, Table, Value, cmp, ranks, table

__all__ = [
    "NUMERIC",
    "TYPES",
    "Nulls",
    "Outcome",
    "Table",
    "Value",
    "agree_sets",
    "cmp",
    "coverage",
    "discover",
    "holds",
    "interest",
    "pairs_error",
    "ranks",
    "removal_error",
    "removal_formula",
    "succinctness",
    "surprise",
    "table",
    "violations",
]
