"""Figures: what was measured against what, as a table and as a drawing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from bench.page import figure as shown

Points: TypeAlias = tuple[tuple[float, float | None], ...]
"""(x, y); y is None where nothing was measured, and a note of the figure says why."""


@dataclass(frozen=True)
class Curve:
    """One line of a panel."""

    name: str
    points: Points


@dataclass(frozen=True)
class Panel:
    """Curves over one y axis."""

    y: str
    curves: tuple[Curve, ...]
    log: bool = False


@dataclass(frozen=True)
class Figure:
    """One experiment. ``shape`` says which experiment of which paper it has the shape of."""

    name: str
    title: str
    shape: str
    x: str
    panels: tuple[Panel, ...]
    notes: tuple[str, ...] = field(default=())
    log_x: bool = False


Experiment: TypeAlias = Callable[[bool], Iterator[Figure]]
"""Called with whether this is the short version."""

WIDTH, HEIGHT = 4.6, 3.2


def draw(figure: Figure, folder: Path) -> Path:
    """Write ``NAME.svg``, panels side by side; the same figures make the same file."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "lawful", "svg.fonttype": "none", "font.size": 9})
    from matplotlib import pyplot

    drawing, axes = pyplot.subplots(
        1, len(figure.panels), figsize=(WIDTH * len(figure.panels), HEIGHT), squeeze=False, layout="constrained"
    )
    for axis, panel in zip(axes[0], figure.panels, strict=True):
        for curve, mark in zip(panel.curves, _marks(), strict=False):
            there = [(x, y) for x, y in curve.points if y is not None and (y > 0 or not panel.log)]
            axis.plot([x for x, _ in there], [y for _, y in there], mark, label=curve.name, linewidth=1.2, markersize=4)
        axis.set(xlabel=figure.x, ylabel=panel.y)
        axis.set_yscale("log" if panel.log else "linear")
        if figure.log_x:
            axis.set_xscale("log")
        else:  # rows, columns, workers: nothing between two of them
            axis.xaxis.get_major_locator().set_params(integer=True)
        if not panel.log:
            axis.set_ylim(bottom=0)
        axis.grid(alpha=0.3)
        axis.legend(frameon=False)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{figure.name}.svg"
    drawing.savefig(path, metadata={"Date": None, "Creator": None})
    pyplot.close(drawing)
    return path


def section(figure: Figure) -> str:
    """The figure's part of the page: drawing, table, notes."""
    curves = [curve for panel in figure.panels for curve in panel.curves]
    heads = [f"{curve.name}, {panel.y}" for panel in figure.panels for curve in panel.curves]
    places = sorted({x for curve in curves for x, _ in curve.points})
    lines = [_row([figure.x, *heads]), _row(["--:"] * (len(heads) + 1))]
    for x in places:
        lines.append(_row([_place(x), *(shown(dict(curve.points).get(x)) for curve in curves)]))
    notes = [f"- {note}" for note in figure.notes]
    drawing = f"![{figure.title}]({figure.name}.svg)"
    return "\n".join([f"## {figure.title}", "", figure.shape, "", drawing, "", *lines, "", *notes]).rstrip() + "\n"


def _marks() -> Iterator[str]:
    for line in ("-", "--", ":"):
        for mark in "osv^Dx":
            yield f"{mark}{line}"


def _place(x: float) -> str:
    return f"{x:,.0f}" if x == int(x) else f"{x:g}"


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"
