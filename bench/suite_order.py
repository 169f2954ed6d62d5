"""Suite ``order``: order dependencies, FDs and keys against Desbordante; memory; Spark against this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bench.files import checksum
from bench.order_against import orders
from bench.order_memory import first_calls, memory, small_memory
from bench.order_sets import fds, keys
from bench.order_spark import spark
from bench.order_tables import FD_SUBJECTS, KEY_SUBJECTS, OD_SUBJECTS, Subject, files
from bench.results import Row, Scale, Suite


def chosen(subjects: Any, scale: Scale) -> Iterator[Any]:
    """Those of the one-minute version, or all."""
    return (each for each in subjects if each.smoke or not scale.smoke)


def _case(measure: Callable[..., Iterator[Row]], subject: Subject, *more: Any) -> Callable[[Scale], Iterator[Row]]:
    """A case of one table; at smoke size the large ones are left out without a row."""
    return lambda scale: measure(subject, *more, scale) if subject.smoke or not scale.smoke else iter(())


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    subjects = (*OD_SUBJECTS, *(subject for subject, _ in FD_SUBJECTS), *KEY_SUBJECTS)
    return {name: checksum(path) for name, path in files(chosen(subjects, scale)).items()}


suite = Suite(
    about="Order dependencies, FDs and keys: complete and minimal answers against Desbordante's, memory, Spark.",
    cases={
        **{f"od {subject.label}": _case(orders, subject) for subject in OD_SUBJECTS},
        **{f"fd {subject.label}": _case(fds, subject, most) for subject, most in FD_SUBJECTS},
        **{f"key {subject.label}": _case(keys, subject) for subject in KEY_SUBJECTS},
        "first calls": first_calls,
        "memory": memory,
        "small memory": small_memory,
        "spark": spark,
    },
    data=data,
)
