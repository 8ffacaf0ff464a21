"""Marks of those who sit out, fees beside the players, and words in front of a row or in its note."""

import pytest
from support.evening_sheets import asked, items_of, paid, rows

from archive.record import Deal, Session, Source
from importers import score_sheet

SIX = ("Jo", "Tom", "Ida", "Kai", "Max", "Pia")
MARKED = rows(
    "Spiel;Spieler;Jo;Tom;Ida;Kai;Max;Pia",
    "Wenz;Max;-750;{0};-750;{0};2250;-750",
    "Wenz;Ida;-1250;{0};3750;-1250;{0};-1250",
    "Geier;Ida;250;250;-750;{0};250;{0}",
)


@pytest.mark.parametrize("mark", ["x", "G", "/", "frei"])
def test_a_player_who_mostly_sits_out_has_his_amounts(mark: str) -> None:
    items = items_of(MARKED.format(mark))
    assert paid(items, SIX) == [
        (-750, 0, -750, 0, 2250, -750),
        (-1250, 0, 3750, -1250, 0, -1250),
        (250, 250, -750, 0, 250, 0),
    ]
    assert [item.sits_out for item in items if isinstance(item, Deal)] == [(1, 3), (1, 4), (3, 5)]
    assert asked(items) == []


def test_two_columns_of_fees_are_no_players() -> None:
    head = "Geber;Grundpreis;Strafe;Berg;Sigi;Herz;Graf"
    items = items_of(rows(head, "Berg;40;3;40;40;40;-120", "Sigi;30;1;30;30;-90;30", "Herz;20;4;-20;20;-20;20"))
    assert [item.players for item in items if isinstance(item, Session)] == [("Berg", "Sigi", "Herz", "Graf")]
    assert paid(items, ("Berg", "Sigi", "Herz", "Graf")) == [(40, 40, 40, -120), (30, 30, -90, 30), (-20, 20, -20, 20)]


def test_a_price_that_a_player_always_wins_is_no_player() -> None:
    items = items_of(rows("Anna;Ben;Cem;Dora;Grundpreis", "40;-120;40;40;40", "20;20;-20;-20;20", "80;-80;-80;80;80"))
    assert paid(items) == [(40, -120, 40, 40), (20, 20, -20, -20), (80, -80, -80, 80)]


def test_short_heads_of_remarks_are_no_players() -> None:
    items = items_of(
        rows("Spiel;Anm.;Bier;Anna;Ben;Cem;Dora", "Solo;3 Laufende;1;240;-80;-80;-80", "Wenz;;2;-50;-50;150;-50")
    )
    assert paid(items) == [(240, -80, -80, -80), (-50, -50, 150, -50)]


@pytest.mark.parametrize("note", ["Brotzeit", "Pause", "bezahlt"])
@pytest.mark.parametrize("order", [1, -1])
def test_amounts_of_a_deal_with_a_break_in_the_note_are_asked_about(note: str, order: int) -> None:
    lines = [
        ["Bemerkung", *"ABCD"],
        ["", "50", "-50", "50", "-50"],
        [note, "-90", "30", "30", "30"],
        ["", "20", "20", "-20", "-20"],
    ]
    data = "\n".join(";".join(line[::order]) for line in lines).encode()
    items = list(score_sheet.read(data, Source("sheet.csv")))
    assert paid(items, tuple("ABCD")) == [(50, -50, 50, -50), (20, 20, -20, -20)]
    assert asked(items) == [(3, "void-note")]


@pytest.mark.parametrize("text", ["Pause", "*** Bockrunde ***", "Neuer Geber"])
@pytest.mark.parametrize("head", ["Anna;Ben;Cem;Dora;Emil;Spiel;Spieler", "Anna;Ben;Cem;Dora;Emil"])
def test_a_remark_alone_in_the_column_of_a_player_is_no_deal(text: str, head: str) -> None:
    games = ["Wenz;Ben", "Geier;Anna"] if "Spiel" in head else ["", ""]
    deals = [f"{one};{game}" for one, game in zip(["20;-60;20;20;", "-150;50;50;;50"], games, strict=True)]
    items = items_of(rows(head, deals[0], text, deals[1]))
    assert paid(items, (*"Anna Ben Cem Dora Emil".split(),)) == [(20, -60, 20, 20, 0), (-150, 50, 50, 0, 50)]
    assert asked(items) == []
