"""The verbs about rules that are known: hold them against a table, and part the rows that break them from the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from lawful.api import _encode_at, _engine_options, _source_options, encode
from lawful.errors import LawfulError, OptionError
from lawful.limits import Budget
from lawful.options import CheckOptions, EngineOptions, SourceOptions
from lawful.progress import Listener, silent

if TYPE_CHECKING:
    import os

    from lawful.ranks.encoded import Encoded
    from lawful.rules import Rule, RuleSet
    from lawful.rules.review import Review
    from lawful.violations.asked import AskedRule
    from lawful.violations.checked import CheckResult

_PAGE_RULES, _PAGE_PAIRS = 1_000, 3
_PAGE_WORK = 1 << 28
"""Rows times rules that are checked for a page at most, so that the page does not take longer than the rules."""


def check(
    source: Any,
    rules: str | os.PathLike[str] | Rule | RuleSet | Review | Iterable[str | Rule],
    *,
    max_witnesses: int = 10,
    max_error: float | None = None,
    measure: Literal["removal", "pairs"] | None = None,
    repair: bool | None = None,
    columns: Sequence[str] | None = None,
    types: Mapping[str, str] | None = None,
    order: Mapping[str, Sequence[str]] | None = None,
    nulls: str = "first",
    null_values: Sequence[str] = (),
    engine: str | None = None,
    workers: int | None = None,
    memory: str | None = None,
    work_dir: str | None = None,
    progress: Listener | None = None,
    **reading: Any,
) -> CheckResult:
    """How far a table obeys rules: for each the pairs and rows that break it, some of the pairs, and what mends it.

    ``source`` is an encoded table or whatever ``encode`` takes, with its options. ``rules``: texts, rules, a rule set,
    a review, the path of a rule file or of a review, or a list of these. All counts are exact.
    """
    from lawful.violations.asked import asked_rules

    wanted = CheckOptions(max_witnesses=max_witnesses, max_error=max_error, measure=measure, repair=repair)
    options = _source_options(columns, types, order, nulls, null_values, **reading)
    running = _engine_options(engine, reading.get("master"), workers, memory, work_dir)
    return check_with(source, asked_rules(rules), options, running, wanted, progress or silent)


def check_with(
    source: Any,
    asked: Sequence[AskedRule],
    reading: SourceOptions,
    running: EngineOptions,
    wanted: CheckOptions,
    listener: Listener = silent,
) -> CheckResult:
    """``check`` with its rules and options already looked at."""
    from lawful.engine.choice import Place, choose
    from lawful.ranks.encoded import Encoded
    from lawful.source.opening import home_of, only_spark_reads
    from lawful.violations.checking import check_all

    if isinstance(source, Encoded):
        if reading != SourceOptions():
            hint = "Give them to encode()."
            raise OptionError("The table is encoded already: options of reading it come too late.", hint=hint)
        place, table = Place((running.engine or source.engine) == "spark"), source
        session = place.session(running, listener)
    else:
        place = choose(home_of(source), only_spark_reads(source), running)
        session = place.session(running, listener)
        table = _encode_at(place, session, source, reading, running, listener)
    with place.engine(running, session, running.work_dir) as engine:
        return check_all(table, engine, asked, wanted, listener, Budget.of(running.memory_bytes()))


def report(rules: RuleSet, path: str | os.PathLike[str], source: Any = None, **options: Any) -> None:
    """``RuleSet.report``: the page, with the table given what its columns are like and rows of it."""
    from lawful.ranks.encoded import Encoded
    from lawful.ranks.profiling import profile_of
    from lawful.report import report as written

    if source is None:
        return written(rules, path)
    table = source if isinstance(source, Encoded) else encode(source, **options)
    given = (options.get(name) for name in ("engine", "master", "workers", "memory", "work_dir"))
    found, notes = shown_check(table, rules, _engine_options(*given))
    return written(rules, path, profile_of(table), found, notes)


def shown_check(
    table: Encoded, rules: RuleSet, running: EngineOptions, listener: Listener = silent
) -> tuple[CheckResult | None, tuple[str, ...]]:
    """A check of the most interesting rules for a page, in bounded time, and what is to be said of the others.

    At most a thousand rules, fewer of a table of over 268,435 rows. Rules that cannot be checked are no mistake here.
    """
    from lawful.violations.asked import asked_rules

    there = [rule for rule in rules.by_interest() if set(rule.columns) <= set(table.names)]
    chosen = there[: min(_PAGE_RULES, max(10, _PAGE_WORK // max(1, table.rows)))]
    asked = asked_rules(rules.with_rules(chosen, ordered=True))
    try:
        wanted = CheckOptions(max_witnesses=_PAGE_PAIRS)
        found = check_with(table, asked, SourceOptions(), running, wanted, listener) if asked else None
    except LawfulError as error:
        return None, (f"the rules were not held against the table: {error.message}",)
    few = len(asked) < len(there)
    return found, ((f"the {len(asked):,} most interesting rules were held against the table",) if few else ())


def split(
    source: Any, rules: str | os.PathLike[str] | Rule | RuleSet | Review | Iterable[str | Rule], **options: Any
) -> tuple[Any, Any]:
    """The rows that break no rule, and those that take part in breaking one, these with the ids of the rules.

    Takes what ``check`` takes. A pandas or Polars frame gives two of its kind, a Spark frame two Spark frames,
    anything else two Arrow tables. The ids stand in the column ``lawful_rules``.
    """
    from lawful.ranks.encoded import Encoded
    from lawful.source.opening import home_of
    from lawful.violations.splitting import split_encoded, split_frame

    options["max_witnesses"], options["repair"] = 0, False
    if options.get("limit_rows") is not None:
        raise OptionError("limit_rows leaves rows unchecked, which cannot be parted.", hint="Leave it out.")
    home = "encoded" if isinstance(source, Encoded) else home_of(source)
    if home == "memory":
        frame = _reread(source)
        return split_frame(frame, check(frame, rules, **options))
    if home == "spark":
        from lawful.violations.spark import split_spark

        if options.get("types") or options.get("null_values"):
            message = "types and null_values change values, by which the rows of a Spark frame are told apart."
            raise OptionError(message, hint="Change the frame itself first.")
        return split_spark(source, check(source, rules, **options))
    return split_encoded(check(source, rules, **options))


def _reread(frame: Any) -> Any:
    """A frame that can be read twice: as it is where it is one of a known library, else as an Arrow table."""
    import sys

    import pyarrow as pa

    known = [getattr(sys.modules.get(name), "DataFrame", pa.Table) for name in ("pandas", "polars")]
    if isinstance(frame, (pa.Table, pa.RecordBatch, *known)):
        return frame
    from lawful.source.frames import open_frame

    return open_frame(frame, SourceOptions()).table
