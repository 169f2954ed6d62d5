"""``lawful discover``: the rules that a table obeys, ranked on the screen or whole in a rule file."""

from __future__ import annotations

import logging
import time
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Group, Parameter

from lawful.cli.destination import STANDARD, check_apart, check_distinct, check_writable, print_rule_file
from lawful.cli.encoding import encoded
from lawful.cli.ending import LIMIT
from lawful.cli.layers import Asked
from lawful.cli.progress import Progress, described
from lawful.cli.ranking import print_rules, summary
from lawful.cli.reviewing import Reviewed
from lawful.cli.screen import Screen
from lawful.cli.shared_options import GROUPS, OutputOptions, with_options
from lawful.cli.signals import unhurried
from lawful.errors import LawfulError
from lawful.options import DiscoverOptions, EngineOptions, SourceOptions
from lawful.progress import Listener, Step

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded
    from lawful.rules import RuleSet
    from lawful.search.ending import Ending

log = logging.getLogger("lawful.discover")

SEARCHING = "searching"


def discover(source: Annotated[str, Parameter(help="The table; - for standard input.")], /, asked: Asked) -> int:
    """Find the rules that a table obeys and show the most interesting; -o FILE keeps them all, --json prints them."""
    wanted = asked.of(DiscoverOptions)
    output = asked["output"]
    plain = asked.of(OutputOptions).json or output == STANDARD
    file = None if output == STANDARD else output
    files = [name for name in (file, asked["update"], asked["page"]) if name is not None]
    check_distinct(files)
    for name in files:
        check_writable(name)
    reviewed = None if asked["update"] is None else Reviewed.before(asked["update"])
    table = encoded(source, asked)
    for name in files:
        check_apart(name, (origin.path for origin in table.origins))
    started = time.perf_counter()
    with unhurried():
        rules, ending = search(table, asked.of(EngineOptions), wanted, asked.screen)
        seconds = f"encoded in {table.seconds:.2f} s, searched in {time.perf_counter() - started:.2f} s"
        failure = _keep_otherwise(rules, table, reviewed, asked["page"], asked.screen)
        _hand_over(rules, ending, seconds, file, plain, asked.screen)
    if failure is not None:
        raise failure
    return ending.code


_OUTPUT = Parameter(
    name=["--output", "-o"],
    group=Group(GROUPS[OutputOptions], sort_key=list(GROUPS).index(OutputOptions) + 1),
    help="Keep all rules in this rule file (JSON lines); - for standard output, as --json.",
)
_UPDATE = Parameter(
    name="--update",
    group=_OUTPUT.group,
    help="Write all rules to this review (YAML); status, severity and note of rules that it has are kept.",
)
_REPORT = Parameter(
    name="--report",
    group=_OUTPUT.group,
    help="Write all rules, and what the columns are like, as an HTML page.",
)
command = with_options(
    discover,
    SourceOptions,
    DiscoverOptions,
    EngineOptions,
    output=(str, _OUTPUT),
    update=(str, _UPDATE),
    page=(str, _REPORT),
)


def _keep_otherwise(
    rules: RuleSet, table: Encoded, reviewed: Reviewed | None, page: str | None, screen: Screen
) -> LawfulError | None:
    """The review and the page; what goes wrong there is told after the rules have been shown."""
    from lawful.ranks.profiling import profile_of
    from lawful.report import report

    try:
        if reviewed is not None:
            screen.note(reviewed.update(rules))
        if page is not None:
            report(rules, page, profile_of(table))
            screen.note(f"a page of {len(rules):,} rules is {page}")
    except LawfulError as failure:
        return failure
    return None


def search(table: Encoded, running: EngineOptions, wanted: DiscoverOptions, screen: Screen) -> tuple[RuleSet, Ending]:
    """The rules of an encoded table, with progress on the way; warnings about the search go to standard error."""
    from lawful.api import discover_with

    log.info("%s", policy(table, running, wanted))
    with Progress(screen) as progress:
        followed = _Followed(progress)
        followed(Step(SEARCHING))
        rules, ending = discover_with(table, SourceOptions(), running, wanted, followed)
    log.info("ended: %s", described(followed.last))
    screen.warn(warning for warning in rules.warnings if warning not in table.warnings)
    return rules, ending


def policy(table: Encoded, running: EngineOptions, wanted: DiscoverOptions) -> str:
    """What is looked for, where, and within which limits, as one line for the log."""
    from lawful.limits import Budget

    options = ((field.name, getattr(wanted, field.name)) for field in fields(wanted) if field.name != "kinds")
    limits = [f"{name}={value}" for name, value in options if value not in (None, 0.0, False)]
    memory = f"memory {Budget.of(running.memory_bytes()).bytes >> 20:,} MiB"
    size = f"{table.rows:,} × {len(table.names):,}"
    return ", ".join([f"looking for {' '.join(wanted.wanted())} in {size}", *limits, memory])


class _Followed:
    """Passes steps on, the contexts that were tried among their figures, and remembers the last one."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self.last = Step(SEARCHING)

    def __call__(self, step: Step) -> None:
        if step.figures and step.stage == SEARCHING:
            step = replace(step, figures={"contexts": f"{step.done:,}", **step.figures})
        self.last = step
        self._listener(step)


def _hand_over(rules: RuleSet, ending: Ending, seconds: str, file: str | None, plain: bool, screen: Screen) -> None:
    """First to the file, since whoever reads the screen may leave; shown even where the file failed at last."""
    failure = None if file is None else _failed_to_keep(rules, file, screen)
    _tell(ending, len(rules), screen)
    if plain:
        print_rule_file(rules)
    else:
        print_rules(rules, screen, kept=None if failure else file)
        if rules.note:
            screen.say(f"note: {rules.note}")
        screen.say(summary(rules, seconds))
    if failure is not None:
        raise failure


def _failed_to_keep(rules: RuleSet, file: str, screen: Screen) -> LawfulError | None:
    try:
        with Progress(screen) as progress:
            progress(Step("writing", figures={"rules": f"{len(rules):,}"}))
            rules.save(file)
    except LawfulError as failure:
        return failure
    return None


def _tell(ending: Ending, found: int, screen: Screen) -> None:
    if ending.code == 0:
        return
    if ending.code == LIMIT:
        screen.error(f"The search ended early: {ending.reason}.", ending.hint)
    else:
        screen.tell(f"{ending.reason}; rules found until then: {found:,}")
