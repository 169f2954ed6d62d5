"""The merge laws, for every job: call `assert_merge_laws` with a job and parts it produced."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from lawful.engine import Job


def assert_merge_laws(job: Job[Any, Any], parts: Sequence[Any], *, triples: int = 200) -> None:
    """``merge`` is associative and commutative with identity ``zero()``, changes no argument; all of it pickles."""
    assert same(pickle.loads(pickle.dumps(job)), job), "the job does not survive pickling"
    values = [job.zero(), *parts]
    before = [pickle.dumps(value) for value in values]
    for value, data in zip(values, before, strict=True):
        assert same(pickle.loads(data), value), "a part does not survive pickling"
        assert same(job.merge(job.zero(), value), value), "zero is no left identity"
        assert same(job.merge(value, job.zero()), value), "zero is no right identity"
    for left, right in islice(product(values, values), triples):
        assert same(job.merge(left, right), job.merge(right, left)), "merge is not commutative"
    for a, b, c in islice(product(values, values, values), triples):
        assert same(job.merge(job.merge(a, b), c), job.merge(a, job.merge(b, c))), "merge is not associative"
    for value, data in zip(values, before, strict=True):
        assert same(pickle.loads(data), value), "merge changed an argument"


def same(left: Any, right: Any) -> bool:
    """Equality that looks into arrays, wherever they stand; types must agree."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        return left.dtype == right.dtype and np.array_equal(left, right)
    if is_dataclass(left) and not isinstance(left, type):
        return all(same(getattr(left, f.name), getattr(right, f.name)) for f in fields(left) if f.compare)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)
