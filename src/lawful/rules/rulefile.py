"""The rule file: JSON Lines, a header and then one rule a line.

Rule lines are the same bytes for the same rules and figures, in whatever order they were found. A line may leave out
``id`` and the figures, so that a file can be written by hand; an ``id`` that is given must be the rule's own, because
figures beside a statement that was edited belong to another rule.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lawful.errors import ColumnError, RuleFileError, did_you_mean
from lawful.rules import schema
from lawful.rules.canonical import in_file_order
from lawful.rules.lines import encoded, line
from lawful.rules.model import KINDS, Pod, Rule

if TYPE_CHECKING:
    from lawful.rules.ruleset import RuleSet

_LINES = 1024
_NO_HEADER = 'A rule file begins with a line such as {"lawful": 1, "source": …}; is this another file?'


def dumps(rules: RuleSet) -> bytes:
    """The whole file at once."""
    return b"".join(pieces(rules))


def pieces(rules: RuleSet) -> Iterator[bytes]:
    """The file in pieces of many lines, each made when it is asked for: millions of rules take no room as text."""
    yield encoded(rules.header()) + b"\n"
    listed = rules.rules if rules.as_listed else in_file_order(rules, rules.names)
    for start in range(0, len(listed), _LINES):
        yield b"".join(encoded(line(rule)) + b"\n" for rule in listed[start : start + _LINES])


def save(rules: RuleSet, path: str | os.PathLike[str]) -> None:
    """Writes the file under a temporary name beside it and renames it: a reader sees the old file or the new one."""
    from lawful.rules.reviewfile import is_review

    if is_review(path):
        hint = "Name it .jsonl; or write a review, by lawful discover --update or lawful.Review(rules).save(path)."
        raise RuleFileError(f"{path} is the name of a review, and a rule file is JSON lines.", hint=hint)
    replaced(path, pieces(rules))


def replaced(path: str | os.PathLike[str], content: Iterator[bytes]) -> None:
    """Writes any file so."""
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as sink:  # a pipe or a device, which no file can take the place of
                sink.writelines(content)
        else:
            _replace(target, content)
    except OSError as error:
        hint = "Choose a file in a folder that exists and that you may write to."
        raise RuleFileError(f"{path} cannot be written: {error.strerror or error}.", hint=hint) from error


def _replace(target: Path, content: Iterator[bytes]) -> None:
    draft = target.with_name(f".{target.name[:80]}.{os.getpid()}.{os.urandom(4).hex()}.tmp")
    try:
        with open(draft, "xb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def load(path: str | os.PathLike[str]) -> RuleSet:
    """The rules of a file, canonical and in file order whatever order it has; of a review those found."""
    from lawful.rules.review import Review
    from lawful.rules.reviewfile import is_review

    if is_review(path):
        return Review.load(path).found()
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        hint = "Give the path of a rule file, as written by save or by lawful discover -o."
        raise RuleFileError(f"{path} cannot be read: {error.strerror or error}.", hint=hint) from error
    return loads(content, str(path))


def loads(content: bytes, name: str = "<bytes>") -> RuleSet:
    """The rules of a file's content; ``name`` stands for the file in errors. Blank lines are skipped."""
    lines = enumerate(content.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1)
    filled = ((number, text) for number, text in lines if text.strip())
    number, text = next(filled, (1, b"{}"))
    empty = _header(text, name, number)
    known = frozenset(empty.names)
    return empty.with_rules(_rule(text, f"{name}, line {number}", known) for number, text in filled)


def _header(text: bytes, name: str, number: int) -> RuleSet:
    from lawful.rules.ruleset import Column, RuleSet

    at = f"{name}, line {number}"
    with _located(at):
        version = schema.probe(text).lawful
        if version is None:
            raise RuleFileError(f"{at}: the header is missing.", hint=_NO_HEADER)
        if version != schema.VERSION:
            hint = f"This lawful reads version {schema.VERSION}; update lawful, or write the file anew."
            raise RuleFileError(f"{at}: the rule file has version {version} - at `$.lawful`.", hint=hint)
        fields = schema.read_header(text)
    if fields.complete and fields.incomplete is not None:
        hint = "A complete list has no reason to be incomplete: correct one of the two."
        raise RuleFileError(f"{at}: complete is true, yet incomplete is given - at `$.incomplete`.", hint=hint)
    given = {field: getattr(fields, field) for field in ("source", "rows", "kinds", "complete_to", "note", "engine")}
    columns = tuple(Column(column.name, column.type) for column in fields.columns)
    unsaid = None if fields.complete else "the rule file does not say why"
    why = unsaid if fields.incomplete is None else fields.incomplete
    try:
        return RuleSet(columns=columns, incomplete=why, warnings=fields.warnings, options=fields.options, **given)
    except ColumnError as error:
        raise RuleFileError(f"{at}: {error.message}", hint=error.hint) from error


def _rule(text: bytes, at: str, known: frozenset[str]) -> Rule:
    with _located(at):
        fields = schema.read_line(text)
    rule: Rule = fields.rule()
    for path, column in schema.named_columns(rule):
        if column not in known:
            message = f"{at}: the header lists no column {column!r} - at `{path}`."
            raise RuleFileError(message, hint=did_you_mean(column, sorted(known)))
    if isinstance(rule, Pod) and len(set(rule.columns)) <= len(rule.lhs):
        raise RuleFileError(f"{at}: a column stands twice in {rule}.", hint="In a pod name each column once.")
    if fields.id is not None and fields.id != rule.id:
        message = f"{at}: the id {fields.id!r} is not that of {rule}, which is {rule.id!r} - at `$.id`."
        raise RuleFileError(message, hint="If the rule was edited, remove its id and its figures.")
    return rule


@contextmanager
def _located(at: str) -> Iterator[None]:
    """Puts file and line before what the decoder says, which names the path within the line."""
    try:
        yield
    except msgspec.ValidationError as error:
        said = str(error)
        path = "" if "at `$" in said else " - at `$`"
        raise RuleFileError(f"{at}: {said}{path}.", hint=_hint(said)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        hint = "Each line is one JSON object in UTF-8; a file that ends in the middle of a line was cut off."
        raise RuleFileError(f"{at}: this is not JSON: {error}.", hint=hint) from error


def _hint(said: str) -> str:
    if "`$.kind`" in said or "field `kind`" in said:
        return f"A rule's kind is one of {', '.join(KINDS)}."
    return "Correct the line, or write the file anew with save or lawful discover -o."
