"""What long work shows while it runs: nothing for two seconds, then a bar where a person looks on; lines with -v."""

from __future__ import annotations

import logging
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Self

from lawful.cli.screen import Screen, is_terminal, shown
from lawful.progress import Step

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

log = logging.getLogger("lawful.progress")

SPARK = "starting Spark"
ANNOUNCED_AFTER = 1.0
SHOWN_AFTER = 2.0
LOGGED_EVERY = 2.0
_GLANCE = 0.1


class Progress:
    """A listener that is a context manager: within it a thread of its own looks at the latest step now and then."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._latest: Step | None = None
        self._logged = ("", 0.0)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="lawful-progress", daemon=True)

    def __enter__(self) -> Self:
        self._begun = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        self._thread.join()

    def __call__(self, step: Step) -> None:
        self._latest = step
        stage, when = self._logged
        now = time.monotonic()
        if step.stage != stage or now - when >= LOGGED_EVERY:
            self._logged = (step.stage, now)
            log.info("%s", described(step))

    def _watch(self) -> None:
        bar, announced = None, False
        try:
            while not self._over.wait(_GLANCE):
                waited = time.monotonic() - self._begun
                if not announced and waited > ANNOUNCED_AFTER and self._starts_spark():
                    announced = True
                    self._screen.note(f"{SPARK} …")
                if waited > SHOWN_AFTER and self._latest and self._watched():
                    bar = bar or _started_bar(self._screen)
                    _move(bar, self._latest)
        finally:
            if bar is not None:
                bar.stop()

    def _starts_spark(self) -> bool:
        """The latest step says so; or there is none yet, and PySpark is loaded: it is loaded to start a session."""
        latest = self._latest
        return "pyspark" in sys.modules if latest is None else latest.stage == SPARK

    def _watched(self) -> bool:
        return not self._screen.quiet and is_terminal(sys.stderr) and not log.isEnabledFor(logging.INFO)


def described(step: Step) -> str:
    """One line for a step, such as ``reading 3 of 8 (rows 1,200)``."""
    place = "" if step.total is None else f" {step.done:,} of {step.total:,}"
    figures = ", ".join(f"{name} {value}" for name, value in step.figures.items())
    return shown(f"{step.stage}{place}" + (f" ({figures})" if figures else ""))


def _started_bar(screen: Screen) -> Bar:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}", markup=False)
    bar = Progress(text, BarColumn(), TimeElapsedColumn(), console=screen.err, transient=True)
    bar.add_task("")
    bar.start()
    return bar


def _move(bar: Any, step: Step) -> None:
    bar.update(bar.task_ids[0], description=described(step), completed=step.done, total=step.total)
