"""The command line: the verbs as commands. Importing it loads nothing heavy."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code; ``words`` are the arguments after the program's name."""
    from lawful.cli.ending import run

    return run(list(sys.argv[1:] if words is None else words))
