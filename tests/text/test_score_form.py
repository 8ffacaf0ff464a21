"""The score sheet to fill in: what its drop-downs offer is read, its sums and prices are right, and an evening that is
given back as one is the same evening."""

import io
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import openpyxl
import pytest
from msgspec.structs import replace
from support import running
from support.paths import ROOT

from archive.cli.inputs import open_file
from archive.cli.unpack import Raw
from archive.judge.judge_stream import judge_stream
from archive.record import Deal, Finding, Session, Stated
from archive.say import LANGUAGES
from archive.text.score_form import (
    COLUMNS,
    HEAD_ROW,
    LISTS_AT,
    MOST_RUNNERS,
    PRICED,
    Cell,
    FormSheet,
    form_tariff,
    games_offered,
    offered_games,
    result_words,
    runner_words,
    score_form,
    told_deal,
)
from archive.text.workbooks import KINDS, write_workbook

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
VALID = ROOT / "sample_games" / "valid"
Told = tuple[str | int | None, ...]


def fill_in(sheets: Sequence[FormSheet], rows: Sequence[Told]) -> tuple[FormSheet, ...]:
    """The form with what a person types and chooses in its rows, from the column of games on."""
    evening, *others = sheets
    cells = [list(row) for row in evening.rows]
    for line, told in enumerate(rows, HEAD_ROW):
        for column, value in enumerate(told, 1):
            cells[line][column] = replace(cells[line][column], value=value)
    return (replace(evening, rows=tuple(map(tuple, cells))), *others)


def read_form(kind: str, sheets: Sequence[FormSheet]) -> tuple[list[Session], list[Deal], list[Finding]]:
    items = list(open_file(Raw(f"abend.{kind}", write_workbook(kind, sheets)), None).items())
    sessions, deals, findings = ([each for each in items if isinstance(each, of)] for of in (Session, Deal, Finding))  # type: ignore[misc]
    return sessions, deals, findings  # type: ignore[return-value]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_game_of_the_drop_down_is_read_as_what_it_is_without_a_question(language: str, kind: str) -> None:
    games = list(games_offered())
    rows: list[Told] = []
    for game, name in zip(games, offered_games(language), strict=True):
        has_partner = game.contract in ("rufspiel", "hochzeit")
        amounts = (20, -20, 20, -20) if has_partner else (150, -50, -50, -50)
        if game.contract in ("none", "ramsch"):
            amounts = (0, 0, 0, 0) if game.contract == "none" else (-60, 20, 20, 20)
        who = None if game.contract == "none" else "Anna"
        result = None if game.contract in ("none", "ramsch") else result_words(language)[0]
        rows.append((name, who, "Cem" if has_partner else None, result, None, None, None, *amounts))
    sessions, deals, findings = read_form(kind, fill_in(score_form(language, PLAYERS), rows))
    assert [each.rule for each in findings] == ["sheet-passed-over"]
    assert [(session.players, (session.house or {})["tariff"]) for session in sessions] == [(PLAYERS, "10/20/50")]
    read = [(each.game.contract, each.game.suit, each.game.words) for each in deals if each.game]
    assert read == [(each.contract, each.suit, each.words) for each in games]
    assert [(each.stated or Stated()).payments for each in deals] == [row[-4:] for row in rows]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_results_runners_and_doublings_are_read_as_they_are_chosen(language: str, kind: str) -> None:
    won, lost = result_words(language)[:2]
    results = result_words(language)
    rows: list[Told] = [
        (offered_games(language)[4], "Ben", None, result, runners, 1, 2, -10, 30, -10, -10)
        for result, runners in zip(results, runner_words(language), strict=False)
    ]
    _, deals, findings = read_form(kind, fill_in(score_form(language, PLAYERS), rows))
    assert [each.rule for each in findings] == ["sheet-passed-over"]
    stated = [each.stated or Stated() for each in deals]
    assert [each.won for each in stated] == [won in text.split() for text in results]
    assert lost not in results[0]
    assert [each.runners for each in stated] == list(range(1, 7))
    assert [(each.schneider, each.schwarz) for each in stated[2:]] == [(True, None)] * 2 + [(None, True)] * 2
    assert {(each.knocks, each.doubles) for each in deals} == {(1, 2)}


def test_the_drop_downs_offer_what_stands_in_the_cells_that_they_name() -> None:
    evening, prices = score_form("de", PLAYERS)
    offered = {choice.cells[0]: choice.source for choice in evening.choices}
    assert offered["C"] == offered["D"] == f"Abend!$I${HEAD_ROW}:$L${HEAD_ROW}"
    assert [cell.value for cell in evening.rows[HEAD_ROW - 1][8:12]] == list(PLAYERS)
    for column, words in zip(
        "BEFG", (offered_games("de"), result_words("de"), runner_words("de"), [1, 2, 3, 4]), strict=True
    ):
        _, place, last = re.fullmatch(r"(Preise)!\$([A-Z])\$1:\$[A-Z]\$(\d+)", offered[column]).groups()  # type: ignore[union-attr]
        at = ord(place) - 65
        assert [row[at].value for row in prices.rows[: int(last)]] == words
        assert at >= LISTS_AT - 1


@pytest.mark.parametrize("tariff", ["10/20/50", "5/10/20", "10/10/50"])
def test_what_a_deal_costs_is_what_the_rules_give_and_the_formula_says_it(tariff: str) -> None:
    prices = score_form("en", tariff=tariff)[1]
    extra, called, alone = map(int, tariff.split("/"))
    priced = [(row[0], row[1:9]) for row in prices.rows[4 : 4 + 3 * len(PRICED)]]
    assert len(priced) == 9
    for head, cells in priced:
        for count, cell in zip((0, *range(2, MOST_RUNNERS + 1)), cells, strict=True):
            if not cell.formula:
                continue
            text = cell.formula.replace("$A$3", str(extra)).replace("$B$3", str(called)).replace("$C$3", str(alone))
            assert eval(text) == cell.value, (head.value, count)
    assert [cell.value for cell in prices.rows[2][:3]] == [extra, called, alone]


def test_each_row_and_the_last_one_prove_their_sums() -> None:
    evening = score_form("en", (*PLAYERS, "Emil"))[0]
    left, right = len(COLUMNS), len(COLUMNS) + 5
    assert evening.rows[HEAD_ROW][right].formula == "SUM(I5:M5)"
    assert [cell.formula for cell in evening.rows[-1][left : right + 1]] == [
        *(f"SUM({at}5:{at}44)" for at in "IJKLM"),
        "SUM(I45:M45)",
    ]
    assert evening.zeros == "N5:N45"


def test_a_form_without_deals_has_none_and_asks_nothing() -> None:
    for kind in KINDS:
        _, deals, findings = read_form(kind, score_form("de"))
        assert (deals, [each.rule for each in findings]) == ([], ["sheet-passed-over"])


def test_the_same_form_gives_the_same_bytes_but_for_the_moment_that_excel_wants() -> None:
    assert write_workbook("ods", score_form("de")) == write_workbook("ods", score_form("de"))


def test_a_formula_of_a_workbook_comes_with_its_value() -> None:
    book = openpyxl.load_workbook(io.BytesIO(write_workbook("xlsx", score_form("en", PLAYERS))), data_only=True)
    assert (book.worksheets[0]["M5"].value, book.worksheets[1]["D5"].value) == (0, 50)


def test_more_players_than_letters_and_a_sign_that_no_workbook_holds_are_written() -> None:
    many = score_form("en", (*(f"Player {n}" for n in range(19)), "Anna\a"))
    (page, _) = openpyxl.load_workbook(io.BytesIO(write_workbook("xlsx", many)), data_only=True).worksheets
    assert (page["AB4"].value, page["AC5"].value, page["AC45"].value) == ("Anna\ufffd", 0, 0)
    assert "sheet-unreadable" not in [each.rule for each in read_form("ods", many)[2]]


def test_a_formula_that_gives_the_empty_text_was_not_saved_without_its_value() -> None:
    sheets = fill_in(score_form("en", PLAYERS), [(None,) * 7 + (20, -20, 20, -20)])
    evening = sheets[0]
    silent = Cell("", "check", 'IF(COUNT(I5:L5)=0,"",SUM(I5:L5))')
    rows = [(*row[:12], silent, *row[13:]) if HEAD_ROW < at <= 44 else row for at, row in enumerate(evening.rows, 1)]
    _, deals, findings = read_form("xlsx", (replace(evening, rows=tuple(rows)), *sheets[1:]))
    assert ([each.rule for each in findings], len(deals)) == (["sheet-passed-over"], 1)


@pytest.mark.parametrize(
    ("text", "tariff"),
    [("10/20/50", "10/20/50"), ("10/50", "10/10/50"), ("0,05/0,10/0,20 €", "5/10/20"), ("x", None), ("10", None)],
)
def test_a_tariff_of_the_form_has_three_parts_in_cents(text: str, tariff: str | None) -> None:
    assert form_tariff(text) == tariff


# --- given back -----------------------------------------------------------------------------------------------------


def run(*words: str | Path) -> bytes:
    return running.run(*words).stdout_bytes


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("sheet", ["score-sheet.csv", "score-sheet-english.csv", "score-sheet.xlsx"])
def test_an_evening_given_back_as_a_sheet_is_the_same_evening(kind: str, sheet: str, tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    run("import", VALID / sheet, "--db", db)
    back = tmp_path / f"back.{kind}"
    run("export", "--to", kind, "--session", 1, "--db", db, "-o", back)
    before = list(open_file(Raw(sheet, (VALID / sheet).read_bytes()), None).items())
    after = list(open_file(Raw(back.name, back.read_bytes()), None).items())
    assert not [each for each in after if isinstance(each, Finding) and each.rule != "sheet-passed-over"]
    assert [each.date for each in after if isinstance(each, Session)] == [
        each.date for each in before if isinstance(each, Session)
    ][:1]

    def facts(items: Sequence[object]) -> list[object]:
        deals = [each for each in items if isinstance(each, Deal)]
        return [
            (each.game, each.partner, each.stated.payments, each.stated.won, each.stated.runners)
            for each in deals
            if each.stated
        ]

    assert facts(after) == facts(before)[: len(facts(after))]
    assert len(facts(after)) >= 3


@pytest.mark.one_in(2)
@pytest.mark.parametrize("record", ["bauernstoss.toml", "three-player-blind.toml"])
def test_a_game_with_the_number_of_its_bid_is_given_back(record: str, tmp_path: Path) -> None:
    run("import", VALID / record, "--db", tmp_path / "a.db")
    back = run("export", "--to", "xlsx", "--session", 1, "--db", tmp_path / "a.db")
    read = [open_file(Raw(record, data), None).items() for data in ((VALID / record).read_bytes(), back)]
    before, after = ([each.game for each in items if isinstance(each, Deal)] for items in read)
    assert [game and (game.suit, game.bid) for game in after] == [game and (game.suit, game.bid) for game in before]
    assert any(game and game.bid for game in after)


def test_numbers_of_runners_noughts_and_rulings_are_in_the_sheet_that_is_given_back(tmp_path: Path) -> None:
    heads = "Spiel;Spieler;Mitspieler;Ergebnis;Laufende;Klopfer;Anna;Ben;Cem;Dora"
    rows = ("Herz-Solo;Ben;;verloren mit 40;4;1;180;-540;180;180", "Wenz;Dora;;gewonnen mit 70;0;0;-50;-50;-50;150")
    (tmp_path / "sheet.csv").write_text("\n".join(("Abend vom 13.11.2026", heads, *rows, "")))
    (tmp_path / "columns.toml").write_text('rules = "pub"\ntariff = "10/20/50"\nunit = "ct"\n')
    db, back = tmp_path / "archive.db", tmp_path / "back.xlsx"
    run("import", tmp_path / "sheet.csv", "--db", db)
    words = ("--by", "Emil", "--why", "w", "--cite", "c", "--db", db)
    run("rule", 2, "--payments", "0 0 0 0", *words)
    run("export", "--to", "xlsx", "--session", 1, "--db", db, "-o", back)
    shown = [row[5:12] for row in openpyxl.load_workbook(back).worksheets[0].iter_rows(min_row=5, values_only=True)]
    assert shown[:2] == [(4, 1, None, 180, -540, 180, 180), (None, 0, None, -50, -50, -50, 150)]
    judged = [each for each in open_file(Raw("back.xlsx", back.read_bytes()), None).items() if isinstance(each, Deal)]
    assert [(each.stated.runner_count, each.knocks) for each in judged if each.stated] == [(4, 1), (None, ())]
    assert judged[1].note == "ruled by Emil: Anna 0, Ben 0, Cem 0, Dora 0"
    run("import", back, "--db", tmp_path / "again.db")
    with closing(sqlite3.connect(tmp_path / "again.db")) as conn:
        assert conn.execute("SELECT verdict FROM deals").fetchall() == [("agrees",), ("agrees",)]


def test_a_partner_whom_only_the_cards_show_is_in_the_sheet(tmp_path: Path) -> None:
    db, back = tmp_path / "archive.db", tmp_path / "back.ods"
    run("import", VALID / "netschafkopf.txt", "--db", db)
    run("export", "--to", "ods", "--session", 1, "--db", db, "-o", back)
    run("import", back, "--db", tmp_path / "again.db")
    sql = """SELECT p.name FROM deals d LEFT JOIN seats s ON s.deal_id = d.id AND s.seat = d.partner
        LEFT JOIN players p ON p.id = s.player_id WHERE d.contract = 'rufspiel' ORDER BY d.number"""
    partners = []
    for path in (db, tmp_path / "again.db"):
        with closing(sqlite3.connect(path)) as conn:
            partners.append(conn.execute(sql).fetchall())
    assert partners[0] == partners[1]
    assert len(partners[0]) > 5
    assert (None,) not in partners[0]


@pytest.mark.parametrize(("name", "deal", "partner"), [("rows/a1", 2, "Ben"), ("wrong-parties", 1, "Cem")])
def test_a_partner_whom_the_cards_contradict_is_in_the_sheet_as_written(name: str, deal: int, partner: str) -> None:
    items = open_file(Raw("", (VALID.parent / "broken" / f"{name}.toml").read_bytes()), None).items()
    judged = [each for each in judge_stream(items) if not isinstance(each, Finding)][deal - 1]
    assert told_deal(judged, judged.session.players, "en")[3] == partner


BOCK = """format = "schafkopf-record/1"
players = ["Anna", "Ben", "Cem", "Dora"]
rules = "pub"
date = "2026-11-13"
house.tariff = "10/20/50"
house.bock.on = ["lost-alone"]
[[deal]]
game = "Anna solo H"
stated = {won = false, schneider = false, runners = 0, payments = [-150, 50, 50, 50]}
[[deal]]
no = 2
game = "misdeal"
[[deal]]
no = 2
game = "Dora wenz"
stated = {won = true, schneider = false, runners = 0, payments = [-100, -100, -100, 300]}
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_misdeal_and_a_special_round_are_in_the_sheet_that_is_given_back(language: str, tmp_path: Path) -> None:
    (tmp_path / "bock.toml").write_text(BOCK)
    db, again, back = tmp_path / "archive.db", tmp_path / "again.db", tmp_path / "back.xlsx"
    run("import", tmp_path / "bock.toml", "--db", db)
    run("export", "--lang", language, "--session", 1, "--db", db, "-o", back)
    run("import", back, "--db", again)
    told = []
    for path in (db, again):
        with closing(sqlite3.connect(path)) as conn:
            told.append(conn.execute("SELECT number, contract, multiplier, price, rounds FROM deals").fetchall())
    assert told[0] == told[1] == [(1, "solo", 1, 50, ""), (2, "misdeal", 1, 0, "bock"), (2, "wenz", 2, 100, "bock")]


def test_who_sits_in_for_somebody_has_a_column_of_their_own(tmp_path: Path) -> None:
    db, back = tmp_path / "archive.db", tmp_path / "back.xlsx"
    run("import", VALID / "substitute.toml", "--db", db)
    run("export", "--to", "xlsx", "--session", 1, "--db", db, "-o", back)
    head, *shown = [row[8:13] for row in openpyxl.load_workbook(back).worksheets[0].iter_rows(4, 7, values_only=True)]
    assert head == ("Anna", "Ben", "Cem", "Dora", "Emil")
    assert shown == [(60, -60, -60, 60, None), (40, None, -40, -40, 40), (-60, None, 180, -60, -60)]


def test_an_evening_is_given_back_as_the_file_it_came_in(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    run("import", VALID / "score-sheet.xlsx", "--db", db)
    assert run("export", "--to", "original", "--session", 1, "--db", db) == (VALID / "score-sheet.xlsx").read_bytes()
    refused = running.run("export", "--to", "original", "--session", "1", "--mask", "seats", "--db", db)
    assert refused.exit_code == 2
    assert "original" in refused.stderr


def test_two_files_are_laid_and_none_is_overwritten(tmp_path: Path) -> None:
    words = ["samples", str(tmp_path), "--sheet", "--players", "Anna, Ben, Cem, Dora", "--lang", "de"]
    assert running.run(*words).exit_code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spielzettel.ods", "spielzettel.xlsx"]
    assert running.run(*words).exit_code == 2
    for wrong in (["--players", "Anna, Ben"], ["--players", "A, A, B"], ["--tariff", "much"]):
        assert running.run("samples", tmp_path / "new", "--sheet", *wrong).exit_code == 2
    assert running.run("samples", "--tariff", "5/10/20").exit_code == 2
