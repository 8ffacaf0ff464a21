"""Notes of an evening as people type them: however they number their lines, name the players, say the tariff and the
day, and break a line. Each has the right value."""

import pytest
from support.typed_notes import read

from archive.record import Deal
from importers import typed_lines

HEAD = "Spieler: Toni, Lois, Vroni, Sepp"
NAMES = ("Toni", "Lois", "Vroni", "Sepp")
LINES = (
    "Toni ruft Eichel, mit Lois, gewonnen 67",
    "Vroni Herz-Solo verloren, Schneider",
    "alle weiter",
    "Lois Wenz, gewonnen, 2 Laufende",
    "Sepp Sauspiel auf Gras, verloren 55, mit Toni, Kontra",
)
PLAYED = ["rufspiel", "solo", "none", "wenz", "rufspiel"]
MARKS = """
1. |1 |1.|1) |1)|1.) |(1) |[1] |1: |1:|1 - |1- |1 – |1/ |1; |1, |1 = |1> |1° |#1 |#1: |Nr. 1 |Nr 1: |Nr.1 |01 |01. |1\t
Spiel 1 |Spiel 1: |1. Spiel: |1. Spiel |1.Spiel - |Sp. 1: |Sp1: |S1: |Runde 1: |Game 1: |Deal 1: |20:01 Spiel 1: |-
* 1. |- |> |→ |✅ |1️⃣ |1. - |20:01 |20:01 Uhr - |20.01 Uhr |(20:01) |[20:01] |→
"""


def contracts(deals: list[Deal]) -> list[str | None]:
    return [deal.game.contract if deal.game else None for deal in deals]


@pytest.mark.parametrize("mark", MARKS.strip("\n").replace("\n", "|").split("|"))
def test_whatever_stands_before_a_line_the_deal_is_read_and_one_that_nobody_played_counts(mark: str) -> None:
    lines = "\n".join(f"{mark.replace('1', str(number))}{line}" for number, line in enumerate(LINES, 1))
    _, deals, findings = read(f"{HEAD}\n{lines}")
    assert (contracts(deals), findings) == (PLAYED, [])


def test_a_number_that_counts_something_is_no_number_of_a_line() -> None:
    _, deals, _ = read(f"{HEAD}\n1 Klopfer, Toni Wenz gewonnen\n2 Laufende, Sepp Solo Herz gewonnen")
    assert [(deal.knocks, deal.stated and deal.stated.runner_count) for deal in deals] == [(1, None), (None, 2)]


def test_points_before_a_deal_are_no_clock_and_a_clock_is_no_points() -> None:
    _, (first,), _ = read(f"{HEAD}\n74:46 Sepp Wenz")
    assert (first.stated.points, first.stated.points_against) == (74, 46)
    _, deals, (asked, *_) = read(f"{HEAD}\nSepp Wenz gewonnen 20:15")
    assert (deals, asked.rule) == ([], "bad-entry")


@pytest.mark.parametrize(
    "line",
    [
        *("4. Was für ein Abend!", "4 Lois zahlt", "4. Toni Wenz gewonnen 20", "4. Toni Wenz verloren 70"),
        "4. Toni Wenz gewonnen 91 -50 -50 -50",
    ],
)
def test_a_numbered_line_that_is_not_understood_is_asked_about(line: str) -> None:
    numbered = [f"{number}. {text}" for number, text in enumerate(LINES[:3], 1)]
    _, deals, findings = read("\n".join((HEAD, *numbered, line, f"5. {LINES[4]}")))
    assert len(deals) == 4
    assert [each.source and each.source.line for each in findings] == [5]


def test_who_begins_a_line_that_says_how_it_ended_is_asked_what_was_played() -> None:
    _, deals, findings = read(f"{HEAD}\nToni SS Eichel m. Lois gew.\nSepp W verl\nToni zahlt die Brotzeit")
    assert not deals
    assert [each.rule for each in findings] == ["bad-entry", "bad-entry", "no-deals", "lines-without-deal"]
    lines = "Toni SS Lois g 20\nSepp W v 50\nLois Wenz 50"
    assert [each.rule for each in read(f"{HEAD}\n{lines}")[2]] == ["bad-entry"] * 3 + ["no-deals"]
    assert typed_lines.matches("chat.txt", b"14.11.26, 20:31 - Lois: Toni Wenz, verloren, 50")


@pytest.mark.parametrize(
    "words",
    "everybody passes|alle passen -> Neu geben|alle passen → nochmal|alle passen -> neu|weiter weiter weiter weiter"
    "|Alle passt|keiner will|zamgschmissa|kein Spiel|alle weiter;|3. durchgepasst".split("|"),
)
def test_a_deal_that_nobody_played_is_one(words: str) -> None:
    assert contracts(read(f"{HEAD}\n{words}")[1]) == ["none"]


@pytest.mark.parametrize(
    ("line", "partner"), [("Toni sucht die Blaue -> Lois, gewonnen", "Lois"), ("Toni calls blue → Sepp, lost", "Sepp")]
)
def test_an_arrow_leads_to_the_partner_and_blue_is_gras(line: str, partner: str) -> None:
    _, (deal,), _ = read(f"{HEAD}\n{line}")
    assert (deal.game.called, deal.partner) == ("GA", NAMES.index(partner))


def test_what_goes_on_in_the_next_line_belongs_to_the_deal() -> None:
    first, second = "Toni Sauspiel Eichel mit Lois\n  gewonnen 67, 2 Laufende", "Vroni Herzsolo\nverloren, 55 Augen"
    text = f"{HEAD}\n{first}\n{second}\nSepp Wenz gewonnen"
    _, deals, findings = read(text)
    stated = [deal.stated for deal in deals]
    facts = [(each.won, each.points, each.runner_count) for each in stated if each]
    assert facts == [(True, 67, 2), (False, 55, None), (True, None, None)]
    assert findings == []
    assert [(deal.source.line, deal.source.end_line) for deal in deals if deal.source] == [(2, 3), (4, 5), (6, 6)]


def test_rows_of_amounts_are_in_the_order_of_the_players_and_what_does_not_add_up_is_asked_about() -> None:
    _, deals, findings = read(f"{HEAD}\n1) 20 -20 20 -20\n2) 10 10 10 10\n-50; 150; -50; -50")
    assert [deal.stated and deal.stated.payments for deal in deals] == [(20, -20, 20, -20), (-50, 150, -50, -50)]
    assert [(each.rule, each.facts["entry"]) for each in findings] == [("bad-entry", "2) 10 10 10 10")]


ROWS = [(20, -20, 20, -20), (-50, 150, -50, -50), (30, 30, -30, -30)]
EACH = [list(zip(NAMES, row, strict=True)) for row in ROWS]
OF_NAME = [*zip(NAMES, *ROWS, strict=True)]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(
            f"Spiel {at}\n" + "\n".join(f"{name} {paid:+}" for name, paid in row) for at, row in enumerate(EACH, 1)
        ),
        "\n\n".join("\n".join(f"- {name}: {paid / 100:.2f} €" for name, paid in row) for row in EACH),
        ";1;2;3\n" + "\n".join(f"{name}: {one:+}, {two:+}, {three:+}" for name, one, two, three in OF_NAME),
        "\n".join(f"{name} {one:+}{two:+}{three:+}={one + two + three}" for name, one, two, three in OF_NAME),
        "\n".join(f"{name}; {one}; {two}; {three}; {one + two + three}" for name, one, two, three in OF_NAME),
        "\n".join(f"{name} {one} {two}" for name, one, two, _ in OF_NAME)
        + "\n\n"
        + "\n".join(f"{name} {three} 0" for name, *_, three in OF_NAME),
        "\n".join(f"☐ {', '.join(f'{name} {paid:+}' for name, paid in row)}" for row in EACH),
        f"{HEAD}\n20 -20 20 -20 | 20 -20 20 -20\n-50 150 -50 -50 (-30 130 -30 -70)\n30 30 -30 -30 = 0 160 -60 -100",
    ],
)
def test_amounts_in_a_line_of_each_player_or_of_each_deal_are_deals(text: str) -> None:
    assert typed_lines.matches("note.txt", text.encode())
    _, deals, findings = read(text)
    assert [deal.stated and deal.stated.payments for deal in deals][:3] == ROWS
    assert [each.rule for each in findings if each.rule != "lines-without-deal"] == []
    totals = deals[-1].stated and deals[-1].stated.totals
    assert totals == ((0, 160, -60, -100) if "160" in text else None)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        (
            "Toni 20\nLois -20\nVroni 20\nSepp -20\n\nLois 150\nVroni -50\nSepp -50\nResi -50\n\n"
            "Toni 30\nLois -30\nVroni 30\nSepp -30",
            [(4,), (0,), (4,)],
        ),
        ("Toni +20 Lois -20 Vroni +20 Sepp -20 Resi 0\n" * 2, [(4,)] * 2),
    ],
)
def test_who_has_no_line_or_nothing_at_a_table_of_five_sits_out(text: str, out: list[tuple[int, ...]]) -> None:
    _, deals, findings = read(text)
    assert ([deal.sits_out for deal in deals], findings) == (out, [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Toni +1,20\nLois -2,60\nVroni +1,20\nSepp +0,20", "amounts-once"),
        ("Toni 20 -30 0\nLois -20 130 160\nVroni 20 -30 -60\nSepp -20 -70 -100", "standings-in-lines"),
        ("Toni 20 40\nLois -20 -40\nVroni 20 40\nSepp -20 -40", "standings-in-lines"),
        ("Toni 20 30\nLois 150\nVroni 20\nSepp 10 40 50", "amounts-once"),
        ("Toni 20 -50 = -30\nLois -20 150\nVroni 20 -50\nSepp -20 -50", "standings-in-lines"),
        ("Toni 20 10 30\nLois -20 -10 -30\nVroni 20 10 30\nSepp -20 -10 -30", "standings-in-lines"),
        ("Toni: IIII II\nLois III\nVroni: I\nSepp: IIII", "tally"),
    ],
)
def test_lines_of_players_that_may_be_no_deals_are_asked_about(text: str, why: str) -> None:
    assert not typed_lines.matches("note.txt", text.encode())
    for note in (text, f"{HEAD}\n\n{text}"):
        assert [each.facts["why"].id for each in read(note)[2]] == [f"importers.{why}"]


@pytest.mark.parametrize(
    "beside",
    ["Rufspiel 10\nSolo 50\nLaufende 10", "toni III\nlois II\nvroni I", "Toni 20\nLois -20\nVroni 20\nSepp -20"],
)
@pytest.mark.parametrize("deal", ["20 -20 20 -20", "wenz toni gewonnen"])
def test_lines_of_players_beside_a_deal_keep_none_from_being_read(beside: str, deal: str) -> None:
    for text in (f"{beside}\n{HEAD}\n{deal}", f"{HEAD}\n{deal}\n{beside}"):
        assert len(read(text)[1]) == 1


NEARLY = (f"Toni {'1,11 ' * 38}x", f"Toni {'I' * 190}x", "Toni, Lois, Vroni, Sepp 20.11.2026", "Brotzeit, weiter")


@pytest.mark.parametrize("line", NEARLY)
def test_a_line_that_is_nearly_one_of_players_or_of_a_deal_is_passed_over(line: str) -> None:
    assert [each.rule for each in read(f"{HEAD}\n20 -20 20 -20\n{line}")[2]] == ["lines-without-deal"]


@pytest.mark.parametrize("above", ["Punkte Geld", "Spieler Punkte Geld", "a\nb\nc\nd\ne"])
def test_columns_with_heads_and_tables_in_a_longer_text_are_no_deals(above: str) -> None:
    text = above + "\n" + "\n".join(f"{name} {one} {two}" for name, one, two, _ in OF_NAME)
    assert not typed_lines.matches("report.txt", text.encode())
    assert not read(text)[1]


@pytest.mark.parametrize(
    ("line", "won"),
    [
        ("Toni Eichel mit Lois g", True),
        ("Sepp Wenz v", False),
        ("Toni Sau auf Gras (Lois) v, 3L", False),
        ("Lois Wenz g", None),
    ],
)
def test_a_letter_at_the_end_says_how_it_ended_unless_it_may_be_a_suit(line: str, won: bool | None) -> None:
    _, deals, findings = read(f"{HEAD}\n{line}")
    assert [deal.stated and deal.stated.won for deal in deals] == ([] if won is None else [won])
    assert bool(findings) == (won is None)


@pytest.mark.parametrize(
    ("line", "suit"),
    [
        ("Sepp Solo ❤️ gewonnen", "H"),
        ("Sepp Solo 🔔, verloren", "S"),
        ("Sepp Gras-Solo ❤️ gewonnen", "G"),
        ("Sepp Wenz ❤️", None),
    ],
)
def test_the_picture_of_a_suit_behind_a_solo_is_the_suit_unless_one_is_named(line: str, suit: str | None) -> None:
    _, (deal,), _ = read(f"{HEAD}\n{line}")
    assert deal.game.suit == suit


def test_what_each_has_won_in_all_below_the_deals_is_no_deal() -> None:
    sums = "Toni +2,60\nLois -4,10\nVroni: +1,70\nSepp -0,20"
    _, deals, findings = read(f"{HEAD}\n{LINES[0]}\n{LINES[3]}\n{sums}")
    assert (len(deals), [(each.rule, each.facts["n"]) for each in findings]) == (2, [("lines-without-deal", 4)])
    assert len(read(f"{HEAD}\n{LINES[0]}\n{LINES[3]}\n{sums.replace('+', '')}")[2]) == 1
    _, deals, findings = read(f"{HEAD}\n{LINES[0]}\n{sums.replace('0,20', '0,30')}")
    assert [each.rule for each in findings] == ["unknown-contract"] * 4


def test_in_a_chat_the_result_may_be_the_next_message() -> None:
    text = """13.11.26, 19:58 - Toni: heut samma Toni, Lois, Vroni, Sepp. 10/20/50
13.11.26, 20:12 - Sepp: Toni Sauspiel auf die Alte mit Lois
gewonnen mit 72
13.11.26, 20:25 - Sepp: 2. Lois Herz Solo
13.11.26, 20:26 - Sepp: gewonnen mit 3 Laufende
13.11.26, 20:27 - Sepp: verloren hat nur die Brotzeit
13.11.26, 20:44 - Sepp: 3) zamgschmissn
13.11.26, 20:46 - Sepp: 4 Sepp Wenz v"""
    (session,), deals, findings = read(text)
    assert (session.players, session.house, session.date) == (NAMES, {"tariff": "10/20/50"}, "2026-11-13")
    facts = [(each.won, each.points, each.runners) if each else None for each in (deal.stated for deal in deals)]
    assert facts == [(True, 72, None), (True, None, 3), None, (False, None, None)]
    assert [(each.rule, each.facts["n"]) for each in findings] == [("lines-without-deal", 2)]


# --- the players, the tariff and the day ------------------------------------------------------------------------------

DEALS = f"{LINES[0]}\n{LINES[1]}\n{LINES[3]}"
LISTS = [
    *("Spieler Toni, Lois, Vroni, Sepp", "Spieler: Toni Lois Vroni Sepp", "Spieler: Toni/Lois/Vroni/Sepp"),
    *("Spieler: Toni | Lois | Vroni | Sepp", "Spieler - Toni, Lois, Vroni, Sepp", "Spieler:\nToni\nLois\nVroni\nSepp"),
    *("Spieler:\n1. Toni\n2. Lois\n3. Vroni\n4. Sepp", "Players Toni, Lois, Vroni, Sepp", "Toni Lois Vroni Sepp"),
    *("Spieler 1: Toni\nSpieler 2: Lois\nSpieler 3: Vroni\nSpieler 4: Sepp", "Toni - Lois - Vroni - Sepp"),
    *("Es spielen Toni, Lois, Vroni und Sepp", "Sitzordnung: Toni, Lois, Vroni, Sepp", "mit Toni, Lois, Vroni, Sepp"),
    *("*Spieler:* Toni, Lois, Vroni, Sepp", "4 Spieler: Toni, Lois, Vroni, Sepp", "Runde: Toni, Lois, Vroni, Sepp"),
    *("Spieler (im Uhrzeigersinn): Toni, Lois, Vroni, Sepp", "Heute mit Toni, Lois, Vroni und Sepp"),
    *("Schafkopf: Toni, Lois, Vroni, Sepp", "We are Toni, Lois, Vroni and Sepp", "With Toni, Lois, Vroni and Sepp"),
    "Dabei waren Toni, Lois, Vroni, Sepp",
]
HEADS = {
    "Schafkopfabend 12.11.2026, Spieler: Toni, Lois, Vroni, Sepp. Tarif 10/20/50": ("10/20/50", "2026-11-12"),
    "Schafkopf 12.11.26 - Toni, Lois, Vroni, Sepp - 10/20/50": ("10/20/50", "2026-11-12"),
    "12.11.2026: Toni, Lois, Vroni, Sepp": ("unknown", "2026-11-12"),
    "12.11.2026: Toni, Lois, Vroni, Sepp\nSpieler: Toni, Lois, Vroni, Sepp": ("unknown", "2026-11-12"),
    "Abend 12.11.26 — Toni, Lois, Vroni, Sepp": ("unknown", "2026-11-12"),
    "Der Abend vom 12.11.2026 (Toni, Lois, Vroni, Sepp):": ("unknown", "2026-11-12"),
    "Abend vom 12.11.2026 (Toni, Lois, Vroni und Sepp)": ("unknown", "2026-11-12"),
    "Spieler: Toni, Lois, Vroni, Sepp (Tarif 10/20/50, ohne Farbwenz)": ("10/20/50", None),
    "Toni, Lois, Vroni, Sepp (Grund 10 Cent, Solo 50)": ("unknown", None),
    "Toni, Lois, Vroni und Sepp am 12.11.2026 im Ochsen": ("unknown", "2026-11-12"),
    "Heute spielen Toni, Lois, Vroni und Sepp um 10/20/50": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nTarif: Sauspiel 20, Solo/Wenz 50, Laufende 10": ("10/20/50", None),
    "Toni, Lois, Vroni, Sepp\nSauspiel 20 ct, Solo 50 ct, Schneider/Laufende 10 ct": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nTarif: Ruf 1 €, Soli 2 €, Schneider und Laufende 1 €": ("100/100/200", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nTarif: Sauspiel 20, Solo 50, Wenz 40, Laufende 10": (
        "Sauspiel 20, Solo 50, Wenz 40, Laufende 10",
        None,
    ),
    "Runde mit Toni/Lois/Vroni/Sepp, Tarif 10-20-50": ("10/20/50", None),
    "Am Tisch: Toni, Lois, Vroni, Sepp (5 Leute, einer setzt aus)\nTarif wie immer 10/20/50": ("10/20/50", None),
    "Toni Lois Vroni Sepp\n10/20/50, Laufende 10": ("10/20/50", None),
    "Spieler Toni Lois Vroni und Sepp": ("unknown", None),
    "Spieler: Toni, Lois, Vroni, Sepp; Tarif: 10/20/50": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp (10/20/50)": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp, Tarif 10/20/50": ("10/20/50", None),
    "Toni, Lois, Vroni, Sepp 10/20/50": ("10/20/50", None),
    "Datum: 14.11.2026\nTarif: 10/20/50\nOrt: Hirschen\nSpieler: Toni, Lois, Vroni, Sepp": ("10/20/50", "2026-11-14"),
    "Schafkopf 13.11.2026\n\nReihenfolge: Toni, Lois, Vroni, Sepp\n10/20/50": ("10/20/50", "2026-11-13"),
    "Tarif 10/20/50\nSpieler: Toni, Lois, Vroni, Sepp": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nTarif 10, 20, 50": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nTarif: 0,10-0,20-0,50 €": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nGrundtarif 10/20/50, Laufende ab 3": ("10/20/50", None),
    "Spieler: Toni, Lois, Vroni, Sepp\nam 13.11.2026": ("unknown", "2026-11-13"),
    "Spieler: Toni, Lois, Vroni, Sepp\n12/11/26": ("unknown", "2026-11-12"),
    "Spieler: Toni, Lois, Vroni, Sepp\nDatum: 11/27/2026": ("unknown", "2026-11-27"),
    "Spieler: Toni, Lois, Vroni, Sepp\nDatum: Freitag, 20. November 2026": ("unknown", "2026-11-20"),
    "Spieler: Toni, Lois, Vroni, Sepp\nDatum: 20. Nov 2026": ("unknown", "2026-11-20"),
    "Spieler: Toni, Lois, Vroni, Sepp\n5/10/20": ("5/10/20", None),
}


@pytest.mark.parametrize("text", LISTS)
def test_the_players_are_those_of_the_list_however_it_is_written(text: str) -> None:
    note = f"{text}\n\n{DEALS}"
    (session,), deals, findings = read(note)
    assert typed_lines.matches("note.txt", note.encode())
    assert (session.players, len(deals)) == (NAMES, 3)
    assert {each.rule for each in findings} <= {"lines-without-deal"}


@pytest.mark.parametrize("text", HEADS)
def test_the_tariff_and_the_day_stand_before_beside_or_behind_the_players(text: str) -> None:
    (session,), deals, _ = read(f"{text}\n\n{DEALS}")
    assert (session.players, len(deals)) == (NAMES, 3)
    assert ((session.house or {}).get("tariff"), session.date) == HEADS[text]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ("Toni, Lois, Vroni, Resi\n20 -20 20 -20", "Toni, Lois, Vroni, Resi"),
        ("Neue Runde: Toni, Lois, Vroni, Resi\nToni Wenz verloren", "Toni, Lois, Vroni, Resi"),
        ("Tisch 2: Toni, Beni, Xari, Resi\nToni Wenz verloren", "Toni, Beni, Xari, Resi"),
        ("Neue Sitzordnung: Sepp, Lois, Vroni, Toni\nToni Wenz verloren", "Sepp, Lois, Vroni, Toni"),
        ("Spieler: Toni, Beni, Xari, Resi\nTarif: 10/20/50\nBeni Wenz verloren", "Toni, Beni, Xari, Resi"),
        ("Toni, Lois, Vroni, Sepp\nToni Wenz verloren", "Toni, Lois, Vroni, Sepp"),
        ("Rangliste: Sepp, Lois, Vroni, Toni\nToni Wenz verloren", ""),
        ("Rangliste 19.11.2026: Sepp, Lois, Vroni, Toni\nToni Wenz verloren", ""),
        ("Ich komme am 19.11.2026 mit Toni, Lois, Resi\nToni Wenz verloren", ""),
        ("Neue Runde: Toni, Lois, Vroni, Sepp\nToni Wenz verloren", ""),
        ("Danke Lois, Toni, Vroni, Resi\nToni Wenz verloren", ""),
        ("Toni, Lois, Resi\nToni Wenz verloren", ""),
        ("Zu dritt weiter: Toni, Lois, Resi\nToni Wenz verloren", "Toni, Lois, Resi"),
        ("Weiter mit Toni, Lois, Resi\nToni Wenz verloren", "Toni, Lois, Resi"),
        ("Ohne Sepp: Toni, Lois, Resi\nToni Wenz verloren", "Toni, Lois, Resi"),
        ("19.11.2026: Toni, Lois, Resi\nToni Wenz verloren", "Toni, Lois, Resi"),
        ("Heute mit Toni, Lois, Resi\nToni Wenz verloren", "Toni, Lois, Resi"),
        ("19.11.2026: Toni, Lois, Vroni, Sepp\nToni Wenz verloren", "Toni, Lois, Vroni, Sepp"),
    ],
)
@pytest.mark.parametrize("head", [HEAD, ", ".join(NAMES)])
def test_another_table_may_sit_down_in_the_course_of_a_note(head: str, text: str, players: str) -> None:
    sessions, deals, _ = read(f"{head}\n{LINES[3]}\n{text}")
    assert [", ".join(each.players) for each in sessions[1:]] == [players] * bool(players)
    assert [deal.source and deal.source.deal for deal in deals] == [1, 1 if players else 2]


def test_another_table_of_three_may_be_written_small() -> None:
    sessions, deals, _ = read("toni, lois, vroni\ntoni wenz verloren\nvroni, toni, resi\nresi wenz verloren")
    assert ([each.players for each in sessions][1:], len(deals)) == ([("vroni", "toni", "resi")], 2)


def test_each_table_has_the_tariff_beside_its_players() -> None:
    other = "Tisch 2: Beni, Xari, Resi, Kathi\n20/50/100\nBeni Wenz verloren"
    sessions, deals, _ = read(f"{HEAD}\n10/20/50\n{LINES[3]}\n{other}")
    assert ([(each.house or {})["tariff"] for each in sessions], len(deals)) == (["10/20/50", "20/50/100"], 2)


@pytest.mark.parametrize("more", [" (Grund 10 Cent, Solo 50)", "\n10/20/50, Laufende 10"])
def test_what_else_stands_in_the_head_is_counted(more: str) -> None:
    _, deals, findings = read(f"{HEAD}{more}\n{LINES[3]}")
    assert (len(deals), [each.rule for each in findings]) == (1, ["lines-without-deal"])


def test_who_comes_later_is_asked_about_in_brackets_behind_the_players_too() -> None:
    (session,), _, (asked, *_) = read(f"{HEAD} (ab Spiel 3 Resi für Sepp)\n{LINES[3]}")
    assert (session.players, asked.facts["expected"].id) == (NAMES, "importers.stand-in-line")


@pytest.mark.parametrize("name", ["kleine Anna M.", "unsere liebe Resi", "🐻"])
def test_a_name_may_have_several_words_or_none(name: str) -> None:
    assert read(f"Spieler: Toni, Lois, Vroni, Sepp, {name}\n{DEALS}")[0][0].players == (*NAMES, name)


@pytest.mark.parametrize(
    "line", ["Spieler: Toni=T, Lois=L, Vroni=V, Sepp=S", "Spieler: vier", f"{HEAD}, gespielt bei Uli", f"{HEAD}, 10"]
)
def test_a_list_that_names_no_table_is_asked_about_by_its_line(line: str) -> None:
    sessions, deals, (asked, *_) = read(f"{line}\n{DEALS}")
    assert (sessions, deals) == ([], [])
    assert (asked.rule, asked.source and asked.source.line) == ("bad-entry", 1)


def test_a_deal_that_names_a_partner_is_no_list_of_players() -> None:
    (session,), deals, _ = read(f"{HEAD}\n{LINES[0]}\nSepp Rufspiel Gras, Mitspieler: Toni, 3 Laufende, gewonnen")
    assert (session.players, len(deals)) == (NAMES, 2)


# --- as people say it -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "doubles"),
    [
        ("Toni Wenz, Lois gibt Kontra, gewonnen", [(1, "kontra")]),
        ("Toni Wenz verloren, Kontra gab Sepp", [(3, "kontra")]),
        ("Toni Wenz verloren, Lois spritzt, Toni spritzt zurück", [(1, "kontra"), (0, "re")]),
    ],
)
def test_who_gives_kontra_has_doubled_and_does_not_deal(line: str, doubles: list[tuple[int, str]]) -> None:
    _, (deal,), findings = read(f"{HEAD}\n{line}")
    assert isinstance(deal.doubles, tuple)
    assert ([(each.seat, each.word) for each in deal.doubles], deal.dealer, findings) == (doubles, None, [])


@pytest.mark.parametrize(
    ("line", "knocks"),
    [
        ("Toni und Lois klopfen, Vroni Wenz gewonnen", (0, 1)),
        ("Vroni Wenz gewonnen, Toni u. Lois geklopft", (0, 1)),
        ("Vroni Wenz gewonnen, Klopfer: Toni, Sepp", (0, 3)),
        ("Vroni Wenz gewonnen und Sepp klopft", (3,)),
    ],
)
def test_all_who_are_named_with_a_knock_have_knocked(line: str, knocks: tuple[int, ...]) -> None:
    _, (deal,), findings = read(f"{HEAD}\n{line}")
    assert (deal.knocks, deal.game.declarer, deal.partner, findings) == (knocks, 2, None, [])


@pytest.mark.parametrize(
    "line",
    [
        "Ramsch Toni gewonnen",
        "Klopfer Toni Lois Sepp Wenz gewonnen",
        "Toni Wenz, Lois und Sepp Kontra",
        "S Solo gewonnen",
        "R Eichel mit Toni gewonnen",
        "X/Y Eichel gewonnen",
        "Toni ruft de Ald, mit Sepp",
        "Toni +150, Rest -40",
        "Toni Solo Herz - 0,80",
        "Toni Solo Herz gewonnen mit 3, 4 Laufende",
        "Toni +0.500 Lois -0.500 Vroni +0.500 Sepp -0.500",
    ],
)
def test_what_may_mean_two_things_is_asked_about(line: str) -> None:
    _, deals, (asked, *_) = read(f"{HEAD}\n{line}")
    assert (deals, asked.source and asked.source.line) == ([], 2)


def test_a_row_is_of_no_deal_that_nobody_played_nor_of_one_below_a_row_and_a_number_begins_a_deal() -> None:
    row = "20 -20 20 -20"
    _, deals, _ = read(f"{HEAD}\n{row}\nToni Wenz gewonnen\n{row}\nalle weiter\n{row}")
    assert [bool(deal.stated and deal.stated.payments) for deal in deals] == [True, False, True, False, True]
    assert [each.rule for each in read(f"{HEAD}\n1. Wenz\n2. Toni gewonnen")[2]][:1] == ["unknown-contract"]
    assert len(read(f"{HEAD}\n1. Toni Wenz gewonnen\n2. {row}")[1]) == 2
    named = "Toni/Vroni +20\nLois/Sepp -20"
    _, deals, _ = read(f"{HEAD}\nToni Wenz gewonnen\n{named}\nLois Wenz verloren\n{named}\n{named}\nSepp Wenz\n{named}")
    assert [bool(deal.stated and deal.stated.payments) for deal in deals] == [True, True, True, False, True]
    assert len(read(f"{HEAD}\nToni Wenz gewonnen\nLois Wenz verloren\n{named}")[1]) == 3


@pytest.mark.parametrize(
    ("line", "declarer", "partner"),
    [("T. Wenz gewonnen", 0, None), ("Vr. mit Se. auf die Blaue verloren", 2, 3), ("V/T Eichel gewonnen", 2, 0)],
)
def test_the_first_letters_of_a_name_call_a_player_if_they_are_of_no_other(
    line: str, declarer: int, partner: int | None
) -> None:
    _, (deal,), findings = read(f"{HEAD}\n{line}")
    assert (deal.game.declarer, deal.partner, findings) == (declarer, partner, [])


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("Toni hat seinen Wenz verkackt", ("wenz", None, False)),
        ("Toni spielt ein Herz-Solo und hat gewonnen mit 62", ("solo", "H", True)),
        ("Toni m. Lois uff die Blaue gewunn", ("rufspiel", "G", True)),
        ("Toni auf ♠ mit Lois verlore", ("rufspiel", "G", False)),
        ("Toni Wenz\nund hat verloren", ("wenz", None, False)),
        ("Zuerst hod da Toni an Eichl-Wenz gspuit, gwonna", ("farbwenz", "E", True)),
        ("Toni auf de Oid, da Lois is dabei gwen, gwonna hams", ("rufspiel", "E", True)),
        ("De Toni rieft die Grea, Lois ist der Partner, gewunne", ("rufspiel", "G", True)),
        ("Toni Ruf Schelln Lois gew", ("rufspiel", "S", True)),
        ("Toni Alte m. Lois +, 2L", ("rufspiel", "E", True)),
        ("Toni auf die 🔔 mit Lois gewonnen, jeder zahlt 50 Cent", ("rufspiel", "S", True)),
        ("Tonis Wenz ganz knapp verloren", ("wenz", None, False)),
        ("Kontra verloren: Toni Wenz", ("wenz", None, False)),
        ("Toni Wenztout gew., 91 (gelegt: Lois, Sepp)", ("wenz", None, True)),
        ("Toni hod grad endlich a Herz-Solo locker gwunna, 50 Cent von jedem", ("solo", "H", True)),
        ("Toni Geier Niederlage, Sepp hat Kontra gesagt", ("geier", None, False)),
        ("Toni Wenz gwunna, Sepp hat gschossen", ("wenz", None, True)),
    ],
)
def test_a_deal_is_told_as_people_talk(line: str, facts: tuple[str, str | None, bool]) -> None:
    _, (deal,), findings = read(f"{HEAD}\n{line}")
    assert ((deal.game.contract, deal.game.suit, deal.stated.won), findings) == (facts, [])


def test_a_line_with_a_game_of_its_own_does_not_go_on_with_the_deal_above() -> None:
    _, deals, findings = read(f"{HEAD}\nToni Wenz\nKlopfer Lois, Sepp Wenz gewonnen")
    assert ([deal.game and deal.game.declarer for deal in deals], findings) == ([0, 3], [])


@pytest.mark.parametrize("line", ["Korrektur: Toni Wenz verloren", "nein, mit Lois", "ne verloren"])
def test_a_line_that_corrects_a_deal_is_asked_about_in_a_note_too(line: str) -> None:
    _, (deal,), (asked, *others) = read(f"{HEAD}\nToni Wenz gewonnen\n{line}")
    assert (deal.stated and deal.stated.won, asked.source and asked.source.line, others) == (True, 3, [])
    assert asked.rule == "bad-entry"


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Spieler: Toni, Lois, Vroni, Hans M.", "Hans M."),
        ("Toni, Lois, Vroni, Hans M.", "Hans M."),
        ("Heute mit Toni, Lois, Vroni und Sepp jun.", "Sepp jun."),
        ("Am Tisch: Toni, Lois, Vroni, Hans M., 10/20/50", "Hans M."),
        ("Spieler: Toni, Lois, Vroni, Sepp.", "Sepp"),
    ],
)
def test_the_dot_of_an_initial_at_the_end_of_the_players_is_part_of_the_name(text: str, last: str) -> None:
    sessions, deals, _ = read(f"{text}\nTarif: 10/20/50\n\nToni Wenz, gewonnen\n")
    assert [each.players for each in sessions] == [("Toni", "Lois", "Vroni", last)]
    assert contracts(deals) == ["wenz"]
