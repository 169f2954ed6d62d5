"""``lawful watch``: a state that follows a folder of arriving files, each applied once."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import Group, Parameter

from lawful.cli import logs
from lawful.cli.ending import FINE, USAGE, VIOLATIONS
from lawful.cli.layers import Asked
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.cli.state import SHOWN
from lawful.errors import InputError, OptionError
from lawful.options import EngineOptions, SourceOptions

if TYPE_CHECKING:
    from lawful.maintain import Delta, State
    from lawful.maintain.inbox import Arrivals
    from lawful.rules import Rule

_GROUP = Group("The folder", sort_key=0)
EVERY, SETTLE = 2.0, 2.0
"""Seconds between two looks, and for which a file has to stay as it is."""


def watch(asked: Asked) -> int:
    """Apply each file that arrives in a folder to a state, once, and say which rules it added and broke."""
    from lawful.maintain import open as open_state
    from lawful.maintain.inbox import Arrivals

    logs.begin(asked.of(OutputOptions).verbose)
    if not asked["source"] or not asked["state"]:
        raise OptionError("watch needs a folder and a state.", hint="Name them with --source DIR and --state DIR.")
    every, settle = (_seconds(asked, name, usual) for name, usual in (("every", EVERY), ("settle", SETTLE)))
    state, arrivals = open_state(asked["state"]), Arrivals(Path(asked["source"]), settle)
    following = Following(state, arrivals, asked)
    following.look()
    if asked["once"]:
        if following.growing:
            time.sleep(settle)
            following.look()
        return following.ended()
    asked.screen.note(f"watching {asked['source']}, version {state.version}; Ctrl-C ends it")
    while True:
        time.sleep(every)
        following.look()


def _seconds(asked: Asked, name: str, usual: float) -> float:
    found = usual if asked[name] is None else float(asked[name])
    if not 0 <= found <= 86_400:
        raise OptionError(f"--{name} is {asked[name]}.", hint="Give seconds, from 0 to 86400.")
    return found


@dataclass
class Following:
    """A watch under way: what was applied, what was refused, what broke, and which files may still grow."""

    state: State
    arrivals: Arrivals
    asked: Asked
    applied: dict[str, str] = field(default_factory=dict)
    growing: list[str] = field(default_factory=list)
    refused: int = 0
    broken: int = 0
    version: int = 0

    def look(self) -> None:
        """Apply the files that are whole now."""
        from lawful.maintain.folder import InUse

        if self.state.refresh().version != self.version:
            self.applied = {made.batch: made.at for _, made in self.state.history()[1:]} | self._begun()
            self.version = self.state.version
        for name in self.arrivals.changed(self.applied):
            self.asked.screen.warn([f"{name} was written to after it was applied; it is not read again"])
        ready, self.growing = self.arrivals.look(self.applied)
        for name in ready:
            try:
                self._apply(name)
            except InUse:
                self.growing.append(name)  # whoever writes is done by the next look
                return
            except InputError as error:
                self.refused += 1
                self.arrivals.refuse(name)
                self.asked.screen.error(f"{name} was not applied: {error.message}", error.hint)

    def _apply(self, name: str) -> None:
        from lawful.maintain.state import now

        delta = self.state.apply(
            self.arrivals.path(name), batch_id=name, evolve=bool(self.asked["evolve"]),
            reading=self.asked.of(SourceOptions), running=self.asked.of(EngineOptions),
        )  # fmt: skip
        self.applied[name], self.version = now(), delta.version
        self.broken += sum(_broke(delta, rule) for rule in delta.removed)
        tell(replace(delta, change=None), name, self.asked)
        self.asked.screen.flush()

    def _begun(self) -> dict[str, str]:
        """The file that the state was made of, where it lies in the folder."""
        source = Path((self.state.rules().source if self.state.kinds else None) or os.devnull)
        if not source.is_file() or source.resolve().parent != self.arrivals.folder.resolve():
            return {}
        return {source.name: self.state.history()[0][1].at}

    def ended(self) -> int:
        """How a single look ended: files refused come before rules broken."""
        for name in self.growing:
            self.asked.screen.note(f"{name} is still being written, or the state is in use; left for the next time")
        if self.refused:
            return USAGE
        return VIOLATIONS if self.asked["exit_code"] and self.broken else FINE


def _broke(delta: Delta, rule: Rule) -> bool:
    """Whether a rule went because the rows break it more than before, not because a smaller one came."""
    reason = delta.reason(rule)
    return reason.after is None or reason.after > reason.before


def tell(delta: Delta, name: str, asked: Asked) -> None:
    """What a file changed: the first rules of each side with the rows that break them, or all as a line of JSON."""
    if asked.of(OutputOptions).json:
        asked.screen.data({"file": name, **delta.to_dict()})
        return
    summary = str(delta).splitlines()[0]
    asked.screen.say(f"{name}: {summary}")
    told = [("+", rule) for rule in delta.added] + [("-", rule) for rule in delta.removed]
    told.sort(key=lambda each: not (each[0] == "-" and _broke(delta, each[1])))
    for sign, rule in told[:SHOWN]:
        reason = delta.reason(rule)
        asked.screen.say(f"{sign} {rule}  ({reason})")
        if reason.witness is not None:
            for which, row in zip(reason.witness.ids, reason.witness.rows, strict=True):
                asked.screen.say(f"    row {which}: {', '.join(f'{c}={row[c]!r}' for c in row if c in rule.columns)}")
    if len(told) > SHOWN:
        asked.screen.say(f"and {len(told) - SHOWN:,} more: --json prints all, as does lawful state diff")


def _flag(name: str, help: str) -> Parameter:
    return Parameter(name=f"--{name}", group=_GROUP, help=help, negative="")


command = with_options(
    watch, SourceOptions, EngineOptions,
    source=(str, _flag("source", "The folder in which files arrive; each is a batch of new rows.")),
    state=(str, _flag("state", "The folder of the state, made by: lawful state init.")),
    once=(bool, _flag("once", "Apply what is there and end.")),
    every=(float, _flag("every", "Seconds between two looks. [default: 2]")),
    settle=(float, _flag("settle", "Seconds for which a file has to stay as it is before it is read. [default: 2]")),
    exit_code=(bool, _flag("exit-code", "With --once: end with 1 where a file broke a rule.")),
    evolve=(bool, _flag("evolve", "Let new columns in, null in all rows so far.")),
)  # fmt: skip
