"""A page of figures as parts, one an experiment: what is not measured again stays as it stands in the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

_MARK = re.compile(r"^<!-- (?:experiment: (\S+)|end of the experiments) -->\n", re.M)
_END = "<!-- end of the experiments -->"


def parts_of(file: Path) -> dict[str, str]:
    """The parts of a page by experiment; none where there is no page."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    marks = list(_MARK.finditer(text))
    ends = [*(mark.start() for mark in marks), len(text)][1:]
    return {mark[1]: text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=True) if mark[1]}


def together(head: str, order: Iterable[str], parts: Mapping[str, str], tail: str) -> str:
    """The page: its head, the parts that are there in the order of the experiments, what comes last."""
    shown = [f"<!-- experiment: {name} -->\n\n{parts[name].strip()}\n" for name in order if name in parts]
    return "\n".join([head.strip() + "\n", *shown, f"{_END}\n", tail.strip() + "\n"])
