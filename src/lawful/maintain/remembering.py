"""The rules of kinds oc, pod and dc in the file of a version's rules, with the answers that they were made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from lawful.evidence.multiset import Multiset
from lawful.maintain.manifest import Manifest
from lawful.maintain.marking import Marks, questions
from lawful.maintain.segment import flat
from lawful.rules import schema
from lawful.rules.model import Rule
from lawful.search.problem import Words


def as_arrays(marks: Marks) -> dict[str, Any]:
    """Rules as the lines of a rule file; the answers of a kind end to end, with how many sets each has."""
    arrays: dict[str, Any] = {
        "marked.rules": pa.array([msgspec.json.encode(rule.to_dict()).decode() for rule in marks.rules], pa.string())
    }
    for kind, answers in marks.answers.items():
        flat_sets = [np.zeros(0, np.uint64), *(sets.reshape(-1) for sets in answers)]
        arrays[f"{kind}.answers"] = np.concatenate(flat_sets)
        arrays[f"{kind}.sizes"] = np.array([len(sets) for sets in answers], np.int64)
    return arrays


def rules_in(arrays: Mapping[str, pa.Array]) -> tuple[Rule, ...]:
    """The rules of a version."""
    lines = arrays["marked.rules"].to_pylist() if "marked.rules" in arrays else []
    return tuple(schema.read_line(line.encode()).rule() for line in lines)


def marks_in(arrays: Mapping[str, pa.Array], manifest: Manifest, held: Multiset) -> Marks:
    """Rules and answers of a version, with the signatures that it holds."""
    answers: dict[str, list[Words]] = {}
    for asked in questions(manifest, manifest.rows):
        words = flat(arrays[f"{asked.kind}.answers"])
        sizes, widths = flat(arrays[f"{asked.kind}.sizes"]), asked.words()
        ends = np.cumsum(sizes * np.array(widths, np.int64))
        parts = np.split(words, ends[:-1]) if len(ends) else []
        answers[asked.kind] = [part.reshape(-1, width) for part, width in zip(parts, widths, strict=True)]
    return Marks(held, answers, rules_in(arrays))
