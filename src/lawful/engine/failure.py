"""How a step that fails is told, in the same words on every engine."""

from __future__ import annotations

import json
import re
import reprlib
import traceback
from pathlib import PurePath

from lawful.errors import JobError, LawfulError

_MARK = "lawful-step-failed"
_MARKED = re.compile(rf"<{_MARK} (\[.*?\]) {_MARK}>")
_LONGEST = 400


def failed(job: object, unit: object, error: BaseException) -> JobError:
    """The error that names the job (class name), the unit (short) and the cause (type, message, place)."""
    return JobError(f"The step {type(job).__name__} failed on unit {_short(unit)}: {_told(error)}.", hint=_hint(error))


def failed_merge(job: object, error: BaseException) -> JobError:
    """The same for two parts that could not be merged."""
    return JobError(f"The step {type(job).__name__} failed to merge two parts: {_told(error)}.", hint=_hint(error))


def marked(error: JobError) -> str:
    """``error`` as one line that `found` finds again in whatever text Spark wraps around it."""
    return f"<{_MARK} {json.dumps([error.message, error.hint])} {_MARK}>"


def found(text: str) -> JobError | None:
    """The error that a task wrote into the text of its exception, if it did."""
    lines = _MARKED.findall(text)
    if not lines:
        return None
    message, hint = json.loads(lines[-1])
    return JobError(message, hint=hint)


def _short(unit: object) -> str:
    shortener = reprlib.Repr()
    shortener.maxother = shortener.maxstring = 60
    try:
        return shortener.repr(unit)
    except Exception:  # a repr of its own that fails must not hide the failure
        return f"<{type(unit).__name__}>"


def _told(error: BaseException) -> str:
    message = (error.message if isinstance(error, LawfulError) else str(error)).rstrip(".")
    if len(message) > _LONGEST:
        message = message[:_LONGEST] + "…"
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}{': ' if message else ''}{message}{where}"


def _hint(error: BaseException) -> str:
    if isinstance(error, LawfulError) and error.hint:
        return error.hint
    if isinstance(error, MemoryError):
        return "Use fewer workers at once (--workers), or give more memory."
    return "If the cause does not name your data, this is a fault in lawful: please report it with the full trace (-v)."
