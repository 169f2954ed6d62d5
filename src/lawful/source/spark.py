"""Tables that Spark holds: DataFrames, catalogue tables, SQL, JDBC."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from lawful.errors import ColumnError, LawfulError, OptionError, SourceError
from lawful.options import SourceOptions
from lawful.source.names import check_names, choose

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

Session: TypeAlias = "SparkSession"

PREFIX: Final = "spark:"
_SQL: Final = ("select", "with", "values", "from", "table")
_SECRET: Final = re.compile(r"(?i)\b(pass\w*|pwd|secret\w*|token\w*|user\w*)\s*=\s*[^;&,\s]+")
_ACCOUNT: Final = re.compile(r"(?<=//)[^/@\s]*@|(?<=:)[^:/@\s]+/[^@\s]*@")
_CAUSE: Final = re.compile(r"^: (?:[\w.$]+(?:Exception|Error): )?(.+)$", re.MULTILINE)


@dataclass(frozen=True)
class SparkSource:
    """A DataFrame, its chosen columns in the table's order. Rows have no order of their own."""

    name: str
    frame: DataFrame
    warnings: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in order."""
        return tuple(self.frame.columns)


def is_spark_frame(thing: object) -> bool:
    """Whether this is a DataFrame of Spark, classic or Connect; imports nothing."""
    module = type(thing).__module__
    return module.startswith("pyspark.sql.") and type(thing).__name__ == "DataFrame"


def is_spark_name(thing: object) -> bool:
    """Whether this names a table that Spark alone reads."""
    return isinstance(thing, str) and thing.startswith((PREFIX, "jdbc:"))


def open_spark(thing: Any, options: SourceOptions, session: Session | None) -> SparkSource:
    """The DataFrame meant by a frame, ``spark:table``, ``spark:SELECT …`` or a JDBC URL."""
    if is_spark_frame(thing):
        return _prepared("DataFrame", thing, options)
    name = _shown(thing)
    if session is None:
        raise OptionError(f"{name!r} is read through Spark.", hint="Leave --engine out, or set it to spark.")
    try:
        with _quiet():
            frame = _jdbc(thing, options, session) if thing.startswith("jdbc:") else _catalogue(thing, session)
            return _prepared(name, frame, options)
    except LawfulError:
        raise
    except Exception as problem:
        hint = "Check the address, the table and that the driver is there." if thing.startswith("jdbc:") else None
        # The chain of causes is left out: it may show the password of the address.
        raise SourceError(
            f"Spark cannot read {name!r}: {_reason(problem, thing)}.",
            hint=hint or "Check the table's name or the query.",
        ) from None


@contextmanager
def _quiet() -> Iterator[None]:
    """PySpark prints a page about an error that it raises as well; the error says it in a line."""
    from pyspark.logger import PySparkLogger

    loggers = [PySparkLogger.getLogger(f"{kind}QueryContextLogger") for kind in ("SQL", "DataFrame")]
    before = [logger.disabled for logger in loggers]
    try:
        for logger in loggers:
            logger.disabled = True
        yield
    finally:
        for logger, was in zip(loggers, before, strict=True):
            logger.disabled = was


def _catalogue(thing: str, session: Session) -> DataFrame:
    text = thing.removeprefix(PREFIX).strip()
    if not text:
        raise SourceError("'spark:' names no table.", hint="Write spark:TABLE or 'spark:SELECT ...'.")
    return session.sql(text) if re.split(r"[\s(]", text, maxsplit=1)[0].casefold() in _SQL else session.table(text)


def _jdbc(url: str, options: SourceOptions, session: Session) -> DataFrame:
    if not options.table:
        raise OptionError(
            "A JDBC URL needs a table.", hint="Name it with --table schema.name, or --table '(SELECT ...)'."
        )
    query = options.table.strip()
    query = f"{query} lawful_query" if query.startswith("(") and query.endswith(")") else query
    return session.read.format("jdbc").options(url=url, dbtable=query).load()


def _shown(thing: str) -> str:
    """A JDBC URL without its account and its parameters, which may hold a password."""
    return _ACCOUNT.sub("", re.split(r"[?;]", thing, maxsplit=1)[0]) if thing.startswith("jdbc:") else thing


def _reason(problem: Exception, thing: str) -> str:
    """What Spark says, on one line: of an error of the JVM its own words, not those of the bridge to it."""
    text = str(problem).strip()
    cause = _CAUSE.search(text) if text.startswith("An error occurred while calling") else None
    line = cause[1] if cause else text.split("\n")[0]
    if thing.startswith("jdbc:"):
        line = _ACCOUNT.sub("", _SECRET.sub(r"\1=…", line.replace(thing, _shown(thing))))
    return line.strip()[:300].rstrip(".") or type(problem).__name__


def _prepared(name: str, frame: DataFrame, options: SourceOptions) -> SparkSource:
    names, warnings = check_names(name, frame.columns)
    chosen = choose(names, options.columns, name)
    kept, left_out = _comparable(name, frame, names, chosen)
    if left_out and options.strict:
        raise ColumnError(left_out[0], hint="Leave the column out with --columns.")
    if not kept:
        raise SourceError(f"{name!r} has no column that can be compared.", hint="Name another table.")
    # By place: Spark takes names that differ only in case for one, and dots in them for paths.
    frame = frame.toDF(*(_placed(i) for i in range(len(names)))).select(*kept)
    if options.limit_rows is not None:
        frame = frame.limit(options.limit_rows)
    return SparkSource(name, frame, (*warnings, *left_out))


def _placed(place: int) -> str:
    return f"column_{place}"


def _comparable(
    name: str, frame: DataFrame, names: Sequence[str], chosen: Sequence[str]
) -> tuple[list[Column], list[str]]:
    """Variants become text, whose equality is theirs; columns that Arrow cannot hold are left out, and named."""
    from pyspark.sql import functions as F

    kept, left_out = [], []
    for place, (column, field) in enumerate(zip(names, frame.schema.fields, strict=True)):
        if column not in chosen:
            continue
        cells = F.col(_placed(place))
        if field.dataType.typeName() == "variant":
            kept.append(F.to_json(cells).cast("binary").alias(column))
        elif _in_arrow(field.dataType):
            kept.append(cells.alias(column))
        else:
            kind = field.dataType.simpleString()
            left_out.append(f"{name!r}: column {column!r} is left out, for {kind} values cannot be compared.")
    return kept, left_out


def _in_arrow(kind: Any) -> bool:
    from pyspark.errors import PySparkException
    from pyspark.sql.pandas.types import to_arrow_type

    # Newer releases ask for a time zone, of which only the presence matters here; older ones do not know the word.
    zoned = {"timezone": "UTC"} if "timezone" in signature(to_arrow_type).parameters else {}
    try:
        return to_arrow_type(kind, **zoned) is not None
    except PySparkException:
        return False
