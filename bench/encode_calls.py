"""The calls that the suite ``encode`` measures, here or in fresh processes, and how their answers are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.measure import Peak, Spent, Timing, spend
from lawful.errors import JobError

WORKERS = 2


def ours(path: str) -> Any:
    """The file's table as ``lawful.encode`` returns it, encoded in this process."""
    return _encode(path, engine="local")


def on_spark(path: str) -> Any:
    """The same through the Spark session that is active."""
    return _encode(path, engine="spark", workers=WORKERS)


def pandas_codes(path: str) -> dict[str, NDArray[np.int64]]:
    """Sorted codes of every column by pandas, its own defaults; null is -1."""
    import pandas as pd

    frame = pd.read_csv(path) if path.endswith(".csv") else pd.read_parquet(path)
    return {name: pd.factorize(frame[name], sort=True)[0] for name in frame.columns}


CALLS: dict[str, Callable[[str], Any]] = {"ours": ours, "pandas": pandas_codes, "spark": on_spark}


def first_call(who: str, path: str) -> dict[str, float]:
    """Seconds of the first call of a process, imports and compiling included."""
    return _seconds(spend(lambda: CALLS[who](path))[0])


def peak_above(who: str, path: str, warm: str) -> int:
    """Most resident bytes during the call above those before it; a call on the file ``warm`` loads and compiles."""
    CALLS[who](warm)
    with Peak() as peak:
        CALLS[who](path)
    return peak.above


def end_to_end(who: str, path: str, repeats: int) -> dict[str, Any]:
    """First and later calls with the processes they start, the driver's peak, and the digest of the answer.

    On Spark the session is started beforehand and told apart.
    """
    told: dict[str, Any] = {}
    with Peak() as peak:
        if who == "spark":
            told["session"] = _seconds(spend(_start_spark, "tree")[0])
        first, encoded = spend(lambda: CALLS[who](path), "tree")
        told["ranks_bytes"], told["digest"] = encoded.ranks.nbytes, digest(encoded)
        del encoded
        later = tuple(spend(lambda: CALLS[who](path), "tree")[0] for _ in range(repeats))
    return {**told, **Timing(first, later).figures(), "driver_peak_bytes": peak.highest}


def same_answers(answers: Mapping[str, Any]) -> None:
    """Raise unless ours and pandas, where it answered, rank every column alike."""
    codes = answers.get("pandas")
    if codes is None:
        return
    names = column_names(answers["ours"])
    if names != list(codes):
        raise JobError(f"The columns differ: {names} and {list(codes)}.", hint="Compare the two readers by hand.")
    differs = differing_column(answers["ours"].ranks, codes)
    if differs is not None:
        message = f"The ranks of column {differs!r} are not the codes of pandas."
        raise JobError(message, hint="Find the first row that differs before timing anything.")


def differing_column(ranks: NDArray[np.int32], codes: Mapping[str, NDArray[np.int64]]) -> str | None:
    """The first column whose ranks are not its codes, plus one where there are nulls: with us these come first."""
    for mine, (name, theirs) in zip(ranks, codes.items(), strict=True):
        if not np.array_equal(mine, theirs + 1 if (theirs < 0).any() else theirs):
            return name
    return None


def column_names(encoded: Any) -> list[str]:
    """The names of an encoded table's columns."""
    return [column if isinstance(column, str) else column.name for column in encoded.columns]


def digest(encoded: Any) -> str:
    """SHA-256 over names and ranks, column by column, equal for equal answers."""
    made = hashlib.sha256(repr(column_names(encoded)).encode())
    for column in encoded.ranks:
        made.update(np.ascontiguousarray(column, dtype="<i4").data)
    return made.hexdigest()


def _encode(path: str, **options: Any) -> Any:
    import lawful

    return lawful.encode(path, **options)


def _start_spark() -> None:
    from lawful.engine.spark.session import session

    session(workers=WORKERS)


def _seconds(spent: Spent) -> dict[str, float]:
    return {"cpu": round(spent.cpu, 6), "wall": round(spent.wall, 6)}
