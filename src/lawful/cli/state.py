"""``lawful state``: a folder that follows a table through its changes. The commands that change it, and `check`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Group, Parameter

from lawful.cli import logs, state_asked
from lawful.cli.ending import FINE, USAGE
from lawful.cli.layers import Asked
from lawful.cli.listed import parted
from lawful.cli.progress import Progress
from lawful.cli.shared_options import OutputOptions, with_options
from lawful.errors import OptionError
from lawful.options import EngineOptions, SourceOptions

if TYPE_CHECKING:
    from lawful.maintain import Delta, State

GROUP = Group("The state", sort_key=0)
DIR = Parameter(help="The folder of the state.")
Folder = Annotated[str, DIR]
SHOWN = 30


def flag(name: str, help: str) -> Parameter:
    """A flag of one command alone."""
    return Parameter(name=f"--{name}", group=GROUP, help=help, negative="")


def init(
    directory: Folder, source: Annotated[str, Parameter(help="The table; - for standard input.")], /, asked: Asked
) -> int:
    """Make a state: read the table, count how its pairs of rows agree, find its fds and keys."""
    from lawful.maintain import create

    logs.begin(asked.of(OutputOptions).verbose)
    started = time.perf_counter()
    with Progress(asked.screen) as progress:
        state = create(
            directory,
            source,
            parted(asked["kinds"], "--kinds") if asked["kinds"] else ("fd", "key"),
            row_key=parted(asked["row_key"], "--row-key") if asked["row_key"] else None,
            deletes=_deletes(asked),
            max_error=asked["max_error"] or 0.0,
            measure=asked["measure"],
            max_size=asked["max_size"],
            progress=progress,
            reading=asked.of(SourceOptions),
            running=asked.of(EngineOptions),
        )
    tell(state, asked, f"made in {time.perf_counter() - started:.2f} s")
    return FINE


def _deletes(asked: Asked) -> bool | None:
    """What was said of deletes; nothing leaves it to the kinds."""
    if asked["deletes"] and asked["no_deletes"]:
        raise OptionError("--deletes and --no-deletes exclude each other.", hint="Give one of them.")
    return True if asked["deletes"] else False if asked["no_deletes"] else None


def apply(directory: Folder, /, asked: Asked) -> int:
    """Apply a batch: delete, then insert, all or nothing; say which rules came and went, and why."""
    from lawful.maintain import open as open_state

    logs.begin(asked.of(OutputOptions).verbose)
    sources = {name: asked[name] for name in ("insert", "delete", "update")}
    if all(source is None for source in sources.values()):
        raise OptionError("There is nothing to apply.", hint="Name rows with --insert, --delete or --update.")
    if list(sources.values()).count("-") > 1:
        raise OptionError("Standard input can be only one of the sources.", hint="Put the others into files.")
    with Progress(asked.screen):
        delta = open_state(directory).apply(
            sources["insert"],
            sources["delete"],
            sources["update"],
            asked["batch_id"],
            delete_all_copies=bool(asked["delete_all_copies"]),
            ignore_missing=bool(asked["ignore_missing"]),
            evolve=bool(asked["evolve"]),
            reading=asked.of(SourceOptions),
            running=asked.of(EngineOptions),
        )
    tell_delta(delta, asked)
    return FINE


def compact(directory: Folder, /, asked: Asked) -> int:
    """Fold the files of all batches into one, without rows and values that are gone."""
    from lawful.maintain import open as open_state

    logs.begin(asked.of(OutputOptions).verbose)
    tell(open_state(directory).compact(), asked, "compacted")
    return FINE


def check(directory: Folder, /, asked: Asked) -> int:
    """Verify every file against its checksum; --deep also counts and derives anew. Exit code 2 where one is wrong."""
    from lawful.maintain.checking import check as check_folder
    from lawful.maintain.folder import StateFolder

    logs.begin(asked.of(OutputOptions).verbose)
    with Progress(asked.screen):
        found = check_folder(StateFolder(directory), deep=bool(asked["deep"]))
    if asked.of(OutputOptions).json:
        plain = {"version": found.version, "versions": found.versions, "files": found.files, "deep": found.deep}
        asked.screen.data({**plain, "fine": found.fine, "problems": list(found.problems), "whole": found.whole})
    else:
        for line in str(found).splitlines():
            asked.screen.say(line)
    return FINE if found.fine else USAGE


def tell(state: State, asked: Asked, what: str) -> None:
    """A state in a line, or as data."""
    rules = state.rules() if state.kinds else ()
    if asked.of(OutputOptions).json:
        asked.screen.data({"state": state.path, "version": state.version, "rows": len(state), "rules": len(rules)})
        return
    counts = [f"{sum(rule.kind == kind for rule in rules):,} {kind}" for kind in state.kinds]
    about = ", ".join([f"{len(state):,} rows", *counts])
    asked.screen.say(f"{state.path}, version {state.version}: {about}; {what}")


def tell_delta(delta: Delta, asked: Asked) -> None:
    """What a batch changed: the first rules of each side on the screen, all of them as data."""
    if asked.of(OutputOptions).json:
        asked.screen.data(delta.to_dict())
        return
    lines = str(delta).splitlines()
    for line in lines[: SHOWN + 1]:
        asked.screen.say(line)
    if len(lines) > SHOWN + 1:
        asked.screen.say(f"and {len(lines) - SHOWN - 1:,} more: --json prints all")


def app(**settings: Any) -> App:
    """The commands below ``lawful state``."""
    made = App(name="state", help="Follow a table through its changes: its agree sets, fds and keys.", **settings)
    for name, command in COMMANDS.items():
        made.command(command, name=name)
    return made


COMMANDS = {
    "init": with_options(
        init, SourceOptions, EngineOptions,
        kinds=(str, flag("kinds", "Kinds of rules to follow: fd, key, oc, od, pod, dc; or agree. [default: fd,key]")),
        row_key=(str, flag("row-key", "Columns by which deletes and updates may name rows, separated by commas.")),
        max_error=(float, flag("max-error", "Follow rules with at most this error, a fraction below 1.")),
        measure=(str, flag("measure", "What the error counts: pairs, to be said with a positive --max-error.")),
        max_size=(int, flag("max-size", "Follow rules over at most this many columns only.")),
        deletes=(bool, flag("deletes", "Follow deletes and updates too, with oc, od, pod, dc; else always so.")),
        no_deletes=(bool, flag("no-deletes", "Refuse deletes and updates.")),
    ),
    "apply": with_options(
        apply, SourceOptions, EngineOptions,
        insert=(str, flag("insert", "Rows that come.")),
        delete=(str, flag("delete", "Rows that go: whole rows, row keys, or a column row_id.")),
        update=(str, flag("update", "Whole rows that take the place of those with their row key.")),
        batch_id=(str, flag("batch-id", "Name of the batch; one that was applied before changes nothing.")),
        delete_all_copies=(bool, flag("delete-all-copies", "A named row goes with all rows like it.")),
        ignore_missing=(bool, flag("ignore-missing", "Pass over named rows that are not there.")),
        evolve=(bool, flag("evolve", "Let new columns in, null in all rows so far.")),
    ),
    "rules": state_asked.rules_command,
    "diff": state_asked.diff_command,
    "history": state_asked.history_command,
    "agree": state_asked.agree_command,
    "check": with_options(check, deep=(bool, flag("deep", "Also count all pairs of rows and derive the rules anew."))),
    "compact": with_options(compact),
}  # fmt: skip
