"""Score sheets as people write them: heads, clubs, letters, dates, amounts, other workbooks."""

import io
import re
import zipfile
from pathlib import Path

import pytest
from support.items import Read, by_kind
from support.writers.score_sheet import as_csv, as_open_document, as_workbook

from archive.notation.problem import Problem
from archive.record import Game, Source, Stated
from importers import find, score_sheet
from importers.score_sheet.dates import read_date

PLAYERS = ["Anna", "Ben", "Cem", "Dora"]
DEAL = ["20", "-20", "20", "-20"]


def read(data: bytes, path: str = "sheet.csv") -> Read:
    return by_kind(score_sheet.read(data, Source(path)))


def sheet(*lines: list[str]) -> Read:
    return read(as_csv(list(lines)))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Fr 13.11.2026", "2026-11-13"), ("Freitag, 20. November 2026", "2026-11-20"), ("27/11/2026", "2026-11-27"),
        ("Fr., 13.11.26", "2026-11-13"), ("3. Mär. 2026", "2026-03-03"), ("13 November 2026", "2026-11-13"),
        ("20-11-2026", "2026-11-20"), ("2026/11/27", "2026-11-27"), ("Fr., 13. Nov. 26", "2026-11-13"),
    ],
)  # fmt: skip
def test_dates_are_read_as_they_are_written(text: str, day: str) -> None:
    assert read_date("Datum", text)[0] == day


def test_a_moment_may_have_a_zone_and_hours_from_and_to_are_none() -> None:
    assert read_date("Datum", "2026-11-13 20:14:03+01:00")[1] == "2026-11-13T20:14+01:00"
    with pytest.raises(Problem):
        read_date("Datum", "13.11.2026 19:30-23")


def test_a_date_without_a_year_has_the_only_year_of_the_sheet_or_is_kept_as_it_is() -> None:
    rows = [["Datum", "Spiel", *PLAYERS], ["Fr 13.11.", "Wenz", *DEAL], ["Fr 20.11.", "Wenz", *DEAL]]
    sessions, deals, findings = sheet(["Stammtisch 2026"], *rows)
    assert ([session.date for session in sessions], findings) == (["2026-11-13", "2026-11-20"], [])
    sessions, deals, findings = sheet(*rows)
    assert ([session.date for session in sessions], findings) == ([None, None], [])
    assert [deal.x for deal in deals] == [{"Datum": "Fr 13.11."}, {"Datum": "Fr 20.11."}]


def test_a_head_of_two_rows_with_merged_cells_is_one() -> None:
    _, deals, findings = sheet(
        ["Liga im Löwen"], ["Nr", "Spiel", "Spieler", "Beträge"], ["", "", "", *PLAYERS], ["1", "Wenz", "Ben", *DEAL]
    )
    assert findings == []
    assert (deals[0].no, deals[0].game, deals[0].stated) == (1, Game("wenz", 1), Stated(payments=(20, -20, 20, -20)))


def test_who_has_no_amount_in_a_larger_club_sits_out() -> None:
    _, deals, findings = sheet(["Spiel", *PLAYERS, "Emil"], ["Wenz", "20", "", "-20", "20", "-20"], ["Wenz", "", *DEAL])
    assert findings == []
    assert (deals[0].sits_out, deals[0].stated) == ((1,), Stated(payments=(20, 0, -20, 20, -20)))
    rows = (["B", "20", "", "-20", "20", "-20"], ["Emil", *DEAL, ""], ["Ben", *DEAL, ""], ["Zenzi", *DEAL, ""])
    _, deals, (asked,) = sheet(["Aussetzer", *PLAYERS, "Emil"], *rows)
    assert ([deal.sits_out for deal in deals], deals[2].x) == ([(1,), (4,), (4,)], {"Aussetzer": "Zenzi"})
    assert (asked.facts["expected"].id, asked.source and asked.source.line) == ("importers.sits-out", 4)
    assert [bool(deal.inferred) for deal in deals] == [False, False, True]


def test_a_contract_may_be_a_letter() -> None:
    rows = [[letter, "Anna", *DEAL] for letter in "RSWG"]
    _, deals, findings = sheet(["Typ", "Spieler", *PLAYERS], *rows)
    assert findings == []
    assert [deal.game and deal.game.contract for deal in deals] == ["rufspiel", "solo", "wenz", "geier"]


def test_special_rounds_have_columns_of_their_own() -> None:
    rows = [["", "Wenz", "Dora", *DEAL], ["x", "Wenz", "Ben", *DEAL], ["-", "Wenz", "Ben", *DEAL]]
    for head in ("Bock", "Bockrunde", "Doppelrunde"):
        _, deals, findings = sheet([head, "Spiel", "Spieler", *PLAYERS], *rows)
        assert findings == []
        assert [deal.round for deal in deals] == [None, ("bock",), None]
    texts = ["Bockrunde", "Kreuz-Runde", "Ramschrunde", "Farbwenz-Runde", "Muss", "x"]
    _, deals, findings = sheet(["Sonderrunde", "Spiel", *PLAYERS], *([text, "Wenz", *DEAL] for text in texts))
    assert [deal.round for deal in deals] == [("bock",), ("kreuz",), None, None, None]
    assert [deal.x for deal in deals[2:]] == [{"Sonderrunde": text} for text in texts[2:5]]
    assert [each.rule for each in findings] == ["bad-entry"]


def test_event_table_and_list_have_columns_of_their_own() -> None:
    sessions, deals, findings = sheet(
        ["Turnier", "Tisch", "Liste", "Spiel", *PLAYERS], ["Herbstcup", "3", "2", "Wenz", *DEAL]
    )
    assert findings == []
    assert (sessions[0].event, deals[0].table, deals[0].list) == ("Herbstcup", "3", "2")
    assert sheet(["Preisschafkopf im Löwen"], ["Spiel", *PLAYERS], ["Wenz", *DEAL])[0][0].event


def test_columns_can_be_named_by_letter_or_number_and_the_tariff_with_nicknames(tmp_path: Path) -> None:
    mapping = 'tariff = "10/20/50"\nplayers = ["C", "D", "E", "F"]\nnames = ["Anna", "Ben", "Cem", "Dora"]\n'
    mapping += '[columns]\ncontract = "A"\ndeclarer = 2\n[nicknames]\nBazi = "Ben"\n'
    (tmp_path / "columns.toml").write_text(mapping, "utf-8")
    rows = [["x1", "x2", "", "x4", "x5", "x6"], ["Wenz", "Bazi", *DEAL]]
    sessions, deals, findings = read(as_csv(rows), str(tmp_path / "sheet.csv"))
    assert findings == []
    assert (sessions[0].house or {})["tariff"] == "10/20/50"
    assert (sessions[0].players, deals[0].game) == (tuple(PLAYERS), Game("wenz", 1))


def test_rows_that_are_no_deals_are_counted() -> None:
    rows = [["Nr", "Spiel", *PLAYERS], ["1", "Wenz", *DEAL], ["Nr", "Spiel", *PLAYERS], ["2", "Wenz", *DEAL]]
    sessions, deals, _ = sheet(*rows, ["", "Summe", "40", "-40", "40", "-40"])
    assert len(deals) == 2
    assert "rows: no deals are 1 sum (line 5), 1 repeated head (line 3)" in (sessions[0].inferred or ())


def test_an_open_document_sheet_is_read() -> None:
    data = as_open_document([["Nr", "Spiel", "Spieler", *PLAYERS], ["1", "Wenz", "Ben", "-50", "150", "-50", "-50"]])
    assert [importer.NAME for importer in find("evening", data)] == ["score-sheet"]
    sessions, deals, findings = read(data)
    assert findings == []
    assert sessions[0].x == {"sheet": "Abend"}
    assert (deals[0].game, deals[0].stated) == (Game("wenz", 1), Stated(payments=(-50, 150, -50, -50)))


def test_sheets_that_an_office_program_saved_are_read() -> None:
    for name in ("abend.xls", "abend.ods"):
        data = (Path(__file__).parent / "workbooks" / name).read_bytes()
        assert [importer.NAME for importer in find("evening", data)] == ["score-sheet"]
        sessions, deals, findings = read(data, name)
        assert findings == []
        assert [(each.players, each.date) for each in sessions] == [(("Vroni", "Girgl", "Zenzi", "Lois"), "2026-11-13")]
        assert [deal.game and deal.game.contract for deal in deals] == ["rufspiel", "solo", "wenz"]
        assert [deal.stated and deal.stated.payments for deal in deals] == [
            *((20, -20, 20, -20), (50, -150, 50, 50), (-50, -50, -50, 150))
        ]
        assert deals[2].stated.totals == (20, -220, 20, 180)


@pytest.mark.parametrize("data", [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), as_open_document([["x"]])[:-40]])
def test_a_damaged_workbook_of_any_kind_is_a_finding(data: bytes) -> None:
    _, deals, findings = read(data)
    assert (deals, [each.rule for each in findings]) == ([], ["sheet-unreadable"])


@pytest.mark.filterwarnings("ignore::UserWarning:openpyxl")
def test_a_workbook_of_strict_open_xml_is_read() -> None:
    """As Excel and LibreOffice save it if asked to; openpyxl finds no worksheets in one."""
    table, strict = [["Nr", "Spiel", *PLAYERS], ["1", "Wenz", *DEAL]], io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(as_workbook(table))) as parts, zipfile.ZipFile(strict, "w") as copy:
        for name in parts.namelist():
            pattern = rb"schemas\.openxmlformats\.org/(spreadsheetml|officeDocument)/2006"
            copy.writestr(name, re.sub(pattern, rb"purl.oclc.org/ooxml/\1", parts.read(name)))
    _, deals, findings = read(strict.getvalue(), "sheet.xlsx")
    assert ([deal.stated for deal in deals], findings) == ([Stated(payments=(20, -20, 20, -20))], [])


LEGENDS = {
    "below each other": ["A = Anna", "B = Ben", "C = Cem", "D = Dora"],
    "in a row": ["A: Anna, B: Ben, C: Cem, D: Dora"],
    "with a title": ["Legende: A = Anna, B = Ben, C = Cem, D = Dora, G = Geier"],
    "in cells": ["Spieler;A = Anna;B = Ben;C = Cem;D = Dora"],
    "in two cells": ["A;Anna", "B;Ben", "C;Cem", "D;Dora"],
    "in brackets": ["A (Anna), B (Ben), C (Cem), D (Dora)"],
}
OF_LETTERS = ["Nr;Spiel;Spieler;Mitspieler;A;B;C;D", "1;Sauspiel;A;C;20;-20;20;-20", "2;G;D;;-50;-50;-50;150"]


@pytest.mark.parametrize("is_below", [True, False])
@pytest.mark.parametrize("kind", LEGENDS)
def test_a_legend_says_who_the_players_are(kind: str, is_below: bool) -> None:
    legend = LEGENDS[kind]
    lines = [*OF_LETTERS, "", *legend] if is_below else [*legend, "", *OF_LETTERS]
    sessions, deals, findings = read("\n".join(lines).encode())
    assert [session.players for session in sessions] == [tuple(PLAYERS)]
    assert [(deal.game and deal.game.contract, deal.game and deal.game.declarer, deal.partner) for deal in deals] == [
        ("rufspiel", 0, 2),
        ("geier", 3, None),
    ]
    assert findings == []


@pytest.mark.parametrize("legend", ["A = Anna, B = Ben", "A = Anna, A = Ben, C = Cem, D = Dora"])
def test_a_legend_of_some_players_or_in_two_ways_names_none(legend: str) -> None:
    sessions, deals, findings = read("\n".join([legend, *OF_LETTERS]).encode())
    assert ([session.players for session in sessions], len(deals), findings) == ([("A", "B", "C", "D")], 2, [])
