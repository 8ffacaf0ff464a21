"""Lines of a note that set right, add to or count what another line told, and rows of amounts in many ways: read, or
asked about, and never passed over."""

import pytest
from support.typed_notes import HEAD, NAMES, chat, read, told


@pytest.mark.parametrize(
    "line",
    [
        "Spiel 1 zählt nicht",
        "Spiel 1 war doch verloren",
        "zu Spiel 1: Schneider vergessen",
        "1. Spiel falsch",
        "Nachtrag: Sepp hatte Kontra gegeben",
        "dito",
        "Gleiches Spiel nochmal!",
    ],
)
def test_a_line_about_a_deal_before_is_asked_about(line: str) -> None:
    _, deals, findings = read(f"{HEAD}\nToni Wenz gewonnen\n{line}")
    assert (len(deals), [(each.rule, each.source.line) for each in findings]) == (1, [("bad-entry", 4)])


@pytest.mark.parametrize("line", ["Spiel 2: Sepp Wnez verloren", "Spiel 2: Maria Wenz verloren"])
def test_a_slip_in_a_numbered_deal_is_none_of_a_correction(line: str) -> None:
    (asked, *_) = read(f"{HEAD}\nToni Wenz gewonnen\n{line}")[2]
    assert (asked.facts["expected"].id, asked.source.deal) == ("notation.deal-word", 2)


@pytest.mark.parametrize("text", ["Spiel 1 war der Wahnsinn", "Runde 2 geht auf Lois"])
def test_talk_about_a_deal_is_talk(text: str) -> None:
    assert [each.rule for each in read(chat("Toni Wenz gewonnen", text))[2]] == ["lines-without-deal"]


def test_details_on_lines_below_a_deal_belong_to_it() -> None:
    text = "Toni Wenz\n  Ergebnis: verloren\n  Augen: 45\nSepp Solo\n  Farbe: Gras\n  - gewonnen\n  - 3 Laufende"
    _, (first, second), findings = read(f"{HEAD}\n{text}")
    assert first.stated
    assert (first.stated.won, first.stated.points, findings) == (False, 45, [])
    assert second.game
    assert second.stated
    assert (second.game.suit, second.stated.won, second.stated.runners) == ("G", True, 3)


@pytest.mark.parametrize(
    "row", ["-50/150/-50/-50", "-50;150;-50;-50", "-50 | 150 | -50 | -50", "-0,50 / 1,50 / -0,50 / -0,50"]
)
def test_amounts_of_a_row_with_signs_between_them(row: str) -> None:
    assert [deal.stated and deal.stated.payments for deal in read(f"{HEAD}\n{row}")[1]] == [(-50, 150, -50, -50)]


@pytest.mark.parametrize(
    "line",
    [
        "Toni: 0,50- Lois: 1,50+ Vroni: 0,50- Sepp: 0,50-",
        "Toni (50) Lois 150 Vroni (50) Sepp (50)",
        "T -50 L +150 V -50 S -50",
    ],
)
def test_amounts_in_a_way_that_is_not_read_are_asked_about(line: str) -> None:
    _, deals, findings = read(f"{HEAD}\nToni Wenz gewonnen\n{line}")
    assert (len(deals), [each.rule for each in findings]) == (1, ["bad-entry"])


def test_a_tariff_between_deals_is_no_day() -> None:
    (session,), deals, _ = read(f"{HEAD}\n14.11.2026\nToni Wenz gewonnen\n10/20/50\nSepp Wenz verloren")
    assert (session.date, len(deals)) == ("2026-11-14", 2)


@pytest.mark.parametrize(
    "line", ["Spiel 1 (ohne Resi): Toni Wenz gewonnen", "Ramsch (ohne Resi): Toni 30, Lois 40, Vroni 35, Sepp 15"]
)
def test_who_sits_out_stands_behind_the_number_and_in_a_ramsch(line: str) -> None:
    (deal,) = read(f"Spieler: {NAMES}, Resi\n{line}")[1]
    assert deal.sits_out == (4,)


def test_pictures_before_the_head_of_a_note() -> None:
    (session,), deals, _ = read("🃏 Schafkopf\n👥 Toni, Lois, Vroni, Sepp\n💰 10/20/50\n📅 14.11.2026\n1️⃣ Toni Wenz ✅")
    assert (session.players, session.house, session.date) == (
        ("Toni", "Lois", "Vroni", "Sepp"),
        {"tariff": "10/20/50"},
        "2026-11-14",
    )
    assert len(deals) == 1


def test_a_note_of_ours_is_read_as_before() -> None:
    assert told(f"{HEAD}\nToni Wenz gewonnen mit 74") == [("wenz", 0, True)]


TABLE = """
| Nr | Spieler | Spiel | Partner | Ergebnis | Augen | Laufende |
|---:|---|---|---|:---:|---|---|
| 1 | **Toni** | Sauspiel Eichel | Lois | + | 67 | 0 |
| 2 | | alle weiter | | | | |
| 3 | Sepp | Herzsolo | - | v | 45:75 | 3 |
"""


def test_a_table_with_strokes_between_its_cells_has_a_deal_in_each_row() -> None:
    _, deals, findings = read(f"{HEAD}\n{TABLE}")
    assert [each.rule for each in findings] == ["lines-without-deal"]
    assert told(f"{HEAD}\n{TABLE}") == [("rufspiel", 0, True), ("none", None, None), ("solo", 3, False)]
    assert [deal.partner for deal in deals] == [1, None, None]
    assert [deal.stated and (deal.stated.points, deal.stated.runners) for deal in deals] == [(67, 0), None, (45, 3)]


def test_a_row_of_such_a_table_that_is_not_understood_is_asked_about() -> None:
    _, deals, findings = read(f"{HEAD}\n{TABLE}| 4 | Toni | Wnez | | gewonnen | | |\n| 5 | Toni | Brotzeit | | | | |")
    assert (len(deals), [each.severity for each in findings]) == (3, ["error", "error", "note"])


@pytest.mark.parametrize("number", ["Spiel {}", "### Spiel {}", "{}. Spiel:"])
def test_a_block_of_parts_below_the_number_of_a_deal_is_one(number: str) -> None:
    first = f"{number.format(1)}\nSpieler: Toni\nPartner: Lois\nSpiel: Sauspiel Eichel\nErgebnis: gewonnen"
    second = f"{number.format(2)}\n- Ansager: Sepp\n- Spiel: Solo\n- Farbe: Herz\n- Augen: 45\n- Ergebnis: verloren"
    sessions, deals, findings = read(f"{HEAD}\n{first}\n\n{second}")
    assert (len(sessions), findings) == (1, [])
    assert told(f"{HEAD}\n{first}\n\n{second}") == [("rufspiel", 0, True), ("solo", 3, False)]
    assert [deal.stated and deal.stated.points for deal in deals] == [None, 45]
