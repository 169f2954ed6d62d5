"""Suite ``dc``: denial constraints against Desbordante's FastADC, whole tables, growing tables, memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench.dc_against import denials
from bench.dc_alone import first_calls, full, growing, memory
from bench.dc_tables import DC_SUBJECTS, FULL, GROWING, GROWING_SMOKE
from bench.files import checksum
from bench.order_tables import Subject, files
from bench.results import Row, Scale, Suite


def _case(subject: Subject) -> Callable[[Scale], Iterator[Row]]:
    """A case of one table; the one-minute version has tables of its own."""
    return lambda scale: denials(subject, scale) if subject.smoke == scale.smoke else iter(())


def data(scale: Scale) -> dict[str, str]:
    """The files measured on, by checksum."""
    lone = [each.subject for each in (*FULL, *(GROWING_SMOKE if scale.smoke else GROWING))]
    used = [*(each for each in DC_SUBJECTS if each.smoke == scale.smoke), *lone]
    return {name: checksum(path) for name, path in files(iter(used)).items()}


suite = Suite(
    about="Denial constraints: complete and minimal answers against Desbordante's FastADC, growth, memory.",
    cases={
        **{f"dc {subject.label}": _case(subject) for subject in DC_SUBJECTS},
        "full": full,
        "growing": growing,
        "memory": memory,
        "first calls": first_calls,
    },
    data=data,
)
