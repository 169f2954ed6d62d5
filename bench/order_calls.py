"""The calls that the suite ``order`` measures, here or in fresh processes: discoveries, the search told apart."""

from __future__ import annotations

import hashlib
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.measure import Peak, Spent, Timing, spend
from bench.order_tables import Subject, encoded
from bench.peers import Peer
from lawful.progress import Step

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.rules import RuleSet


@dataclass
class Discovery:
    """``lawful.discover`` on one table, to be called again and again. ``searches`` holds the CPU seconds from each
    call to its last block of contexts: what follows makes rule objects and the rule set."""

    table: Encoded
    kinds: tuple[str, ...] = ("od",)
    options: dict[str, Any] = field(default_factory=dict)
    searches: list[float] = field(default_factory=list)

    def __call__(self) -> RuleSet:
        import lawful

        begun, last = time.process_time(), [0.0]

        def listen(step: Step) -> None:
            last[0] = time.process_time()

        where = {"engine": "local", "workers": 1, **self.options}
        rules = lawful.discover(self.table, self.kinds, progress=listen, **where)
        self.searches.append(max(last[0] - begun, 0.0))
        return rules


def warm() -> None:
    """Compile, or load what was compiled, on a tiny table."""
    import lawful
    from bench.tables import stock_like

    for rows in (200, 2_000):  # few rows: all pairs are remembered; more: partitions
        lawful.discover(stock_like(rows), ["od", "key"], engine="local", workers=1)


def first_call(cache: str | None) -> dict[str, float]:
    """Seconds of the first and the second discovery of this process; ``cache`` is an empty folder for compiled code."""
    if cache is not None:
        os.environ["NUMBA_CACHE_DIR"] = cache  # read when Numba is imported, which is later than this
    first, _ = spend(warm)
    second, _ = spend(warm)
    return {"first_cpu": first.cpu, "first_wall": first.wall, "cpu": second.cpu, "wall": second.wall}


def peer_alone(subject: dict[str, Any], algorithm: str) -> dict[str, Any]:
    """One run of a peer in this process: seconds, peak memory above the loaded table, answer in normal form."""
    loading, peer = spend(lambda: Peer(algorithm, encoded(Subject(**subject))))
    with Peak() as peak:
        running, _ = spend(peer.run)
    return {**_seconds(running), "load_cpu": loading.cpu, "peak": peak.above, "rules": sorted(peer.statements())}


def peak_above(subject: dict[str, Any], warmed: bool = True, **options: Any) -> dict[str, Any]:
    """Most resident bytes during a discovery above those of the process with the encoded table.

    ``warmed``: code was loaded by a small discovery before, so that only the search itself is seen.
    """
    if warmed:
        warm()
    table = encoded(Subject(**subject))
    call = Discovery(table, options=options)
    with Peak() as peak:
        spent, rules = spend(call)
    return {
        **_seconds(spent),
        "peak": peak.above,
        "before": peak.before,
        "rules": len(rules),
        "incomplete": rules.incomplete,
        "complete_to": rules.complete_to,
    }


def on_engine(subject: dict[str, Any], engine: str, workers: int, repeats: int) -> dict[str, Any]:
    """First and later discoveries with all processes they start; on Spark the session's start is told apart."""
    told: dict[str, Any] = {}
    table = encoded(Subject(**subject))
    if engine == "spark":
        told["session"] = _seconds(spend(lambda: start_spark(workers), "tree")[0])
    call = Discovery(table, options={"engine": engine, "workers": workers})
    first, rules = spend(call, "tree")
    told |= {"digest": digest(rules), "rules": len(rules)}
    del rules
    later = tuple(spend(call, "tree")[0] for _ in range(repeats))
    return {**told, **Timing(first, later).figures()}


def digest(rules: RuleSet) -> str:
    """SHA-256 of the rules' lines, figures included."""
    from lawful.rules.lines import encoded as as_bytes
    from lawful.rules.lines import line

    made = hashlib.sha256()
    for rule in rules:
        made.update(as_bytes(line(rule)) + b"\n")
    return made.hexdigest()


def start_spark(workers: int) -> None:
    """A session of our own."""
    from lawful.engine.spark.session import session

    session(f"local[{workers}]", workers=workers)


def _seconds(spent: Spent) -> dict[str, float]:
    return {"cpu": round(spent.cpu, 6), "wall": round(spent.wall, 6)}
