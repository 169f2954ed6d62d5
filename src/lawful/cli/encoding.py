"""The first step of most commands: the source becomes an encoded table, with progress and warnings on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawful.cli import logs
from lawful.cli.layers import Asked
from lawful.cli.progress import Progress
from lawful.cli.shared_options import OutputOptions
from lawful.options import EngineOptions, SourceOptions

if TYPE_CHECKING:
    from lawful.ranks.encoded import Encoded


def encoded(source: str, asked: Asked) -> Encoded:
    """Encode ``source`` as the options say; warnings go to standard error."""
    logs.begin(asked.of(OutputOptions).verbose)
    screen = asked.screen
    reading, running = asked.of(SourceOptions), asked.of(EngineOptions)
    from lawful.api import encode_with

    with Progress(screen) as progress:
        table = encode_with(source, reading, running, progress)
    screen.warn(table.warnings)
    return table
