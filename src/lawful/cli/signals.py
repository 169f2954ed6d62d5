"""Ctrl-C and the polite request to end: both unwind the work as an exception, wherever it runs.

Python runs a handler only between two steps of the main thread, and a step inside a compiled library may be long. A
thread therefore hears of signals at once through a pipe, and ends the process itself where the work does not come to
an end: at a second signal, or after `PATIENCE` seconds unless it is `unhurried`.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from select import select
from types import FrameType
from typing import Any, Self

PATIENCE = 30.0
DEAF = 5.0
"""Seconds after which the main thread, if it has not even heard of the signal, is taken to be inside a long step."""
LAST_CALL = 8.0
_UNHURRIED = threading.Event()
SIGNALS = tuple(number for name in ("SIGINT", "SIGTERM", "SIGHUP") if (number := getattr(signal, name, None)))


class Interrupted(KeyboardInterrupt):
    """A signal asked this command to end; ``number`` says which."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def message(number: int) -> str:
    """What is said when a signal ends a command."""
    return "interrupted" if number == signal.SIGINT else "terminated"


@contextmanager
def unhurried() -> Iterator[None]:
    """Within it work that has heard of a signal may take its time to keep what it has; a second one ends it at once."""
    _UNHURRIED.set()
    try:
        yield
    finally:
        _UNHURRIED.clear()


class Watch:
    """Within it the signals raise `Interrupted` in the main thread, once; after it, the handlers are as before.

    Elsewhere than in the main thread it does nothing, since Python lets nobody else set handlers.
    """

    def __init__(self) -> None:
        self._before: dict[int, Any] = {}
        self._pipe: tuple[int, int] | None = None
        self._over = threading.Event()
        self._heard = threading.Event()

    def __enter__(self) -> Self:
        if threading.current_thread() is not threading.main_thread():
            return self
        self._pipe = os.pipe()
        os.set_blocking(self._pipe[1], False)
        self._wakeup = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        for number in SIGNALS:
            before = signal.getsignal(number)
            # Whoever had it ignored, such as nohup or a shell's background job, wants it ignored still.
            if before not in (signal.SIG_IGN, None):
                self._before[number] = signal.signal(number, self._handle)
        threading.Thread(target=self._listen, name="lawful-signals", daemon=True).start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._over.set()
        for number, before in self._before.items():
            signal.signal(number, before)
        if self._pipe is not None:
            signal.set_wakeup_fd(self._wakeup)
            os.close(self._pipe[1])

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        if not self._heard.is_set():
            self._heard.set()
            raise Interrupted(number)

    def _listen(self) -> None:
        assert self._pipe is not None
        source = self._pipe[0]
        try:
            number = _next(source, None)
            if number is None:
                return
            again = _next(source, DEAF)
            if again is None and self._heard.is_set() and not self._over.is_set():
                again = _next(source, _patience(number))
            if not self._over.is_set():
                _force(again or number)
        finally:
            os.close(source)


def _patience(number: int) -> float | None:
    """Seconds that the work still has to come to an end by itself; ``None`` for as many as it takes."""
    if not _UNHURRIED.is_set():
        return PATIENCE - DEAF
    _say(f"{message(number)}: keeping what was found; a second signal ends this at once")
    return None


def _next(source: int, seconds: float | None) -> int | None:
    """The next signal of ours, or ``None`` after some seconds or at the end of the pipe."""
    while select([source], [], [], seconds)[0]:
        data = os.read(source, 1)
        if not data:
            return None
        if data[0] in SIGNALS:
            return data[0]
    return None


def _force(number: int) -> None:
    """End now: what is registered for the end of the process gets a moment, the main thread gets none."""
    _say(f"\n{message(number)}")
    cleaning = threading.Thread(target=atexit._run_exitfuncs, name="lawful-last-call", daemon=True)
    cleaning.start()
    cleaning.join(LAST_CALL)
    os._exit(128 + number)


def _say(text: str) -> None:
    with suppress(Exception):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
