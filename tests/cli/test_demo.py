"""`lawful demo` and its table."""

from __future__ import annotations

import csv
import io
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from lawful.cli import demo
from lawful.errors import MissingError
from tests.cli import orders
from tests.cli.conftest import Run, Spawn, ended

ROWS = list(csv.DictReader(io.StringIO(orders.made())))


def test_the_table_is_the_one_that_is_made() -> None:
    assert orders.FILE.read_text(encoding="utf-8") == orders.made()
    assert len(ROWS) == orders.ROWS


def spoilers(left: Iterable[str], right: str) -> list[str]:
    """The orders that differ on ``right`` from most of the rows equal to them on ``left``."""
    groups: dict[tuple[str, ...], Counter[str]] = {}
    for row in ROWS:
        groups.setdefault(tuple(row[name] for name in left), Counter())[row[right]] += 1
    usual = {key: counted.most_common(1)[0][0] for key, counted in groups.items()}
    return [row["order_id"] for row in ROWS if row[right] != usual[tuple(row[name] for name in left)]]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["product"], "category"),
        (["product"], "unit_price"),
        (["unit_price", "quantity"], "goods"),
        (["product", "quantity"], "grams"),
        (["grams"], "parcel"),
        (["zip"], "state"),
        ([], "currency"),
    ],
)
def test_laws_hold(left: list[str], right: str) -> None:
    assert spoilers(left, right) == []
    assert len({row[right] for row in ROWS}) > (1 if left else 0)


def test_two_laws_are_broken_by_one_row_each() -> None:
    assert spoilers(["zip"], "city") == [str(1000 + orders.NEARLY["city"])]
    assert spoilers(["parcel"], "fee") == [str(1000 + orders.NEARLY["fee"])]


def test_orders_run_together_but_for_one_row() -> None:
    sizes = {name: place for place, (name, _, _) in enumerate(orders.PARCELS)}
    by_grams = sorted(ROWS, key=lambda row: int(row["grams"]))
    assert [sizes[row["parcel"]] for row in by_grams] == sorted(sizes[row["parcel"]] for row in ROWS)
    sound = [float(row["fee"]) for row in by_grams if row["order_id"] != str(1000 + orders.NEARLY["fee"])]
    assert sound == sorted(sound)
    assert [row["ordered_on"] for row in ROWS] == sorted(row["ordered_on"] for row in ROWS)
    assert len({row["order_id"] for row in ROWS}) == orders.ROWS


def test_the_tour(lawful: Run) -> None:
    said = lawful("demo")
    assert (said.code, said.err) == (0, "")
    headings = [line[3:] for line in said.out.splitlines() if line[:1].isdigit() and line[1:3] == "  "]
    assert headings == [heading for heading, _ in demo.STEPS]
    assert "orders.csv: 240 rows, 16 columns" in said.out
    assert f"{orders.ROWS} orders" in said.out
    assert "S … XL" in said.out


def test_without_spark_it_goes_on_in_process(lawful: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> object:
        raise MissingError("Spark did not start: no reason.", hint="Run lawful doctor.")

    monkeypatch.delenv("LAWFUL_ENGINE")
    monkeypatch.setattr("lawful.engine.spark.session.available", lambda: None)
    monkeypatch.setattr("lawful.engine.spark.session.session", missing)
    said = lawful("demo")
    assert said.code == 0
    assert said.err == "note: Spark did not start: no reason. The tour goes on in this process.\n"
    assert "(local)" in said.out
    assert lawful("demo", "--engine", "spark").code == 2


@pytest.mark.spark
@pytest.mark.skipif(not shutil.which("java"), reason="needs Java")
def test_the_tour_through_spark(spawn: Spawn, temporary: Path) -> None:
    said = ended(spawn("demo", env={"LAWFUL_ENGINE": ""}), 120)
    assert said.code == 0, said.err
    assert said.err == "starting Spark …\n"
    assert "(spark)" in said.out and "S … XL" in said.out
    assert list(temporary.glob("lawful-*")) == []
