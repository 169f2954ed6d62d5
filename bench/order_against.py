"""Whole discoveries of order dependencies, turn by turn with Desbordante's FASTOD, after the rules were compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.fresh import in_fresh_process
from bench.measure import Spent, Timing, interleaved, timed
from bench.order_calls import Discovery, warm
from bench.order_tables import NOT_HERE, Subject, encoded, is_here
from bench.order_watch import rates, watched
from bench.peers import NOT_INSTALLED, Peer, Statements, insist_equal, installed, statements_of
from bench.results import Row, Scale, judged
from lawful.errors import JobError


def orders(subject: Subject, scale: Scale) -> Iterator[Row]:
    """One table: known counts, then the peer's rules, then the clock; whole discovery, and the search alone."""
    if not is_here(subject):
        yield Row(f"od {subject.label}", note=NOT_HERE)
        return
    warm()
    table = encoded(subject)
    name = f"od {subject.label}, {table.rows:,} × {len(table.columns)}"
    answer, seen = watched(table)
    counts = insist_counts(subject, answer.rules)
    call = Discovery(table)
    peer, ours, figures = turns(call, subject, statements_of(answer.rules, table.names), scale)
    del answer
    cpu, found = ours.steady.cpu, "{} fd, {} same, {} opposite".format(*counts)
    yield Row(
        f"{name}, whole discovery",
        ours=cpu,
        peer=peer.cpu if peer else None,
        peer_name=f"Desbordante FASTOD{', run once' if subject.peer == 'once' else ''}" if peer else "",
        goal=goal_of(subject),
        met=met(subject, cpu, peer, scale),
        limit=f"{sum(counts) / cpu:,.0f} rules/s",
        note=f"{found}{'; the peer found the same' if peer else ''}" + why_no_peer(subject, peer),
        figures={"ours": ours.figures(), "rules": counts, **figures},
    )
    search = min(call.searches[1:] or call.searches)
    yield Row(
        f"{name}, search alone",
        ours=search,
        goal=f"≤ {subject.seconds:g} s" if subject.seconds else "",
        met=judged(search, subject.seconds, scale) if subject.seconds else None,
        limit=rates(seen.total(), search),
        figures={"levels": {size: asdict(level) for size, level in sorted(seen.levels.items())}},
    )


def insist_counts(subject: Subject, rules: Any) -> tuple[int, int, int]:
    """The number of rules by kind and direction; raise if they are known to be others."""
    directions = [getattr(rule, "direction", "") for rule in rules]
    counts = (directions.count(""), directions.count("same"), directions.count("opposite"))
    if subject.counts is not None and counts != subject.counts:
        message = f"{subject.label} has {subject.counts} rules (fd, same, opposite), found were {counts}."
        raise JobError(message, hint="Find the first rule that differs before timing anything.")
    return counts


def turns(
    call: Discovery, subject: Subject, rules: Statements, scale: Scale
) -> tuple[Spent | None, Timing, dict[str, Any]]:
    """The peer's seconds (None if it does not run), ours, and all else worth keeping."""
    repeats = scale.repeats if subject.calls is None else subject.calls
    if subject.peer == "never" or not installed() or (subject.peer == "once" and scale.smoke):
        return None, timed(call, repeats), {}
    if subject.peer == "once":
        theirs = in_fresh_process("bench.order_calls:peer_alone", subject=asdict(subject), algorithm="Fastod")
        insist_equal(rules, frozenset(theirs.pop("rules")), "FASTOD")
        return Spent(theirs["cpu"], theirs["wall"]), timed(call, repeats), {"peer": theirs}
    peer = Peer("Fastod", call.table)

    def same(answers: Any) -> None:
        insist_equal(rules, peer.statements(), "FASTOD")

    both = interleaved({"ours": call, "peer": peer.run}, repeats, same)
    return both["peer"].steady, both["ours"], {"peer": both["peer"].figures()}


def goal_of(subject: Subject) -> str:
    """Seconds, times, both or nothing."""
    told = [f"≤ {subject.seconds:g} s"] if subject.seconds else []
    return ", ".join([*told, *([f"≥ {subject.times:g} × cheaper than the peer"] if subject.times else [])])


def met(subject: Subject, cpu: float, peer: Spent | None, scale: Scale) -> bool | None:
    """Whether every part of the goal is met; None if that cannot be said, because a part was not judged."""
    parts = [judged(cpu, subject.seconds, scale)] if subject.seconds else []
    if subject.times:
        parts.append(judged(cpu * subject.times, peer.cpu, scale) if peer is not None else None)
    if False in parts:
        return False
    return None if None in parts or not parts else True


def why_no_peer(subject: Subject, peer: Spent | None) -> str:
    """The reason for which the peer did not run."""
    if peer is not None:
        return ""
    return f"; {subject.why or ('the peer runs at full size' if installed() else NOT_INSTALLED)}"
