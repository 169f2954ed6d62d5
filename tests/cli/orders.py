"""The table of `lawful demo`, made anew: what the package ships is what this makes.

Orders of a mail-order house with six places to deliver to. The laws that hold, and the two that a few rows break, are
listed in `LAWS` and `NEARLY`; ``python -m tests.cli.orders`` writes the file.
"""

from __future__ import annotations

import csv
import io
import random
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "src/lawful/data/orders.csv"
ROWS = 240

PLACES = {  # postal code: city, state
    "01067": ("Dresden", "Saxony"),
    "01097": ("Dresden", "Saxony"),
    "04109": ("Leipzig", "Saxony"),
    "20095": ("Hamburg", "Hamburg"),
    "50667": ("Cologne", "North Rhine-Westphalia"),
    "80331": ("Munich", "Bavaria"),
    "80335": ("Munich", "Bavaria"),
    "99084": ("Erfurt", "Thuringia"),
}
PRODUCTS = {  # product: category, price, grams
    "teapot": ("kitchen", "24.90", 950),
    "bread knife": ("kitchen", "18.50", 240),
    "cast-iron pan": ("kitchen", "49.00", 2600),
    "desk lamp": ("light", "39.90", 1400),
    "lantern": ("light", "27.00", 800),
    "wool blanket": ("home", "64.00", 1700),
    "door mat": ("home", "15.90", 2100),
    "notebook": ("paper", "4.50", 310),
    "wall calendar": ("paper", "12.00", 420),
}
PARCELS = [("S", 1000, "3.90"), ("M", 3000, "5.50"), ("L", 6000, "8.90"), ("XL", 10**9, "14.90")]
"""Parcel, the most grams it holds, and the fee."""

HEADER = (
    "order_id,ordered_on,shipped_on,product,category,unit_price,quantity,goods,grams,parcel,fee,zip,city,state,"
    "express,currency"
).split(",")

LAWS = {
    "order_id": "is a key",
    "product": "gives category and unit_price",
    "zip": "gives city but for one row",
    "grams": "never falls while parcel rises",
}
NEARLY = {"city": 118, "fee": 57}
"""The column and the order (by ``order_id``) of each row that breaks a law."""


def made() -> str:
    """The whole file as text, the same each time."""
    draw = random.Random(20)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    day = date(2024, 1, 2)
    for number in range(ROWS):
        day += timedelta(days=draw.choice((0, 1, 1, 2, 3)))
        writer.writerow(_row(1001 + number, day, draw))
    return out.getvalue()


def _row(order: int, day: date, draw: random.Random) -> list[object]:
    product = draw.choice(list(PRODUCTS))
    category, price, grams = PRODUCTS[product]
    quantity = draw.choice((1, 1, 1, 2, 2, 3, 4))
    parcel, fee = next((name, fee) for name, most, fee in PARCELS if grams * quantity <= most)
    code = draw.choice(list(PLACES))
    city, state = PLACES[code]
    express = draw.random() < 0.25
    shipped = day + timedelta(days=1 if express else draw.choice((2, 2, 3, 4)))
    if order == 1000 + NEARLY["city"]:
        city = "Leipzig" if city != "Leipzig" else "Dresden"
    if order == 1000 + NEARLY["fee"]:
        fee = "2.50"
    sent = "" if order > 1000 + ROWS - 9 else shipped.isoformat()
    goods = Decimal(price) * quantity
    return [
        order, day, sent, product, category, price, quantity, goods, grams * quantity, parcel, fee, code, city, state,
        str(express).lower(), "EUR",
    ]  # fmt: skip


if __name__ == "__main__":
    FILE.write_text(made(), encoding="utf-8")
