"""Several tables in one sheet, each with its own head and players: below each other, beside each other."""

import pytest
from support.writers.score_sheet import as_csv, as_workbook

from archive.record import Deal, Finding, Session, Source
from importers import score_sheet

HEAD = ["Nr", "Spiel", "Spieler", "Mitspieler"]
FIRST, SECOND = ["Anna", "Ben", "Cem", "Dora"], ["Emil", "Fritz", "Gabi", "Hans"]
ROWS = {
    "Anna": [["1", "Sauspiel auf die Alte", "Anna", "Cem", "20", "-20", "20", "-20"],
             ["2", "Wenz", "Dora", "", "-50", "-50", "-50", "150"],
             ["Summe", "", "", "", "-30", "-70", "-30", "130"]],
    "Emil": [["1", "Herz-Solo", "Emil", "", "150", "-50", "-50", "-50"],
             ["2", "Wenz", "Gabi", "", "-50", "-50", "150", "-50"],
             ["3", "Sauspiel auf die Blaue", "Hans", "Emil", "20", "-20", "-20", "20"]],
}  # fmt: skip
Table = list[list[str]]


def below() -> Table:
    date = ["Vereinsabend 20.11.2026"]
    return [date, ["Tisch 1"], HEAD + FIRST, *ROWS["Anna"], [], ["Tisch 2"], HEAD + SECOND, *ROWS["Emil"]]


def beside() -> Table:
    left = [["Abend am 20.11.2026", *[""] * 7], HEAD + FIRST, *ROWS["Anna"]]
    right = [["Tisch 2", *[""] * 7], HEAD + SECOND, *ROWS["Emil"]]
    return [[*one, "", *other] for one, other in zip(left, right, strict=True)]


@pytest.mark.parametrize("table", [below(), beside()], ids=["below", "beside"])
@pytest.mark.parametrize("write", [as_csv, as_workbook])
def test_each_table_is_an_evening_of_its_players(table: Table, write: object) -> None:
    items = list(score_sheet.read(write(table), Source("sheet.csv")))  # type: ignore[operator]
    sessions = [item for item in items if isinstance(item, Session)]
    assert [(each.players, each.date) for each in sessions] == [
        (tuple(FIRST), "2026-11-20"),
        (tuple(SECOND), "2026-11-20"),
    ]
    assert [item for item in items if isinstance(item, Finding)] == []
    deals = [item for item in items if isinstance(item, Deal)]
    assert [deal.stated and deal.stated.payments for deal in deals] == [
        *((20, -20, 20, -20), (-50, -50, -50, 150)),
        *((150, -50, -50, -50), (-50, -50, 150, -50), (20, -20, -20, 20)),
    ]
    assert [deal.source.deal for deal in deals if deal.source] == [1, 2, 1, 2, 3]


def test_a_head_that_is_repeated_below_a_date_begins_another_evening() -> None:
    head = HEAD + FIRST
    rows = [["Abend vom 13.11.2026"], head, *ROWS["Anna"], ["Abend vom 20.11.2026"], head, *ROWS["Anna"][:1]]
    sessions = [each for each in score_sheet.read(as_csv(rows), Source("a.csv")) if isinstance(each, Session)]
    assert [each.date for each in sessions] == ["2026-11-13", "2026-11-20"]


def test_a_head_on_every_page_is_no_other_table() -> None:
    rows = [HEAD + FIRST, ROWS["Anna"][0], HEAD + FIRST, ROWS["Anna"][1]]
    assert sum(isinstance(each, Session) for each in score_sheet.read(as_csv(rows), Source("a.csv"))) == 1
