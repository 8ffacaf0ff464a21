"""What sets a deal right: the payments come to exactly what each has too little or too much."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from support.running import run

from archive.judge import Judgement, judge_session
from archive.judge.set_right import row_off, say_set_right, transfers
from archive.notation import read_toml
from archive.record import Deal, Session, Source

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
    assert row.off == (None, 10, None, None)
    assert not row.transfers


def test_a_pot_that_was_forgotten_is_named() -> None:
    row = row_off("payments", "rules", (30, -30, 0, 0), (70, -30, 0, 0), -40)
    assert [(each.payer, each.payee, each.amount) for each in row.transfers] == [(None, 0, 40)]


def test_check_says_it_in_both_languages() -> None:
    sample = str(SAMPLES / "stated-payments.toml")
    english, german = (" ".join(run("check", "--lang", language, sample).stdout.split()) for language in ("en", "de"))
    assert "Ludwig pays Vroni 10 and Toni pays Kathi 10." in english
    assert "So gleicht es sich aus: Ludwig zahlt Vroni 10 und Toni zahlt Kathi 10." in german


def test_programs_read_it_as_data() -> None:
    sample = str(SAMPLES / "stated-payments.toml")
    fields = msgspec.json.decode(run("check", "--json", "--lang", "de", sample).stdout)
    (row,) = fields["sets_right"]
    assert row["off"] == {"Vroni": 10, "Ludwig": -10, "Kathi": 10, "Toni": -10}
    assert row["payments"][0] == {"payer": "Ludwig", "payee": "Vroni", "amount": 10}
    assert row["text_de"] != row["text"]


def evening_with_a_penalty(totals: list[int], after: list[int]) -> list[Judgement]:
    """Two deals of amounts alone; Ben is ruled to lose 50 beside the first, and Dora to be given them."""
    text = f"""
format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora"]
rules = "pub"
[[deal]]
game = "Anna solo H"
stated.points = 70
stated.payments = [150, -50, -50, -50]
stated.totals = {totals}
ruling = [{{ by = "Emil", when = 2026-11-20, why = "a card shown", payments = [0, -50, 0, 50], kind = "penalty" }}]
[[deal]]
game = "Ben solo H"
stated.points = 70
stated.payments = [-50, 150, -50, -50]
stated.totals = {after}
"""
    session, *deals = read_toml(text.encode(), Source("penalty.toml"))
    assert isinstance(session, Session)
    return list(judge_session(session, [deal for deal in deals if isinstance(deal, Deal)]))


@pytest.mark.parametrize("totals", [[150, -50, -50, -50], [150, -100, -50, 0]], ids=["left out", "written"])
def test_a_sheet_may_have_a_penalty_in_its_totals_or_leave_it_out(totals: list[int]) -> None:
    after = [had + paid for had, paid in zip(totals, (-50, 150, -50, -50), strict=True)]
    assert [each.verdict for each in evening_with_a_penalty(totals, after)] == ["agrees", "agrees"]


def test_totals_are_to_read_what_payments_and_penalty_come_to() -> None:
    first, second = evening_with_a_penalty([150, -110, -50, 0], [100, 40, -100, -50])
    assert [each.verdict for each in (first, second)] == ["differs", "agrees"]
    assert say_set_right(first) == (
        "Ben has 10 too little. The sheet is to read: the total of Ben −100 in place of −110.",
    )


@pytest.mark.parametrize("ben", [-50, -100], ids=["left out", "written"])
def test_a_total_that_is_all_that_is_written_may_have_the_penalty_or_not(ben: int) -> None:
    first = evening_with_a_penalty([150, -50, -50, -50], [100, 100, -100, -100])[0]
    assert first.deal.stated
    written = replace(first.deal, stated=replace(first.deal.stated, totals=(None, ben, None, None)))
    (found,) = judge_session(first.session, [written])
    assert found.verdict == "agrees"
    assert say_set_right(found) == ()
