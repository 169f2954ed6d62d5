"""Whole discoveries of denial constraints, turn by turn with Desbordante's FastADC, after the rules were compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from bench.dc_calls import warm
from bench.dc_peer import FastAdc, denials_of
from bench.dc_tables import PEER_LIMIT
from bench.fresh import within
from bench.measure import Spent, Timing, interleaved, timed
from bench.order_tables import NOT_HERE, Subject, encoded, is_here
from bench.peers import NOT_INSTALLED, Statements, insist_equal, installed
from bench.phases import Pairwise
from bench.results import Row, Scale
from bench.rule_check import insist_hold
from lawful.errors import JobError


def denials(subject: Subject, scale: Scale) -> Iterator[Row]:
    """One table: the peer's rules, then the clock."""
    if not is_here(subject):
        yield Row(f"dc {subject.label}", note=NOT_HERE)
        return
    warm()
    table = encoded(subject)
    call = Pairwise(table)
    answer = call()
    if answer.incomplete:
        raise JobError(f"Not all rules were found: {answer.incomplete}.", hint="Compare complete answers only.")
    looked = insist_hold(list(answer), table)
    rules = denials_of(answer, table.names)
    peer, ours, figures, why = turns(call, subject, rules, scale)
    cpu = ours.steady.cpu
    pairs = table.rows * (table.rows - 1) // 2
    yield Row(
        f"dc {subject.label}, {table.rows:,} × {len(table.columns)}",
        ours=cpu,
        peer=peer.cpu if peer else None,
        peer_name=f"Desbordante FastADC{', run once' if subject.peer == 'once' else ''}" if peer else "",
        goal=f"≥ {subject.times:g} × cheaper than the peer" if subject.times else "",
        met=peer.cpu >= cpu * subject.times if peer and subject.times and not scale.smoke else None,
        limit=f"{pairs / cpu / 1e6:,.0f} M pairs/s, {len(rules) / cpu:,.0f} rules/s; {call.last.stages_told()}",
        note=f"{len(rules):,} rules"
        + (f"; the peer found the same at {peer.cpu / cpu:.3g} × our seconds" if peer else "")
        + (f"; {why}" if why else "")
        + f"; {looked} looked at on the first rows",
        figures={"ours": ours.figures(), "rules": len(rules), "stages": call.last.seconds, **figures},
    )


def turns(
    call: Pairwise, subject: Subject, rules: Statements, scale: Scale
) -> tuple[Spent | None, Timing, dict[str, Any], str]:
    """The peer's seconds (None if it does not run), ours, all else worth keeping, and why there is no peer."""
    if not installed():
        return None, timed(call, scale.repeats), {}, NOT_INSTALLED
    if subject.peer == "once":
        if scale.smoke:
            return None, timed(call, scale.repeats), {}, "the peer runs at full size"
        theirs = within(PEER_LIMIT, "bench.dc_calls:peer_alone", subject=asdict(subject))
        if theirs is None:
            return None, timed(call, scale.repeats), {}, f"FastADC gave no answer within {PEER_LIMIT:g} s"
        insist_equal(rules, frozenset(theirs.pop("rules")), "FastADC")
        return Spent(theirs["cpu"], theirs["wall"]), timed(call, scale.repeats), {"peer": theirs}, ""
    peer = FastAdc(call.table)

    def same(answers: Any) -> None:
        insist_equal(denials_of(answers["ours"], call.table.names), peer.statements(), peer.name)

    both = interleaved({"ours": call, "peer": peer.run}, scale.repeats, same)
    return both["peer"].steady, both["ours"], {"peer": both["peer"].figures()}, ""
