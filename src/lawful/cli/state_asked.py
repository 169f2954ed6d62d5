"""The commands of ``lawful state`` that only ask: rules, diff, history and agree sets of a version."""

from __future__ import annotations

from typing import Annotated, Any

from cyclopts import Group, Parameter

from lawful.cli.agree import print_agree_sets
from lawful.cli.destination import STANDARD, check_writable, print_rule_file
from lawful.cli.ending import FINE, VIOLATIONS
from lawful.cli.layers import Asked
from lawful.cli.ranking import print_rules, summary
from lawful.cli.shared_options import OutputOptions, with_options

_GROUP = Group("The state", sort_key=0)
_Folder = Annotated[str, Parameter(help="The folder of the state.")]


def _opened(directory: str, asked: Asked) -> Any:
    from lawful.cli import logs
    from lawful.maintain import open as open_state

    logs.begin(asked.of(OutputOptions).verbose)
    return open_state(directory)


def rules(directory: _Folder, /, asked: Asked) -> int:
    """Show the rules of the newest version, or of another one; -o FILE keeps them, --json prints the rule file."""
    output = asked["output"]
    file = None if output in (None, STANDARD) else output
    if file is not None:
        check_writable(file)
    state = _opened(directory, asked)
    found = state.rules(asked["at"])
    if file is not None:
        found.save(file)
    if output == STANDARD or asked.of(OutputOptions).json:
        print_rule_file(found)
        return FINE
    print_rules(found, asked.screen, kept=file)
    if found.note:
        asked.screen.say(f"note: {found.note}")
    asked.screen.say(summary(found, f"version {asked['at'] or state.version}"))
    return FINE


def diff(directory: _Folder, /, asked: Asked) -> int:
    """Say what changed between two versions; by default between the last two."""
    state = _opened(directory, asked)
    found = state.diff(asked["older"], asked["newer"])
    if asked.of(OutputOptions).json:
        sides = {"added": found.added, "removed": found.removed}
        asked.screen.data({side: [rule.to_dict() for rule in rules] for side, rules in sides.items()})
    else:
        for line in str(found).splitlines():
            asked.screen.say(line)
    return VIOLATIONS if asked["exit_code"] and (found.added or found.removed) else FINE


def history(directory: _Folder, /, asked: Asked) -> int:
    """List the versions: when each was made, from which batch, and what it changed."""
    made = _opened(directory, asked).history()
    if asked.of(OutputOptions).json:
        import msgspec

        asked.screen.data({"versions": [{"version": v, **msgspec.structs.asdict(made)} for v, made in made]})
        return FINE
    for version, batch in made:
        rows = f"{batch.inserted:,} rows in, {batch.deleted:,} out"
        rules = f"{batch.added:,} rules added, {batch.removed:,} removed"
        asked.screen.say(f"{version}  {batch.at}  {batch.batch}  {rows}; {rules}; {batch.counting}")
    return FINE


def agree(directory: _Folder, /, asked: Asked) -> int:
    """Show how many pairs of rows agree on exactly which columns."""
    found = _opened(directory, asked).agree_sets()
    print_agree_sets(found, asked.screen, plain=asked.of(OutputOptions).json)
    return FINE


def _flag(name: str, help: str, short: str | None = None) -> Parameter:
    return Parameter(name=[f"--{name}", short] if short else f"--{name}", group=_GROUP, help=help, negative="")


rules_command = with_options(
    rules,
    at=(int, _flag("at", "The version; the newest when not given.")),
    output=(str, _flag("output", "Keep the rules in this rule file; - for standard output, as --json.", "-o")),
)
diff_command = with_options(
    diff,
    older=(int, _flag("from", "The older version; the one before the newer when not given.")),
    newer=(int, _flag("to", "The newer version; the newest when not given.")),
    exit_code=(bool, _flag("exit-code", "End with 1 where a rule came or went.")),
)
history_command = with_options(history)
agree_command = with_options(agree)
