"""How the bytes of a text file become letters, and where they do not."""

from __future__ import annotations

import codecs
import io
from typing import Final

from lawful.errors import OptionError, SourceError
from lawful.source.location import damaged, open_stream

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BLOCK: Final = 1 << 16


def encoding_of(head: bytes, asked: str | None) -> str:
    """The encoding asked for, else UTF-8; where a byte order mark starts the file, the encoding that reads it."""
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), "utf-8")
    if asked is None:
        return marked
    try:
        "a".encode(asked)
        name = codecs.lookup(asked).name
    except (LookupError, UnicodeError, ValueError) as problem:
        raise OptionError(
            f"encoding is {asked!r}, which is no text encoding known here.", hint="Try utf-8, cp1252 or utf-16."
        ) from problem
    return marked if marked.startswith(name.removesuffix("-le").removesuffix("-be")) else name


def open_text(path: str, encoding: str, *, errors: str = "strict", newline: str = "") -> io.TextIOWrapper:
    """The file as text without a byte order mark; line ends are kept. Closing it closes the file."""
    return io.TextIOWrapper(
        open_stream(path), "utf-8-sig" if encoding == "utf-8" else encoding, errors=errors, newline=newline
    )


def undecodable(path: str, encoding: str) -> SourceError:
    """Names the first line whose bytes are not of the encoding. Reads the file again, the slow path of an error."""
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    line, where = 1, "some line holds other bytes"
    try:
        with open_stream(path) as stream:
            while block := bytes(stream.read(_BLOCK)):
                state = decoder.getstate()
                try:
                    line += decoder.decode(block).count("\n")
                except UnicodeError:
                    decoder.setstate(state)
                    line, byte = _first_bad(decoder, block, line)
                    where = f"line {line} holds the byte {byte:#04x}"
                    break
            else:
                where = f"it ends within a character, on line {line}"
    except (OSError, EOFError) as problem:
        return damaged(path, problem)
    return SourceError(
        f"{path!r} is not {encoding}: {where}.",
        hint="Name the encoding, often --encoding cp1252 or --encoding utf-16.",
    )


def _first_bad(decoder: io.IncrementalNewlineDecoder, block: bytes, line: int) -> tuple[int, int]:
    for byte in block:
        try:
            line += decoder.decode(bytes([byte])).count("\n")
        except UnicodeError as problem:
            first = problem.object[problem.start] if isinstance(problem, UnicodeDecodeError) else byte
            # A carriage return before it is held back, lest a line feed follow.
            return line + (decoder.getstate()[1] & 1), first
    return line, block[-1]
