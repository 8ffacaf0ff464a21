"""Amounts beside the deals: as people write them, and never a guess between euros and cents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.notation.money import is_money, read_amount


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("12,50", 1250), ("12.50 €", 1250), ("€12.5", 1250), ("5 €", 500), ("5 Euro", 500), ("340 ct", 340),
        ("340 Cent", 340), ("-3,40", -340), ("−3,40 €", -340), ("+0,05", 5), (" 7,20€ ", 720),
        ("5", None), ("", None), ("-", None), ("5 P", None), ("1.250,00", None), ("12,505", None), ("3,40 ct", None),
        ("€5€", None), ("fünf", None), ("12,", None), ("5 € und mehr", None),
    ],
)  # fmt: skip
def test_money(text: str, cents: int | None) -> None:
    assert read_amount(text, "ct") == cents
    assert is_money(text) == (cents is not None)


@pytest.mark.parametrize(
    ("text", "points"), [("12", 12), ("-12 P", -12), ("12,5", None), ("12 €", None), ("1200 ct", None)]
)
def test_points(text: str, points: int | None) -> None:
    assert read_amount(text, "P") == points


def test_a_number_alone_is_of_euros_where_these_were_asked_for() -> None:
    assert read_amount("5", "ct", in_euros=True) == 500
    assert read_amount("500 ct", "ct", in_euros=True) == 500


@given(st.integers(-(10**9), 10**9), st.sampled_from(",."), st.sampled_from(("", " €", "€", " Euro")))
def test_every_amount_of_money_is_read_as_it_is_written(cents: int, comma: str, unit: str) -> None:
    whole, part = divmod(abs(cents), 100)
    assert read_amount(f"{'-' if cents < 0 else ''}{whole}{comma}{part:02}{unit}", "ct") == cents


@given(st.text(max_size=12))
def test_any_text_is_an_amount_or_none(text: str) -> None:
    assert isinstance(read_amount(text, "ct"), int | None)
    assert isinstance(read_amount(text, "P"), int | None)
