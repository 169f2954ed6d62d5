"""Cells of text that are nearly, or only just, of some type."""

from __future__ import annotations

import random
from collections.abc import Callable

Maker = Callable[[random.Random], str]

_WORDS = ["", " ", "x", "NA", "?", "-", "é", "\U0001f600", "ſ", "falſe", "٣", "1٣", "0x10", "1 2", "1,5", "--1", "+-1"]
_SPACE = ["", "", "", " ", "\t", "  ", "\r", "\n", "\xa0", "\x1c"]
_DATES = ["2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "0000-01-01", "0001-01-01", "9999-12-31"]
_DATES += ["2024-13-01", "2024-00-10", "2024-01-32", "2024-1-01", "24-01-01", "02/29/2024", "29/02/2024", "2/9/2024"]
_DATES += ["29.02.2024", "29.02.2023", "01.01.0001", "12/31/9999", "2024-02-29 ", "20240229", "2024-02-29T"]
_ZONES = ["", "", "Z", "z", "+01", "-0130", "+18:00", "-18:00", "+18:01", "+19", "+01:60", "+1", " +01", "+00:00"]
_CLOCKS = ["00:00", "23:59", "24:00", "12:60", "23:59:59", "23:59:60", "12:30:00", "12:30:0", "9:00", "12"]


def _digits(rng: random.Random, most: int) -> str:
    return "".join(rng.choices("0123456789", k=rng.randint(1, most)))


def whole(rng: random.Random) -> str:
    """Whole numbers, near 64 bits and near 38 digits."""
    size = rng.choice([1, 2, 3, 18, 19, 20, 37, 38, 39])
    edge = rng.choice([0, 1, 2**63, 2**63 - 1, 2**53, 10 ** (size - 1), 10**size - 1])
    number = str(edge + rng.randint(-2, 2)) if rng.random() < 0.5 else _digits(rng, size)
    return rng.choice(["", "", "", "+", "-", "0", "-0", "+00"]) + number.lstrip("-")


def decimal(rng: random.Random) -> str:
    """Decimals, with or without digits on either side of the point."""
    left = rng.choice(["", "0", "00", _digits(rng, 3), _digits(rng, 37)])
    right = rng.choice(["", "0", "00", "50", _digits(rng, 2), _digits(rng, 20), "0" * 40])
    return rng.choice(["", "", "-", "+"]) + left + "." + right


def scientific(rng: random.Random) -> str:
    """Numbers that only floating point holds."""
    word = rng.choice(["nan", "NaN", "INF", "-inf", "+Infinity", "-NAN", "infinit", "in", "1e400", "-1e-400"])
    return (
        word
        if rng.random() < 0.4
        else f"{whole(rng)}{rng.choice('eE')}{rng.choice(['', '+', '-'])}{rng.randint(0, 30)}"
    )


def small(rng: random.Random) -> str:
    """Few values, many spellings."""
    return rng.choice(["1", "1.0", "1.", "01.0", "+1", "-0", "0", "0.0", "-0.0", "1e0", "10e-1", ".5", "0.50", "5e-1"])


def boolean(rng: random.Random) -> str:
    """Booleans in any case."""
    return rng.choice(["true", "True", "TRUE", "tRuE", "false", "FALSE", "False", "falsE"])


def day(rng: random.Random) -> str:
    """Days, some of which there never were."""
    y, m, d = rng.randint(1, 9999), rng.randint(1, 12), rng.randint(1, 31)
    made = rng.choice([f"{y:04}-{m:02}-{d:02}", f"{m:02}/{d:02}/{y:04}", f"{d:02}.{m:02}.{y:04}"])
    return made if rng.random() < 0.6 else rng.choice(_DATES)


def iso_day(rng: random.Random) -> str:
    """Days that there were, in one format."""
    return f"{rng.randint(1, 9999):04}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"


def moment(rng: random.Random) -> str:
    """Timestamps of any form, possible or not."""
    clock = rng.choice(_CLOCKS) + rng.choice(
        ["", "", ".1", ",25", ".123456", ".1234567", ".123456789", ".1234567891", "."]
    )
    return f"{rng.choice([iso_day(rng), '2024-02-29', '1677-12-31'])}{rng.choice('T tX')}{clock}{rng.choice(_ZONES)}"


def iso_moment(rng: random.Random) -> str:
    """Timestamps without a zone, the same moment in many spellings."""
    return rng.choice(["2024-02-29T12:30", "2024-02-29 12:30:00", "2024-02-29t12:30:00.000", "2024-02-29T12:30:01,5"])


def zoned_moment(rng: random.Random) -> str:
    """Timestamps with a zone, the same moment in many spellings."""
    return rng.choice(
        ["2024-02-29T12:30Z", "2024-02-29 13:30:00+01", "2024-02-29T11:00:00.0-0130", "2024-03-01T00:30+12:00"]
    )


def word(rng: random.Random) -> str:
    """Text."""
    return rng.choice(_WORDS)


MAKERS: tuple[Maker, ...] = (
    whole, decimal, scientific, small, boolean, day, iso_day, moment, iso_moment, zoned_moment, word,
)  # fmt: skip


def column(rng: random.Random, most: int = 8) -> list[str | None]:
    """A column mostly of one kind, with a few of another, spaces and nulls now and then."""
    makers = [rng.choice(MAKERS)] * 6 + [rng.choice(MAKERS)] * rng.choice([0, 0, 1, 6])
    spaced, nulls = rng.random() < 0.2, rng.choice([0.0, 0.0, 0.3])
    cells: list[str | None] = []
    for _ in range(rng.randint(0, most)):
        text = rng.choice(makers)(rng)
        text = rng.choice(_SPACE) + text + rng.choice(_SPACE) if spaced else text
        cells.append(None if rng.random() < nulls else text)
    return cells
