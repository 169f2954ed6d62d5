"""Options as text and as data: lists, tables, switches and numbers."""

from __future__ import annotations

from typing import Any, get_type_hints

import pytest

from lawful.cli.listed import Kind, from_data, from_texts, kind_of
from lawful.errors import OptionError
from lawful.options import SourceOptions


def test_the_type_of_a_field_tells_its_kind() -> None:
    hints = get_type_hints(SourceOptions)
    kinds = {name: kind_of(hint, {}) for name, hint in hints.items()}
    assert kinds["columns"] is Kind.NAMES
    assert kinds["types"] is Kind.PAIRS
    assert kinds["order"] is Kind.ORDERS
    assert kinds["header"] is Kind.SWITCH
    assert kinds["limit_rows"] is Kind.NUMBER
    assert kinds["nulls"] is kinds["encoding"] is Kind.TEXT
    assert kind_of(hints["null_values"], {"whole": True}) is Kind.WHOLE


@pytest.mark.parametrize(
    ("kind", "texts", "value"),
    [
        (Kind.NAMES, ["a,b", "c"], ("a", "b", "c")),
        (Kind.NAMES, ['"a,b",c'], ("a,b", "c")),
        (Kind.NAMES, ["two words, other"], ("two words", "other")),
        (Kind.WHOLE, ["a,b", "-"], ("a,b", "-")),
        (Kind.PAIRS, ["a=string,b=date", "c=integer"], {"a": "string", "b": "date", "c": "integer"}),
        (Kind.PAIRS, ['"a,b=c"=string'], {"a,b=c": "string"}),
        (Kind.ORDERS, ["size=S,M,L", "rank=low,high"], {"size": ("S", "M", "L"), "rank": ("low", "high")}),
        (Kind.ORDERS, ['"a=b"=x,"y,z"'], {"a=b": ("x", "y,z")}),
        (Kind.SWITCH, ["Yes"], True),
        (Kind.SWITCH, ["0"], False),
        (Kind.NUMBER, [" 12 "], 12),
        (Kind.SHARE, ["1e-3"], 0.001),
        (Kind.SHARE, [".05"], 0.05),
        (Kind.TEXT, ["as it stands"], "as it stands"),
    ],
)
def test_texts(kind: Kind, texts: list[str], value: object) -> None:
    assert from_texts(kind, texts, "--x") == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.NAMES, "a,,b"),
        (Kind.NAMES, '"a'),
        (Kind.NAMES, ""),
        (Kind.PAIRS, "=string"),
        (Kind.PAIRS, "a="),
        (Kind.PAIRS, "a=string,a=date"),
        (Kind.ORDERS, "=a,b"),
        (Kind.SWITCH, "perhaps"),
        (Kind.NUMBER, "1.5"),
        (Kind.SHARE, "nan"),
    ],
)
def test_wrong_texts(kind: Kind, text: str) -> None:
    with pytest.raises(OptionError, match="LAWFUL_X"):
        from_texts(kind, [text], "LAWFUL_X")


@pytest.mark.parametrize(
    ("kind", "data", "value"),
    [
        (Kind.NAMES, ["a,b", "c"], ("a,b", "c")),
        (Kind.NAMES, "a,b", ("a", "b")),
        (Kind.WHOLE, ["?"], ("?",)),
        (Kind.PAIRS, {"a": "string"}, {"a": "string"}),
        (Kind.PAIRS, ["a=string"], {"a": "string"}),
        (Kind.ORDERS, {"size": ["S", "M"]}, {"size": ("S", "M")}),
        (Kind.ORDERS, ["size=S,M"], {"size": ("S", "M")}),
        (Kind.NUMBER, 3, 3),
        (Kind.SHARE, 0, 0),
        (Kind.SHARE, 0.5, 0.5),
        (Kind.SWITCH, False, False),
    ],
)
def test_data(kind: Kind, data: Any, value: object) -> None:
    assert from_data(kind, data, "x") == value


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Kind.NAMES, [1]),
        (Kind.NAMES, 1),
        (Kind.PAIRS, {"a": 1}),
        (Kind.PAIRS, [["a", "b"]]),
        (Kind.ORDERS, {"a": "S,M"}),
        (Kind.NUMBER, True),
        (Kind.NUMBER, "3"),
        (Kind.SHARE, True),
        (Kind.SWITCH, "true"),
        (Kind.TEXT, 5),
    ],
)
def test_wrong_data(kind: Kind, data: Any) -> None:
    with pytest.raises(OptionError, match=r"nulls\.toml: x is"):
        from_data(kind, data, "nulls.toml: x")
