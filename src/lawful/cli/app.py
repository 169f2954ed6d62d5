"""The commands, as the parser knows them."""

from __future__ import annotations

from cyclopts import App, CycloptsError
from cyclopts.exceptions import UnusedCliTokensError

import lawful
from lawful.cli import (
    advise,
    agree,
    ask,
    check,
    demo,
    diff,
    discover,
    doctor,
    export,
    profile,
    report,
    simplify,
    state,
    watch,
)
from lawful.cli.ending import EXIT_CODES, USAGE
from lawful.cli.screen import Output, Screen, lenient
from lawful.cli.shared_options import HYPHEN, marked

HELP = "Finds the laws a table obeys, shows the rows that break them, and keeps both answers current."
EPILOGUE = (
    "SOURCE is a file, a folder, a pattern such as 'data/*.csv', a URL, spark:TABLE, or - for standard input. "
    "Every option may also stand in the environment (LAWFUL_NULLS=last) or in lawful.toml or [tool.lawful] of "
    'pyproject.toml (nulls = "last"), beside the data or in the current folder; a flag comes before the environment, '
    "the environment before the file.\n\n" + EXIT_CODES
)
COMMANDS = {
    "profile": profile.command,
    "discover": discover.command,
    "check": check.command,
    "ask": ask.command,
    "simplify": simplify.command,
    "advise": advise.command,
    "diff": diff.command,
    "export": export.command,
    "report": report.command,
    "agree": agree.command,
    "watch": watch.command,
    "doctor": doctor.command,
    "demo": demo.command,
}
USAGES = {
    "check": "Usage: lawful check [OPTIONS] SOURCE RULES...",
    "report": "Usage: lawful report [OPTIONS] RULES [SOURCE] -o FILE",
    "export": "Usage: lawful export [OPTIONS] RULES --to TARGET",
    "watch": "Usage: lawful watch [OPTIONS] --source DIR --state DIR",
}
"""Where the parser's own line would not say what is needed."""


def dispatch(words: list[str]) -> int:
    """Parse the words and run the command they name; without any, show the help."""
    lenient()
    try:
        code = _app()(marked(words))
    except CycloptsError as error:
        return _misused(error, words)
    return code if isinstance(code, int) else 0


def _app() -> App:
    app = App(
        name="lawful",
        help=HELP,
        help_format="plaintext",
        help_epilogue=EPILOGUE,
        version=f"lawful {lawful.__version__}",
        version_flags=["--version", "-V"],
        console=Output(),
        error_console=Output(stderr=True),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
        print_error=False,
        exit_on_error=False,
    )
    app["--help"].group = app["--version"].group = "Options"
    for name, command in COMMANDS.items():
        app.command(command, name=name, usage=USAGES.get(name))
    app.command(state.app(help_format="plaintext"), name="state")
    return app


def _misused(error: CycloptsError, words: list[str]) -> int:
    error.verbose = False
    message = str(error).replace(HYPHEN, "-")
    named = f"lawful {words[0]}" if words and words[0] in (*COMMANDS, "state") else "lawful"
    if words[:1] == ["state"] and words[1:] and words[1] in state.COMMANDS:
        named = f"{named} {words[1]}"
    hint = f"See: {named} --help"
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        message = f"{named} does not know what to do with {error.unused_tokens[0]!r}."
        hint = f"Quote a pattern such as 'data/*.csv', so that it reaches lawful whole. {hint}"
    Screen().error(message, hint)
    return USAGE
