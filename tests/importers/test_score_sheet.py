"""Score sheets: what a sheet holds comes back, a cell that is not understood costs its row, and nothing is guessed."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.forty import forty
from support.items import Read, bare, by_kind
from support.paths import ROOT
from support.patience import without_hanging
from support.thorough import examples
from support.writers.score_sheet import as_csv, as_workbook, held, rows, write

from archive.judge import Judgement
from archive.judge.judge_stream import judge_stream
from archive.notation import read_lines, write_line
from archive.notation.game_words import words_of_rules
from archive.record import Carry, Deal, Double, Finding, Game, Session, Source, Stated
from archive.record.names import one_form
from archive.rules import load
from archive.say import say
from importers import find, score_sheet
from importers.score_sheet.amount_columns import plain_name
from importers.score_sheet.cells import parse_amount, sheet_words
from importers.score_sheet.columns import MAPPING_NAME
from importers.score_sheet.game_cells import result_fields
from importers.score_sheet.rows import RULES
from importers.score_sheet.tables import ROWS

VALID = ROOT / "sample_games" / "valid"
HEAD, DEALS = forty()
SHEET = rows(HEAD, DEALS)
PLAYERS = ("Anna", "Ben", "Cem", "Dora")
PLAIN = [
    ["Nr", "Spiel", "Spieler", "Mitspieler", "Ergebnis", *PLAYERS],
    ["1", "Rufspiel Eichel", "Anna", "Cem", "gewonnen mit 70", "20", "-20", "20", "-20"],
    ["2", "Herz-Solo", "Ben", "", "verloren mit 50", "50", "-150", "50", "50"],
    ["3", "Wenz", "Dora", "", "gewonnen", "-50", "-50", "-50", "150"],
]


def read(data: bytes, path: str = "sheet.csv") -> Read:
    return by_kind(score_sheet.read(data, Source(path, sha256="abc")))


def sheet(*lines: list[Any]) -> Read:
    return read(as_csv(list(lines)))


def one(heads: str, cells: str) -> Read:
    """A sheet of one deal: more columns, by their heads, before those of the players' amounts."""
    return sheet([*heads.split(";"), *PLAYERS], [*cells.split(";"), "20", "-20", "20", "-20"])


def deal_of(heads: str, cells: str) -> Deal:
    _, deals, findings = one(heads, cells)
    assert not findings
    return deals[0]


def stated_of(heads: str, cells: str) -> Stated:
    stated = deal_of(heads, cells).stated
    assert stated
    return stated


def inferred(sessions: list[Session], key: str) -> list[str]:
    return [text for session in sessions for text in session.inferred or () if text.startswith(f"{key}:")]


# --- what a sheet holds comes back ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "language"), [(0, "german"), (1, "english")])
def test_forty_deals_come_back_as_far_as_a_sheet_holds_them(place: int, language: str) -> None:
    data = write(HEAD, DEALS)[place]
    assert [importer.NAME for importer in find("evening", data)] == ["score-sheet"]
    sessions, deals, findings = read(data)
    assert not findings
    assert bare(deals) == [held(HEAD, deal, language)[1] for deal in DEALS]
    assert [replace(each, source=None, x=None) for each in sessions] == [held(HEAD, DEALS[0])[0]]


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_sheet_is_read_whatever_parts_its_cells_and_encodes_its_letters(delimiter: str, encoding: str) -> None:
    table = [PLAIN[0], ["1", "Sauspiel auf die Grün", "Jörg", "", "", "0,50 €", "-0,50 €", "0,50 €", "-0,50 €"]]
    table = [[cell.replace("Anna", "Jörg") for cell in row] for row in table]
    data = as_csv(table, delimiter).decode().encode(encoding)
    assert score_sheet.matches("x", data)
    _, deals, findings = read(data)
    assert not findings
    assert deals[0].game == Game("rufspiel", 0, "G", "GA")
    assert deals[0].stated == Stated(payments=(50, -50, 50, -50))


def test_rows_and_lines_of_the_file_are_told() -> None:
    table = [["Stammtisch"], [], *PLAIN]
    table[3][4] = "gewonnen\nmit 70"
    _, deals, _ = sheet(*table)
    table[3][4] = "gewonnen mit 70"
    places = [(deal.source.line, deal.source.end_line, deal.source.deal) for deal in deals if deal.source]
    assert places == [(4, 5, 1), (6, 6, 2), (7, 7, 3)]


def test_every_worksheet_is_a_session_and_its_findings_name_it() -> None:
    broken = [PLAIN[0], ["1", "Hallma", *PLAIN[1][2:]], PLAIN[2]]
    sessions, deals, findings = read(as_workbook(PLAIN, [], broken))
    assert [session.x for session in sessions] == [{"sheet": "Sheet"}, {"sheet": "Sheet2"}]
    assert [deal.no for deal in deals] == [1, 2, 3, 2]
    assert findings[0].message.startswith("Sheet2: Spiel: 'Hallma' cannot be read")


# --- cells ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("heads", "cells", "key", "value"),
    [
        *(
            (heads, f"{text};{name}", "game", game)
            for heads, name in (("Spielart;Ansager", "Anna"), ("Contract;Declarer", "anna"))
            for text, game in (
                ("Sauspiel auf die Alte", Game("rufspiel", 0, "E", "EA")),
                ("Rufspiel (Schellen-Sau)", Game("rufspiel", 0, "S", "SA")),
                ("Herz-Solo Tout", Game("solo", 0, "H", words=("tout",))),
                ("Wenz", Game("wenz", 0)),
                ("suit wenz, acorns", Game("farbwenz", 0, "E")),
                ("Geier", Game("geier", 0)),
                ("Call Acorns", Game("rufspiel", 0, "E", "EA")),
                ("R-E", Game("rufspiel", 0, "E", "EA")),
                ("S H", Game("solo", 0, "H")),
            )
        ),
        # suit and Tout may have columns of their own
        ("Spiel;Farbe;Tout;Spieler", "Solo;Herz;x;Ben", "game", Game("solo", 1, "H", words=("tout",))),
        ("Spiel;Spieler + Partner", "Ruf;Anna + Cem", "partner", 2),
        ("Which game?;Who played?", "Wenz;Ben", "game", Game("wenz", 1)),
        ("Spiel;Spieler;Mitspieler", "Kreuz;Anna;Cem", "game", Game("kreuz", 0)),
        ("Spiel;Farbe;Spieler;Mitspieler", "Eichel;Eichel;Anna;Cem", "game", Game("rufspiel", 0, "E", "EA")),
        *(("Nr", text, "no", 3) for text in ("3", "3.", "3)", "3.0", "#3", "Nr.3", "No. 3:", "Spiel 3", "Spiel Nr. 3")),
        ("Spiel;Farbe;Tout;Spieler", "Wenz;;nein;Ben", "game", Game("wenz", 1)),
        # a result, whose words are kept
        *(
            ("Spiel;Ergebnis", f"Wenz;{text}", "stated", Stated(payments=(20, -20, 20, -20), result=text, **stated))
            for text, stated in (
                ("won 91", {"won": True, "points": 91}),
                ("verloren mit 53", {"won": False, "points": 53}),
                ("gewonnen, Schneider", {"won": True, "schneider": True}),
                ("Schwarz", {"schwarz": True}),
                ("verloren (normal)", {"won": False, "schneider": False, "schwarz": False}),
                ("91:29", {"points": 91, "points_against": 29}),
                ("g 75", {"won": True, "points": 75}),
                ("v 70", {"won": False, "points": 70}),  # of a Ramsch
            )
        ),
        ("Spiel;Augen", "Wenz;91-29", "stated", Stated(payments=(20, -20, 20, -20), points=91, points_against=29)),
        ("Spiel;Lauf", "Wenz;L4", "stated", Stated(payments=(20, -20, 20, -20), runner_count=4)),
        ("Spiel", "Ramsch 2 Jungfrauen", "stated", Stated(payments=(20, -20, 20, -20), virgins=2)),
        ("Spiel;Ergebnis", "Wenz;77", "stated", Stated(payments=(20, -20, 20, -20), points=77)),
        # knocks and doublings are names or a count
        ("Spiel;Klopfer", "Wenz;Ben, Dora", "knocks", (1, 3)),
        ("Spiel;Klopfer", "Wenz;Ben und Dora", "knocks", (1, 3)),
        ("Spiel;Klopfer", "Wenz;2", "knocks", 2),
        ("Spiel;Klopfer", "Wenz;-", "knocks", ()),
        ("Spiel;Klopfer", "Wenz;x", "knocks", 1),
        ("Spiel;Klopfer", "Wenz;", "knocks", None),
        ("Spiel;Kontra", "Wenz;Ben", "doubles", (Double(1, "kontra"),)),
        ("Spiel;Kontra", "Wenz;Kontra Ben / Re Anna", "doubles", (Double(1, "kontra"), Double(0, "re"))),
        ("Spiel;Kontra", "Wenz;Ben, Anna, Ben", "doubles", (Double(1, "kontra"), Double(0, "re"), Double(1, "double"))),
        ("Spiel;Kontra", "Wenz;Kontra, Re", "doubles", 2),
        ("Spiel;Kontra", "Wenz;1", "doubles", 1),
        ("Spiel;Kontra", "Wenz;nein", "doubles", ()),
        ("Spiel;Kontra", "Wenz;", "doubles", None),
    ],
)
def test_a_cell_is_read_as_people_write_it(heads: str, cells: str, key: str, value: object) -> None:
    assert getattr(deal_of(heads, cells), key) == value


def test_a_name_below_kontra_that_nobody_has_is_told_as_it_is_written() -> None:
    for text in ("Benn", "Kontra Benn", "Anna, Benn"):
        assert one("Spiel;Spieler;Kontra", f"Wenz;Cem;{text}")[2][0].facts["entry"] == "Benn"


@pytest.mark.parametrize(
    "text", ["zusammengeworfen", "Z'sammgworfen", "passed out", "Weiter", "thrown in", "neu gegeben"]
)
def test_a_deal_that_was_thrown_in_is_one(text: str) -> None:
    assert deal_of("Spiel;Spieler", f"{text};").game == Game("none")
    assert one("Spiel;Spieler", f"{text};Anna")[2][0].rule == "bad-entry"


def test_who_stands_in_a_ramsch_has_lost_it_unless_he_won() -> None:
    deal = deal_of("Spiel;Spieler", "Ramsch;Dora")
    assert (deal.game, deal.stated and deal.stated.loser) == (Game("ramsch"), 3)
    assert deal.inferred[0].startswith("stated.loser: ")
    march = deal_of("Spiel;Spieler;Ergebnis", "Ramsch;Dora;gewonnen")
    assert march.stated.loser is None
    assert march.x == {"Spieler": "Dora"}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("gewonnen mit 3 Laufenden", {"stated.won": True, "stated.runners": 3}),
        ("mit 3 Laufende gewonnen", {"stated.won": True, "stated.runners": 3}),
        ("gewonnen mit 4", {"stated.won": True, "stated.runners": 4}),  # nobody wins with 4 points
        ("verloren, ohne 2", {"stated.won": False, "stated.runners": -2}),
        ("gewonnen mit 62, 2 Laufende", {"stated.won": True, "stated.points": 62, "stated.runner_count": 2}),
        ("verloren 0", {"stated.won": False, "stated.points": 0}),
        ("verloren mit 12 Augen", {"stated.won": False, "stated.points": 12}),
        ("gew., 3 Lfd.", {"stated.won": True, "stated.runner_count": 3}),
        ("1x gelegt, verloren", {"stated.won": False, "knocks": 1}),
        ("einmal geklopft", {"knocks": 1}),
        ("gewonnen, Kontra Re", {"stated.won": True, "doubles": 2}),
    ],
)
def test_a_result_tells_runners_knocks_and_kontra_too(text: str, fields: dict[str, Any]) -> None:
    assert result_fields("Ergebnis", text, words_of_rules("bavarian", None), counts_runners=False) == fields


def test_a_small_number_of_a_lost_deal_is_asked_about() -> None:
    """12 may count runners or points; a column of runners leaves the points."""
    _, deals, findings = one("Spiel;Ergebnis", "Wenz;verloren 12")
    assert not deals
    assert "12 points or 12 runners" in say(findings[0].message, "en")
    assert "20 points or 20 ct" in say(one("Spiel;Ergebnis", "Wenz;gewonnen 20")[2][0].message, "en")
    _, deals, _ = one("Spiel;Ergebnis;Laufende", "Wenz;verloren mit 12;2")
    assert deals[0].stated.points == 12


@pytest.mark.parametrize(
    "text",
    [
        "gewonnen verloren",
        "121",
        "knapp",
        "60 61",
        "91:29 91",
        "gewonnen, Gebot 70",
        "gewonnen, Re",
        "won?",
        "gewonnen??",
        "+ schwarz Augen 4",
        "-5",
        "9" * 300,
    ],
)
def test_a_result_that_says_two_things_or_none_is_refused(text: str) -> None:
    _, deals, findings = one("Spiel;Ergebnis", f"Wenz;{text}")
    assert not deals
    assert findings[0].rule == "bad-entry"
    assert findings[0].message.startswith("Ergebnis: ")


def test_plus_and_minus_are_results_in_a_column_that_has_both() -> None:
    results = [deal.stated and deal.stated.won for deal in sheet(*with_result("+", "-", ""))[1]]
    assert results == [True, False, None]
    assert [deal.stated and deal.stated.won for deal in sheet(*with_result("-", "-", ""))[1]] == [None, None, None]


def with_result(*results: str) -> list[list[Any]]:
    return [PLAIN[0], *([*row[:4], result, *row[5:]] for row, result in zip(PLAIN[1:], results, strict=True))]


@pytest.mark.parametrize(("text", "count"), [("mit 3", 3), ("ohne 2", -2), ("m. 2 Lauf.", 2), ("without 12", -12)])
def test_runners_have_a_side(text: str, count: int) -> None:
    assert stated_of("Spiel;Laufende", f"Wenz;{text}").runners == count
    if " " in text:
        assert stated_of("Spiel", f"Wenz {text}").runners == count
    else:
        assert one("Spiel", f"Wenz {text}")[2][0].rule == "bad-entry"


def test_runners_of_no_side_are_kept_as_they_are_and_that_is_said() -> None:
    sessions, deals, findings = one("Spiel;Laufende", "Wenz;3")
    assert not findings
    assert deals[0].stated.runners is None
    assert deals[0].x == {"Laufende": "3"}
    assert inferred(sessions, "stated.runners")


@pytest.mark.parametrize(
    ("text", "hundredths"),
    [
        ("20", 2000), ("+20", 2000), ("-20", -2000), ("−20", -2000), ("–1,5", -150), ("0,50 €", 50), ("€ 0.50", 50),
        ("1.234,50", 123450), ("1,234.50", 123450), ("1.234", 123400), ("20,-", 2000), ("-,50", -50), ("20 ct", 2000),
        ("EUR 3", 300), ("", None), ("-", None), ("zwei", None), ("1,2345", None), ("20 km", None), ("€", None),
        ("1e5", None), ("1.23.456", None), ("(30)", -3000), ("(0,50)", -50), ("50-", -5000), ("50 -", -5000),
        ("1,20-", -120), ("-50 Ct.", -5000), ("50- ct", -5000), ("0,50 € -", -50), ("30 Striche-", -3000),
        ("-20 Pfennig", -2000), ("(+30)", 3000), ("(-30)", -3000), ("30 Cts", 3000), ("-50-", None), ("()", None),
        ("±0", 0),
    ],
)  # fmt: skip
def test_amounts_are_read_with_comma_point_unit_and_sign_or_brackets(text: str, hundredths: int | None) -> None:
    found = parse_amount(text)
    assert (found and found.hundredths) == hundredths


def paid(*rows_of: tuple[str, ...], heads: tuple[str, ...] = PLAYERS) -> Read:
    return sheet(["Spiel", *heads], *(["Wenz", *row] for row in rows_of))


def test_decimals_or_a_sign_make_the_amounts_euros_in_cents_and_that_is_said() -> None:
    for cells in (("0,5", "0,5", "0,5", "-1,5"), ("1 €", "1 €", "1 €", "-3 €"), ("1", "1", "-,5", "-1,5")):
        sessions, deals, findings = paid(cells, ("1", "1", "1", "-3"))
        assert not findings
        assert sessions[0].unit == "ct"
        assert inferred(sessions, "unit")
        assert deals[1].stated == Stated(payments=(100, 100, 100, -300))
    in_head = paid(("1", "1", "1", "-3"), heads=tuple(f"{name} (€)" for name in PLAYERS))
    assert (in_head[0][0].unit, in_head[0][0].players) == ("ct", PLAYERS)


def test_whole_numbers_are_of_the_unit_that_stands_there_or_of_none() -> None:
    assert paid(("1", "1", "1", "-3"))[0][0].unit is None
    assert paid(("1 P", "1 P", "1 P", "-3 P"))[0][0].unit == "P"
    assert paid(("1", "1", "1", "-3"), heads=tuple(f"{name} [ct]" for name in PLAYERS))[0][0].unit == "ct"


def test_one_amount_with_decimals_alone_does_not_turn_all_others_into_euros() -> None:
    sessions, deals, findings = paid(("10", "10", "10", "-30"), ("0,5", "10", "10", "-30"), ("5", "5", "5", "-15"))
    assert sessions[0].unit is None
    assert [deal.stated and deal.stated.payments for deal in deals] == [(10, 10, 10, -30), (5, 5, 5, -15)]
    assert [(each.rule, each.source and each.source.line) for each in findings] == [("bad-entry", 3)]


def test_the_beginning_of_a_single_name_is_that_player_and_that_is_said() -> None:
    sessions, deals, _ = one("Spiel;Spieler;Geber", "Wenz;be;D")
    assert (deals[0].game, deals[0].dealer) == (Game("wenz", 1), 3)
    assert len(inferred(sessions, "players")) == 3


# --- rows -------------------------------------------------------------------------------------------------------------


def test_titles_above_the_head_are_the_note_and_their_only_date_the_date() -> None:
    sessions, deals, findings = sheet(["Stammtisch im Löwen"], ["Abend:", "13.11.26"], [], *PLAIN)
    assert not findings
    assert len(deals) == 3
    assert (sessions[0].note, sessions[0].date) == ("Stammtisch im Löwen\nAbend: 13.11.26", "2026-11-13")
    assert inferred(sessions, "date")
    assert sheet(["13.11.26 bis 14.11.26"], *PLAIN)[0][0].date is None


def test_sums_below_are_the_totals_after_the_last_deal_and_no_deal() -> None:
    sums = ["20", "-220", "20", "180"]
    for label in (["Summe", "", "", "", ""], ["", "Gesamt:", "", "", ""], ["", "", "", "", ""]):
        sessions, deals, findings = sheet(*PLAIN, [*label, *sums])
        assert not findings
        assert len(deals) == 3
        assert deals[2].stated.totals == (20, -220, 20, 180)
        assert deals[2].inferred == ("stated.totals: the sums in line 5",)
        assert sums[0] in sessions[0].x["sums"][0]


def test_amounts_alone_that_are_no_sums_are_no_deal() -> None:
    _, deals, findings = sheet(*PLAIN, ["", "", "", "", "", "1", "-220", "20", "180"])
    assert len(deals) == 3
    assert [each.rule for each in findings] == ["line-not-read"]


def test_what_is_carried_over_is_brought_in() -> None:
    sessions, deals, _ = sheet(PLAIN[0], ["", "Übertrag", "", "", "", "5", "-5", "10", "-10"], *PLAIN[1:])
    assert sessions[0].carry == Carry(totals=(5, -5, 10, -10))
    assert len(deals) == 3


def test_empty_rows_repeated_heads_and_rows_not_filled_in_are_no_deals() -> None:
    numbered = [[str(number), *[""] * 4, "0", "0", "0", "0"] for number in (4, 5, 6)]
    sessions, deals, findings = sheet(PLAIN[0], PLAIN[1], [], PLAIN[0], *PLAIN[2:], *numbered)
    assert not findings
    assert [deal.no for deal in deals] == [1, 2, 3]
    assert inferred(sessions, "deals") == ["deals: lines 7 to 9 are numbered and not filled in"]


def test_a_second_block_of_the_players_or_a_word_beside_them_is_running_totals() -> None:
    for heads in (PLAYERS, tuple(f"Summe {name}" for name in PLAYERS), tuple(f"{name} gesamt" for name in PLAYERS)):
        totals = (("20", "-20", "20", "-20"), ("70", "-170", "70", "30"), ("20", "-220", "20", "180"))
        table = [[*PLAIN[0], *heads], *([*row, *sums] for row, sums in zip(PLAIN[1:], totals, strict=True))]
        _, deals, findings = sheet(*table)
        assert not findings
        assert deals[1].stated.totals == (70, -170, 70, 30)
        assert deals[1].stated.payments == (50, -150, 50, 50)


def test_columns_that_change_as_deals_are_paid_are_totals_and_not_payments() -> None:
    running = [(20, -20, 20, -20), (70, -170, 70, 30), (20, -220, 20, 180), (40, -240, 40, 160), (20, -220, 20, 180)]
    sessions, deals, _ = paid(*(tuple(map(str, row)) for row in running))
    assert [deal.stated and deal.stated.totals for deal in deals] == running
    steps = [(20, -20, 20, -20), (50, -150, 50, 50), (-50, -50, -50, 150), (20, -20, 20, -20), (-20, 20, -20, 20)]
    assert [deal.stated and deal.stated.payments for deal in deals] == steps
    assert inferred(sessions, "stated.totals")


def test_an_evening_ends_where_the_date_changes() -> None:
    table = [["Datum", *PLAIN[0], *PLAYERS], *(
        [day, *row, *sums]
        for day, row, sums in zip(
            ("13.11.2026", "", "2026-11-20"), PLAIN[1:],
            (("20", "-20", "20", "-20"), ("70", "-170", "70", "30"), ("20", "-220", "20", "180")), strict=True,
        )
    )]  # fmt: skip
    sessions, deals, findings = sheet(*table)
    assert not findings
    assert [session.date for session in sessions] == ["2026-11-13", "2026-11-20"]
    assert sessions[1].carry == Carry(totals=(70, -170, 70, 30))
    assert [(deal.no, deal.id, deal.source and deal.source.deal) for deal in deals] == [
        (1, None, 1), (2, None, 2), (None, "3", 1),
    ]  # fmt: skip
    assert inferred(sessions, "id")


def test_unknown_columns_are_noted_and_their_cells_kept() -> None:
    _, deals, findings = one("Spiel;Wetter;Bier", "Wenz;Regen;hell")
    assert [(each.rule, each.severity, each.facts["columns"]) for each in findings] == [
        ("unknown-column", "note", "Wetter, Bier")
    ]
    assert deals[0].x == {"Wetter": "Regen", "Bier": "hell"}


def test_cells_without_a_head_or_with_one_that_stands_twice_are_kept_too() -> None:
    _, deals, findings = sheet(
        ["Spiel", "Wo", "Wo", "", *PLAYERS], ["Wenz", "hier", "da", "x", "20", "-20", "20", "-20", "dort"]
    )
    assert findings[0].facts["columns"] == "Wo 2, Wo 3, column 4, column 9"
    assert deals[0].x == {"Wo 2": "hier", "Wo 3": "da", "column 4": "x", "column 9": "dort"}


def test_a_table_of_two_or_of_eight_players_is_none() -> None:
    for players in (("A", "B"), tuple("ABCDEFGH")):
        _, deals, findings = paid(("5", "-5") * (len(players) // 2), heads=players)
        assert (deals, [each.rule for each in findings]) == ([], ["bad-players"])


def test_what_is_taken_to_be_played_is_what_the_rules_have() -> None:
    ruleset, _ = load(RULES)
    assert set(ruleset.contracts) == {*sheet_words()["house"]["usual"], *sheet_words()["house"]["others"]}
    assert ruleset.house.contracts == tuple(sheet_words()["house"]["usual"])


# --- damage -----------------------------------------------------------------------------------------------------------

BAD = "Qu#x!"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("column", range(len(SHEET[0])))
def test_every_cell_mangled_costs_only_its_row_and_names_its_column(column: int) -> None:
    whole = bare(read(as_csv(SHEET))[1])
    for row in range(1, len(SHEET), examples(8, 1)):
        table = [list(each) for each in SHEET]
        table[row][column] = BAD
        _, deals, findings = read(as_csv(table))
        assert [each.source and each.source.line for each in findings] == [row + 1]
        assert findings[0].severity == "error"
        assert str(SHEET[0][column]) in findings[0].message
        assert bare(deals) == whole[: row - 1] + whole[row:]


def test_every_row_cut_anywhere_costs_only_itself() -> None:
    undated = [[row[0], *row[2:]] for row in SHEET]  # a date that is cut may be another date, and another evening
    lines = as_csv(undated).decode().split("\r\n")
    whole = bare(read(as_csv(undated))[1])
    for row in range(1, 41, examples(20, 1)):
        for end in range(0, len(lines[row]), 11):
            data = "\r\n".join([*lines[:row], lines[row][:end], *lines[row + 1 :]]).encode()
            others = [deal for deal in bare(read(data)[1]) if deal.no != row]
            assert others == whole[: row - 1] + whole[row:]


def test_a_quote_left_open_costs_only_its_row() -> None:
    lines = as_csv(PLAIN).decode().split("\r\n")
    lines[2] = lines[2].replace("Herz", '"Herz')
    _, deals, findings = read("\n".join(lines).encode())
    assert [deal.no for deal in deals] == [1, 3]
    assert [(each.rule, each.source and each.source.line) for each in findings] == [("line-not-read", 3)]


def test_what_two_columns_say_of_one_thing_must_agree() -> None:
    assert stated_of("Spiel;Ergebnis;Augen", "Wenz;gewonnen mit 80;80").points == 80
    assert one("Spiel;Ergebnis;Augen", "Wenz;gewonnen mit 80;81")[2][0].message.startswith("Augen: '81'")


# --- columns.toml -----------------------------------------------------------------------------------------------------

OWN = [["Was?", "Am Zug", "A", "B", "C", "D", "Ort"], ["R Alte", "Ben", "-5", "5", "-5", "5", "Stube"]]
MAPPING = """
rules   = "pub"
unit    = "ct"
players = ["A", "B", "C", "D"]
names   = ["Anna", "Ben", "Cem", "Dora"]
skip    = ["Ort"]
[columns]
contract = "Was?"
declarer = "Am Zug"
[words]
R = "rufspiel"
[house]
tariff = "5/10"
"""


def mapped(folder: Path, text: str, name: str = f"tisch.{MAPPING_NAME}", table: list[list[Any]] = OWN) -> Read:
    (folder / name).write_text(text, "utf-8")
    return read(as_csv(table), str(folder / "tisch.csv"))


@pytest.mark.parametrize("name", [MAPPING_NAME, f"tisch.{MAPPING_NAME}"])
def test_unusual_columns_are_named_by_a_file_beside_the_sheet_which_is_kept(tmp_path: Path, name: str) -> None:
    sessions, deals, findings = mapped(tmp_path, MAPPING, name)
    assert not findings
    session = sessions[0]
    assert (session.players, session.rules, session.unit) == (PLAYERS, "pub", "ct")
    assert (session.house, session.inferred) == ({"tariff": "5/10"}, None)
    assert session.x["columns"]["words"] == {"R": "rufspiel"}
    assert deals[0].game == Game("rufspiel", 1, "E", "EA")
    assert deals[0].stated == Stated(payments=(-5, 5, -5, 5))
    assert deals[0].x == {"Ort": "Stube"}


def test_the_file_of_the_sheet_comes_before_that_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / MAPPING_NAME).write_text("players = 5")
    assert not mapped(tmp_path, MAPPING)[2]


def test_a_mapping_of_the_folder_that_is_not_read_is_named(tmp_path: Path) -> None:
    """The sheet's own goes before that of its folder, and says so."""
    own = [["Spiel", "Wer", *PLAYERS], ["Wenz", "Ben", "-50", "150", "-50", "-50"]]
    assert inferred(mapped(tmp_path, 'unit = "ct"\n', MAPPING_NAME, own)[0], "columns") == []
    (note,) = inferred(mapped(tmp_path, '[columns]\ndeclarer = "Wer"\n', table=own)[0], "columns")
    assert note.startswith(f"columns: tisch.{MAPPING_NAME} is of this sheet alone")


def test_remarks_that_hold_results_are_pointed_at(tmp_path: Path) -> None:
    """They stay remarks until somebody says that they are results."""
    own = [["Spiel", "Spieler", *PLAYERS, "Bemerkung"], ["Wenz", "Anna", "", "", "", "", "?"]]
    own.insert(1, ["Wenz", "Ben", "-50", "150", "-50", "-50", "gewonnen mit 3 Laufenden"])
    own.insert(2, ["Wenz", "Cem", "50", "50", "-150", "50", "verloren"])
    told = "2 of the remarks in Bemerkung look like results"
    assert told in str(read(as_csv(own), str(tmp_path / "tisch.csv"))[0])
    sessions, (first, *_), _ = mapped(tmp_path, '[columns]\nresult = "Bemerkung"\n', table=own)
    assert told not in str(sessions)
    assert (first.stated.won, first.stated.runners) == (True, 3)


def test_columns_of_totals_alone_can_be_named(tmp_path: Path) -> None:
    own = 'totals = ["A", "B", "C", "D"]\ncolumns.contract = "Was?"\nwords.R = "rufspiel"'
    sessions, deals, findings = mapped(tmp_path, own)
    assert [each.rule for each in findings] == ["unknown-column"]
    assert sessions[0].players == ("A", "B", "C", "D")
    assert deals[0].stated == Stated(payments=(-5, 5, -5, 5), totals=(-5, 5, -5, 5))


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ('declarer = "Am Zug"', 'declarer = "Wer"', "bad-entry", 9),
        ('declarer = "Am Zug"', 'delcarer = "Am Zug"', "unknown-key", 9),
        ('"C", "D"]', '"C"]', "wrong-type", 5),
        ("unit    =", "unti    =", "unknown-key", 3),
        ('"pub"', '"pub', "syntax", 2),
        ('"pub"', "5", "wrong-type", 2),
        ('"ct"', '"ct"\ncards = "martian"', "wrong-type", 4),
    ],
)
def test_an_error_in_that_file_is_a_finding_there_and_nothing_is_read(
    tmp_path: Path, old: str, new: str, rule: str, line: int
) -> None:
    assert old in MAPPING
    sessions, deals, findings = mapped(tmp_path, MAPPING.replace(old, new, 1))
    assert (sessions, deals) == ([], [])
    assert [each.rule for each in findings] == [rule]
    source = findings[0].source
    assert (Path(source.path).name, source.line) == (f"tisch.{MAPPING_NAME}", line)


def test_an_unusual_sheet_is_recognised_by_payments_that_sum_to_zero() -> None:
    assert score_sheet.matches("x", as_csv(OWN))
    assert not score_sheet.matches("x", as_csv([["Wos", *OWN[0][1:]], [*OWN[1][:5], "7", ""]]))


# --- recognition ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "", "\0", "a;b;c\n1;2;3\n", "deal;player;game;amount\n1;Ludwig;Rufspiel;10\n", "Geber: Anna\nAnna hat: EO GO\n",
        "Name;Preis;Menge;Gewicht\nMehl;1,20;5;1000\n", "Spieler;Alter\nAnna;40\nBen;41\n",
        "Rufspiel Blaue von 3: so h7 go eo ho hz hk eu\n", '{"format": "schafkopf-record/1", "game": "Anna wenz"}\n',
        "to those who made them, and against defenders who see everything a lone player looks 10 to 26 points in a "
        'hundred worse\n"What would you have played?" is made from it. The same goes for a game whose cards lie '
        "covered or set aside (Vicar's,\n## What a player could know\n",
    ],
)  # fmt: skip
def test_other_files_are_not_claimed(text: str) -> None:
    assert not score_sheet.matches("sheet.csv", text.encode())


def test_a_workbook_is_told_from_other_zips_by_its_first_parts() -> None:
    book = as_workbook(PLAIN)
    assert score_sheet.matches("x", book[:65_536])
    for names in (["word/document.xml"], ["[Content_Types].xml", "word/document.xml"], ["evening.toml"]):
        assert not score_sheet.matches("x", zipped(dict.fromkeys(names, b"")))
    holding = io.BytesIO()
    with zipfile.ZipFile(holding, "w", zipfile.ZIP_STORED) as parts:
        parts.writestr("sheets/evening.xlsx", book)
    assert not score_sheet.matches("x", holding.getvalue())


# --- workbooks --------------------------------------------------------------------------------------------------------


def zipped(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()


def parts_of(book: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


SHEET1 = "xl/worksheets/sheet1.xml"


def test_a_formula_without_its_value_is_not_known_and_that_is_said() -> None:
    table = [PLAIN[0], [1, "Wenz", "Anna", None, None, 150, -50, -50, "=-SUM(F2:H2)"]]
    book = parts_of(as_workbook(table))
    _, deals, findings = read(zipped(book))
    assert deals[0].stated == Stated(payments=(150, -50, -50, None))
    assert [(each.rule, each.facts["cells"]) for each in findings] == [("formula-without-value", "Sheet: I2")]
    book[SHEET1] = re.sub(rb"</f><v\s*/>|</f><v></v>", b"</f><v>-50</v>", book[SHEET1])
    _, deals, findings = read(zipped(book))
    assert deals[0].stated == Stated(payments=(150, -50, -50, -50))
    assert not findings


LAUGHS = (
    b'<!DOCTYPE l [<!ENTITY a "ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 50) for n in range(9)
    ) + b"]>"
)  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_document_type_is_refused_before_its_entities_are_read(encoding: str) -> None:
    book = parts_of(as_workbook(PLAIN))
    text = book[SHEET1].decode().partition("?>")[2] or book[SHEET1].decode()
    book[SHEET1] = f'<?xml version="1.0"?>{LAUGHS.decode()}{text.replace("Wenz", "&j;")}'.encode(encoding)
    _, deals, findings = read(zipped(book))
    assert (deals, [each.rule for each in findings]) == ([], ["sheet-unreadable"])
    assert "document type" in findings[0].message


def far_cell(book: dict[str, bytes]) -> bytes:
    """A row at the end of a sheet, a cell at the end of a row, and a dimension that says so."""
    far = b'<row r="1048576"><c r="XFD1048576" t="n"><v>1</v></c></row></sheetData>'
    part = book[SHEET1].replace(b"</sheetData>", far)
    return re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1:XFD1048576"', part)


def timed(data: bytes) -> Read:
    with without_hanging():
        return read(data)


def test_what_a_workbook_says_of_its_size_costs_nothing() -> None:
    book = parts_of(as_workbook(PLAIN))
    book[SHEET1] = far_cell(book)
    _, deals, findings = timed(zipped(book))
    assert len(deals) == 3
    assert [each.rule for each in findings] == ["sheet-unreadable"]


def hostile(kind: str) -> bytes:
    book = parts_of(as_workbook(PLAIN))
    cells = b"".join(b'<c r="A%d" t="inlineStr"><is><t>x</t></is></c>' % row for row in range(2, 90_000))
    styles = b"<xf/>" * 300_000 + b"</cellXfs>"
    parts = {
        "bomb": {SHEET1: book[SHEET1] + b" " * (64 << 20)},
        "cells": {SHEET1: book[SHEET1].replace(b"</sheetData>", b"<row>" + cells + b"</row></sheetData>")},
        "styles": {"xl/styles.xml": book["xl/styles.xml"].replace(b"</cellXfs>", styles)},
        "deep": {SHEET1: b"<a>" * 50_000},
        "runs": {SHEET1: b"<si><strike>" * 50_000},  # letters that are struck out, of texts that do not end
        "no part": {"xl/workbook.xml": b"<"},
        "parts": {f"xl/{number}.xml": b"" for number in range(2_000)},
        "lzma": {},
        "half": {},
    }
    data = zipped(book | parts[kind], zipfile.ZIP_LZMA if kind == "lzma" else zipfile.ZIP_DEFLATED)
    return data[:2000] if kind == "half" else data


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["bomb", "cells", "styles", "deep", "runs", "lzma", "no part", "parts", "half"])
def test_a_hostile_workbook_is_a_finding_and_takes_no_time(kind: str) -> None:
    data = hostile(kind)
    assert score_sheet.matches("x", data[:65_536])
    _, deals, findings = timed(data)
    assert (deals, [each.rule for each in findings]) == ([], ["sheet-unreadable"])


def test_more_rows_than_an_evening_can_have_are_told_and_the_first_are_read() -> None:
    _, deals, findings = sheet(*PLAIN[:2], *([[""] * 9] * (ROWS - 3)), *PLAIN[2:])
    assert [deal.source and deal.source.line for deal in deals] == [2, ROWS]
    assert [(each.rule, each.source and each.source.line) for each in findings] == [("sheet-unreadable", ROWS + 1)]


# --- the audit --------------------------------------------------------------------------------------------------------


def verdicts(*rows_of: list[Any], heads: list[Any] = PLAIN[0]) -> list[tuple[str, list[str]]]:
    items = judge_stream(score_sheet.read(as_csv([heads, *rows_of]), Source("sheet.csv")))
    found = [each for each in items if isinstance(each, Judgement)]
    return [(each.verdict, [finding.rule for finding in each.findings]) for each in found]


def test_a_row_is_judged_as_far_as_it_goes() -> None:
    assert verdicts(*PLAIN[1:]) == [("undecidable", [])] * 3
    assert verdicts(["1", "zusammengeworfen", "", "", "", "0", "0", "0", "0"]) == [("agrees", [])]


def test_payments_that_do_not_sum_to_zero_differ() -> None:
    row = [*PLAIN[1][:5], "20", "-20", "20", "-10"]
    assert verdicts(row, PLAIN[2]) == [("differs", ["stated-sum"]), ("undecidable", [])]


def test_points_that_do_not_win_differ() -> None:
    assert verdicts(["1", *PLAIN[2][1:4], "gewonnen mit 60", *PLAIN[2][5:]]) == [("differs", ["stated-won"])]
    assert verdicts(["1", *PLAIN[2][1:4], "verloren mit 61", *PLAIN[2][5:]]) == [("differs", ["stated-won"])]
    assert verdicts(["1", "Solo Herz Tout", "Ben", "", "verloren mit 90", *PLAIN[2][5:]]) == [("undecidable", [])]
    assert verdicts(["1", "Ramsch", "Ben", "", "gewonnen mit 20", *PLAIN[2][5:]]) == [("undecidable", [])]


def test_totals_that_do_not_add_up_differ_where_they_break() -> None:
    sums = ("20", "-220", "20", "180")
    assert verdicts(*PLAIN[1:], ["Summe", *[""] * 4, *sums]) == [("undecidable", [])] * 3
    wrong = verdicts(*PLAIN[1:], ["Summe", *[""] * 4, "20", "-220", "30", "170"])
    assert wrong == [*[("undecidable", [])] * 2, ("differs", ["stated-totals"])]
    totals = (("20", "-20", "20", "-20"), ("70", "-150", "70", "10"), ("20", "-200", "20", "160"))
    running = [[*row, *each] for row, each in zip(PLAIN[1:], totals, strict=True)]
    found = verdicts(*running, heads=[*PLAIN[0], *PLAYERS])
    assert found == [("undecidable", []), ("differs", ["stated-totals"]), ("undecidable", [])]


def test_a_lost_row_breaks_no_totals() -> None:
    sums = ["Summe", *[""] * 4, "20", "-220", "20", "180"]
    found = verdicts(PLAIN[1], [*PLAIN[2][:4], "??!", *PLAIN[2][5:]], PLAIN[3], sums)
    assert found == [("undecidable", []), ("undecidable", ["deal-gap"])]


# --- no crash ---------------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=12)
CELLS = st.one_of(
    TEXT,
    st.sampled_from([str(cell) for row in SHEET[:12] for cell in row]),
    st.sampled_from(["Summe", "0,50 €", "-", "x", '"', "13.11.2026", "1e9", "∞", "٣", "²"]),
    st.integers(-(10**12), 10**12).map(str),
)
TABLES = st.lists(st.lists(CELLS, max_size=12), max_size=8)


def told(data: bytes) -> None:
    """Reads anything: all that comes back has a place, and every deal can be written as a record and read again."""
    session: Session | None = None
    for item in score_sheet.read(data, Source("sheet.csv")):
        assert item.source.line >= 1
        assert not isinstance(item, Finding) or "\n" not in item.message
        if isinstance(item, Session):
            session = item
        elif isinstance(item, Deal):
            assert session
            list(read_lines(write_line(session, item), Source("again.jsonl")))


@given(TABLES, st.sampled_from([";", ",", "\t"]))
@settings(max_examples=examples(10, 150))
def test_any_table_is_read_or_a_finding(table: list[list[str]], delimiter: str) -> None:
    for lines in (table, [PLAIN[0], *table], [SHEET[0], *SHEET[1:3], *table]):
        told(as_csv(lines, delimiter))


def test_the_samples_show_a_sheet_of_each_kind() -> None:
    for name in ("score-sheet.csv", "score-sheet-english.csv", "score-sheet-own-columns.csv", "score-sheet.xlsx"):
        sessions, deals, findings = read((VALID / name).read_bytes(), str(VALID / name))
        assert sessions
        assert len(deals) > 3
        assert not findings


def test_the_examples_of_the_page_are_read(tmp_path: Path) -> None:
    page = (VALID.parents[1] / "docs" / "formats" / "score-sheet.md").read_text("utf-8")
    example, tournament, agreed, mapping = re.findall(r"```\w*\n(.*?)```", page, re.DOTALL)
    sessions, deals, findings = read(example.encode())
    assert not findings
    assert (sessions[0].unit, sessions[0].date, len(deals)) == ("ct", "2026-11-13", 4)
    assert deals[3].stated.totals == (140, -240, 140, -40)
    rounds, _, findings = read(tournament.encode())
    assert rounds
    assert not findings
    (tmp_path / MAPPING_NAME).write_text(agreed, "utf-8")
    rounds, _, findings = read(tournament.encode(), str(tmp_path / "liste.csv"))
    assert [each.house for each in rounds] == [{"standings": ["solos", "touts"]}] * len(rounds)
    assert not findings
    table = [["Was?", "Am Zug", "Rest", *"ABCD", *(f"Σ{name}" for name in "ABCD"), "Ort"]]
    table.append(["R Alte", "Ben", "50", "-5", "5", "-5", "5", "-5", "5", "-5", "5", "Stube"])
    _, deals, findings = mapped(tmp_path, mapping, table=table)
    assert not findings
    assert deals[0].game == Game("rufspiel", 1, "E", "EA")
    assert deals[0].stated == Stated(points_against=50, payments=(-5, 5, -5, 5), totals=(-5, 5, -5, 5))


SIGNS_AND_LETTERS = st.text("aÄ(♥) .:'\"!?-\n1_/", max_size=9)


@given(SIGNS_AND_LETTERS)
def test_of_a_head_the_signs_around_the_name_are_left_out(head: str) -> None:
    name = plain_name(head)
    assert name in one_form(head)
    if any(map(str.isalnum, head)):
        assert name[0] not in "♥) .:!?-/"
        assert name[-1] not in "♥( :-/\n"


# --- cells between blanks ---------------------------------------------------------------------------------------------


def between_blanks(table: list[list[str]], empty: str) -> bytes:
    """A table as people line it up in a text, with a title above it."""
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    lines = ["  ".join((cell or empty).ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    return "\n".join(["Stammtisch 13.11.2026", "", *lines, ""]).encode()


@pytest.mark.parametrize("empty", ["-", ""])
def test_words_and_amounts_in_columns_of_a_text_are_read_as_from_cells(empty: str) -> None:
    text = between_blanks(PLAIN, empty)
    assert [importer.NAME for importer in find("evening.txt", text)] == ["score-sheet"]
    _, of_text, findings = read(text, "evening.txt")
    _, of_cells, _ = sheet(*PLAIN)
    assert findings == []
    assert [replace(each, source=None) for each in of_text] == [replace(each, source=None) for each in of_cells]


def test_a_frame_as_a_console_shows_it_is_read() -> None:
    text = """     Spiel Spieler Partner Anna  Ben Cem Dora
0 Sauspiel    Anna     Cem   20  -20  20  -20
1     Wenz    Dora    <NA>  -50  -50 -50  150
2     Solo     Ben    <NA>   50 -150  50   50
"""
    _, deals, findings = read(text.encode(), "frame.txt")
    assert [deal.stated and deal.stated.payments for deal in deals] == [
        (20, -20, 20, -20),
        (-50, -50, -50, 150),
        (50, -150, 50, 50),
    ]
    assert [each.rule for each in findings] == ["unknown-column"]


def test_a_row_of_a_text_with_fewer_cells_than_its_head_is_not_shifted() -> None:
    shifted = between_blanks(PLAIN, "").replace(b"    ", b"  ")
    _, deals, findings = read(shifted, "evening.txt")
    assert [each.no for each in deals] == [1]
    assert [(each.rule, each.source and each.source.line) for each in findings if each.rule == "line-not-read"] == [
        ("line-not-read", 5), ("line-not-read", 6),
    ]  # fmt: skip
