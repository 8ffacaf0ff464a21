"""What sets a deal right: the payments come to exactly what each has too little or too much."""

from pathlib import Path

import msgspec
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from archive.cli import main
from archive.judge.set_right import row_off, transfers

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
SAMPLES = Path(__file__).parents[2] / "sample_games" / "broken"
amounts = st.lists(st.integers(-500, 500), min_size=2, max_size=7)


@given(amounts)
def test_the_payments_leave_nobody_with_too_little_or_too_much(off: list[int]) -> None:
    left: dict[int | None, int] = {None: -sum(off), **dict(enumerate(off))}
    paid = list(transfers(tuple(off)))
    for each in paid:
        assert each.amount > 0
        left[each.payee] -= each.amount
        left[each.payer] += each.amount
    assert not any(left.values())
    assert len(paid) <= sum(1 for each in (*off, sum(off)) if each)


@given(amounts, st.data())
def test_what_is_paid_and_what_sets_it_right_come_to_what_is_due(due: list[int], data: st.DataObject) -> None:
    stated = tuple(data.draw(st.integers(-500, 500)) for _ in due)
    row = row_off("payments", "rules", stated, tuple(due), 0)
    if row is None:
        assert stated == tuple(due)
        return
    assert tuple(own + (each or 0) for own, each in zip(stated, row.off, strict=True)) == tuple(due)
    assert bool(row.transfers) == (sum(stated) == sum(due))  # a sheet that does not add up cannot be paid


def test_what_nobody_stated_is_not_set_right_by_payments() -> None:
    row = row_off("payments", "rules", (None, -20, None, None), (10, -10, 10, -10), 0)
    assert row
    assert row.off == (None, 10, None, None)
    assert not row.transfers


def test_a_pot_that_was_forgotten_is_named() -> None:
    row = row_off("payments", "rules", (30, -30, 0, 0), (70, -30, 0, 0), -40)
    assert row
    assert [(each.payer, each.payee, each.amount) for each in row.transfers] == [(None, 0, 40)]


def test_check_says_it_in_both_languages() -> None:
    sample = str(SAMPLES / "stated-payments.toml")
    english, german = (
        " ".join(CliRunner().invoke(main, ["check", "--lang", language, sample]).stdout.split())
        for language in ("en", "de")
    )
    assert "Ludwig pays Vroni 10 and Toni pays Kathi 10." in english
    assert "So gleicht es sich aus: Ludwig zahlt Vroni 10 und Toni zahlt Kathi 10." in german


def test_programs_read_it_as_data() -> None:
    sample = str(SAMPLES / "stated-payments.toml")
    fields = msgspec.json.decode(CliRunner().invoke(main, ["check", "--json", "--lang", "de", sample]).stdout)
    (row,) = fields["sets_right"]
    assert row["off"] == {"Vroni": 10, "Ludwig": -10, "Kathi": 10, "Toni": -10}
    assert row["payments"][0] == {"payer": "Ludwig", "payee": "Vroni", "amount": 10}
    assert row["text_de"] != row["text"]
