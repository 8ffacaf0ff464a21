"""A sheet of names and amounts alone is read with a slip in it: a table is known by its shape, not by being right."""

from collections.abc import Sequence

import pytest

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Source
from importers import find, score_sheet

NAMES = ("Anni", "Beppo", "Centa", "Dammerl", "Emmi")
PRICES = (20, 30, -50, 20, 60, 50, -20, 40, 30, -50, 70, 20)
Rows = list[list[int]]


def evening(seats: int) -> Rows:
    """Twelve deals of so many players, one against the others at three, two against two else; of five one sits out."""
    made = []
    for n, price in enumerate(PRICES):
        row = [0] * seats
        sitting = [seat for seat in range(seats) if seats < 5 or seat != n % 5]
        winners = sitting[n % 2 :: 2] if len(sitting) == 4 else [sitting[n % 3]]
        for seat in sitting:
            row[seat] = price * (1 if len(sitting) == 4 else 2) if seat in winners else -price
        made.append(row)
    return made


def sums(rows: Rows) -> list[int]:
    return [sum(column) for column in zip(*rows, strict=True)]


def text(rows: Rows, foot: Sequence[int], numbered: bool, comma: bool) -> bytes:
    def cell(amount: int) -> str:
        return f"{amount / 100:.2f}".replace(".", ",") if comma else str(amount)

    lines = [["Nr"] * numbered + [*NAMES[: len(rows[0])]]]
    lines += [[str(n)] * numbered + list(map(cell, row)) for n, row in enumerate(rows, 1)]
    lines += [["Summe"] * numbered + list(map(cell, foot))] if foot else []
    return "".join(";".join(line) + "\n" for line in lines).encode()


def judged(data: bytes) -> tuple[list[Deal], list[tuple[str, int]]]:
    """The deals that are read, and the findings with their lines."""
    assert find("abend.csv", data) == (score_sheet,)
    items = list(score_sheet.read(data, Source("abend.csv")))
    found: list[Finding] = [item for item in items if isinstance(item, Finding)]
    for each in judge_stream(item for item in items if not isinstance(item, Finding)):
        found += each.findings if isinstance(each, Judgement) else []
    lines = [(each.rule, each.source.line or 0) for each in found if each.source and each.severity != "note"]
    return [item for item in items if isinstance(item, Deal)], lines


SHAPES = [(seats, numbered, comma) for seats in (3, 4, 5) for numbered in (True, False) for comma in (True, False)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("seats", "numbered", "comma"), SHAPES)
def test_a_wrong_sign_is_named_and_all_twelve_rows_are_kept(seats: int, numbered: bool, comma: bool) -> None:
    rows = evening(seats)
    seat = next(n for n, own in enumerate(rows[4]) if own)
    rows[4][seat] *= -1
    deals, found = judged(text(rows, [], numbered, comma))
    assert len(deals) == 12
    assert found == [("stated-sum", 6)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("seats", "numbered", "comma"), SHAPES)
def test_a_row_that_is_ten_off_is_named_and_kept(seats: int, numbered: bool, comma: bool) -> None:
    rows = evening(seats)
    rows[6][next(n for n, own in enumerate(rows[6]) if own)] += 10
    deals, found = judged(text(rows, [], numbered, comma))
    assert len(deals) == 12
    assert found == [("stated-sum", 8)]


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("comma", [True, False])
def test_a_sum_that_is_ten_off_is_named(seats: int, comma: bool) -> None:
    rows = evening(seats)
    foot = sums(rows)
    foot[1] += 10
    deals, found = judged(text(rows, foot, True, comma))
    assert len(deals) == 12
    assert found == [("stated-totals", 13)]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_sums_without_a_word_that_are_ten_off_are_asked_about(seats: int) -> None:
    rows = evening(seats)
    foot = sums(rows)
    foot[1] += 10
    deals, found = judged(text(rows, foot, False, False))
    assert len(deals) == 12
    assert found == [("row-unclear", 14)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("seats", "numbered", "comma"), SHAPES)
def test_running_totals_with_a_slip_are_read_and_the_row_is_named(seats: int, numbered: bool, comma: bool) -> None:
    totals, had = [], [0] * seats
    for row in evening(seats):
        had = [a + b for a, b in zip(had, row, strict=True)]
        totals.append(had)
    for row in totals[5:]:
        row[1] += 10
    deals, found = judged(text(totals, [], numbered, comma))
    assert len(deals) == 12
    assert found == [("totals-sum", 7)]
    paid = [deal.stated.payments for deal in deals if deal.stated]
    assert [n for n, each in enumerate(paid) if each is None] == [5]


@pytest.mark.parametrize("count", range(5, 12))
def test_few_running_totals_are_known_with_a_slip_in_any_row(count: int) -> None:
    """Whoever declares, with a partner or alone."""
    rows = []
    for n, price in enumerate(PRICES[:count]):
        side = {n % 4, (n + 1 + n // 4) % 4} if n % 3 else {n % 4}
        won = price if len(side) == 2 else 3 * price
        rows.append([won if seat in side else -price for seat in range(4)])
    totals = [sums(rows[: n + 1]) for n in range(count)]
    for wrong in range(1, count):
        with_slip = [[*row] for row in totals]
        with_slip[wrong][3] += 10
        deals, named = judged(text(with_slip, (), True, False))
        assert [deal.stated.totals for deal in deals if deal.stated] == list(map(tuple, with_slip)), wrong
        assert wrong + 2 in {line for _, line in named}


def test_sums_of_each_page_are_no_slip() -> None:
    """Two pages with sums of their own rows: each is added to those above."""
    rows = evening(4)
    lines = text(rows, [], True, False).decode().splitlines()
    page = [";".join(["Summe", *map(str, sums(part))]) for part in (rows[:6], rows[6:])]
    deals, found = judged("\n".join([*lines[:7], page[0], *lines[7:], page[1]]).encode())
    assert len(deals) == 12
    assert not found


def test_a_page_that_is_carried_on_wrongly_is_named() -> None:
    rows = evening(4)
    lines = text(rows, [], True, False).decode().splitlines()
    wrong = sums(rows[:6])
    wrong[2] += 20
    carried = [";".join([word, *map(str, each)]) for word, each in (("Summe", sums(rows[:6])), ("Übertrag", wrong))]
    deals, found = judged("\n".join([*lines[:7], *carried, *lines[7:]]).encode())
    assert len(deals) == 12
    assert found == [("restated-otherwise", 10)]
