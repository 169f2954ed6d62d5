"""The verbs about rules that are known: hold them against a table, and part the rows that break them from the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from lawful.api import _encode_at, _engine_options, _source_options
from lawful.errors import OptionError
from lawful.limits import Budget
from lawful.options import CheckOptions, EngineOptions, SourceOptions
from lawful.progress import Listener, silent

if TYPE_CHECKING:
    import os

    from lawful.rules import Rule, RuleSet
    from lawful.violations.asked import AskedRule
    from lawful.violations.checked import CheckResult


def check(
    source: Any,
    rules: str | os.PathLike[str] | Rule | RuleSet | Iterable[str | Rule],
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
    the path of a rule file, or a list of these. All counts are exact.
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


def split(
    source: Any, rules: str | os.PathLike[str] | Rule | RuleSet | Iterable[str | Rule], **options: Any
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
