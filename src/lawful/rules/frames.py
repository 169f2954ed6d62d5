"""Rules as a table of an Arrow or a pandas user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lawful.errors import MissingError
from lawful.rules.lines import figure

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from lawful.rules.ruleset import RuleSet


def to_arrow(rules: RuleSet) -> pyarrow.Table:
    """One row a rule, in the order of the set; a figure that was not gathered is null."""
    import pyarrow as pa

    types = {"kind": pa.string(), "text": pa.string(), "id": pa.string(), "columns": pa.list_(pa.string())}
    types |= {"error": pa.float64(), "measure": pa.string()}
    types |= {"coverage": pa.float64(), "interest": pa.float64(), "surprise": pa.float64()}
    return pa.table(_values(rules), schema=pa.schema(types.items()))


def to_pandas(rules: RuleSet) -> pandas.DataFrame:
    """The same rows; ``columns`` holds lists, and a figure that was not gathered is NaN."""
    try:
        frame = to_arrow(rules).to_pandas()
    except ModuleNotFoundError as error:
        raise MissingError("pandas is not installed.", hint="pip install pandas, or use to_arrow().") from error
    frame["columns"] = [list(rule.columns) for rule in rules]
    return frame


def _values(rules: RuleSet) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        "kind": [rule.kind for rule in rules],
        "text": [str(rule) for rule in rules],
        "id": [rule.id for rule in rules],
        "columns": [list(rule.columns) for rule in rules],
        "measure": [rule.figures.measure for rule in rules],
    }
    for name in ("error", "coverage", "interest", "surprise"):
        columns[name] = [figure(getattr(rule.figures, name)) for rule in rules]
    return columns
