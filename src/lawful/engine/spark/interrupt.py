"""Ctrl-C while Spark works for us: the running jobs are cancelled, and no stack trace of PySpark's own is printed.

PySpark's handler of Ctrl-C speaks to the JVM on the very connection that the interrupted call is waiting on, which
fails with three stack traces. Ours leaves the cancelling to a thread, which has a connection of its own.
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn


@contextmanager
def replaced() -> Iterator[None]:
    """Within it a SparkContext is made; after it, our handler stands, or the one that somebody else had chosen."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        _install(_handle if before in (signal.default_int_handler, _handle) else before)
    logging.getLogger().addFilter(_is_news)


def restored() -> None:
    """Takes our handler and our log filter away again."""
    if signal.getsignal(signal.SIGINT) is _handle:
        _install(signal.default_int_handler)
    logging.getLogger().removeFilter(_is_news)


def _install(handler: Any) -> None:
    """Python lets nobody but the main thread set a handler; PySpark has not touched it from another one either."""
    if handler is not None and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)


def _handle(_number: int, _frame: FrameType | None) -> NoReturn:
    threading.Thread(target=_cancel, name="lawful-cancel", daemon=True).start()
    raise KeyboardInterrupt


def _cancel() -> None:
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    with suppress(Exception):
        if context is not None:
            context.cancelAllJobs()


def _is_news(record: logging.LogRecord) -> bool:
    """Py4J logs each interrupted or broken call with its whole stack, although it raises the same as an exception."""
    return not ("py4j" in record.pathname and record.getMessage().endswith("while sending command."))
