"""How a command ends: every way out has its exit code and at most a few lines on standard error."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

from lawful.cli.signals import Interrupted, Watch, message
from lawful.errors import JobError, LawfulError

FINE = 0
VIOLATIONS = 1
USAGE = 2
LIMIT = 3
BUG = 70
READER_GONE = 141

EXIT_CODES = (
    "Exit codes: 0 fine, 1 violations found, 2 usage or input error, 3 stopped by a memory or time limit, "
    "70 a bug in lawful, 130 interrupted, 141 nobody reads the output any more, 143 terminated."
)

_ROOM = "Free some space, or name another folder with --work-dir or TMPDIR."


def run(words: list[str]) -> int:
    """Carry out one command line; gives the exit code, raises nothing."""
    with Watch():
        code = _guarded(lambda: _dispatched(words), "-v" in words or "-vv" in words or "--verbose" in words)
        return _flushed(code)


def _dispatched(words: list[str]) -> int:
    if words in (["--version"], ["-V"]):
        import lawful

        sys.stdout.write(f"lawful {lawful.__version__}\n")
        return FINE
    from lawful.cli.app import dispatch

    return dispatch(words)


def _guarded(work: Callable[[], int], verbose: bool) -> int:
    try:
        return work()
    except Interrupted as asked:
        return _said(128 + asked.number, message(asked.number))
    except KeyboardInterrupt as asked:
        number = getattr(asked, "number", signal.SIGINT)
        return _said(128 + number, message(number))
    except MemoryError:
        hint = "Choose fewer --columns, read less with --limit-rows, or run on Spark with a --work-dir."
        return _failed(LIMIT, "This machine's memory is used up.", hint, verbose)
    except LawfulError as error:
        return _failed(error.code, error.message, error.hint, verbose and isinstance(error, JobError))
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else FINE if end.code is None else USAGE
    except Exception as error:
        return _unforeseen(error, verbose)


def _unforeseen(error: Exception, verbose: bool) -> int:
    from lawful.cli.screen import ReaderGone

    if isinstance(error, ReaderGone):
        _drop_output()
        return READER_GONE
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES):
        where = f" {error.filename!r}" if error.filename else ""
        return _failed(USAGE, f"Cannot write or read{where}: {error.strerror}.", _ROOM, verbose)
    text = " ".join(str(error).split())[:300]
    what = f"{type(error).__name__}: {text}" if text else type(error).__name__
    then = "Please report the trace above." if verbose else "Run again with -v for the trace."
    return _failed(BUG, what, f"This is a bug in lawful. {then}", verbose)


def _failed(code: int, text: str, hint: str | None, trace: bool) -> int:
    from lawful.cli.screen import Screen

    screen = Screen()
    if trace:
        import traceback

        screen.tell(traceback.format_exc().rstrip())
    screen.error(text, hint)
    return code


def _said(code: int, text: str) -> int:
    with suppress(Exception):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    return code


def _flushed(code: int) -> int:
    """What is still in the buffer goes out here, since a failure at the very end of Python would print a trace."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        _drop_output()
        return READER_GONE if code == FINE else code
    except OSError as problem:
        from lawful.cli.screen import unwritable

        _drop_output()
        error = unwritable(problem)
        return _failed(error.code, error.message, error.hint, False)


def _drop_output() -> None:
    """Standard output leads nowhere from here on, so that Python's own last flush finds nothing wrong."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
