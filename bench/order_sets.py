"""Functional dependencies and keys alone, turn by turn with Desbordante's algorithms for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from bench.measure import Spent, interleaved
from bench.order_calls import Discovery, warm
from bench.order_tables import NOT_HERE, Subject, encoded, is_here
from bench.order_watch import rates, watched
from bench.peers import NOT_INSTALLED, Peer, Statements, insist_equal, installed, statements_of
from bench.results import Row, Scale, judged
from lawful.errors import JobError, LawfulError

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded


def fds(subject: Subject, most: float | None, scale: Scale) -> Iterator[Row]:
    """Functional dependencies alone, turn by turn with Pyro and HyFD."""

    def judge(cpu: float, peer: Spent | None) -> bool | None:
        return judged(cpu, most, scale) if most else None

    yield from against(subject, "fd", ("Pyro", "HyFD"), f"≤ {most:g} s" if most else "", judge, scale)


def keys(subject: Subject, scale: Scale) -> Iterator[Row]:
    """Keys, turn by turn with HPIValid."""

    def judge(cpu: float, peer: Spent | None) -> bool | None:
        return judged(cpu / peer.cpu, 2, scale) if peer else None

    yield from against(subject, "key", ("HPIValid",), "≤ 2 × HPIValid", judge, scale)


def against(
    subject: Subject,
    kind: str,
    peers: tuple[str, ...],
    goal: str,
    judge: Callable[[float, Spent | None], bool | None],
    scale: Scale,
) -> Iterator[Row]:
    """One kind of rules against several algorithms; the first one's answer must be ours, another's may be wrong."""
    if not is_here(subject):
        yield Row(f"{kind} {subject.label}", note=NOT_HERE)
        return
    warm()
    table = encoded(subject)
    call = Discovery(table, kinds=(kind,))
    others = {name: Peer(name, table) for name in peers} if installed() else {}
    told: dict[str, str] = {}

    def same(answers: Any) -> None:
        rules = statements_of(answers["ours"], table.names)
        told["rules"] = f"{len(rules):,} rules"
        for name, peer in others.items():
            wrong = disagreement(rules, peer)
            if wrong is not None and name == peers[0]:
                raise wrong
            told[name] = f"; its answer is not ours and {peers[0]}'s: {wrong.message}" if wrong else ""

    runs = interleaved({"ours": call, **{name: each.run for name, each in others.items()}}, scale.repeats, same)
    cpu = runs["ours"].steady.cpu
    for name in others or ("",):
        theirs = runs[name].steady if name else None
        yield Row(
            f"{kind} {subject.label}, {table.rows:,} × {len(table.columns)}"
            + (f", {name}" if name not in ("", peers[0]) else ""),
            ours=cpu,
            peer=theirs.cpu if theirs else None,
            peer_name=f"Desbordante {name}" if name else "",
            goal=goal if name in ("", peers[0]) else "",
            met=judge(cpu, theirs) if name in ("", peers[0]) else None,
            limit=f"{_count(table, kind)}",
            note=told["rules"] + (told[name] if name else f"; {NOT_INSTALLED}"),
            figures={who: timing.figures() for who, timing in runs.items()},
        )


def disagreement(rules: Statements, peer: Peer) -> LawfulError | None:
    """What is different in the peer's answer."""
    try:
        insist_equal(rules, peer.statements(), peer.name)
    except JobError as error:
        return error
    return None


def _count(table: Encoded, kind: str) -> str:
    if kind == "key":
        return ""  # no walk through contexts
    call, seen = Discovery(table, kinds=(kind,)), watched(table, (kind,))[1]
    call()
    return rates(seen.total(), min(call.searches))
