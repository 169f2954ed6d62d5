"""Log lines on standard error: ``-v`` what lawful does, ``-vv`` every detail."""

from __future__ import annotations

import logging

from lawful.cli.screen import shown


class _Plain(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return shown(super().format(record), keep="\n\t")


def begin(verbose: int) -> None:
    """Let lawful's loggers speak; of others' only what they have a handler for. The last call counts."""
    if not logging.root.handlers:
        # Py4J logs a call that Ctrl-C interrupts, with its stack, to a root logger that would print it.
        logging.root.addHandler(logging.NullHandler())
    logger = logging.getLogger("lawful")
    for handler in [h for h in logger.handlers if isinstance(h.formatter, _Plain)]:
        logger.removeHandler(handler)
    logger.setLevel({0: logging.WARNING, 1: logging.INFO}.get(verbose, logging.DEBUG))
    if verbose:
        handler = logging.StreamHandler()
        handler.setFormatter(_Plain("%(asctime)s %(name)s: %(message)s", "%H:%M:%S"))
        logger.addHandler(handler)
