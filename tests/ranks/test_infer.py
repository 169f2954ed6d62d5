from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.ranks.deciding import decide
from lawful.ranks.infer import TextSummary
from tests.cells import CELLS, text_columns
from tests.profiles import examples
from tests.ranks import awkward, oracle, reading


@pytest.mark.parametrize("seed", range(8))
def test_awkward_columns_are_read_as_defined(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(examples(400)):
        cells = awkward.column(rng)
        kind, keys = oracle.infer(cells)
        last = rng.random() < 0.3
        type, ranks = reading.encoded(cells, rng.randint(1, 3), "last" if last else "first")
        assert type.name == kind, (cells, type)
        assert ranks == oracle.dense(keys, last=last), (cells, type)


@given(text_columns())
@settings(max_examples=examples(150))
def test_columns_of_a_known_type(column: tuple[str, list[str]]) -> None:
    kind, cells = column
    assert oracle.infer(cells)[0] == kind
    type, ranks = reading.encoded(cells)
    assert type.name == kind
    assert ranks == oracle.dense(oracle.infer(cells)[1])


@given(st.lists(st.one_of(st.none(), *CELLS.values()), max_size=6))
@settings(max_examples=examples(150))
def test_columns_of_any_cells(cells: list[str | None]) -> None:
    kind, keys = oracle.infer(cells)
    type, ranks = reading.encoded(cells)
    assert (type.name, ranks) == (kind, oracle.dense(keys))


@pytest.mark.parametrize("seed", range(4))
def test_summaries_merge_to_the_summary_of_the_whole(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(examples(150)):
        cells = awkward.column(rng, 10)
        cells += [f"{'x' * 59}{rng.choice('abz')}{'y' * rng.randint(0, 3)}" for _ in range(rng.choice([0, 0, 3]))]
        whole = reading.summary(cells)
        cuts = sorted(rng.choices(range(len(cells) + 1), k=3))
        parts = [reading.summary(cells[a:b]) for a, b in zip([0, *cuts], [*cuts, len(cells)], strict=True)]
        a, b, c, d = parts
        assert a.merge(b).merge(c).merge(d) == whole
        assert d.merge(c.merge(b.merge(a))) == whole
        assert TextSummary().merge(whole) == whole == whole.merge(TextSummary())
        assert decide(a.merge(b).merge(c.merge(d))) == decide(whole)


@pytest.mark.parametrize(
    ("cells", "type", "why"),
    [
        ([], "string", "no values"),
        ([None, None], "string", "no values"),
        (["1", "2"], "integer", "every value is a whole number"),
        (["1", "02"], "string", "leading zero in '02'"),
        (["1e3", " 007 "], "string", "leading zero in '007'"),
        (["1", "02.5", "-03", "+04"], "decimal", "every value is a decimal number"),
        (["0", "00.0"], "decimal", "every value is a decimal number"),
        (["9223372036854775808"], "decimal", "whole numbers beyond 64 bits"),
        (["1" * 38, ".5"], "float", "38 digits before and 1 after the point are more than 38"),
        (["1" * 39], "float", "39 digits before and 0 after the point are more than 38"),
        (["1", "nan"], "float", "exponents, NaN or infinity among the numbers"),
        (["true", "FALSE"], "boolean", "every value is true or false"),
        (["true", "falſe"], "string", "1 of 2 values are no boolean, such as 'falſe'"),
        (["29.02.2024"], "date", "every value is a date dd.MM.yyyy"),
        (["2024-02-29", "2023-02-29"], "string", "1 of 2 values are no date yyyy-MM-dd, such as '2023-02-29'"),
        (["2024-01-01T00:00Z", "2024-01-01 00:00"], "string", "1 of 2 timestamps have a zone, the others none"),
        (["1677-01-01T00:00:00.1234567"], "string", "nanoseconds outside the years 1678 to 2261"),
        (["2024-01-01T00:00:00.1234567Z"], "timestamp", "every value is a timestamp with a zone"),
        (["1", "2", "x" * 70], "string", f"1 of 3 values are no integer, such as '{'x' * 59}…'"),
        (["a", "b", "1"], "string", "text"),
    ],
)
def test_why(cells: list[str | None], type: str, why: str) -> None:
    found = decide(reading.summary(cells))
    assert (found.name, found.why) == (type, why)


def test_every_row_counts_not_every_value() -> None:
    found = decide(reading.summary(["1"] * 9 + ["x"] * 2))
    assert found.why == "2 of 11 values are no integer, such as 'x'"


def test_null_looking_texts_are_counted_by_rows() -> None:
    cells = ["NA", " NA ", "?", "a", None, "-", "-"]
    assert reading.summary(cells).null_looking == {"NA": 2, "?": 1, "-": 2}


def test_numbers_of_thousands_of_digits() -> None:
    assert reading.encoded(["9" * 6000, "1"])[0].name == "float"
    assert reading.encoded(["0." + "9" * 6000, "1"]) == (reading.encoded(["0." + "9" * 6000, "1"])[0], [0, 0])
